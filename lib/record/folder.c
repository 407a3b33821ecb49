/* SPDX-License-Identifier: MIT */
/* folder.c - see folder.h */
#include "record/folder.h"

#include <fcntl.h>

#include "record/sys.h"

#define NAMES_BYTES 512 /* at a time, on the stack, which may be small */

struct count {
	bool (*matches)(const char *name);
	unsigned found, enough, left;
};

/* Until one that `visit` does not go on behind. */
static void visit_until(int parent, const char *path,
			bool (*visit)(int folder, const char *name, void *data), void *data)
{
	_Alignas(struct sys_dirent) char buffer[NAMES_BYTES];
	int folder = sys_openat(parent, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW, 0);
	const struct sys_dirent *entry;
	bool goes_on = folder >= 0;
	long size;

	while (goes_on && (size = sys_getdents(folder, buffer, sizeof(buffer))) > 0)
		for (long at = 0; goes_on && at < size; at += entry->size) {
			entry = (const void *)(buffer + at);
			goes_on = visit(folder, entry->name, data);
		}
	if (folder >= 0)
		sys_close(folder);
}

struct each {
	folder_visit *visit;
	void *data;
};

static bool visit_one(int folder, const char *name, void *data)
{
	const struct each *each = data;

	each->visit(folder, name, each->data);
	return true;
}

void folder_each(int parent, const char *path, folder_visit *visit, void *data)
{
	struct each each = {visit, data};

	visit_until(parent, path, visit_one, &each);
}

static bool count_one(int folder, const char *name, void *data)
{
	struct count *count = data;

	(void)folder;
	count->found += count->matches(name);
	return --count->left > 0 && count->found < count->enough;
}

unsigned folder_count(const char *path, bool (*matches)(const char *name), unsigned enough,
		      unsigned names)
{
	struct count count = {matches, 0, enough, names};

	visit_until(AT_FDCWD, path, count_one, &count);
	return count.found;
}
