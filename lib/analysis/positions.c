/* SPDX-License-Identifier: MIT */
/* positions.c - see positions.h */
#include "analysis/positions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows.h"

#define NO_ARG (~0u)
#define FROM_BEGIN 0 /* SEEK_SET, SEEK_CUR */
#define FROM_HERE 1

/* ---- functions ---- */

static const struct {
	const char *name;
	enum position_role role;
} roles[] = {
	{"open", POSITION_OPENS},     {"__open_2", POSITION_OPENS},
	{"openat", POSITION_OPENS},   {"__openat_2", POSITION_OPENS},
	{"openat2", POSITION_OPENS},  {"creat", POSITION_OPENS},
	{"shm_open", POSITION_OPENS}, {"memfd_create", POSITION_OPENS},
	{"mkstemp", POSITION_OPENS},  {"mkostemp", POSITION_OPENS},
	{"mkstemps", POSITION_OPENS}, {"mkostemps", POSITION_OPENS},
	{"fopen", POSITION_OPENS},    {"tmpfile", POSITION_OPENS},
	{"dup", POSITION_COPIES},     {"dup2", POSITION_COPIES},
	{"dup3", POSITION_COPIES},    {"close", POSITION_CLOSES},
	{"fclose", POSITION_CLOSES},  {"lseek", POSITION_SEEKS},
	{"ftell", POSITION_SEEKS},    {"ftello", POSITION_SEEKS},
	{"fseek", POSITION_SEEKS_BY}, {"fseeko", POSITION_SEEKS_BY},
	{"rewind", POSITION_REWINDS},
};

static unsigned arg_of_kind(const struct reader_function_info *function, const char *kind)
{
	for (unsigned i = 0; i < function->arg_count; i++)
		if (!strcmp(function->args[i].kind, kind))
			return i;
	return NO_ARG;
}

static unsigned first_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool is_transfer(const struct reader_function_info *function)
{
	return !strcmp(function->result.kind, "bytes") || !strcmp(function->layer, "stdio") ||
	       !strcmp(function->layer, "mpiio");
}

struct position_facts position_facts_of(const struct reader_function_info *function)
{
	struct position_facts facts = {
		.role = POSITION_NONE,
		.handle = first_of(arg_of_kind(function, "fd"), arg_of_kind(function, "stream")),
		.given = arg_of_kind(function, "offset"),
	};
	unsigned position =
		arg_of_kind(function,
			    "position"); /* in bytes, beside an offset in something else */
	bool posix = !strcmp(function->layer, "posix") || !strcmp(function->layer, "kernel");
	bool stdio = !strcmp(function->layer, "stdio");

	if (position != NO_ARG)
		facts.given = position;
	if (!posix && !stdio && strcmp(function->layer, "mpiio") != 0)
		return facts;
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if ((posix || stdio) && !strcmp(roles[i].name, function->name)) {
			facts.role = roles[i].role;
			return facts;
		}
	if (is_transfer(function) && facts.given != NO_ARG)
		facts.role = POSITION_GIVEN;
	else if (is_transfer(function) && facts.handle != NO_ARG)
		facts.role = POSITION_MOVES;
	return facts;
}

/* ---- handles ---- */

/* What a handle stands for: number + 1. NULL: no memory. */
static uint32_t *slot_of(struct positions *positions, unsigned layer, int64_t handle)
{
	int64_t key[2] = {layer, handle};
	unsigned place = ((uint64_t)handle ^ layer) % POSITIONS_RECENT;
	uint32_t number, *slots;

	if (positions->recent[place].number && positions->recent[place].handle == handle &&
	    positions->recent[place].layer == layer)
		return &positions->opened_of[positions->recent[place].number - 1];
	slots = rows_grown_zeroed(positions->opened_of, &positions->handle_room,
				  positions->handles.count, sizeof(*slots));

	if (!slots)
		return NULL;
	positions->opened_of = slots;
	if (dictionary_number(&positions->handles, key, sizeof(key), &number))
		return NULL;
	positions->recent[place].handle = handle;
	positions->recent[place].layer = layer;
	positions->recent[place].number = number + 1;
	return &positions->opened_of[number];
}

static struct opened *opened_by(const struct positions *positions, const uint32_t *slot)
{
	return *slot ? &positions->opened[*slot - 1] : NULL;
}

