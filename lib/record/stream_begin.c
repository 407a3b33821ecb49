/* SPDX-License-Identifier: MIT */
/* stream_begin.c - how the files of a stream come to be: a name that nobody has, the LM, or a place in the node's file. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "format/chunk.h"
#include "record/aggregate.h"
#include "record/arena.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/errand.h"
#include "record/glibc.h"
#include "record/identity.h"
#include "record/live.h"
#include "record/metadata.h"
#include "record/quiet_write.h"
#include "record/stream.h"
#include "record/stream_file.h"
#include "record/stream_state.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/tracedir.h"

#define NAME_TRIES 1000
#define WRITE_TRIES 2

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
	int error = -ENOSPC;

	header.body_size = header.plain_size = (uint32_t)size;
	header.anchor = clock_anchor();
	for (unsigned i = 0; i < WRITE_TRIES && error; i++)
		error = stream_append_first(fd, &header, body);
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
	stream_file_take(&status, sizeof(struct file_header));
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

static int can_use(int fd, void *data)
{
	(void)fd;
	(void)data;
	return 0;
}

int stream_open(void)
{
	bool claimed = false;
	int error = errand_run(open_all, &claimed);

	/* Now, to know that it can be written. */
	if (!error)
		error = stream_file_use(can_use, NULL);
	if (error) {
		give_up(error);
		return error;
	}
	if (claimed)
		config_warn();
	return 0;
}
