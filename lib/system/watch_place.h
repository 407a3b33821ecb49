/* SPDX-License-Identifier: MIT */
/*
 * watch_place.h - what all streams of one recorder share: the folder, who records on which machine, memory for making chunks, and the clock.
 */
#ifndef RECORDER_SYSTEM_WATCH_PLACE_H
#define RECORDER_SYSTEM_WATCH_PLACE_H

#include "format/secrets.h"
#include "format/wire.h"
#include "system/clock_log.h"
#include "system/pile.h"

struct deflater;

/* Of whoever makes a chunk at the moment. */
struct watch_work {
	struct pile words, bits, body, encoder;
	void *deflater_memory;
	struct deflater *deflater;
	struct clock_log clocks; /* what is written of it goes into the next stream */
};

struct watch_place {
	int dir_fd; /* of the trace */
	const char *run_id;
	char host[256], boot_id[64];
	uint64_t unit;      /* ns of the times that are stored */
	char events[256];   /* what is recorded, with commas between; "": nothing is said of it */
	char missing[1024]; /* tracepoints that the kernel does not have for it */
	uint64_t interval;  /* of sums, ns; set by the caller */
	enum secrets_kept secrets; /* of command lines; set by the caller */
	struct watch_work *work;
};

/* 0 or a negative errno. `run_id` and `dir_fd` stay the caller's. */
int watch_place_init(struct watch_place *place, int dir_fd, const char *run_id);
void watch_place_release(struct watch_place *place);

/* CLOCK_MONOTONIC in ns. */
uint64_t watch_now(void);
/* Ticks of these streams are ns of CLOCK_MONOTONIC. */
struct anchor watch_anchor_now(void);
/* That instant, on all clocks. */
struct anchor watch_anchor_at(uint64_t mono);

#endif
