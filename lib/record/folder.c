/* SPDX-License-Identifier: MIT */
/* folder.c - see folder.h */
#include "record/folder.h"

#include <fcntl.h>

#include "record/sys.h"

#define NAMES_BYTES 512 /* at a time, on the stack, which may be small */

static void visit_all(int folder, folder_visit *visit, void *data)
{
	_Alignas(struct sys_dirent) char buffer[NAMES_BYTES];
	const struct sys_dirent *entry;
	long size;

	while ((size = sys_getdents(folder, buffer, sizeof(buffer))) > 0)
		for (long at = 0; at < size; at += entry->size) {
			entry = (const void *)(buffer + at);
			if (!visit(folder, entry->name, data))
				return;
		}
}

void folder_each(int parent, const char *path, folder_visit *visit, void *data)
{
	int folder = sys_openat(parent, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW, 0);

	if (folder < 0)
		return;
	visit_all(folder, visit, data);
	sys_close(folder);
}
