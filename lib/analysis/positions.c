/* SPDX-License-Identifier: MIT */
/* positions.c - see positions.h */
#include "analysis/positions.h"

#include <errno.h>

#include "analysis/gaps.h"
#include "analysis/position_args.h"
#include "analysis/position_opens.h"

/* Numbers of Linux, as traces have them. */
#define FROM_BEGIN 0 /* SEEK_SET, SEEK_CUR */
#define FROM_HERE 1
#define WRITES_APPENDED 0x10 /* RWF_APPEND */
static void set_at(struct opened *opened, int64_t at)
{
	opened->at = opened->shared || at < 0 ? POSITION_UNKNOWN : at;
}

/* ---- moving ---- */

static void seek(struct opened *opened, const struct position_facts *facts,
		 const struct recorder_record *record)
{
	if (record->err)
		return;
	if (facts->role == POSITION_SEEKS)
		set_at(opened, record->ret);
	else if (facts->role == POSITION_REWINDS)
		set_at(opened, 0);
}

static void seek_by(struct opened *opened, const struct recorder_record *record, unsigned given)
{
	const struct recorder_arg *offset = position_arg(record, given);
	const struct recorder_arg *whence = position_arg(record, given + 1);
	int64_t to = POSITION_UNKNOWN;

	if (record->ret != 0)
		return;
	if (offset && whence && whence->i64 == FROM_BEGIN)
		to = offset->i64;
	else if (!offset || !whence || whence->i64 != FROM_HERE || opened->at < 0 ||
		 __builtin_add_overflow(opened->at, offset->i64, &to))
		to = POSITION_UNKNOWN;
	set_at(opened, to);
}

static void put_back(struct opened *opened, const struct recorder_record *record)
{
	if (record->ret >= 0)
		set_at(opened, opened->at - (int64_t)record->repeat);
}

/* Whether more or less may have been moved than is recorded. */
static bool is_vague(const struct position_facts *facts, const struct recorder_record *record)
{
	if (facts->blind || !position_returned(record))
		return true;
	if (facts->space == HANDLE_STDIO && record->err)
		return true;
	return facts->size != NO_POSITION_ARG && position_number(record, facts->size, 0) != 1 &&
	       record->ret != position_number(record, facts->size + 1, -1);
}

static void move(struct opened *opened, const struct position_facts *facts,
		 const struct recorder_record *record, int64_t bytes, int64_t *begin)
{
	bool appends = facts->writes && opened->appends;
	int64_t to;

	if (bytes > 0 && !appends)
		*begin = opened->at;
	if (facts->escapes)
		opened->shared = true;
	if (is_vague(facts, record) || (appends && bytes > 0) || opened->at < 0 ||
	    __builtin_add_overflow(opened->at, bytes, &to))
		to = POSITION_UNKNOWN;
	set_at(opened, to);
}

/* lseek(fd, 0, SEEK_CUR), as ftell() does, only asks. */
static bool only_asks(const struct position_facts *facts, const struct recorder_record *record)
{
	if (facts->role != POSITION_SEEKS)
		return facts->role == POSITION_MOVES && record->err && !facts->blind &&
		       facts->space != HANDLE_STDIO;
	return facts->given == NO_POSITION_ARG ||
	       (position_number(record, facts->given, -1) == 0 &&
		position_number(record, facts->given + 1, -1) == FROM_HERE);
}

/* A call on what a handle stands for; nothing is known of it yet if it was opened before. */
static int use(struct open_files *files, const struct position_facts *facts,
	       const struct recorder_record *record, int64_t bytes, int64_t *begin)
{
	int64_t handle = position_number(record, facts->handle, -1);
	struct opened *opened = handle < 0 ? NULL : open_files_use(files, facts->space, handle);

	if (!opened)
		return handle < 0 ? 0 : -ENOMEM;
	if (facts->role == POSITION_SEEKS_BY)
		seek_by(opened, record, facts->given);
	else if (facts->role == POSITION_PUTS_BACK)
		put_back(opened, record);
	else if (facts->role == POSITION_MOVES)
		move(opened, facts, record, bytes, begin);
	else
		seek(opened, facts, record);
	if (!only_asks(facts, record))
		open_files_disturb(files, facts->space, handle);
	return 0;
}

/* With an offset of -1 preadv2() and pwritev2() are readv() and writev(). */
static int take_given(struct open_files *files, const struct position_facts *facts,
		      const struct recorder_record *record, int64_t bytes, int64_t *begin)
{
	int64_t given = position_number(record, facts->given, POSITION_UNKNOWN);
	bool appends = facts->how != NO_POSITION_ARG && facts->writes &&
		       position_number(record, facts->how, 0) & WRITES_APPENDED;
	struct position_facts moves = *facts;
	int error = 0;

	if (bytes > 0 && !appends)
		*begin = given;
	if (given >= 0 || facts->handle == NO_POSITION_ARG || !files)
		return 0;
	moves.role = POSITION_MOVES;
	moves.blind = appends;
	error = use(files, &moves, record, bytes, begin);
	if (appends)
		*begin = POSITION_UNKNOWN;
	return error;
}

