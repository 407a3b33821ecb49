/* SPDX-License-Identifier: MIT */
/*
 * hosts_seen.h - on which of a job's machines processes were recorded, and on which what looks from outside: samplers, and the kernel's programs. Around a launcher those see the launcher's machine alone.
 */
#ifndef RECORDER_TOOLS_HOSTS_SEEN_H
#define RECORDER_TOOLS_HOSTS_SEEN_H

#include <recorder/reader.h>

struct hosts_seen {
	unsigned all;
	unsigned sampled, watched; /* by samplers, by programs in the kernel */
};

/* 0 or -ENOMEM. */
int hosts_seen_count(const struct reader *trace, struct hosts_seen *seen);
/* "samples are of 1 of 3 hosts"; to be freed. NULL: what was asked for was done on all hosts, or nothing was. */
char *hosts_seen_text(const struct reader *trace);

#endif
