/* SPDX-License-Identifier: MIT */
/*
 * call_record.h - a system call that the kernel told of as a raw record, and its function as a definition.
 */
#ifndef RECORDER_SYSTEM_CALL_RECORD_H
#define RECORDER_SYSTEM_CALL_RECORD_H

#include "bpf/kernel_events.h"
#include "system/kernelcalls.h"
#include "system/watched_stream.h"

/* Room for the record of any call. */
union call_record_room {
	struct raw_record record;
	uint8_t bytes[sizeof(struct raw_record) + KERNEL_CALL_ARGS * 8 +
		      sizeof(struct string_block) + EVENT_TEXT_MAX + 8];
};

/* Ids of calls are less than that. */
#define CALL_RECORD_FUNCTIONS (KERNEL_CALLS + 2)
/* The id that the call's function has in all streams. */
uint16_t call_record_function(const struct call_event *event);
/* The same by number and flags; its name; whether its result is how many bytes it moved. */
uint16_t call_record_id(unsigned call, unsigned flags);
const char *call_record_name(uint16_t id);
bool call_record_moves(uint16_t id);
/* Has the stream know it. */
void call_record_define(struct watched_stream *stream, uint16_t function);
/* `file`: the stream's id of the file that the event has, 0 none; `seekable`: one that has positions. The event's text is wholly there. */
void call_record_make(union call_record_room *room, const struct call_event *event, uint32_t file,
		      bool seekable);

#endif
