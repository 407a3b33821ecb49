/* SPDX-License-Identifier: MIT */
/* sharedout.c - see sharedout.h */
#include "sharedout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crew.h"
#include "message.h"
#include "streamshare.h"
#include "temporary.h"
#include "walk.h"

#define BLOCKS CREW_FIRST_TYPE
#define COPY_SIZE (1u << 18)

struct shared_output {
	struct ranks who;
	struct crew *crew;
	struct output part;
	char name[4096];      /* of the part */
	struct buffer blocks; /* struct block, each with what is to be known of it */
	uint64_t size;        /* of the part, up to the end of the last block */
};

struct block {
	uint64_t bytes; /* of the part */
	uint64_t about; /* bytes behind this */
};

/* How much of a part was taken. */
struct taken {
	struct buffer blocks;
	size_t next;
	int fd;
	uint64_t at;
};

static void open_part(struct shared_output *shared)
{
	static const struct output_options options = {.force = true, .jobs = 1};
	int error;

	ranks_file(&shared->who, shared->who.number, ".part", shared->name, sizeof(shared->name));
	error = output_open(&shared->part, shared->name, &options);
	if (error)
		output_die(shared->name, error);
}

struct shared_output *shared_output_begin(const char *path, const struct reader *trace)
{
	struct shared_output *shared = calloc(1, sizeof(*shared));
	struct reader_info info = {.sz = sizeof(info)};
	char *name;

	if (!shared)
		die("out of memory");
	reader_info(trace, &info);
	name = trace_name(info.dir);
	ranks_init(&shared->who, strcmp(path, "-") ? path : name, 1, 1);
	free(name);
	if (!shared->who.launched) {
		ranks_release(&shared->who);
		free(shared);
		return NULL;
	}
	shared->crew = crew_start(&shared->who, streams_fingerprint(trace));
	open_part(shared);
	return shared;
}

unsigned shared_output_count(const struct shared_output *shared)
{
	return shared ? shared->who.count : 1;
}

unsigned shared_output_number(const struct shared_output *shared)
{
	return shared ? shared->who.number : 0;
}

bool shared_output_has(const struct shared_output *shared, uint64_t block)
{
	return !shared || block % shared->who.count == shared->who.number;
}

struct output *shared_output_part(struct shared_output *shared)
{
	return &shared->part;
}

void shared_output_end_block(struct shared_output *shared, const struct buffer *about)
{
	uint64_t size = shared->part.flushed + (uint64_t)(shared->part.next - shared->part.buffer);
	struct block block = {.bytes = size - shared->size, .about = about ? about->size : 0};

	shared->size = size;
	buffer_add(&shared->blocks, &block, sizeof(block));
	if (about)
		buffer_add(&shared->blocks, about->bytes, about->size);
}

/* The part gets its name, by which the first rank finds it. */
static void end_part(struct shared_output *shared, bool whole)
{
	uint64_t flag = whole;
	int error = output_commit(&shared->part);

	if (error)
		output_die(shared->name, error);
	if (temporary_add(shared->name))
		die("cannot keep '%s'", shared->name);
	buffer_add(&shared->blocks, &flag, sizeof(flag));
}

void shared_output_leave(struct shared_output *shared, bool whole)
{
	end_part(shared, whole);
	crew_say(shared->crew, BLOCKS, shared->blocks.bytes, shared->blocks.size);
	crew_leave(shared->crew);
	exit(EXIT_DONE); /* removes the part */
}

/* ---- the first rank ---- */

static void open_taken(struct shared_output *shared, unsigned number, struct taken *taken,
		       bool *whole)
{
	char name[4096];
	uint64_t flag;

	*taken = (struct taken){.fd = -1};
	if (number == 0) {
		buffer_add(&taken->blocks, shared->blocks.bytes, shared->blocks.size);
	} else {
		while (!crew_hear(shared->crew, number, 0, BLOCKS, &taken->blocks))
			crew_wait(shared->crew, number);
	}
	if (taken->blocks.size < sizeof(flag))
		die("rank %u has said nothing of its blocks", number);
	taken->blocks.size -= sizeof(flag);
	memcpy(&flag, taken->blocks.bytes + taken->blocks.size, sizeof(flag));
	*whole &= flag != 0;
	ranks_file(&shared->who, number, ".part", name, sizeof(name));
	taken->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (taken->fd < 0)
		die("cannot open '%s': %s", name, strerror(errno));
}

/* In the kernel, where it can. */
static void copy(struct output *output, struct taken *taken, uint64_t left)
{
	off_t at = (off_t)taken->at;

	taken->at += left;
	output_flush(output);
	while (left > 0 && !output_failed(output)) {
		ssize_t got = -1;

		if (!output->gzip && output->fd >= 0)
			got = copy_file_range(taken->fd, &at, output->fd, NULL, left, 0);
		if (got > 0) {
			output->flushed += (uint64_t)got;
		} else {
			size_t size = left < COPY_SIZE ? (size_t)left : COPY_SIZE;

			output_room(output, size);
			got = pread(taken->fd, output->next, size, at);
			if (got <= 0)
				die("cannot read what a rank has made: %s",
				    got < 0 ? strerror(errno) : "it is too short");
			output->next += got;
			at += got;
			output_flush(output);
		}
		left -= (uint64_t)got;
	}
}

int shared_output_join(struct shared_output *shared, struct output *output,
		       void (*each)(void *data, const void *about, size_t size), void *data,
		       bool *whole)
{
	struct taken *all = calloc(shared->who.count, sizeof(*all));

	if (!all)
		die("out of memory");
	end_part(shared, true);
	for (unsigned i = 0; i < shared->who.count; i++)
		open_taken(shared, i, &all[i], whole);
	for (uint64_t number = 0;; number++) {
		struct taken *taken = &all[number % shared->who.count];
		struct block block;

		if (taken->next >= taken->blocks.size)
			break;
		memcpy(&block, taken->blocks.bytes + taken->next, sizeof(block));
		taken->next += sizeof(block);
		if (each)
			each(data, taken->blocks.bytes + taken->next, block.about);
		taken->next += block.about;
		copy(output, taken, block.bytes);
	}
	for (unsigned i = 0; i < shared->who.count; i++) {
		close(all[i].fd);
		buffer_release(&all[i].blocks);
	}
	free(all);
	return output->error;
}

void shared_output_end(struct shared_output *shared)
{
	if (!shared)
		return;
	crew_gather(shared->crew);
	crew_end(shared->crew);
	unlink(shared->name);
	temporary_drop(shared->name);
	buffer_release(&shared->blocks);
	ranks_release(&shared->who);
	free(shared);
}
