/* SPDX-License-Identifier: MIT */
/*
 * mpi_constants.c - what the names of MPI's constants stand for in the MPI that this layer is built for, where that is not what they
 * stand for in Open MPI: the trace says so.
 */
#include "wrap/mpi_constants.h"

#include <stddef.h>
#include <stdint.h>

#include "format/mpi_values.h"
#include "wrap/mpi_library.h"

#define ROW(name, reference) {#name, reference, name},
/* No reader knows these by itself. */
#define NEW_ROW(name) {#name, INT64_MIN, name},
#if MPI_VERSION >= 4
#define NEW_ROWS(added) added(NEW_ROW)
#else
#define NEW_ROWS(added)
#endif

void mpi_constants_each_kind(void (*visit)(void *data, const char *kind,
					   const struct machine_symbol *symbols),
			     void *data)
{
#define KIND(kind, list, added)                                                                    \
	static const struct machine_symbol kind##_rows[] = {list(ROW) NEW_ROWS(added){"", 0, 0}};
	MPI_VALUES(KIND)
#undef KIND
#define KIND(kind, list, added) {#kind, kind##_rows},
	static const struct {
		const char *kind;
		const struct machine_symbol *symbols;
	} kinds[] = {MPI_VALUES(KIND)};
#undef KIND

	for (size_t at = 0; at < sizeof(kinds) / sizeof(*kinds); at++)
		visit(data, kinds[at].kind, kinds[at].symbols);
}

#ifdef UNIT_TEST
#include <string.h>

#include "unittest.h"

struct seen {
	unsigned kinds, differing;
	bool root;
};

static void look(void *data, const char *kind, const struct machine_symbol *symbols)
{
	struct seen *seen = data;

	seen->kinds++;
	for (; *symbols->name; symbols++) {
		seen->differing += symbols->value != symbols->reference;
		if (strcmp(kind, "rank") == 0 && strcmp(symbols->name, "MPI_ROOT") == 0)
			seen->root = symbols->value == MPI_ROOT;
	}
}

/* Of Open MPI readers know all values but those of MPI-4.0. */
TEST_CASE(mpi_constants_that_differ)
{
	struct seen seen = {0};

	mpi_constants_each_kind(look, &seen);
	EXPECT_EQ(seen.kinds, 18);
	EXPECT(seen.root);
#ifdef OPEN_MPI
	EXPECT_EQ(seen.differing, MPI_VERSION >= 4 ? 5 : 0);
#else
	EXPECT(seen.differing > 5);
#endif
}
#endif
