/* SPDX-License-Identifier: MIT */
/*
 * completeness.h - what a trace lacks, in words: losses by reason, ranks that left nothing, streams that a crash would have cut.
 */
#ifndef RECORDER_TOOLS_COMPLETENESS_H
#define RECORDER_TOOLS_COMPLETENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <recorder/reader.h>

#include "json.h"

/* What a reason means: "RECORDER_MIN_FREE was reached"; "" for words that this version does not know. */
const char *loss_meaning(const char *reason);

/* How many: "some" where nobody knows. */
const char *loss_number(char text[32], uint64_t records);

/* The same of a stream, which lost so many that are counted, and of all. */
const char *stream_loss_number(char text[32], const struct reader *trace, unsigned stream,
			       uint64_t lost);
const char *trace_loss_number(char text[32], const struct reader *trace,
			      const struct reader_info *info);

/* Losses of all streams. Reasons live as long as the trace. */
struct losses {
	struct loss_sum {
		const char *reason;
		uint64_t records;
	} * list;
	size_t count;
};

void losses_collect(struct losses *losses, const struct reader *trace);
void losses_release(struct losses *losses);

/* Ranks of a world that no stream is of: first to last. */
struct absence {
	int32_t world, first, last;
	int32_t size; /* of the world, -1 unknown */
};

struct absences {
	struct absence *list;
	size_t count;
};

void absences_collect(struct absences *absences, const struct reader *trace);
/* "ranks 3 and 5 of 8 left no stream", of several worlds one after the other; to be freed. NULL: all are there. */
char *absences_text(const struct absences *absences, unsigned worlds);
void absences_release(struct absences *absences);

/* One of a list of losses. */
void loss_json(struct json *json, const char *reason, uint64_t records);
/* The entries "losses" and "absent" of an object. */
void completeness_json(struct json *json, const struct reader *trace);

/* Whether the newest records of the stream would have survived a kill at any time. */
bool stream_is_crash_safe(const struct reader *trace, unsigned stream);

#endif
