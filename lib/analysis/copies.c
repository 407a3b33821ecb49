/* SPDX-License-Identifier: MIT */
/* copies.c - see copies.h */
#include "analysis/copies.h"

#include <string.h>

#include "analysis/operation.h"
#include "analysis/position_args.h"
#include "analysis/positions.h"

static unsigned arg_named(const struct reader_function_info *function, const char *name)
{
	for (unsigned i = 0; i < function->arg_count; i++)
		if (!strcmp(function->args[i].name, name))
			return i;
	return COPY_NO_ARG;
}

/* All of them call the descriptors so. sendfile(2) has no offset of what it writes. */
struct copy_facts copy_facts_of(const struct reader_function_info *function)
{
	struct copy_facts facts = {COPY_NO_ARG, COPY_NO_ARG, COPY_NO_ARG, COPY_NO_ARG};
	unsigned from = arg_named(function, "in"), to = arg_named(function, "out");

	if (operation_of(function->layer, function->name) != ANALYSIS_COPY || from == COPY_NO_ARG ||
	    to == COPY_NO_ARG)
		return facts;
	facts.from = from;
	facts.to = to;
	facts.from_offset = arg_named(function, "in_offset");
	if (facts.from_offset == COPY_NO_ARG)
		facts.from_offset = arg_named(function, "offset");
	facts.to_offset = arg_named(function, "out_offset");
	return facts;
}

static uint32_t file_of(const struct recorder_record *record, unsigned number)
{
	const struct recorder_arg *handle = position_arg(record, number);

	return handle && handle->id ? handle->id : COPY_NO_FILE;
}

/* Without one it is where the descriptor stands. */
static int64_t offset_of(const struct recorder_record *record, unsigned number)
{
	const struct recorder_arg *offset = position_arg(record, number);

	return offset && offset->i64 >= 0 ? offset->i64 : POSITION_UNKNOWN;
}

bool copy_of(const struct copy_facts *facts, const struct recorder_record *record,
	     struct copy_call *copy)
{
	if (facts->from == COPY_NO_ARG)
		return false;
	*copy = (struct copy_call){.from = file_of(record, facts->from),
				   .to = file_of(record, facts->to),
				   .from_begin = offset_of(record, facts->from_offset),
				   .to_begin = offset_of(record, facts->to_offset)};
	return true;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(copies_go_from_one_file_to_another)
{
	static const struct reader_parameter args[] = {
		{.name = "out", .class_ = READER_PAIR, .kind = "fd"},
		{.name = "in", .class_ = READER_PAIR, .kind = "fd"},
		{.name = "out_offset", .class_ = READER_INT, .kind = "offset"}};
	struct reader_function_info splice = {
		.layer = "posix", .name = "splice", .args = args, .arg_count = 3};
	struct reader_function_info read = {.layer = "posix", .name = "read"};
	struct recorder_arg values[] = {{.state = RECORDER_ARG_PRESENT, .id = 7},
					{.state = RECORDER_ARG_PRESENT, .id = 0},
					{.state = RECORDER_ARG_PRESENT, .i64 = 100}};
	struct recorder_record record = {.args = values, .arg_count = 3};
	struct copy_facts facts = copy_facts_of(&splice), none = copy_facts_of(&read);
	struct copy_call copy;

	EXPECT(!copy_of(&none, &record, &copy));
	REQUIRE(copy_of(&facts, &record, &copy));
	EXPECT_EQ(copy.from, COPY_NO_FILE);
	EXPECT_EQ(copy.to, 7);
	EXPECT_EQ(copy.from_begin, POSITION_UNKNOWN);
	EXPECT_EQ(copy.to_begin, 100);
	values[2].i64 = -1;
	EXPECT(copy_of(&facts, &record, &copy) && copy.to_begin == POSITION_UNKNOWN);
}
#endif
