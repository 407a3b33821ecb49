/* SPDX-License-Identifier: MIT */
/* gaps.c - see gaps.h */
#include "analysis/gaps.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/position_facts.h"

#define ENTRY_MAX 128u

/* Calls that were not recorded, and are known to be before any are read. */
static bool misses_calls(const struct reader *trace, unsigned stream)
{
	struct reader_stream facts = {.sz = sizeof(facts)};
	struct reader_value pauses;

	if (reader_stream(trace, stream, &facts) || facts.lost)
		return true;
	return reader_meta(trace, stream, "pauses", &pauses) == 0 && pauses.u64 > 0;
}

bool gaps_in_calls(const struct reader *trace, unsigned stream)
{
	struct reader_stream facts = {.sz = sizeof(facts)};

	return misses_calls(trace, stream) || reader_stream(trace, stream, &facts) ||
	       facts.unreadable;
}

bool gaps_by_duration(const struct reader *trace, unsigned stream, const char *begin)
{
	static const char skipped[] = "skipped.";
	const char *key;

	for (unsigned i = 0; (key = reader_meta_key(trace, stream, i)); i++)
		if (!strncmp(key, skipped, sizeof(skipped) - 1) &&
		    !strncmp(key + sizeof(skipped) - 1, begin, strlen(begin)))
			return true;
	return false;
}

/* ---- settings of the recorder ---- */

/* A setting that was in force in the process, "" none. */
static const char *setting(const struct reader *trace, unsigned stream, const char *key)
{
	struct reader_value value;

	return reader_meta(trace, stream, key, &value) == 0 && value.type == READER_BYTES
		       ? value.bytes
		       : "";
}

static bool speaks_of(const char *entry, const char *name, bool of_layers)
{
	if (of_layers && (!strcmp(entry, "all") || !strcmp(entry, "default")))
		return true;
	return fnmatch(entry, name, 0) == 0;
}

/* Whether the recorder takes a function or a layer by such a list, as RECORDER_FUNCTIONS: the last entry that speaks of it decides. */
static bool takes(const char *list, const char *name, bool of_layers)
{
	bool any = false, taken = false, told = false;

	while (*list) {
		size_t length = strcspn(list, ",");
		bool removes = *list == '-', adds = *list == '+';
		char entry[ENTRY_MAX] = "";

		if (length > 0 && length < sizeof(entry)) {
			memcpy(entry, list + (removes || adds), length - (removes || adds));
			any |= !removes && !adds;
			if (speaks_of(entry, name, of_layers)) {
				taken = !removes;
				told = true;
			}
		}
		list += length + (list[length] == ',');
	}
	return told ? taken : !any;
}

struct moves {
	const char *functions; /* the list of what is recorded */
	const struct reader *trace;
	unsigned stream;
	bool missing;
};

static void look(void *data, const char *name)
{
	struct moves *moves = data;
	char key[ENTRY_MAX];
	struct reader_value calls;

	if (!takes(moves->functions, name, false))
		moves->missing = true;
	snprintf(key, sizeof(key), "skipped.%s", name);
	if (reader_meta(moves->trace, moves->stream, key, &calls) == 0)
		moves->missing = true;
}

/* How many calls were too short is said when the process ends. */
static bool may_skip(const struct reader *trace, unsigned stream)
{
	const char *least = setting(trace, stream, "options.RECORDER_MIN_DURATION");
	struct reader_stream facts = {.sz = sizeof(facts)};

	return strtod(least, NULL) > 0 &&
	       (reader_stream(trace, stream, &facts) || facts.state != READER_CLEAN);
}

bool gaps_in_moves(const struct reader *trace, unsigned stream)
{
	struct moves moves = {.functions = setting(trace, stream, "options.RECORDER_FUNCTIONS"),
			      .trace = trace,
			      .stream = stream};

	position_movers(look, &moves);
	return moves.missing || misses_calls(trace, stream) || may_skip(trace, stream) ||
	       !takes(setting(trace, stream, "options.RECORDER_LAYERS"), "posix", true);
}

bool gaps_in_stdio(const struct reader *trace, unsigned stream)
{
	return !takes(setting(trace, stream, "options.RECORDER_LAYERS"), "stdio", true);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(gaps_by_lists_of_settings)
{
	EXPECT(takes("", "lseek", false));
	EXPECT(!takes("-lseek", "lseek", false));
	EXPECT(takes("-lseek", "read", false));
	EXPECT(takes("*seek,read", "lseek", false));
	EXPECT(!takes("open*,read", "lseek", false));
	EXPECT(takes("-*,lseek", "lseek", false));
	EXPECT(takes("+mem", "posix", true));
	EXPECT(takes("all,-mpi", "posix", true));
	EXPECT(!takes("mpi,stdio", "posix", true));
	EXPECT(!takes("default,-posix", "posix", true));
}
#endif
