/* SPDX-License-Identifier: MIT */
/* stream.c - the stream files: created once, appended to by all threads. */
#include "record/stream.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "format/chunk.h"
#include "record/arena.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/filesize.h"
#include "record/identity.h"
#include "record/live.h"
#include "record/metadata.h"
#include "record/note.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/tracedir.h"

#define HIGH_DESCRIPTOR 960 /* below the usual limit of 1024, above what programs number by hand */
#define FILE_MODE 0600
#define NAME_TRIES 1000

static struct {
	char name[ARENA_STREAM_NAME_MAX];
	_Atomic int fd; /* of the .rec; -1: not open (yet) */
	bool failed;    /* the .rec is lost for good */
	dev_t device;
	ino_t inode;
	_Atomic uint64_t bytes;
	_Atomic uint32_t chunks;
} stream = {.fd = -1};

const char *stream_name(void)
{
	return stream.name;
}

bool stream_is_open(void)
{
	return stream.name[0] && !stream.failed;
}

uint64_t stream_bytes(void)
{
	return atomic_load(&stream.bytes);
}

uint32_t stream_chunks(void)
{
	return atomic_load(&stream.chunks);
}

bool stream_owns(int fd)
{
	return fd >= 0 && fd == atomic_load_explicit(&stream.fd, memory_order_relaxed);
}

static void make_path(struct textbuf *path, const char *suffix)
{
	text_add(path, tracedir_path);
	text_add(path, "/");
	text_add(path, stream.name);
	text_add(path, suffix);
}

/* The descriptor's duplicate at a high number; the low one is closed. */
static int move_high(int fd)
{
	struct rlimit limit;
	int high = HIGH_DESCRIPTOR, moved;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < (rlim_t)high + 32)
		high = limit.rlim_cur > 8 ? (int)limit.rlim_cur - 4 : 3;
	moved = sys_fcntl(fd, F_DUPFD_CLOEXEC, high);
	if (moved < 0)
		return fd;
	sys_close(fd);
	return moved;
}

/* Opens the .rec, new or again; checks that "again" is the same file. */
static int open_file(void)
{
	char buffer[PATH_MAX];
	struct textbuf path = text_in(buffer, sizeof(buffer));
	bool again = stream.inode != 0;
	struct stat status;
	struct file_header header;
	int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (again ? 0 : O_CREAT | O_EXCL);
	int fd, error;

	make_path(&path, ".rec");
	fd = sys_open(buffer, flags, FILE_MODE);
	if (fd < 0)
		return fd;
	error = sys_fstat(fd, &status);
	if (!error && again && (status.st_dev != stream.device || status.st_ino != stream.inode))
		error = -ESTALE;
	if (!error && !again) {
		file_header_init(&header, FILE_STREAM, identity.stream_id);
		if (sys_write(fd, &header, sizeof(header)) != sizeof(header))
			error = -ENOSPC;
		stream.device = status.st_dev;
		stream.inode = status.st_ino;
		stream.bytes = sizeof(header);
	}
	if (error) {
		sys_close(fd);
		return error;
	}
	atomic_store(&stream.fd, move_high(fd));
	return 0;
}

/* Sees to it that stream.fd is our file and not something the program put in its place. */
static int check_file(void)
{
	static atomic_flag opening = ATOMIC_FLAG_INIT;
	struct stat status;
	int fd = atomic_load(&stream.fd);
	int error = 0;

	if (fd >= 0 && !sys_fstat(fd, &status) && status.st_dev == stream.device &&
	    status.st_ino == stream.inode)
		return 0;
	while (atomic_flag_test_and_set(&opening))
		sys_sched_yield();
	if (fd == atomic_load(&stream.fd)) { /* else another thread was faster */
		atomic_store(&stream.fd, -1);
		error = open_file();
	}
	atomic_flag_clear(&opening);
	return error;
}

/* One write, in which a file-size limit cannot raise a signal that the program would see. */
static long write_quietly(int fd, const struct iovec *parts, int count)
{
	struct filesize_guard guard = filesize_begin();
	long written = sys_writev(fd, parts, count);

	filesize_end(&guard, written);
	return written;
}

int stream_append(struct chunk_header *header, const void *body)
{
	struct iovec parts[2] = {{header, sizeof(*header)}, {(void *)body, header->body_size}};
	long size = (long)(sizeof(*header) + header->body_size);
	long written;

	if (!stream_is_open())
		return -EBADF;
	chunk_header_seal(header, body);
	/* A short write is never continued, another thread may have appended meanwhile: the chunk is written again whole. */
	for (int tries = 0; tries < 2; tries++) {
		int error = check_file();

		if (error)
			return error;
		written = write_quietly(atomic_load(&stream.fd), parts, 2);
		if (written > 0)
			atomic_fetch_add(&stream.bytes, (uint64_t)written);
		if (written == size) {
			atomic_fetch_add(&stream.chunks, 1);
			return 0;
		}
		if (written < 0 && written != -EINTR && written != -EBADF)
			return (int)written;
	}
	return written < 0 ? (int)written : -ENOSPC;
}

