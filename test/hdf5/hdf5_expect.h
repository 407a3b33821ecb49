/* SPDX-License-Identifier: MIT */
/* hdf5_expect.h - expect.h with the words for what handles of HDF5 stand for. */
#ifndef RECORDER_TEST_HDF5_EXPECT_H
#define RECORDER_TEST_HDF5_EXPECT_H

#include "expect.h"

#include <hdf5.h>

static const char *expect_name = "data.h5"; /* the file that in_file() means */

/* A file in the working directory. */
static inline const char *the_file(void)
{
	char *text = expect_text();

	snprintf(text, 512, "{file=\"%s/%s\"}", getenv("PWD"), expect_name);
	return text;
}

/* What is in that file: by name, or, if it has none, by number. */
static inline const char *in_file(const char *kind, const char *name)
{
	char *text = expect_text();

	if (*name == '#')
		snprintf(text, 512, "{%s%s, file=\"%s/%s\"}", kind, name, getenv("PWD"),
			 expect_name);
	else
		snprintf(text, 512, "{%s=\"%s\", file=\"%s/%s\"}", kind, name, getenv("PWD"),
			 expect_name);
	return text;
}

#endif