/* The handle stands for nothing any more. */
static void let_go(struct positions *positions, uint32_t *slot)
{
	struct opened *opened = opened_by(positions, slot);

	if (opened && --opened->handles == 0) {
		opened->next = positions->free;
		positions->free = *slot;
	}
	*slot = 0;
}

/* The handle stands for something new, which is at `at`. */
static int open_new(struct positions *positions, uint32_t *slot, int64_t at)
{
	let_go(positions, slot);
	if (positions->free) {
		*slot = positions->free;
		positions->free = opened_by(positions, slot)->next;
	} else {
		struct opened *rows = rows_grown(positions->opened, &positions->opened_room,
						 positions->opened_count, sizeof(*rows));

		if (!rows)
			return -ENOMEM;
		positions->opened = rows;
		*slot = ++positions->opened_count;
	}
	*opened_by(positions, slot) = (struct opened){.at = at, .handles = 1};
	return 0;
}

/* ---- calls ---- */

static const struct recorder_arg *arg_at(const struct recorder_record *record, unsigned index)
{
	return index < record->arg_count && record->args[index].state == RECORDER_ARG_PRESENT
		       ? &record->args[index]
		       : NULL;
}

static int copy(struct positions *positions, const struct position_facts *facts,
		const struct recorder_record *record, unsigned layer)
{
	const struct recorder_arg *from = arg_at(record, facts->handle);
	uint32_t *slot, original;

	if (!from || record->ret < 0 || record->ret == from->i64)
		return 0;
	slot = slot_of(positions, layer, from->i64);
	if (!slot)
		return -ENOMEM;
	original = *slot;
	slot = slot_of(positions, layer, record->ret);
	if (!slot)
		return -ENOMEM;
	if (original)
		positions->opened[original - 1].handles++;
	let_go(positions, slot);
	*slot = original;
	return 0;
}

static int opens(struct positions *positions, const struct recorder_record *record, unsigned layer)
{
	uint32_t *slot;

	if (record->err)
		return 0;
	slot = slot_of(positions, layer, record->ret);
	return slot ? open_new(positions, slot, 0) : -ENOMEM;
}

static void seek_by(struct opened *opened, const struct recorder_record *record, unsigned given)
{
	const struct recorder_arg *offset = arg_at(record, given);
	const struct recorder_arg *whence = arg_at(record, given + 1);

	if (record->ret != 0)
		return;
	if (offset && whence && whence->i64 == FROM_BEGIN)
		opened->at = offset->i64;
	else if (!offset || !whence || whence->i64 != FROM_HERE || opened->at < 0 ||
		 __builtin_add_overflow(opened->at, offset->i64, &opened->at))
		opened->at = POSITION_UNKNOWN;
}

static void move(struct opened *opened, int64_t bytes, int64_t *begin)
{
	*begin = opened->at;
	if (opened->at < 0 || __builtin_add_overflow(opened->at, bytes, &opened->at))
		opened->at = POSITION_UNKNOWN;
}

/* A call on what a handle stands for; nothing is known of it yet if it was opened before. */
static int use(struct positions *positions, const struct position_facts *facts,
	       const struct recorder_record *record, unsigned layer, int64_t bytes, int64_t *begin)
{
	const struct recorder_arg *handle = arg_at(record, facts->handle);
	uint32_t *slot = handle ? slot_of(positions, layer, handle->i64) : NULL;
	struct opened *opened;

	if (!slot)
		return handle ? -ENOMEM : 0;
	if (!*slot && open_new(positions, slot, POSITION_UNKNOWN))
		return -ENOMEM;
	opened = opened_by(positions, slot);
	if (facts->role == POSITION_CLOSES)
		let_go(positions, slot);
	else if (facts->role == POSITION_SEEKS && record->ret >= 0)
		opened->at = record->ret;
	else if (facts->role == POSITION_SEEKS_BY)
		seek_by(opened, record, facts->given);
	else if (facts->role == POSITION_REWINDS)
		opened->at = 0;
	else if (facts->role == POSITION_MOVES && bytes > 0)
		move(opened, bytes, begin);
	return 0;
}

