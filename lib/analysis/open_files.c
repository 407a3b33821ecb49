/* SPDX-License-Identifier: MIT */
/* open_files.c - see open_files.h */
#include "analysis/open_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows.h"

struct handle_key {
	int64_t space, handle;
};

/* ---- handles ---- */

static unsigned place_of(enum handle_space space, int64_t handle)
{
	return ((uint64_t)handle ^ (unsigned)space << 4) % HANDLES_RECENT;
}

static void remember(struct open_files *files, enum handle_space space, int64_t handle,
		     uint32_t number)
{
	unsigned place = place_of(space, handle);

	files->recent[place].handle = handle;
	files->recent[place].space = space;
	files->recent[place].number = number + 1;
}

/* The number of a handle that is known of; -1: it is not. */
static int64_t number_of(const struct open_files *files, enum handle_space space, int64_t handle)
{
	struct handle_key key = {space, handle};
	unsigned place = place_of(space, handle);

	if (files->recent[place].number && files->recent[place].handle == handle &&
	    files->recent[place].space == space)
		return files->recent[place].number - 1;
	return dictionary_find(&files->handles, &key, sizeof(key));
}

/* What a handle stands for: number + 1. NULL: no memory. */
static uint32_t *slot_of(struct open_files *files, enum handle_space space, int64_t handle)
{
	struct handle_key key = {space, handle};
	int64_t known = number_of(files, space, handle);
	uint32_t number, *slots;

	if (known >= 0) {
		remember(files, space, handle, (uint32_t)known);
		return &files->opened_of[known];
	}
	slots = rows_grown_zeroed(files->opened_of, &files->handle_room, files->handles.count,
				  sizeof(*slots));
	if (!slots)
		return NULL;
	files->opened_of = slots;
	if (dictionary_number(&files->handles, &key, sizeof(key), &number))
		return NULL;
	remember(files, space, handle, number);
	return &files->opened_of[number];
}

static struct handle_key key_of(const struct open_files *files, uint32_t number)
{
	struct handle_key key;
	size_t size;

	memcpy(&key, dictionary_key(&files->handles, number, &size), sizeof(key));
	return key;
}

struct opened *open_files_find(const struct open_files *files, enum handle_space space,
			       int64_t handle)
{
	int64_t number = number_of(files, space, handle);

	if (number < 0 || !files->opened_of[number])
		return NULL;
	return &files->opened[files->opened_of[number] - 1];
}

/* ---- open files ---- */

/* The handle stands for nothing any more. */
static void let_go(struct open_files *files, uint32_t *slot)
{
	struct opened *opened = *slot ? &files->opened[*slot - 1] : NULL;

	if (opened && --opened->handles == 0) {
		opened->next = files->free;
		files->free = *slot;
	}
	*slot = 0;
}

static struct opened *open_new(struct open_files *files, uint32_t *slot)
{
	let_go(files, slot);
	if (files->free) {
		*slot = files->free;
		files->free = files->opened[*slot - 1].next;
	} else {
		struct opened *rows = rows_grown(files->opened, &files->opened_room,
						 files->opened_count, sizeof(*rows));

		if (!rows)
			return NULL;
		files->opened = rows;
		*slot = ++files->opened_count;
	}
	files->opened[*slot - 1] = (struct opened){.buffered = NO_STREAM_OF_STDIO, .handles = 1};
	return &files->opened[*slot - 1];
}

static void close_number(struct open_files *files, enum handle_space space, int64_t handle)
{
	int64_t number = number_of(files, space, handle);

	if (number >= 0)
		let_go(files, &files->opened_of[number]);
}

struct opened *open_files_use(struct open_files *files, enum handle_space space, int64_t handle)
{
	struct opened *opened = open_files_find(files, space, handle);
	const struct opened *stream = NULL;
	bool shared = files->inherits, appends = false;
	uint32_t *slot;

	if (opened)
		return opened;
	if (space == HANDLE_FD)
		stream = open_files_find(files, HANDLE_STDIO, handle);
	if (stream) {
		shared = stream->shared;
		appends = stream->appends;
	}
	slot = slot_of(files, space, handle);
	opened = slot ? open_new(files, slot) : NULL;
	if (!opened)
		return NULL;
	opened->at = POSITION_UNKNOWN;
	opened->shared = shared;
	opened->appends = appends;
	opened->buffered = stream ? handle : NO_STREAM_OF_STDIO;
	return opened;
}

struct opened *open_files_buffer(struct open_files *files, int64_t fd)
{
	struct opened *descriptor, *stream;
	uint32_t *slot;

	close_number(files, HANDLE_STDIO, fd);
	if (!open_files_use(files, HANDLE_FD, fd))
		return NULL;
	slot = slot_of(files, HANDLE_STDIO, fd);
	stream = slot ? open_new(files, slot) : NULL;
	if (!stream)
		return NULL;
	descriptor = open_files_find(files, HANDLE_FD, fd);
	descriptor->buffered = fd;
	stream->at = descriptor->at;
	stream->appends = descriptor->appends;
	stream->shared = descriptor->shared;
	return stream;
}

struct opened *open_files_open(struct open_files *files, enum handle_space space, int64_t handle)
{
	uint32_t *slot;

