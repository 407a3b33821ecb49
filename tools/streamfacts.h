/* SPDX-License-Identifier: MIT */
/*
 * streamfacts.h - what the files of a stream say, as far as completing it needs to know.
 */
#ifndef RECORDER_TOOLS_STREAMFACTS_H
#define RECORDER_TOOLS_STREAMFACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "chunkfile.h"
#include "read/index.h"

#define NAME_LIMIT 256

/* What an LM says, as far as folding needs it. */
struct lm_facts {
	uint32_t pid;
	uint64_t pid_start, pid_ns;
	bool final;
	bool live_private; /* some rings were private memory */
	char boot_id[64];
	char host[NAME_LIMIT];
	char live_dir[4096];
	char run_id[NAME_LIMIT];
};

struct thread_count {
	uint32_t index;
	uint64_t next; /* sequence number after the last one stored */
};

/* What a .rec holds. */
struct rec_facts {
	uint64_t records, lost;
	uint32_t chunks;
	bool ended;   /* the last chunk is an END */
	bool limited; /* some were lost to the limit of the file's size */
	struct thread_count *threads;
	uint32_t thread_count, thread_room;
	struct index by_index; /* of threads: a trace may have a million */
};

/* 0 or a negative errno. */
int lm_facts_read(struct lm_facts *facts, struct chunkfile *lm);
/* Adds what the file holds to zeroed facts. 0 or a negative errno. */
int rec_facts_read(struct rec_facts *facts, struct chunkfile *rec);
/* The thread of that index, which is added if it is not there; NULL: no memory. */
struct thread_count *rec_facts_thread(struct rec_facts *facts, uint32_t index);
void rec_facts_release(struct rec_facts *facts);

#endif