uint64_t stream_size(void)
{
	struct stat status;
	int fd = atomic_load(&stream.fd);

	return fd >= 0 && !check_file() && !sys_fstat(fd, &status) ? (uint64_t)status.st_size : 0;
}

bool stream_truncate(uint64_t size, uint64_t now)
{
	if (size == 0 || stream_size() != now ||
	    sys_ftruncate(atomic_load(&stream.fd), (int64_t)size))
		return false;
	atomic_store(&stream.bytes, size);
	return true;
}

int stream_append_meta(const void *body, size_t size, uint32_t count, bool final)
{
	char buffer[PATH_MAX];
	struct textbuf path = text_in(buffer, sizeof(buffer));
	struct chunk_header header = {
		.type = CHUNK_META,
		.flags = final ? CHUNK_FINAL : 0,
		.body_size = (uint32_t)size,
		.plain_size = (uint32_t)size,
		.count = count,
	};
	struct iovec parts[2] = {{&header, sizeof(header)}, {(void *)body, size}};
	long written;
	int fd;

	header.anchor = clock_anchor();
	chunk_header_seal(&header, body);
	make_path(&path, ".lm");
	fd = sys_open(buffer, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0);
	/* the .rec can spare its own: it is opened again when needed */
	if (fd == -EMFILE || fd == -ENFILE) {
		sys_close(atomic_exchange(&stream.fd, -1));
		fd = sys_open(buffer, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0);
	}
	if (fd < 0)
		return fd;
	written = write_quietly(fd, parts, 2);
	sys_close(fd);
	return written == (long)(sizeof(header) + size) ? 0 : written < 0 ? (int)written : -ENOSPC;
}

/* RANK.HOST.PID, with .IMAGE after an exec and -N where a process number was used before. */
static void make_name(unsigned try)
{
	struct textbuf name = text_in(stream.name, sizeof(stream.name));

	text_add_u64(&name, (uint64_t)identity.rank);
	text_add(&name, ".");
	text_add_name(&name, identity.host);
	text_add(&name, ".");
	text_add_u64(&name, identity.pid);
	if (identity.image) {
		text_add(&name, ".");
		text_add_u64(&name, identity.image);
	}
	if (try) {
		text_add(&name, "-");
		text_add_u64(&name, try);
	}
}

/* Whether the LM at `path` was made by an earlier image of this very process. */
static bool is_own_image(const char *path)
{
	struct file_header header;
	int fd = sys_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
	bool same;

	if (fd < 0)
		return false;
	same = sys_read(fd, &header, sizeof(header)) == sizeof(header) &&
	       header.stream_id == identity.stream_id;
	sys_close(fd);
	return same;
}

/* Creates the LM under a name that nobody has. */
static int create_local(void)
{
	struct file_header header;
	unsigned try = 0;
	int fd, error = 0;

	for (unsigned i = 0; i < NAME_TRIES; i++) {
		char buffer[PATH_MAX];
		struct textbuf path = text_in(buffer, sizeof(buffer));

		make_name(try);
		make_path(&path, ".lm");
		fd = sys_open(buffer, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			      FILE_MODE);
		if (fd == -EEXIST && is_own_image(buffer)) {
			identity_next_image();
			continue;
		}
		if (fd == -EEXIST) {
			try++;
			continue;
		}
		if (fd < 0)
			return fd;
		file_header_init(&header, FILE_LOCAL, identity.stream_id);
		if (sys_write(fd, &header, sizeof(header)) != sizeof(header))
			error = -ENOSPC;
		sys_close(fd);
		return error;
	}
	return -EEXIST;
}

static int open_all(bool *claimed)
{
	int error = tracedir_open(claimed);

	if (!error)
		error = create_local();
	if (error)
		return error;
	live_open();
	error = arena_open();
	if (!error)
		error = metadata_write_start();
	/* Now, while the program has left descriptors to be had. */
	return error ? error : check_file();
}

int stream_open(void)
{
	bool claimed = false;
	int error = open_all(&claimed);

	if (error) {
		stream.failed = true;
		return error;
	}
	if (claimed)
		config_warn();
	return 0;
}

void stream_forked(void)
{
	int fd = atomic_load(&stream.fd);

	if (fd >= 0)
		sys_close(fd);
	atomic_store(&stream.fd, -1);
	stream.name[0] = '\0';
	stream.failed = false;
	stream.inode = 0;
	stream.bytes = 0;
	stream.chunks = 0;
}

int stream_descriptor(void)
{
	return atomic_load_explicit(&stream.fd, memory_order_relaxed);
}

int stream_descriptor_move(int fd)
{
	int moved;

	if (!stream_owns(fd))
		return 0;
	moved = sys_fcntl(fd, F_DUPFD_CLOEXEC, fd + 1);
	if (moved < 0)
		moved = sys_fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (moved < 0)
		return moved;
	atomic_store(&stream.fd, moved);
	sys_close(fd);
	return 0;
}
