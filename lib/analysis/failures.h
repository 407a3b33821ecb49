/* SPDX-License-Identifier: MIT */
/*
 * failures.h - calls that failed, by function and errno.
 */
#ifndef RECORDER_ANALYSIS_FAILURES_H
#define RECORDER_ANALYSIS_FAILURES_H

#include <stdbool.h>

#include "analysis/dictionary.h"

#include <recorder/analysis.h>

struct failure_row {
	uint16_t function;
	int err;
	uint64_t calls;
	int64_t time;
	/* of them those on files that are not data */
	uint64_t calls_apart;
	int64_t time_apart;
};

/* Zeroed: none. */
struct failures {
	struct dictionary keys; /* give the rows their numbers */
	struct failure_row *rows;
	uint32_t room;
};

/* Counts a record that has an errno; `apart`: its file is no data. 0 or -ENOMEM. */
int failures_count(struct failures *failures, const struct reader *trace,
		   const struct recorder_record *record, bool apart);
/* What errno is called in row `number`; valid until more is counted. */
const char *failures_name(const struct failures *failures, uint32_t number);
/* 0 or -ENOMEM. */
int failures_merge(struct failures *into, const struct failures *from);
void failures_release(struct failures *failures);

#endif