/* One of the two descriptors of a copy, which moves unless the call says where. */
static int pass(struct open_files *files, const struct position_facts *facts, unsigned descriptor,
		const struct recorder_record *record, int64_t bytes)
{
	struct position_facts moves = *facts;
	int64_t unused;

	if (descriptor + 1 != facts->other && position_number(record, descriptor + 1, -1) >= 0)
		return 0;
	moves.role = POSITION_MOVES;
	moves.handle = descriptor;
	moves.writes = true; /* what appends is not known whichever it is */
	return use(files, &moves, record, bytes, &unused);
}

static int passes(struct open_files *files, const struct position_facts *facts,
		  const struct recorder_record *record, int64_t bytes)
{
	int error = pass(files, facts, facts->handle, record, bytes);

	return error || facts->other == NO_POSITION_ARG
		       ? error
		       : pass(files, facts, facts->other, record, bytes);
}

static int follow(struct open_files *files, const struct position_facts *facts,
		  const struct recorder_record *record, int64_t bytes, int64_t *begin)
{
	switch (facts->role) {
	case POSITION_SEEKS:
	case POSITION_SEEKS_BY:
	case POSITION_REWINDS:
	case POSITION_PUTS_BACK:
	case POSITION_MOVES:
		return use(files, facts, record, bytes, begin);
	case POSITION_PASSES:
		return passes(files, facts, record, bytes);
	default:
		return position_opens(files, facts, record);
	}
}

int positions_take(struct positions *positions, const struct position_facts *facts,
		   const struct recorder_record *record, int64_t bytes, int64_t *begin)
{
	*begin = POSITION_UNKNOWN;
	if (facts->role == POSITION_GIVEN)
		return take_given(positions->off ? NULL : &positions->files, facts, record, bytes,
				  begin);
	if (facts->role == POSITION_NONE || positions->off)
		return 0;
	return follow(&positions->files, facts, record, bytes, begin);
}

void positions_begin(struct positions *positions, const struct reader *trace, unsigned stream,
		     bool sees_all_moves)
{
	struct reader_stream about = {.sz = sizeof(about)};

	positions->off = !sees_all_moves || gaps_in_moves(trace, stream);
	positions->files.inherits = reader_stream(trace, stream, &about) || about.parent != 0 ||
				    gaps_in_stdio(trace, stream);
}

void positions_release(struct positions *positions)
{
	open_files_release(&positions->files);
}

#ifdef UNIT_TEST
#include "unittest.h"

#define UNIT_FACTS(role_, space_, handle_, given_)                                                 \
	{                                                                                          \
		.role = role_, .space = space_, .handle = handle_, .other = NO_POSITION_ARG,       \
		.given = given_, .how = NO_POSITION_ARG, .size = NO_POSITION_ARG                   \
	}
#define NOTHING NO_POSITION_ARG

static const struct position_facts unit_open =
					   UNIT_FACTS(POSITION_OPENS, HANDLE_FD, NOTHING, NOTHING),
				   unit_read = UNIT_FACTS(POSITION_MOVES, HANDLE_FD, 0, NOTHING),
				   unit_fread =
					   UNIT_FACTS(POSITION_MOVES, HANDLE_STDIO, 0, NOTHING),
				   unit_seek = UNIT_FACTS(POSITION_SEEKS, HANDLE_FD, 0, 1),
				   unit_fseek = UNIT_FACTS(POSITION_SEEKS_BY, HANDLE_STDIO, 0, 1),
				   unit_ungetc =
					   UNIT_FACTS(POSITION_PUTS_BACK, HANDLE_STDIO, 0, NOTHING),
				   unit_dup = UNIT_FACTS(POSITION_COPIES, HANDLE_FD, 0, NOTHING),
				   unit_pread = UNIT_FACTS(POSITION_GIVEN, HANDLE_FD, 0, 1),
				   unit_fork =
					   UNIT_FACTS(POSITION_FORKS, HANDLE_FD, NOTHING, NOTHING),
				   unit_system =
					   UNIT_FACTS(POSITION_SPAWNS, HANDLE_FD, NOTHING, NOTHING),
				   unit_fdopen =
					   UNIT_FACTS(POSITION_BUFFERS, HANDLE_STDIO, 0, NOTHING),
				   unit_close = UNIT_FACTS(POSITION_CLOSES, HANDLE_FD, 0, NOTHING);

