/* SPDX-License-Identifier: MIT */
/* stream.c - the stream files: created once, appended to by all threads. */
#include "record/stream.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>

#include "format/chunk.h"
#include "format/frame.h"
#include "record/aggregate.h"
#include "record/arena.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/errand.h"
#include "record/glibc.h"
#include "record/identity.h"
#include "record/live.h"
#include "record/metadata.h"
#include "record/note.h"
#include "record/quiet_write.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/tracedir.h"

#define HIGH_DESCRIPTOR 960 /* below the usual limit of 1024, above what programs number by hand */
#define NAME_TRIES 1000
#define WRITE_TRIES 2

static struct {
	char name[ARENA_STREAM_NAME_MAX];
	_Atomic bool failed; /* the .rec is lost for good */
	/* opened for each chunk: the program has few descriptors and needs them all */
	_Atomic bool keeps_none;
	bool shared; /* the file is that of the node, and there is no LM */
	dev_t device;
	ino_t inode;
	_Atomic uint64_t bytes;
	_Atomic uint32_t chunks;
} stream;

_Atomic int stream_kept = -1;

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

/* What is appended goes there from now on. */
static void take_file(const struct stat *status)
{
	stream.device = status->st_dev;
	stream.inode = status->st_ino;
	stream.bytes = sizeof(struct file_header);
}

