/* SPDX-License-Identifier: MIT */
/* objects.h - what the calls of HDF5, netCDF and PnetCDF are written with, which make objects by name. */
#ifndef RECORDER_TEST_SMOKE_OBJECTS_H
#define RECORDER_TEST_SMOKE_OBJECTS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static inline bool ends_in(const char *symbol, const char *end)
{
	size_t length = strlen(symbol), tail = strlen(end);

	return length > tail && strcmp(symbol + length - tail, end) == 0;
}

/* Room for text that a call gives. */
static inline char *texts(void)
{
	static char text[4096];

	memset(text, 0, sizeof(text));
	return text;
}

/* A name that was not there before. */
static inline const char *fresh(const char *stem)
{
	static char names[16][64];
	static unsigned count;
	char *name = names[count++ % 16];

	snprintf(name, 64, "new%u%s", count, stem);
	return name;
}

#endif
