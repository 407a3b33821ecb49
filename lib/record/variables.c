/* SPDX-License-Identifier: MIT */
/* variables.c - see variables.h */
#include "record/variables.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "record/glibc.h"
#include "record/sys.h"

#define SPARE 8 /* variables that a copy has room for beyond those there are */

/* The array that environ points to, once something was added: mapped, and never freed as others may go on reading it. */
static struct {
	char **entries;
	size_t room;   /* with the NULL at the end */
	char **vector; /* to be behind that, and how many words; NULL: nothing */
	size_t vector_size;
} copy;

/* What a process begins with; NULL: not known. */
static char **first_environment(void)
{
	long *stack = &__libc_stack_end ? __libc_stack_end : NULL;

	return stack ? (char **)(stack + 1 + *stack + 1) : NULL;
}

/* Behind it lies the auxiliary vector, where some look for it: how many words. */
static size_t vector_size(char **end)
{
	const ElfW(auxv_t) *entry = (const void *)(end + 1);
	size_t count = 1;

	while (entry++->a_type != AT_NULL)
		count++;
	return count * sizeof(*entry) / sizeof(*end);
}

static bool same_name(const char *a, const char *b)
{
	size_t length = strcspn(a, "=") + 1;

	return !strncmp(a, b, length);
}

static size_t count_entries(void)
{
	size_t count = 0;

	while (environ && environ[count])
		count++;
	return count;
}

/* Makes environ an array with room for one more; false: no memory. */
static bool make_room(size_t count)
{
	size_t room = count + 1 + SPARE;
	char **entries;

	if (environ == copy.entries && count + 2 <= copy.room)
		return true;
	if (environ && environ == first_environment()) {
		copy.vector = environ + count + 1;
		copy.vector_size = vector_size(environ + count);
	}
	entries = sys_mmap((room + copy.vector_size) * sizeof(*entries), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (sys_is_error((long)entries))
		return false;
	if (count)
		memcpy(entries, environ, count * sizeof(*entries));
	copy.entries = entries;
	copy.room = room;
	environ = entries;
	return true;
}

void variable_put(char *entry)
{
	size_t count = count_entries();

	for (size_t i = 0; i < count; i++)
		if (same_name(entry, environ[i])) {
			environ[i] = entry;
			return;
		}
	if (!make_room(count))
		return;
	environ[count + 1] = NULL;
	environ[count] = entry;
	if (copy.vector)
		memcpy(environ + count + 2, copy.vector, copy.vector_size * sizeof(*environ));
}

#ifdef UNIT_TEST
#include <stdlib.h>

#include "format/variable.h"
#include "unittest.h"

TEST_CASE(variable_put_replaces_and_adds)
{
	static char first[] = "RECORDER_UNIT_A=1", again[] = "RECORDER_UNIT_A=2";
	static char more[3 * SPARE][24];
	char name[24];
	size_t before = count_entries();

	variable_put(first);
	EXPECT(!strcmp(getenv("RECORDER_UNIT_A"), "1"));
	variable_put(again);
	EXPECT(!strcmp(getenv("RECORDER_UNIT_A"), "2"));
	EXPECT_EQ(count_entries(), before + 1);
	EXPECT(!strcmp(variable_get("RECORDER_UNIT_A"), "2"));
	EXPECT(!variable_get("RECORDER_UNIT_") && !variable_get("RECORDER_UNIT_A=2"));
	for (int i = 0; i < 3 * SPARE; i++) {
		snprintf(more[i], sizeof(more[i]), "RECORDER_UNIT_%d=%d", i, i);
		variable_put(more[i]);
	}
	EXPECT_EQ(count_entries(), before + 1 + 3 * SPARE);
	EXPECT(!strcmp(getenv("RECORDER_UNIT_7"), "7"));
	setenv("RECORDER_UNIT_B", "b", 1); /* libc goes on with an array of its own */
	EXPECT(!strcmp(getenv("RECORDER_UNIT_A"), "2"));
	unsetenv("RECORDER_UNIT_B");
	for (int i = 0; i < 3 * SPARE; i++) {
		snprintf(name, sizeof(name), "RECORDER_UNIT_%d", i);
		unsetenv(name);
	}
	unsetenv("RECORDER_UNIT_A");
	EXPECT_EQ(count_entries(), before);
}
#endif
