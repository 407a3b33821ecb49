/* SPDX-License-Identifier: MIT */
/* stream_file.c - see stream_file.h */
#include "record/stream_file.h"

#include <errno.h>
#include <limits.h>

#include "format/chunk.h"
#include "record/aggregate.h"
#include "record/config.h"
#include "record/errand.h"
#include "record/identity.h"
#include "record/quiet_write.h"
#include "record/stream.h"
#include "record/stream_state.h"
#include "record/sys.h"
#include "record/text.h"

#define HIGH_DESCRIPTOR 960 /* below the usual limit of 1024, above what programs number by hand */

_Atomic int stream_kept = -1;

/*
 * Moves the descriptor to where the program does not come across it: beyond its limit, so that it can open as many files as without
 * us; if the limit is high, one of many is ours. A negative errno where neither goes: none is to be kept then.
 */
static int move_high(int fd)
{
	int moved = errand_dup_beyond(fd, HIGH_DESCRIPTOR);

	if (moved == -ERANGE)
		moved = sys_fcntl(fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
	sys_close(fd);
	return moved;
}

int stream_write_header(int fd, enum file_kind kind, uint64_t id)
{
	struct file_header header;

	file_header_init(&header, kind, id);
	return write_error(quiet_write(fd, &header, sizeof(header)), sizeof(header));
}

void stream_file_take(const struct stat *status, uint64_t size)
{
	stream.device = status->st_dev;
	stream.inode = status->st_ino;
	stream.bytes = size;
}

/* The header of a new .rec, by which it becomes the file of this stream. */
static int begin_file(int fd, const struct stat *status)
{
	int error = stream_write_header(fd, FILE_STREAM, identity.stream_id);

	if (error)
		return error;
	stream_file_take(status, sizeof(struct file_header));
	return 0;
}

/* Opens the .rec, new or again; checks that "again" is the same file. Returns a descriptor or a negative errno. */
static int open_file(void)
{
	char buffer[PATH_MAX];
	struct textbuf path = text_in(buffer, sizeof(buffer));
	bool again = stream.inode != 0;
	struct stat status;
	int fd, error;

	if (stream.shared)
		text_add(&path, aggregate_path());
	else
		stream_path(&path, ".rec");
	if (again)
		fd = sys_open(buffer, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0);
	else
		fd = sys_create(buffer, O_WRONLY | O_APPEND, config.traces_mode);
	if (fd < 0)
		return fd;
	error = sys_fstat(fd, &status);
	if (!error && again && (status.st_dev != stream.device || status.st_ino != stream.inode))
		error = -ESTALE;
	if (!error && !again)
		error = begin_file(fd, &status);
	if (!error)
		return fd;
	sys_close(fd);
	if (!again) /* what has no header would not be read, and could not be made again */
		sys_unlink(buffer);
	return error;
}

static bool is_ours(int fd)
{
	struct stat status;

	return fd >= 0 && !sys_fstat(fd, &status) && status.st_dev == stream.device &&
	       status.st_ino == stream.inode;
}

/* The descriptor we keep, if it is our file and not something the program put in its place; opened anew if it is gone. -1: none. */
static int kept_file(void)
{
	static atomic_flag opening = ATOMIC_FLAG_INIT;
	int fd = atomic_load(&stream_kept);

	if (stream.keeps_none)
		return -1;
	if (is_ours(fd))
		return fd;
	while (atomic_flag_test_and_set(&opening))
		sys_sched_yield();
	if (fd == atomic_load(&stream_kept)) { /* else another thread was faster */
		atomic_store(&stream_kept, -1);
		fd = open_file();
		if (fd >= 0) {
			fd = move_high(fd);
			stream.keeps_none = fd < 0;
		}
		atomic_store(&stream_kept, fd < 0 ? -1 : fd);
	}
	atomic_flag_clear(&opening);
	return atomic_load(&stream_kept);
}

struct file_use {
	int (*use)(int fd, void *data);
	void *data;
};

static int use_opened(void *data)
{
	const struct file_use *job = data;
	int fd = open_file(), result;

	if (fd < 0)
		return fd;
	result = job->use(fd, job->data);
	sys_close(fd);
	return result;
}

int stream_file_use(int (*use)(int fd, void *data), void *data)
{
	struct file_use job = {use, data};
	int fd = kept_file();

	return fd >= 0 ? use(fd, data) : errand_run(use_opened, &job);
}

void stream_file_close(void)
{
	int fd = atomic_exchange(&stream_kept, -1);

	if (fd >= 0)
		sys_close(fd);
}

int stream_descriptor_move(int fd)
{
	int moved;

	if (!stream_owns(fd))
		return 0;
	moved = errand_dup_beyond(fd, fd + 1);
	if (moved < 0)
		moved = sys_fcntl(fd, F_DUPFD_CLOEXEC, fd + 1);
	if (moved < 0)
		moved = sys_fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (moved < 0)
		return moved;
	atomic_store(&stream_kept, moved);
	sys_close(fd);
	return 0;
}
