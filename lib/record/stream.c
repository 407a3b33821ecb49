/* SPDX-License-Identifier: MIT */
/* stream.c - the stream files: created once, appended to by all threads. */
#include "record/stream.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>

#include "format/chunk.h"
#include "format/frame.h"
#include "record/clock.h"
#include "record/errand.h"
#include "record/identity.h"
#include "record/quiet_write.h"
#include "record/stream_file.h"
#include "record/stream_state.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/tracedir.h"

#define ROOM_TO_END 1024 /* bytes */

struct stream_state stream;

/* What the calling thread has appended. */
static __thread uint64_t own_bytes __attribute__((tls_model("initial-exec")));

const char *stream_name(void)
{
	return stream.name;
}

bool stream_is_shared(void)
{
	return stream.shared;
}

bool stream_is_open(void)
{
	return stream.name[0] && !stream.failed;
}

uint64_t stream_bytes(void)
{
	return atomic_load(&stream.bytes);
}

uint64_t stream_own_bytes(void)
{
	return own_bytes;
}

uint32_t stream_chunks(void)
{
	return atomic_load(&stream.chunks);
}

void stream_path(struct textbuf *path, const char *suffix)
{
	text_add(path, tracedir_path);
	text_add(path, "/");
	text_add(path, stream.name);
	text_add(path, suffix);
}

struct append {
	struct frame_tag tag;
	struct iovec parts[3]; /* tag, header, body */
	long size;
	bool local;         /* for the LM */
	const char *suffix; /* of it */
};

/* Seals the header. Where the file is the process's own there is no tag. */
static struct append append_of(struct chunk_header *header, const void *body)
{
	struct append job = {
		.parts = {{NULL, 0}, {header, sizeof(*header)}, {(void *)body, header->body_size}},
		.size = (long)(sizeof(*header) + header->body_size),
	};

	chunk_header_seal(header, body);
	if (stream.shared) {
		frame_tag_seal(&job.tag, identity.stream_id, header);
		job.parts[0].iov_len = sizeof(job.tag);
		job.size += (long)sizeof(job.tag);
	}
	return job;
}

/* What readers will find in the stream of so many bytes written: of less than a header they cannot tell whose it is. */
static uint64_t counted(const struct append *job, long written)
{
	if (written <= 0 || job->local || (stream.shared && written < (long)FRAME_HEADER_SIZE))
		return 0;
	return (uint64_t)written - job->parts[0].iov_len;
}

/* Below a limit of its size the file has room for what says how it ends: what was lost, and that nothing follows. */
static uint64_t kept_free(const struct append *job)
{
	const struct chunk_header *header = job->parts[1].iov_base;

	return header->type == CHUNK_LOST || header->type == CHUNK_END ? 0 : ROOM_TO_END;
}

/* Of a file of its own: a chunk that is cut by the limit would be there for good, and nothing could be behind it. */
static bool fits(int fd, const struct append *job)
{
	uint64_t limit = stream.shared ? RLIM_INFINITY : sys_file_size_limit();
	struct stat status;

	return limit == RLIM_INFINITY || sys_fstat(fd, &status) ||
	       (uint64_t)status.st_size + (uint64_t)job->size + kept_free(job) <= limit;
}

/* A short write is never continued, another thread may have appended meanwhile: the chunk is written again whole. */
static int append(int fd, void *data)
{
	struct append *job = data;
	long written;

	if (!job->local && !fits(fd, job))
		return -EFBIG;
	job->parts[0].iov_base = &job->tag;
	written = quiet_writev(fd, job->parts, 3);
	atomic_fetch_add(&stream.bytes, counted(job, written));
	own_bytes += counted(job, written);
	return write_error(written, job->size);
}

int stream_append_first(int fd, struct chunk_header *header, const void *body)
{
	struct append job = append_of(header, body);

	job.local = true;
	return append(fd, &job);
}

