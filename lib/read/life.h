/* SPDX-License-Identifier: MIT */
/*
 * life.h - whether the process of a stream is alive, as far as can be seen from here.
 *
 * Process numbers mean something in their own space alone: containers of one machine have its boot id, may have one host name, and
 * count from 1 each. So a stream also names its space (doc/format.md section 8, `pid.ns`). From an outer space the processes
 * of inner ones are seen, under other numbers.
 */
#ifndef RECORDER_READ_LIFE_H
#define RECORDER_READ_LIFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a trace says of a process. */
struct life_claim {
	const char *boot_id;
	const char *host; /* "" not known */
	uint64_t pid_ns;  /* 0 not known */
	uint64_t pid_start;
	uint32_t pid;
};

enum life {
	LIFE_ENDED,
	LIFE_RUNS,
	LIFE_DIES,      /* it was killed, and the kernel is not through with it */
	LIFE_ELSEWHERE, /* of another node: not to be seen from here */
};

/* Who looks, and from where. */
struct life_view {
	char boot_id[64];
	char host[65];
	uint64_t pid_ns;
	bool proc_is_own;       /* /proc has the numbers of our space, not those of an outer one */
	struct life_seen *seen; /* the processes here, once they were asked for */
	size_t seen_count;
	bool has_seen;
};

void life_view_init(struct life_view *view);
void life_view_release(struct life_view *view);
enum life life_of(struct life_view *view, const struct life_claim *claim);
/* Whether a process is there that /proc calls so, and is no zombie. */
bool life_is_there(uint32_t number);

#endif