/* Where a call on descriptor `fd` with these arguments begins. */
static int64_t take(struct positions *positions, const struct position_facts *facts, int64_t fd,
		    int64_t offset, int64_t whence, int64_t ret)
{
	struct recorder_arg args[] = {{.i64 = fd},
				      {.i64 = offset, .bytes = "r", .count = 1},
				      {.i64 = whence}};
	struct recorder_record record = {.args = args, .arg_count = 3, .ret = ret, .repeat = 1};
	int64_t begin;

	EXPECT(positions_take(positions, facts, &record, ret, &begin) == 0);
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
	EXPECT_EQ(take(&positions, &unit_pread, 3, -1, 0, 10), 20);
	take(&positions, &unit_dup, 3, 0, 0, 4);
	take(&positions, &unit_close, 3, 0, 0, 0);
	EXPECT_EQ(take(&positions, &unit_read, 4, 0, 0, 5), 30);
	take(&positions, &unit_open, 0, 0, 0, 3);
	EXPECT_EQ(take(&positions, &unit_read, 3, 0, 0, 5), 0);
	EXPECT_EQ(take(&positions, &unit_read, 4, 0, 0, 5), 35);
	positions_release(&positions);
}

TEST_CASE(positions_follow_streams)
{
	struct position_facts fgets = unit_fread, how = unit_fdopen;
	struct positions positions = {0};

	fgets.blind = true;
	how.how = 1;
	take(&positions, &unit_open, 0, 0, 0, 4);
	take(&positions, &unit_seek, 4, 0, 0, 1234);
	take(&positions, &how, 4, 0, 0, 4);
	EXPECT_EQ(take(&positions, &unit_fread, 4, 0, 0, 5), 1234);
	EXPECT_EQ(take(&positions, &unit_read, 4, 0, 0, 5), POSITION_UNKNOWN);
	EXPECT_EQ(take(&positions, &unit_fread, 4, 0, 0, 5), POSITION_UNKNOWN);
	take(&positions, &unit_fseek, 4, 1000, FROM_BEGIN, 0);
	take(&positions, &unit_fseek, 4, -10, FROM_HERE, 0);
	take(&positions, &unit_ungetc, 4, 0, 0, 'x');
	EXPECT_EQ(take(&positions, &unit_fread, 4, 0, 0, 5), 989);
	take(&positions, &fgets, 4, 0, 0, 0);
	EXPECT_EQ(take(&positions, &unit_fread, 4, 0, 0, 5), POSITION_UNKNOWN);
	take(&positions, &unit_fseek, 4, 7, FROM_BEGIN, 0);
	take(&positions, &unit_fseek, 4, 0, 2, 0);
	EXPECT_EQ(take(&positions, &unit_fread, 4, 0, 0, 5), POSITION_UNKNOWN);
	positions_release(&positions);
}

TEST_CASE(positions_of_what_appends)
{
	struct position_facts appending = unit_open, write = unit_read;
	struct positions positions = {0};

	appending.how = 1;
	write.writes = true;
	take(&positions, &appending, 0, APPENDING, 0, 3);
	EXPECT_EQ(take(&positions, &unit_read, 3, 0, 0, 10), 0);
	EXPECT_EQ(take(&positions, &write, 3, 0, 0, 10), POSITION_UNKNOWN);
	EXPECT_EQ(take(&positions, &unit_read, 3, 0, 0, 10), POSITION_UNKNOWN);
	take(&positions, &unit_seek, 3, 0, 0, 5);
	EXPECT_EQ(take(&positions, &write, 3, 0, 0, 10), POSITION_UNKNOWN);
	take(&positions, &appending, 0, 0, 0, 3);
	EXPECT_EQ(take(&positions, &write, 3, 0, 0, 10), 0);
	positions_release(&positions);
}

TEST_CASE(positions_that_a_child_moves_too)
{
	struct positions positions = {0};

	take(&positions, &unit_open, 0, 0, 0, 3);
	take(&positions, &unit_system, 0, 0, 0, 0);
	EXPECT_EQ(take(&positions, &unit_read, 3, 0, 0, 10), 0);
	take(&positions, &unit_fork, 0, 0, 0, 77);
	EXPECT_EQ(take(&positions, &unit_read, 3, 0, 0, 10), POSITION_UNKNOWN);
	take(&positions, &unit_seek, 3, 0, 0, 5);
	EXPECT_EQ(take(&positions, &unit_read, 3, 0, 0, 10), POSITION_UNKNOWN);
	take(&positions, &unit_open, 0, 0, 0, 3);
	EXPECT_EQ(take(&positions, &unit_read, 3, 0, 0, 10), 0);
	positions_release(&positions);
}
#endif
