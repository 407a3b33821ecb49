/* SPDX-License-Identifier: MIT */
/* wrapped.c - see wrapped.h */
#include "wrapped.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"

static const struct plan plan = {2001, 1, 100};

void wrapped_measure(const struct wrapped *list, unsigned count)
{
	char name[64];

	report("stamps", measure_stamps());
	for (unsigned i = 0; i < count; i++) {
		struct variant variants[] = {
			{list[i].run, list[i].bare, 0, 0},
			{list[i].run, list[i].wrapper, 0, 0},
		};

		measure(variants, 2, &plan);
		report(list[i].name, variants[1].ns - variants[0].ns);
		snprintf(name, sizeof(name), "%s.bare", list[i].name);
		report(name, variants[0].ns);
	}
}

struct search {
	const char *begin;
	char path[4096];
};

static int is_it(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	const char *name = strrchr(info->dlpi_name, '/');

	(void)size;
	name = name ? name + 1 : info->dlpi_name;
	if (strncmp(name, search->begin, strlen(search->begin)))
		return 0;
	snprintf(search->path, sizeof(search->path), "%s", info->dlpi_name);
	return 1;
}

void *wrapped_bare(const char *library, const char *name)
{
	struct search search = {.begin = library};
	void *handle = NULL, *function = NULL;

	if (dl_iterate_phdr(is_it, &search))
		handle = dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD);
	if (handle)
		function = dlsym(handle, name);
	if (!function) {
		errno = ENOENT;
		die(name);
	}
	return function;
}
