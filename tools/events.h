/* SPDX-License-Identifier: MIT */
/*
 * events.h - what the two JSON event forms have in common: names, arguments, process and thread
 * numbers.
 */
#ifndef RECORDER_TOOLS_EVENTS_H
#define RECORDER_TOOLS_EVENTS_H

#include "event_shape.h"
#include "lanes.h"
#include "outputs.h"

/* Prepares for a trace; `upper` writes layers in upper case. 0 or -ENOMEM. */
int events_begin(struct out_events *events, const struct walk *walk, bool upper);

/* "name":"pwrite","cat":"POSIX" of a record, without braces. */
void event_name(struct out_events *events, const struct recorder_record *record);

/* What a call of MPI does to requests, before its event is put out; records of others need not be given. 0 or a negative errno. */
int events_note(struct out_events *events, const struct recorder_record *record);

/*
 * "level":..,"ret":..,"errno":..,"fd":.. of a record, without braces. Values that have a symbolic text
 * are strings, or with events->numeric the numbers that the program passed. A run of calls has "repeat":.. and "busy":.. (microseconds in them). Behind them what a call of MPI means: "dest_world":..,
 * "sent":.. . Records must come by time, and events_note() must have had this one. 0 or -ENOMEM.
 */
int event_args(struct out_events *events, const struct recorder_record *record);

/* A record that somebody else puts out, so that those behind it are as they would be if it had been. 0 or a negative errno. */
int events_pass(struct out_events *events, const struct recorder_record *record);

/*
 * "fd":5,"count":8 of the arguments of a record, without braces, but those of the set `without`, in which bit i stands for argument i.
 */
void event_values(struct out_events *events, const struct recorder_record *record,
		  uint64_t without);

/* Of the key of an argument another one: ,"dest": with the end _world": gives ,"dest_world": */
void event_derived_key(struct out_events *events, uint16_t func_id, unsigned arg, const char *end);

const struct event_shape *event_shape(const struct out_events *events, uint16_t func_id);
/* Bytes that the names of such a function and its numbers take at most. */
size_t events_line_size(const struct out_events *events, uint16_t func_id);
/*
 * event_args() of such a call that did not fail and has all arguments. places[] gets begin and end of each number: the result's if it may be another one, then
 * those of the arguments. Returns how many numbers these are, or a negative errno.
 */
int event_shape_args(struct out_events *events, const struct recorder_record *record,
		     const char *places[2 * EVENT_NUMBERS]);

/* ,"key": of a number; nothing is escaped. */
void event_number(struct out_events *events, const char *key, int64_t value);
void event_string(struct out_events *events, const char *key, const char *bytes, size_t size);

/* An instant of the trace as Unix time. */
int64_t event_unix_us(const struct out_events *events, int64_t ns);

/* False: the name is known. Else its line comes, up to event_end_name(), both with its names_key(). */
bool event_begin_name(struct out_events *events, uint64_t key);
void event_end_name(struct out_events *events, uint64_t key);

/* The words that viewers show for a rank: "rank 3", "world 1 rank 3". */
void event_rank_name(const struct reader_stream *stream, const char *word, char *name, size_t size);
/* The name of a lane: "main", "signal handlers of main", "main, overlapping". */
void event_lane_name(const struct lane *lane, uint32_t tid, char *name, size_t size);

#endif
