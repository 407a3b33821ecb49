/* SPDX-License-Identifier: MIT */
/* likeness.h - which of several names is meant by one that is misspelt. */
#ifndef RECORDER_TOOLS_LIKENESS_H
#define RECORDER_TOOLS_LIKENESS_H

struct likeness {
	const char *word;
	const char *best; /* of the names that were tried; NULL: none is like it */
	unsigned far;     /* that is too far from it */
};

/* The word must outlive it. */
struct likeness likeness_of(const char *word);
void likeness_try(struct likeness *likeness, const char *name);

#endif
