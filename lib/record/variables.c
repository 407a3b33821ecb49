/* SPDX-License-Identifier: MIT */
/* variables.c - see variables.h */
#include "record/variables.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "record/sys.h"

#define SPARE 8 /* variables that a copy has room for beyond those there are */

/* The array that environ points to, once something was added: mapped, and never freed as others may go on reading it. */
static struct {
	char **entries;
	size_t room; /* with the NULL at the end */
} copy;

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
	entries = sys_mmap(room * sizeof(*entries), PROT_READ | PROT_WRITE,
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
}
