/* SPDX-License-Identifier: MIT */
/*
 * causes.h - Chrome events for what a call has the kernel do: arrows from calls to their requests to devices and to write-backs, and from these to theirs (ties.h).
 *
 * Ends are those of the records in the output, at the threads that these stand at. They are gathered by whoever writes records, and the leader draws. At most CAUSES_MAX of a file are kept, the earliest ones; others are counted.
 */
#ifndef RECORDER_TOOLS_CAUSES_H
#define RECORDER_TOOLS_CAUSES_H

#include "buffer.h"
#include "outputs.h"

#define CAUSES_MAX (1u << 20)

struct causes;

/* `events` has its lanes, and must outlive it. NULL: no memory. */
struct causes *causes_new(struct out_events *events);
void causes_free(struct causes *causes);

/* Behind the event of a record, which stands at `tid`. 0 or -ENOMEM. */
int causes_call(struct causes *causes, const struct recorder_record *record, uint32_t tid);
/* Draws all. 0 or a negative errno. */
int causes_put(struct causes *causes);
/* The next events are of another file. */
void causes_next_file(struct causes *causes);
/* Whether the trace has anything of that kind. */
bool causes_has_any(const struct causes *causes);
/* How many arrows were drawn in the file, and how many ends were left out. */
uint64_t causes_count(const struct causes *causes);
uint64_t causes_left_out(const struct causes *causes);

/* What this process has gathered, for the leader. */
void causes_share(const struct causes *causes, struct buffer *bytes);
/* 0, -ENOMEM or -EINVAL. */
int causes_hear(struct causes *causes, const void *bytes, size_t size);

#endif
