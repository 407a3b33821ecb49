/* SPDX-License-Identifier: MIT */
/* sharedout.c - see sharedout.h */
#include "sharedout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crew.h"
#include "damage.h"
#include "message.h"
#include "streamshare.h"
#include "temporary.h"
#include "walk.h"

enum { BLOCKS = CREW_FIRST_TYPE, PLACES };

#define COPY_SIZE (1u << 18)

/* What this rank makes of one output. */
struct part {
	struct output output;
	char name[4096];
	struct buffer blocks; /* struct block, each with what is to be known of it */
	uint64_t size;        /* up to the end of the last block */
};

struct shared_output {
	struct ranks who;
	struct crew *crew;
	struct reader *trace;
	unsigned known; /* problems of the trace, at first */
	struct part parts[SHARED_OUTPUTS];
	unsigned count;
};

static const char *const endings[SHARED_OUTPUTS] = {".part", ".more"};

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

static void open_part(struct shared_output *shared, unsigned which)
{
	static const struct output_options options = {.force = true, .jobs = 1};
	struct part *part = &shared->parts[which];

	ranks_file(&shared->who, shared->who.number, endings[which], part->name,
		   sizeof(part->name));
	output_begin(&part->output, part->name, &options);
}

struct shared_output *shared_output_begin(const char *path, struct reader *trace, unsigned outputs)
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
	shared->trace = trace;
	shared->known = reader_problem_count(trace);
	shared->crew = crew_start(&shared->who, streams_fingerprint(trace));
	shared->count = outputs;
	for (unsigned i = 0; i < outputs; i++)
		open_part(shared, i);
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

struct output *shared_output_part(struct shared_output *shared, unsigned which)
{
	return &shared->parts[which].output;
}

void shared_output_end_block(struct shared_output *shared, unsigned which,
			     const struct buffer *about)
{
	struct part *part = &shared->parts[which];
	uint64_t size = output_size(&part->output);
	struct block block = {.bytes = size - part->size, .about = about ? about->size : 0};

	part->size = size;
	buffer_add(&part->blocks, &block, sizeof(block));
	if (about)
		buffer_add(&part->blocks, about->bytes, about->size);
}

/* The part gets its name, by which the first rank finds it. */
static void end_part(struct part *part)
{
	output_end(&part->output);
	if (temporary_add(part->name))
		die("cannot keep '%s'", part->name);
}

/* Up to `left` bytes from one place to another, in the kernel where it can. */
static void copy_to_place(int from, uint64_t at, int to, uint64_t place, uint64_t left)
{
	off_t in = (off_t)at, out = (off_t)place;
	char *room = NULL;

	while (left > 0) {
		ssize_t got = room ? -1 : copy_file_range(from, &in, to, &out, left, 0);

		if (got <= 0) {
			uint64_t offset = (uint64_t)out;
			int error;

			if (!room && !(room = malloc(COPY_SIZE)))
				die("out of memory");
			got = pread(from, room, left < COPY_SIZE ? (size_t)left : COPY_SIZE, in);
			if (got <= 0)
				die("cannot read what a rank has made: %s",
				    got < 0 ? strerror(errno) : "it is too short");
			error = output_write_at(to, room, (size_t)got, &offset);
			if (error)
				die("cannot write a part of the output: %s", strerror(-error));
			in += got;
			out += got;
		}
		left -= (uint64_t)got;
	}
	free(room);
}

