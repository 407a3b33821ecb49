/* SPDX-License-Identifier: MIT */
/* pack_share.c - see pack_share.h */
#include "pack_share.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "leftovers.h"
#include "message.h"
#include "temporary.h"

/* What a process writes: these, each with the size of what follows it. */
enum event { EVENT_DATA = 'D', EVENT_WORDS = 'W', EVENT_PART = 'P' };

struct event_head {
	uint32_t event;
	uint32_t like; /* of words */
	uint64_t size;
};

/* ---- taking apart ---- */

struct writing {
	FILE *file;
	uint64_t blobs; /* of the part so far */
};

static void put_event(FILE *file, enum event event, uint32_t like, const void *bytes, size_t size)
{
	struct event_head head = {event, like, size};

	if (fwrite(&head, sizeof(head), 1, file) != 1 ||
	    (size > 0 && fwrite(bytes, size, 1, file) != 1))
		die("cannot write a temporary file: %s", strerror(errno));
}

static void write_data(void *self, const void *bytes, size_t size)
{
	const struct writing *writing = self;

	put_event(writing->file, EVENT_DATA, 0, bytes, size);
}

/* What the number of a blob is, is for the leader to say. */
static uint64_t write_words(void *self, uint32_t like, const void *bytes, size_t size)
{
	struct writing *writing = self;

	put_event(writing->file, EVENT_WORDS, like, bytes, size);
	return writing->blobs++;
}

static void write_part(struct writing *writing, const struct part_shape *shape)
{
	const struct buffer *buffers[] = {&shape->ops, &shape->numbers, &shape->times,
					  &shape->clocks, &shape->blobs};

	for (unsigned i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		put_event(writing->file, EVENT_PART, i, buffers[i]->bytes, buffers[i]->size);
	writing->blobs = 0;
}

void pack_share_part(struct part_maker *maker, const struct pack_source *source,
		     const struct source_part *part)
{
	part_begin(maker);
	for (unsigned i = 0; i < 2 && part->files[i]; i++) {
		int fd = pack_source_file(source, part->files[i]);

		part_add(maker, part->files[i], fd);
		close(fd);
	}
}

static void take_apart(const struct pack_share *share, const struct pack_source *source, int fd)
{
	struct writing writing = {.file = fdopen(dup(fd), "wb")};
	struct part_sink sink = {write_data, write_words, &writing};
	struct part_maker *maker = part_maker_new(&sink);

	if (!writing.file)
		die("cannot write a temporary file: %s", strerror(errno));
	for (uint32_t i = share->who.number; i < source->count; i += share->who.count) {
		pack_share_part(maker, source, &source->parts[i]);
		write_part(&writing, part_shape(maker));
	}
	part_maker_free(maker);
	if (fclose(writing.file))
		die("cannot write a temporary file: %s", strerror(errno));
}

/* ---- who takes part ---- */

/* Those of ranks that are done go with the leader, however it ends. */
static void watch_parts(const struct pack_share *share)
{
	char name[4096];

	for (unsigned i = 0; i < share->who.count; i++) {
		ranks_file(&share->who, i, ".part", name, sizeof(name));
		if (temporary_add(name))
			die("out of memory");
	}
}

void pack_share_init(struct pack_share *share, const char *path, unsigned jobs, uint32_t parts)
{
	ranks_init(&share->who, path, jobs, parts);
	share->files = malloc(share->who.count * sizeof(*share->files));
	if (!share->files)
		die("out of memory");
	for (unsigned i = 0; i < share->who.count; i++)
		share->files[i] = -1;
	if (share->who.launched && share->who.number == 0)
		watch_parts(share);
}

/* ---- ranks of a launcher ---- */

/* Its file is there under its name when it is whole. */
static void work_as_rank(struct pack_share *share, const struct pack_source *source)
{
	char name[4096], whole[4096];
	int fd;

	ranks_file(&share->who, share->who.number, ".new", name, sizeof(name));
	ranks_file(&share->who, share->who.number, ".part", whole, sizeof(whole));
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 || temporary_add(name))
		die("cannot make '%s': %s", name, strerror(errno));
	if (share->who.number == 0)
		leftovers_remove(&share->who, fd);
	take_apart(share, source, fd);
	if (close(fd) || rename(name, whole))
		die("cannot write '%s': %s", whole, strerror(errno));
	temporary_drop(name);
}

/* What can be seen of a rank at work. */
static int64_t signs_of_life(const char *name)
{
	struct stat status;

	return stat(name, &status) ? -1 : status.st_size;
}