/* Whether the same may go well a second time. */
static bool may_retry(int error)
{
	return error == -ENOSPC || error == -EINTR || error == -EBADF;
}

static int append_twice(struct append *job)
{
	int error = stream_file_use(append, job);

	return error && may_retry(error) ? stream_file_use(append, job) : error;
}

int stream_append(struct chunk_header *header, const void *body)
{
	struct append job;
	int error;

	if (!stream_is_open())
		return -EBADF;
	job = append_of(header, body);
	error = append_twice(&job);
	if (!error)
		atomic_fetch_add(&stream.chunks, 1);
	return error;
}

static int find_size(int fd, void *data)
{
	struct stat status;
	int error = sys_fstat(fd, &status);

	if (!error)
		*(uint64_t *)data = (uint64_t)status.st_size;
	return error;
}

uint64_t stream_size(void)
{
	uint64_t size = 0;

	if (stream.shared)
		return stream_bytes();
	return stream.inode && !stream_file_use(find_size, &size) ? size : 0;
}

static int find_space(int fd, void *data)
{
	return sys_fstatfs(fd, data);
}

int stream_space(uint64_t *total, uint64_t *available)
{
	struct statfs system;
	int error = stream_file_use(find_space, &system);

	if (error)
		return error;
	*total = (uint64_t)system.f_blocks * (uint64_t)system.f_bsize;
	*available = (uint64_t)system.f_bavail * (uint64_t)system.f_bsize;
	return 0;
}

static int truncate_file(int fd, void *data)
{
	return sys_ftruncate(fd, (int64_t) * (const uint64_t *)data);
}

/* What others appended meanwhile has to stay: readers are told to leave out the chunk. */
static bool withdraw(uint32_t thread, uint64_t sequence)
{
	struct chunk_header header = {.type = CHUNK_BACK,
				      .thread = thread,
				      .first_sequence = sequence};

	header.anchor = clock_anchor();
	return !stream_append(&header, "");
}

bool stream_take_back(uint64_t size, uint64_t now, uint32_t thread, uint64_t sequence)
{
	if (size == 0 || stream_size() != now)
		return false;
	if (stream.shared ? !withdraw(thread, sequence)
			  : stream_file_use(truncate_file, &size) != 0)
		return false;
	atomic_store(&stream.bytes, size);
	return true;
}

/* Appends to the LM; `data`: struct append. */
static int append_local(void *data)
{
	struct append *job = data;
	char buffer[PATH_MAX];
	struct textbuf path = text_in(buffer, sizeof(buffer));
	long written;
	int fd;

	stream_path(&path, job->suffix);
	fd = sys_open(buffer, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0);
	if (fd < 0)
		return fd;
	written = quiet_writev(fd, job->parts, 3);
	sys_close(fd);
	return write_error(written, job->size);
}

int stream_append_meta(const char *suffix, const void *body, size_t size, uint32_t count,
		       bool final)
{
	struct chunk_header header = {
		.type = CHUNK_META,
		.flags = final ? CHUNK_FINAL : 0,
		.body_size = (uint32_t)size,
		.plain_size = (uint32_t)size,
		.count = count,
	};
	struct append job;
	int error;

	header.anchor = clock_anchor();
	job = append_of(&header, body);
	job.local = true;
	job.suffix = suffix;
	if (stream.shared)
		return append_twice(&job);
	error = errand_run(append_local, &job);
	return error && may_retry(error) ? errand_run(append_local, &job) : error;
}

void stream_forked(void)
{
	stream_file_close();
	stream.name[0] = '\0';
	stream.failed = false;
	stream.keeps_none = false;
	stream.shared = false;
	stream.inode = 0;
	stream.bytes = 0;
	stream.chunks = 0;
}

void stream_next_segment(const struct stat *status, uint64_t size)
{
	stream_file_close();
	stream_file_take(status, size);
	atomic_store(&stream.chunks, 0);
}
