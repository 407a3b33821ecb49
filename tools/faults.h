/* SPDX-License-Identifier: MIT */
/*
 * faults.h - what is wrong with a trace, in the order of its streams, whoever of those that share the work has come across it: first what was found when it was opened, then stream by stream.
 */
#ifndef RECORDER_TOOLS_FAULTS_H
#define RECORDER_TOOLS_FAULTS_H

#include <recorder/reader.h>

#include "buffer.h"

/* Zeroed: none. */
struct faults {
	struct buffer list; /* struct fault */
	unsigned count;
};

/* The problems of the trace from number `from` on were found in the stream; -1: when it was opened. */
void faults_note(struct faults *faults, const struct reader *trace, unsigned from, int64_t stream);
/* All but those of the opening as bytes, and such bytes of another process, added. */
void faults_save(const struct faults *faults, struct buffer *bytes);
void faults_add(struct faults *faults, const struct buffer *bytes);
/* When all are there: puts them in order, and takes out what two have come across. */
void faults_sort(struct faults *faults);
/* faults->count of them. */
const char *faults_text(const struct faults *faults, unsigned number);
void faults_release(struct faults *faults);

#endif
