/* SPDX-License-Identifier: MIT */
/* kinds.c - the table of kinds.h by number and by name */
#include "format/kinds.h"

#include <string.h>

#include "format/wire.h"

#define KIND_NAME_MAX 23u

/* With names, not addresses of names: those would be changed at the load of each process. */
static const struct {
	char name[KIND_NAME_MAX];
	uint8_t class;
} kinds[KIND_COUNT] = {
#define KIND(name, class, text) {#name, CLASS_##class},
	FORMAT_KINDS(KIND)
#undef KIND
};

const char *kind_name(enum kind kind)
{
	return kinds[kind].name;
}

uint8_t kind_class(enum kind kind)
{
	return kinds[kind].class;
}

int kind_find(const char *name)
{
	for (int kind = 0; kind < KIND_COUNT; kind++) {
		if (strcmp(kinds[kind].name, name) == 0)
			return kind;
	}
	return -1;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(kinds_are_found_by_name)
{
	EXPECT_EQ(kind_find("fd"), KIND_fd);
	EXPECT_EQ(kind_find("index"), KIND_index);
	EXPECT_EQ(kind_find("no such kind"), -1);
	EXPECT_STR(kind_name(KIND_bool), "bool");
	EXPECT_EQ(kind_class(KIND_path), CLASS_STRING);
}
#endif