	open_files_close(files, space, handle, handle);
	slot = slot_of(files, space, handle);
	return slot ? open_new(files, slot) : NULL;
}

int open_files_copy(struct open_files *files, enum handle_space space, int64_t handle, int64_t copy)
{
	struct opened *original = open_files_use(files, space, handle);
	uint32_t *slot, number;

	if (!original)
		return -ENOMEM;
	number = (uint32_t)(original - files->opened);
	original->handles++;
	open_files_close(files, space, copy, copy);
	slot = slot_of(files, space, copy);
	if (!slot)
		return -ENOMEM;
	*slot = number + 1;
	return 0;
}

/* ---- closing, sharing ---- */

static void close_one(struct open_files *files, enum handle_space space, int64_t handle)
{
	struct opened *opened = open_files_find(files, space, handle);

	if (opened && opened->buffered == handle)
		opened->buffered = NO_STREAM_OF_STDIO;
	close_number(files, space, handle);
	if (space == HANDLE_FD)
		close_number(files, HANDLE_STDIO, handle);
	else if (space == HANDLE_STDIO)
		close_one(files, HANDLE_FD, handle);
}

void open_files_close(struct open_files *files, enum handle_space space, int64_t first,
		      int64_t last)
{
	if (first == last) {
		close_one(files, space, first);
		return;
	}
	for (uint32_t i = 0; i < files->handles.count; i++) {
		struct handle_key key = key_of(files, i);

		if (key.space == space && key.handle >= first && key.handle <= last)
			close_one(files, space, key.handle);
	}
}

void open_files_disturb(struct open_files *files, enum handle_space space, int64_t handle)
{
	struct opened *opened = open_files_find(files, space, handle), *other = NULL;

	if (space == HANDLE_STDIO)
		other = open_files_find(files, HANDLE_FD, handle);
	else if (space == HANDLE_FD && opened && opened->buffered != NO_STREAM_OF_STDIO)
		other = open_files_find(files, HANDLE_STDIO, opened->buffered);
	if (other)
		other->at = POSITION_UNKNOWN;
}

void open_files_share(struct open_files *files, int64_t first, int64_t last)
{
	files->inherits = true;
	for (uint32_t i = 0; i < files->handles.count; i++) {
		struct handle_key key = key_of(files, i);
		struct opened *opened =
			files->opened_of[i] ? &files->opened[files->opened_of[i] - 1] : NULL;

		if (!opened || key.handle < first || key.handle > last)
			continue;
		opened->at = POSITION_UNKNOWN;
		opened->shared = true;
	}
}

void open_files_release(struct open_files *files)
{
	dictionary_release(&files->handles);
	free(files->opened_of);
	free(files->opened);
	memset(files, 0, sizeof(*files));
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(open_files_share_copies_and_go)
{
	struct open_files files = {0};

	for (int i = 0; i < 1000; i++) {
		open_files_open(&files, HANDLE_FD, 3)->at = i;
		EXPECT_EQ(open_files_copy(&files, HANDLE_FD, 3, 4), 0);
		EXPECT_EQ(open_files_find(&files, HANDLE_FD, 4)->at, i);
		open_files_close(&files, HANDLE_FD, i % 2 ? 3 : 4, i % 2 ? 3 : 4);
		open_files_close(&files, HANDLE_FD, 0, 10);
		EXPECT(!open_files_find(&files, HANDLE_FD, 3));
		EXPECT(!open_files_find(&files, HANDLE_FD, 4));
	}
	EXPECT_EQ(files.opened_count, 1);
	open_files_release(&files);
}

TEST_CASE(open_files_of_streams_and_their_descriptors)
{
	struct open_files files = {0};

	open_files_open(&files, HANDLE_STDIO, 5)->at = 70;
	EXPECT_EQ(open_files_use(&files, HANDLE_FD, 5)->at, POSITION_UNKNOWN);
	open_files_copy(&files, HANDLE_FD, 5, 6);
	open_files_disturb(&files, HANDLE_FD, 6);
	EXPECT_EQ(open_files_find(&files, HANDLE_STDIO, 5)->at, POSITION_UNKNOWN);
	open_files_find(&files, HANDLE_FD, 6)->at = 9;
	open_files_disturb(&files, HANDLE_STDIO, 5);
	EXPECT_EQ(open_files_find(&files, HANDLE_FD, 6)->at, POSITION_UNKNOWN);
	open_files_close(&files, HANDLE_STDIO, 5, 5);
	EXPECT(!open_files_find(&files, HANDLE_FD, 5));
	EXPECT_EQ(open_files_find(&files, HANDLE_FD, 6)->buffered, NO_STREAM_OF_STDIO);
	open_files_release(&files);
}

TEST_CASE(open_files_that_others_have_too)
{
	struct open_files files = {0};

	open_files_open(&files, HANDLE_FD, 3);
	EXPECT(!open_files_use(&files, HANDLE_FD, 9)->shared);
	open_files_share(&files, 0, 8);
	EXPECT(open_files_find(&files, HANDLE_FD, 3)->shared);
	EXPECT(!open_files_find(&files, HANDLE_FD, 9)->shared);
	EXPECT(open_files_use(&files, HANDLE_FD, 10)->shared);
	EXPECT(!open_files_open(&files, HANDLE_FD, 3)->shared);
	open_files_release(&files);
}
#endif
