/* SPDX-License-Identifier: MIT */
/* uring_entries.c - requests and completions as arguments. */
#include "wrap/wrapper.h"

#include "wrap/uring_entries.h"

#include <stdatomic.h>
#include <sys/socket.h>

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

/* What is not in all headers. */
enum { SEND_ZC = 47, SENDMSG_ZC, READ_MULTISHOT, FTRUNCATE = 55, READV_FIXED = 60, WRITEV_FIXED };

/* Operations put other things where descriptors are: numbers of buffers, a domain of sockets, nothing. */
static int64_t file_at(const void *submissions, uint32_t at)
{
	const struct io_uring_sqe *request = request_at(submissions, at);

	switch (request->opcode) {
	case IORING_OP_PROVIDE_BUFFERS:
	case IORING_OP_REMOVE_BUFFERS:
	case IORING_OP_SOCKET:
	case IORING_OP_SETXATTR:
	case IORING_OP_GETXATTR:
		return fd_pair(-1);
	default:
		return request->flags & IOSQE_FIXED_FILE ? (int64_t)pair_make(request->fd, 0)
							 : fd_pair(request->fd);
	}
}

/* Of others it is an address, a length, or the like. */
static int64_t offset_at(const void *submissions, uint32_t at)
{
	const struct io_uring_sqe *request = request_at(submissions, at);

	switch (request->opcode) {
	case IORING_OP_READ:
	case IORING_OP_READ_FIXED:
	case IORING_OP_READV:
	case IORING_OP_WRITE:
	case IORING_OP_WRITE_FIXED:
	case IORING_OP_WRITEV:
	case IORING_OP_FSYNC:
	case IORING_OP_SYNC_FILE_RANGE:
	case IORING_OP_FALLOCATE:
	case IORING_OP_FADVISE:
	case IORING_OP_SPLICE:
	case READ_MULTISHOT:
	case READV_FIXED:
	case WRITEV_FIXED:
		return (int64_t)request->off;
	default:
		return 0;
	}
}

static int64_t message_size(uint64_t address)
{
	const struct msghdr *message = (const struct msghdr *)(uintptr_t)address;

	return readable(message, sizeof(*message))
		       ? parts_size((uintptr_t)message->msg_iov, message->msg_iovlen)
		       : 0;
}

/* Of a vector the sum of its parts; 0 of what has no size. */
static int64_t size_at(const void *submissions, uint32_t at)
{
	const struct io_uring_sqe *request = request_at(submissions, at);

	switch (request->opcode) {
	case IORING_OP_READV:
	case IORING_OP_WRITEV:
	case READV_FIXED:
	case WRITEV_FIXED:
		return parts_size(request->addr, request->len);
	case IORING_OP_SENDMSG:
	case IORING_OP_RECVMSG:
	case SENDMSG_ZC:
		return message_size(request->addr);
	case IORING_OP_FALLOCATE:
		return (int64_t)request->addr;
	case FTRUNCATE:
		return (int64_t)request->off;
	case IORING_OP_READ:
	case IORING_OP_READ_FIXED:
	case IORING_OP_WRITE:
	case IORING_OP_WRITE_FIXED:
	case IORING_OP_FSYNC:
	case IORING_OP_SYNC_FILE_RANGE:
	case IORING_OP_FADVISE:
	case IORING_OP_MADVISE:
	case IORING_OP_SEND:
	case IORING_OP_RECV:
	case IORING_OP_SPLICE:
	case IORING_OP_TEE:
	case IORING_OP_PROVIDE_BUFFERS:
	case SEND_ZC:
	case READ_MULTISHOT:
		return request->len;
	default:
		return 0;
	}
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
