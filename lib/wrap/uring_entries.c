/* SPDX-License-Identifier: MIT */
/* uring_entries.c - requests and completions as arguments. */
#include "wrap/wrapper.h"

#include "wrap/uring_entries.h"

#include <stdatomic.h>

#include "wrap/posix_aio.h"

/* ---- what is submitted ---- */

static const struct io_uring_sqe *request_at(const struct submissions *submissions, uint32_t at)
{
	unsigned slot = (submissions->local_head + at - submissions->queued) & submissions->mask;

	if (at < submissions->queued) {
		slot = (submissions->head + at) & submissions->mask;
		if (submissions->array && readable(&submissions->array[slot], sizeof(unsigned)))
			slot = submissions->array[slot] & submissions->mask;
	}
	return &submissions->requests[slot << submissions->shift];
}

static int64_t operation_at(const void *submissions, uint32_t at)
{
	return request_at(submissions, at)->opcode;
}

static int64_t file_at(const void *submissions, uint32_t at)
{
	const struct io_uring_sqe *request = request_at(submissions, at);

	return request->flags & IOSQE_FIXED_FILE ? (int64_t)pair_make(request->fd, 0)
						 : fd_pair(request->fd);
}

static int64_t offset_at(const void *submissions, uint32_t at)
{
	return (int64_t)request_at(submissions, at)->off;
}

/* Of a vector the sum of its parts. */
static int64_t size_at(const void *submissions, uint32_t at)
{
	const struct io_uring_sqe *request = request_at(submissions, at);

	if (request->opcode != IORING_OP_READV && request->opcode != IORING_OP_WRITEV)
		return request->len;
	return parts_size(request->addr, request->len);
}

static int64_t data_at(const void *submissions, uint32_t at)
{
	return (int64_t)request_at(submissions, at)->user_data;
}

void arg_submitted(struct call *call, unsigned index, const struct submissions *submissions)
{
	arg_each(call, index, submissions->count, operation_at, submissions);
	arg_each(call, index + 1, submissions->count, file_at, submissions);
	arg_each(call, index + 2, submissions->count, offset_at, submissions);
	arg_each(call, index + 3, submissions->count, size_at, submissions);
	arg_each(call, index + 4, submissions->count, data_at, submissions);
}

/* ---- what is complete ---- */

struct completed {
	const struct completions *in;
	unsigned from, count;
};

static struct completed look_at(const struct completions *completions)
{
	struct completed found = {.in = completions, .count = ENTRIES_UNREADABLE};
	size_t slots = (size_t)completions->mask + 1;
	unsigned tail;

	if (!completions->tail || !readable(completions->tail, sizeof(unsigned)) ||
	    !readable(completions->entries, slots * sizeof(*completions->entries)
						    << completions->shift))
		return found;
	tail = __atomic_load_n(completions->tail, __ATOMIC_ACQUIRE);
	found.from = atomic_exchange(completions->looked_at, tail);
	found.count = tail - found.from;
	if (found.count > slots) {
		found.from = tail - (unsigned)slots;
		found.count = (unsigned)slots;
	}
	return found;
}

static const struct io_uring_cqe *completion_at(const struct completed *completed, uint32_t at)
{
	const struct completions *in = completed->in;

	return &in->entries[((completed->from + at) & in->mask) << in->shift];
}

static int64_t done_at(const void *completed, uint32_t at)
{
	return (int64_t)completion_at(completed, at)->user_data;
}

static int64_t result_at(const void *completed, uint32_t at)
{
	return completion_at(completed, at)->res;
}

void arg_completed(struct call *call, unsigned index, const struct completions *completions)
{
	struct completed completed = look_at(completions);

	arg_each(call, index, completed.count, done_at, &completed);
	arg_each(call, index + 1, completed.count, result_at, &completed);
}
