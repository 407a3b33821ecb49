/* SPDX-License-Identifier: MIT */
/*
 * occurrences.h - what the kernel does for a thread besides its system calls: what the arguments of each event mean (functions/kernel.events), and events as raw records.
 */
#ifndef RECORDER_SYSTEM_OCCURRENCES_H
#define RECORDER_SYSTEM_OCCURRENCES_H

#include "bpf/kernel_events.h"
#include "system/watched_stream.h"

#define OCCURRENCE_PARAMETERS 12

/* Room for the record of any of them. */
union occurrence_room {
	struct raw_record record;
	uint8_t bytes[sizeof(struct raw_record) + OCCURRENCE_PARAMETERS * 8 +
		      2 * (sizeof(struct string_block) + 40) +
		      2 * (sizeof(struct array_block) + 8 * OCCURRENCE_RANGES)];
};

/* The id that it has in all streams. `what` is less than OCCURRENCES. */
uint16_t occurrence_function(unsigned what);
/* Names, as in functions/kernel.events. */
const char *occurrence_layer(unsigned what);
const char *occurrence_name(unsigned what);
/* Sums of it have bytes. */
bool occurrence_moves(unsigned what);
/* Whether it is a request to a disk, which has a time in a queue. */
bool occurrence_queues(unsigned what);
/* Has the stream know it. */
void occurrence_define(struct watched_stream *stream, unsigned what);
/* `file`: the stream's id of the file that the event has, 0 none. */
void occurrence_record(union occurrence_room *room, const struct occurrence_event *event,
		       uint32_t file);

#endif
