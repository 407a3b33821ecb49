/* SPDX-License-Identifier: MIT */
/* file_classes.c - the names of classes of files, see recorder/analysis.h */
#include <recorder/analysis.h>
#include <string.h>

const char *analysis_file_class_name(enum analysis_file_class class_)
{
	static const char *const names[ANALYSIS_FILE_CLASSES] = {
		[ANALYSIS_DATA] = "data",     [ANALYSIS_SOFTWARE] = "software",
		[ANALYSIS_SYSTEM] = "system", [ANALYSIS_PIPE] = "pipe",
		[ANALYSIS_SOCKET] = "socket",
	};

	return (unsigned)class_ < ANALYSIS_FILE_CLASSES ? names[class_] : "";
}

static unsigned class_set_of(const char *name, size_t size)
{
	for (unsigned i = 0; i < ANALYSIS_FILE_CLASSES; i++) {
		const char *known = analysis_file_class_name((enum analysis_file_class)i);

		if (strlen(known) == size && !strncmp(known, name, size))
			return 1u << i;
	}
	return size == 3 && !strncmp(name, "all", size) ? (1u << ANALYSIS_FILE_CLASSES) - 1 : 0;
}

unsigned analysis_file_class_set(const char *names)
{
	unsigned set = 0;

	for (;;) {
		size_t size = strcspn(names, ",");
		unsigned found = class_set_of(names, size);

		if (!found)
			return 0;
		set |= found;
		if (!names[size])
			return set;
		names += size + 1;
	}
}
