/* SPDX-License-Identifier: MIT */
/* posix_listing.c - see posix_listing.h */
#include "wrap/posix_listing.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "record/sandbox.h"
#include "record/sys.h"
#include "record/text.h"
#include "wrap/wrapper.h"

#define NUMBER_ROOM 16

static bool is_own_number(const char *name)
{
	char number[NUMBER_ROOM];
	struct textbuf text = text_in(number, sizeof(number));
	int fd = stream_descriptor();

	if (fd < 0)
		return false;
	text_add_u64(&text, (uint64_t)fd);
	return !strcmp(name, number);
}

static bool ends_with(const char *text, size_t length, const char *end)
{
	return length >= strlen(end) && !memcmp(text + length - strlen(end), end, strlen(end));
}

/* "/proc/PID/fd", "/proc/PID/task/TID/fdinfo": whoever lists those of another process sees what is there. */
static bool is_own_list(int fd)
{
	char path[PATH_MAX], link[32], own[32];
	struct textbuf text = text_in(link, sizeof(link)), begin = text_in(own, sizeof(own));
	long length;

	text_add(&text, "/proc/self/fd/");
	text_add_u64(&text, (uint64_t)fd);
	text_add(&begin, "/proc/");
	text_add_u64(&begin, (uint64_t)sys_getpid());
	text_add(&begin, "/");
	length = fd < 0 || sandbox_active() ? -1 : sys_readlink(link, path, sizeof(path));
	return length > (long)begin.length && !memcmp(path, own, begin.length) &&
	       (ends_with(path, (size_t)length, "/fd") ||
		ends_with(path, (size_t)length, "/fdinfo"));
}

bool listing_is_own(DIR *dir, const char *name)
{
	__typeof__(dirfd) *next = function_next(SYM_dirfd);

	return is_own_number(name) && is_own_list(next(dir));
}

ssize_t listing_without_own(int fd, char *entries, ssize_t size)
{
	ssize_t at = 0, length = 1;

	for (; at < size && length > 0; at += length) {
		const struct dirent64 *entry = (const void *)(entries + at);

		length = entry->d_reclen;
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    is_own_number(entry->d_name))
			break;
	}
	/* alone it stays: nothing at all would be the end of the list */
	if (at >= size || length <= 0 || length >= size || !is_own_list(fd))
		return size;
	memmove(entries + at, entries + at + length, (size_t)(size - at - length));
	return size - length;
}