/* This rank's blocks into the output, by the places of all blocks. */
static void place_blocks(const struct shared_output *shared, const struct part *part, int output,
			 const struct buffer *places)
{
	size_t count = places->size / sizeof(uint64_t), next = 0;
	uint64_t at = 0;
	int from = open(part->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (from < 0)
		die("cannot open '%s': %s", part->name, strerror(errno));
	for (size_t i = shared->who.number; i < count; i += shared->who.count) {
		struct block block;
		uint64_t place;

		memcpy(&block, part->blocks.bytes + next, sizeof(block));
		memcpy(&place, places->bytes + i * sizeof(place), sizeof(place));
		copy_to_place(from, at, output, place, block.bytes);
		at += block.bytes;
		next += sizeof(block) + block.about;
	}
	close(from);
}

/* PLACES: those of all blocks, and the name of the file; nothing if the first rank writes it. */
static void hear_places(struct shared_output *shared, const struct part *part)
{
	struct buffer places = {0}, name = {0};
	int output;

	while (!crew_hear(shared->crew, 0, 0, PLACES, &places))
		crew_wait(shared->crew, 0);
	while (!crew_hear(shared->crew, 0, 0, PLACES, &name))
		crew_wait(shared->crew, 0);
	if (name.size > 1) {
		output = open((const char *)name.bytes, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
		if (output < 0)
			die("cannot open '%s': %s", (const char *)name.bytes, strerror(errno));
		place_blocks(shared, part, output, &places);
		if (close(output))
			die("cannot write '%s': %s", (const char *)name.bytes, strerror(errno));
	}
	buffer_release(&places);
	buffer_release(&name);
}

void shared_output_leave(struct shared_output *shared)
{
	for (unsigned i = 0; i < shared->count; i++) {
		struct part *part = &shared->parts[i];

		end_part(part);
		crew_say(shared->crew, BLOCKS,
			 part->blocks.size ? part->blocks.bytes : (uint8_t *)"", part->blocks.size);
	}
	damage_tell(shared->crew, shared->trace, shared->known);
	for (unsigned i = 0; i < shared->count; i++)
		hear_places(shared, &shared->parts[i]);
	crew_leave(shared->crew);
	exit(EXIT_DONE); /* removes the part */
}

/* ---- the first rank ---- */

static void hear_blocks(struct shared_output *shared, unsigned which, unsigned number,
			struct taken *taken)
{
	const struct part *own = &shared->parts[which];

	*taken = (struct taken){.fd = -1};
	if (number == 0) {
		buffer_add(&taken->blocks, own->blocks.bytes, own->blocks.size);
		return;
	}
	while (!crew_hear(shared->crew, number, 0, BLOCKS, &taken->blocks))
		crew_wait(shared->crew, number);
	if (which == shared->count - 1)
		damage_learn(shared->crew, number, shared->trace);
}

static void open_taken(struct shared_output *shared, unsigned which, unsigned number,
		       struct taken *taken)
{
	char name[4096];

	ranks_file(&shared->who, number, endings[which], name, sizeof(name));
	taken->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (taken->fd < 0)
		die("cannot open '%s': %s", name, strerror(errno));
}

/* Into what has no places. */
static void copy(struct output *output, struct taken *taken, uint64_t left)
{
	while (left > 0 && !output_failed(output)) {
		size_t size = left < COPY_SIZE ? (size_t)left : COPY_SIZE;
		ssize_t got;

		output_room(output, size);
		got = pread(taken->fd, output->next, size, (off_t)taken->at);
		if (got <= 0)
			die("cannot read what a rank has made: %s",
			    got < 0 ? strerror(errno) : "it is too short");
		output->next += got;
		taken->at += (uint64_t)got;
		left -= (uint64_t)got;
	}
}

/* Leaves room for a block, and notes where. */
static void reserve(struct output *output, struct buffer *places, uint64_t size)
{
	output_flush(output);
	buffer_add(places, &output->flushed, sizeof(output->flushed));
	output->flushed += size;
	if (!output->error && lseek(output->fd, (off_t)output->flushed, SEEK_SET) < 0)
		output->error = -errno;
}

static bool has_places(const struct output *output)
{
	return output->temporary && !output->gzip;
}

/* In the order of the output. */
static void take_blocks(struct shared_output *shared, struct output *output, struct taken *all,
			struct buffer *places,
			void (*each)(void *data, const void *about, size_t size), void *data)
{
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
		if (has_places(output))
			reserve(output, places, block.bytes);
		else
			copy(output, taken, block.bytes);
	}
}

int shared_output_join(struct shared_output *shared, unsigned which, struct output *output,
		       void (*each)(void *data, const void *about, size_t size), void *data)
{
	struct taken *all = calloc(shared->who.count, sizeof(*all));
	const char *name = has_places(output) ? output->temporary : "";
	struct buffer places = {0};

	if (!all)
		die("out of memory");
	end_part(&shared->parts[which]);
	for (unsigned i = 0; i < shared->who.count; i++) {
		hear_blocks(shared, which, i, &all[i]);
		if (!has_places(output))
			open_taken(shared, which, i, &all[i]);
	}
	take_blocks(shared, output, all, &places, each, data);
	crew_say(shared->crew, PLACES, places.size ? places.bytes : (uint8_t *)"", places.size);
	crew_say(shared->crew, PLACES, name, strlen(name) + 1);
	if (has_places(output) && !output->error)
		place_blocks(shared, &shared->parts[which], output->fd, &places);
	for (unsigned i = 0; i < shared->who.count; i++) {
		if (all[i].fd >= 0)
			close(all[i].fd);
		buffer_release(&all[i].blocks);
	}
	free(all);
	buffer_release(&places);
	if (which == shared->count - 1)
		crew_gather(shared->crew);
	return output->error;
}

void shared_output_end(struct shared_output *shared)
{
	if (!shared)
		return;
	crew_end(shared->crew);
	for (unsigned i = 0; i < shared->count; i++) {
		unlink(shared->parts[i].name);
		temporary_drop(shared->parts[i].name);
		buffer_release(&shared->parts[i].blocks);
	}
	ranks_release(&shared->who);
	free(shared);
}