int positions_take(struct positions *positions, const struct position_facts *facts,
		   const struct recorder_record *record, unsigned layer, int64_t bytes,
		   int64_t *begin)
{
	const struct recorder_arg *given;

	*begin = POSITION_UNKNOWN;
	if (positions->off && facts->role != POSITION_GIVEN)
		return 0;
	switch (facts->role) {
	case POSITION_NONE:
		return 0;
	case POSITION_GIVEN:
		given = arg_at(record, facts->given);
		*begin = given && bytes > 0 ? given->i64 : POSITION_UNKNOWN;
		return 0;
	case POSITION_OPENS:
		return opens(positions, record, layer);
	case POSITION_COPIES:
		return copy(positions, facts, record, layer);
	default:
		return use(positions, facts, record, layer, bytes, begin);
	}
}

void positions_release(struct positions *positions)
{
	dictionary_release(&positions->handles);
	free(positions->opened_of);
	free(positions->opened);
	memset(positions, 0, sizeof(*positions));
}

#ifdef UNIT_TEST
#include "unittest.h"

static const struct position_facts unit_open = {POSITION_OPENS, 0, NO_ARG},
				   unit_read = {POSITION_MOVES, 0, NO_ARG},
				   unit_seek = {POSITION_SEEKS, 0, 1},
				   unit_fseek = {POSITION_SEEKS_BY, 0, 1},
				   unit_dup = {POSITION_COPIES, 0, NO_ARG},
				   unit_pread = {POSITION_GIVEN, 0, 1},
				   unit_close = {POSITION_CLOSES, 0, NO_ARG};

/* Where a call on descriptor `fd` with these arguments begins. */
static int64_t take(struct positions *positions, const struct position_facts *facts, int64_t fd,
		    int64_t offset, int64_t whence, int64_t ret)
{
	struct recorder_arg args[] = {{.i64 = fd}, {.i64 = offset}, {.i64 = whence}};
	struct recorder_record record = {.args = args, .arg_count = 3, .ret = ret};
	int64_t begin;

	EXPECT(positions_take(positions, facts, &record, 0, ret, &begin) == 0);
	return begin;
}

TEST_CASE(positions_follow_descriptors)
{
	struct positions positions = {0};

	EXPECT_EQ(take(&positions, &unit_read, 9, 0, 0, 10), POSITION_UNKNOWN);
	take(&positions, &unit_seek, 9, 0, 0, 100);
	EXPECT_EQ(take(&positions, &unit_read, 9, 0, 0, 10), 100);
	take(&positions, &unit_open, 0, 0, 0, 3);
	EXPECT_EQ(take(&positions, &unit_read, 3, 0, 0, 10), 0);
	EXPECT_EQ(take(&positions, &unit_read, 3, 0, 0, 10), 10);
	EXPECT_EQ(take(&positions, &unit_pread, 3, 77, 0, 10), 77);
	take(&positions, &unit_dup, 3, 0, 0, 4);
	take(&positions, &unit_close, 3, 0, 0, 0);
	EXPECT_EQ(take(&positions, &unit_read, 4, 0, 0, 5), 20);
	take(&positions, &unit_open, 0, 0, 0, 3);
	EXPECT_EQ(take(&positions, &unit_read, 3, 0, 0, 5), 0);
	EXPECT_EQ(take(&positions, &unit_read, 4, 0, 0, 5), 25);
	take(&positions, &unit_fseek, 4, 1000, FROM_BEGIN, 0);
	take(&positions, &unit_fseek, 4, -10, FROM_HERE, 0);
	EXPECT_EQ(take(&positions, &unit_read, 4, 0, 0, 5), 990);
	take(&positions, &unit_fseek, 4, 0, 2, 0);
	EXPECT_EQ(take(&positions, &unit_read, 4, 0, 0, 5), POSITION_UNKNOWN);
	positions_release(&positions);
}

TEST_CASE(positions_of_what_is_closed_are_used_again)
{
	struct positions positions = {0};

	for (int i = 0; i < 1000; i++) {
		take(&positions, &unit_open, 0, 0, 0, 3);
		take(&positions, &unit_dup, 3, 0, 0, 4);
		take(&positions, &unit_close, i % 2 ? 3 : 4, 0, 0, 0);
		take(&positions, &unit_close, i % 2 ? 4 : 3, 0, 0, 0);
	}
	EXPECT_EQ(positions.opened_count, 1);
	positions_release(&positions);
}
#endif