/* The header of a new .rec, by which it becomes the file of this stream. */
static int begin_file(int fd, const struct stat *status)
{
	int error = stream_write_header(fd, FILE_STREAM, identity.stream_id);

	if (error)
		return error;
	take_file(status);
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

/* Calls `use` with a descriptor of the .rec, that which we keep or one for just this. Returns its result, or why there is none. */
static int with_file(int (*use)(int fd, void *data), void *data)
{
	struct file_use job = {use, data};
	int fd = kept_file();

	return fd >= 0 ? use(fd, data) : errand_run(use_opened, &job);
}

struct append {
	struct frame_tag tag;
	struct iovec parts[3]; /* tag, header, body */
	long size;
	bool local;         /* for the LM */
	const char *suffix; /* of it */
};

/* For a chunk whose header is sealed. Where the file is the process's own there is no tag. */
static struct append append_of(const struct chunk_header *header, const void *body)
{
	struct append job = {
		.parts = {{NULL, 0},
			  {(void *)header, sizeof(*header)},
			  {(void *)body, header->body_size}},
		.size = (long)(sizeof(*header) + header->body_size),
	};

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

/* A short write is never continued, another thread may have appended meanwhile: the chunk is written again whole. */
static int append(int fd, void *data)
{
	struct append *job = data;
	long written;

	job->parts[0].iov_base = &job->tag;
	written = quiet_writev(fd, job->parts, 3);
	atomic_fetch_add(&stream.bytes, counted(job, written));
	return write_error(written, job->size);
}

/* Whether the same may go well a second time. */
static bool may_retry(int error)
{
	return error == -ENOSPC || error == -EINTR || error == -EBADF;
}

static int append_twice(struct append *job)
{
	int error = with_file(append, job);

	return error && may_retry(error) ? with_file(append, job) : error;
}

int stream_append(struct chunk_header *header, const void *body)
{
	struct append job;
	int error;

	if (!stream_is_open())
		return -EBADF;
	chunk_header_seal(header, body);
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
	return stream.inode && !with_file(find_size, &size) ? size : 0;
}

static int find_space(int fd, void *data)
{
	return sys_fstatfs(fd, data);
}

int stream_space(uint64_t *total, uint64_t *available)
{
	struct statfs system;
	int error = with_file(find_space, &system);

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
	if (stream.shared ? !withdraw(thread, sequence) : with_file(truncate_file, &size) != 0)
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
	chunk_header_seal(&header, body);
	job = append_of(&header, body);
	job.local = true;
	job.suffix = suffix;
	if (stream.shared)
		return append_twice(&job);
	error = errand_run(append_local, &job);
	return error && may_retry(error) ? errand_run(append_local, &job) : error;
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

/*
 * Header and first chunk of the LM, at once: whoever finds live files can find out whose they are, and the file system of the trace
 * sees one open. What could not be written whole is taken back.
 */
static int write_local(int fd)
{
	struct file_header file;
	struct chunk_header chunk = {.type = CHUNK_META};
	struct iovec parts[3] = {{&file, sizeof(file)}, {&chunk, sizeof(chunk)}, {NULL, 0}};
	long size, written = 0;

	parts[2].iov_base = (void *)metadata_start(&parts[2].iov_len, &chunk.count);
	file_header_init(&file, FILE_LOCAL, identity.stream_id);
	chunk.body_size = chunk.plain_size = (uint32_t)parts[2].iov_len;
	chunk.anchor = clock_anchor();
	chunk_header_seal(&chunk, parts[2].iov_base);
	size = (long)(sizeof(file) + sizeof(chunk) + chunk.body_size);
	for (unsigned i = 0; i < WRITE_TRIES; i++) {
		written = quiet_writev(fd, parts, 3);
		if (written == size)
			return 0;
		sys_ftruncate(fd, 0);
	}
	quiet_write(fd, &file, sizeof(file)); /* even empty it says that there was a process */
	return write_error(written, size);
}

/* Creates the LM under a name that nobody has; a descriptor or a negative errno. */
static int create_local(void)
{
	unsigned try = 0;

	for (unsigned i = 0; i < NAME_TRIES; i++) {
		char buffer[PATH_MAX];
		struct textbuf path = text_in(buffer, sizeof(buffer));
		int fd;

		make_name(try);
		stream_path(&path, ".lm");
		fd = sys_create(buffer, O_WRONLY | O_APPEND, config.traces_mode);
		if (fd != -EEXIST)
			return fd;
		if (is_own_image(buffer))
			identity_next_image();
		else
			try++;
	}
	return -EEXIST;
}

/* A name that no live file of another process has; who reads the node's file tells those apart that have ended. */
static void choose_shared_name(void)
{
	unsigned try = 0;
	bool own;

	make_name(try);
	for (unsigned i = 0; i < NAME_TRIES && aggregate_name_taken(stream.name, &own); i++) {
		if (own)
			identity_next_image();
		else
			try++;
		make_name(try);
	}
}

/* What the first chunk of an LM is. A write that was cut short is made again, readers pass over it. */
static int write_shared(int fd)
{
	struct chunk_header header = {.type = CHUNK_META};
	size_t size;
	const void *body = metadata_start(&size, &header.count);
	struct append job;
	int error = -ENOSPC;

	header.body_size = header.plain_size = (uint32_t)size;
	header.anchor = clock_anchor();
	chunk_header_seal(&header, body);
	job = append_of(&header, body);
	job.local = true;
	for (unsigned i = 0; i < WRITE_TRIES && error; i++)
		error = append(fd, &job);
	return error;
}

/* Begins the stream in the file of the node. -EAGAIN: it cannot be there; or another negative errno. */
static int open_shared(bool first)
{
	struct stat status;
	int fd = aggregate_wanted(first) ? aggregate_open(&status) : -EAGAIN, error;

	if (fd < 0)
		return fd == -EMFILE ? fd : -EAGAIN;
	stream.shared = true;
	take_file(&status);
	choose_shared_name();
	error = write_shared(fd);
	sys_close(fd);
	return error == -EAGAIN ? -EIO : error;
}

/* The LM of a stream with files of its own. 0 or a negative errno. */
static int open_own(void)
{
	int fd = create_local(), error;

	if (fd < 0) {
		stream.name[0] = '\0';
		return fd;
	}
	error = write_local(fd);
	sys_close(fd);
	return error;
}

/* `data`: bool, whether this process was the one to create the trace. */
static int open_all(void *data)
{
	bool *claimed = data, claimed_now;
	int error = tracedir_open(&claimed_now);

	*claimed = *claimed || claimed_now;
	if (error)
		return error;
	live_open();
	metadata_gather_start();
	error = open_shared(claimed_now);
	if (error == -EAGAIN)
		error = open_own();
	return error ? error : arena_open();
}

/* What says that there was a process stays, and why nothing is in it; what it would have recorded to goes. */
static void give_up(int error)
{
	stream.failed = true;
	if (stream.name[0]) {
		metadata_write_failed(strerrorname_np(-error));
		arena_unlink();
	}
	live_close();
}

int stream_open(void)
{
	bool claimed = false;
	int error = errand_run(open_all, &claimed);
	uint64_t size;

	/* Now, to know that it can be written. */
	if (!error)
		error = with_file(find_size, &size);
	if (error) {
		give_up(error);
		return error;
	}
	if (claimed)
		config_warn();
	return 0;
}

void stream_forked(void)
{
	int fd = atomic_load(&stream_kept);

	if (fd >= 0)
		sys_close(fd);
	atomic_store(&stream_kept, -1);
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
	int fd = atomic_exchange(&stream_kept, -1);

	if (fd >= 0)
		sys_close(fd);
	stream.device = status->st_dev;
	stream.inode = status->st_ino;
	atomic_store(&stream.bytes, size);
	atomic_store(&stream.chunks, 0);
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
