/* SPDX-License-Identifier: MIT */
/* callpresets.c - see callpresets.h */
#include "callpresets.h"

#include <string.h>

static const struct {
	const char *name;
	const char *calls; /* with blanks between and around */
} presets[] = {
	{"openat", " open openat openat2 "},
	{"close", " close close_range "},
	{"create-del", " creat mkdir mkdirat mknod mknodat rmdir unlink unlinkat rename renameat "
		       "renameat2 link linkat symlink symlinkat "},
	{"mmap", " mmap munmap mremap "},
	{"read", " read pread64 readv preadv preadv2 "},
	{"write", " write pwrite64 writev pwritev pwritev2 "},
};

#define PRESETS (sizeof(presets) / sizeof(presets[0]))

/* NULL: none. */
static const char *calls_of(const char *preset, size_t length)
{
	for (size_t i = 0; i < PRESETS; i++)
		if (strlen(presets[i].name) == length && !memcmp(presets[i].name, preset, length))
			return presets[i].calls;
	return NULL;
}

bool callpreset_is(const char *preset, size_t length)
{
	return calls_of(preset, length) != NULL;
}

bool callpreset_has(const char *preset, size_t length, const char *call)
{
	const char *calls = calls_of(preset, length);
	size_t size = strlen(call);

	for (const char *at = calls; at && (at = strstr(at, call)); at += size)
		if (at > calls && at[-1] == ' ' && at[size] == ' ')
			return true;
	return false;
}
