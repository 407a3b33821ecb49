/* SPDX-License-Identifier: MIT */
/* looking.c - a preload whose dlsym() allocates, as those of some libcs do, and looks for the allocator's functions by itself at the same time. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef void *look_up(void *handle, const char *name);

__attribute__((visibility("default"))) void *dlsym(void *restrict handle, const char *restrict name)
{
	look_up *next = (look_up *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	char *volatile area = calloc(3, 16);

	if (!next)
		next = (look_up *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	if (!next || !area || area[47])
		abort();
	memset(area, 'x', 48);
	area = realloc(area, 100);
	if (!area || area[47] != 'x')
		abort();
	free(area);
	area = malloc(10);
	area = realloc(area, 20);
	free(area);
	return next(handle, name);
}