static int wait_for_rank(const struct pack_share *share, unsigned number)
{
	static const struct timespec step = {0, RANKS_WAIT_STEP};
	char growing[4096], whole[4096];
	int64_t before = -1;
	int fd;

	ranks_file(&share->who, number, ".new", growing, sizeof(growing));
	ranks_file(&share->who, number, ".part", whole, sizeof(whole));
	for (unsigned looks = 0; looks < RANKS_WAIT_MOST; looks++) {
		int64_t now;

		fd = open(whole, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
		if (fd >= 0)
			return fd;
		now = signs_of_life(growing);
		looks = now == before ? looks : 0;
		before = now;
		nanosleep(&step, NULL);
	}
	ranks_absent(&share->who, number);
}

void pack_share_release(struct pack_share *share)
{
	char name[4096];

	for (unsigned i = 0; i < share->who.count; i++) {
		if (share->files[i] >= 0)
			close(share->files[i]);
		if (!share->who.launched || share->who.number > 0)
			continue;
		ranks_file(&share->who, i, ".part", name, sizeof(name));
		unlink(name);
		temporary_drop(name);
	}
	free(share->files);
	ranks_release(&share->who);
}

/* ---- processes of our own ---- */

static void work_in_processes(struct pack_share *share, const struct pack_source *source)
{
	pid_t *children = calloc(share->who.count, sizeof(*children));
	bool failed = false;

	if (!children)
		die("out of memory");
	fflush(NULL);
	for (unsigned i = 0; i < share->who.count; i++) {
		share->files[i] = pack_source_nameless();
		children[i] = fork();
		if (children[i] < 0)
			die("cannot fork: %s", strerror(errno));
		if (children[i] == 0) {
			share->who.number = i;
			take_apart(share, source, share->files[i]);
			_exit(EXIT_DONE);
		}
	}
	for (unsigned i = 0; i < share->who.count; i++) {
		int status = -1;

		while (waitpid(children[i], &status, 0) < 0 && errno == EINTR)
			;
		failed |= status != 0;
		lseek(share->files[i], 0, SEEK_SET);
	}
	free(children);
	if (failed)
		die("a process that packed a part of the trace failed");
}

void pack_share_work(struct pack_share *share, const struct pack_source *source)
{
	if (share->who.launched)
		work_as_rank(share, source);
	else
		work_in_processes(share, source);
}

/* ---- putting together ---- */

static void read_exactly(int fd, void *buffer, size_t size)
{
	uint8_t *p = buffer;

	while (size > 0) {
		ssize_t got = read(fd, p, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			die("cannot read a temporary file: %s",
			    got ? strerror(errno) : "it is too short");
		p += got;
		size -= (size_t)got;
	}
}

/* Numbers of blobs of the part become those of the packed trace. */
static void number_blobs(struct part_shape *shape, const struct buffer *numbers)
{
	const uint64_t *at = (const uint64_t *)shape->blobs.bytes;
	const uint64_t *known = (const uint64_t *)numbers->bytes;
	uint64_t *values = (uint64_t *)shape->numbers.bytes;

	for (size_t i = 0; i < shape->blobs.size / sizeof(*at); i++)
		values[at[i]] = known[values[at[i]]];
}

static void take_event(struct pack_store *store, const struct event_head *head,
		       const struct buffer *body, struct buffer *numbers)
{
	uint64_t number;

	if (head->event == EVENT_DATA) {
		pack_store_data(store, body->bytes, body->size);
		return;
	}
	number = pack_store_words(store, head->like, body->bytes, body->size);
	buffer_add(numbers, &number, sizeof(number));
}

void pack_share_add(struct pack_share *share, uint32_t part, struct pack_store *store)
{
	unsigned whose = part % share->who.count, left = 5;
	struct part_shape shape = {0};
	struct buffer *buffers[] = {&shape.ops, &shape.numbers, &shape.times, &shape.clocks,
				    &shape.blobs};
	struct buffer body = {0}, numbers = {0};
	struct event_head head;

	if (share->files[whose] < 0)
		share->files[whose] = wait_for_rank(share, whose);
	while (left > 0) {
		struct buffer *to = &body;

		read_exactly(share->files[whose], &head, sizeof(head));
		if (head.event == EVENT_PART && head.like < 5)
			to = buffers[head.like];
		left -= to != &body;
		buffer_clear(to);
		read_exactly(share->files[whose], buffer_room(to, head.size), head.size);
		to->size = head.size;
		if (to == &body)
			take_event(store, &head, &body, &numbers);
	}
	number_blobs(&shape, &numbers);
	pack_store_part(store, &shape);
	shape_release(&shape);
	buffer_release(&body);
	buffer_release(&numbers);
}
