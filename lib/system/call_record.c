/* SPDX-License-Identifier: MIT */
/* call_record.c - see call_record.h */
#include "system/call_record.h"

#include <pthread.h>
#include <string.h>

#define COMPAT_FUNCTION KERNEL_CALLS        /* all calls of 32-bit code */
#define UNKNOWN_FUNCTION (KERNEL_CALLS + 1) /* of numbers that are not known here */

static struct watched_function functions[CALL_RECORD_FUNCTIONS];
static pthread_once_t described = PTHREAD_ONCE_INIT;

static void describe_all(void)
{
	for (unsigned number = 0; number < KERNEL_CALLS; number++) {
		const struct kernel_call *call = kernel_call(number);
		struct watched_function *function = &functions[number];

		if (!call)
			continue;
		function->result_class = call->class;
		function->arg_count = call->arg_count;
		for (unsigned i = 0; i < call->arg_count; i++)
			function->arg_classes[i] = call->args[i].class;
	}
	for (unsigned number = COMPAT_FUNCTION; number < CALL_RECORD_FUNCTIONS; number++)
		functions[number] = (struct watched_function){.result_class = CLASS_INT,
							      .arg_count = 1,
							      .arg_classes = {CLASS_INT}};
}

uint16_t call_record_id(unsigned call, unsigned flags)
{
	if (flags & CALL_COMPAT)
		return COMPAT_FUNCTION;
	return kernel_call(call) ? (uint16_t)call : UNKNOWN_FUNCTION;
}

uint16_t call_record_function(const struct call_event *event)
{
	return call_record_id(event->call, event->flags);
}

const char *call_record_name(uint16_t id)
{
	const struct kernel_call *call = kernel_call(id);

	if (call)
		return call->name;
	return id == COMPAT_FUNCTION ? "syscall_32bit" : "syscall";
}

bool call_record_moves(uint16_t id)
{
	const struct kernel_call *call = kernel_call(id);

	return call && !strcmp(call->kind, "bytes");
}

void call_record_define(struct watched_stream *stream, uint16_t id)
{
	const struct kernel_call *call = kernel_call(id);
	uint8_t payload[1024];
	struct packer packer = packer_of(payload, sizeof(payload));

	pthread_once(&described, describe_all);
	watched_stream_function(stream, id, &functions[id]);
	if (call) {
		def_function_pack(&packer, id, call->arg_count, "kernel", call->name, call->class,
				  call->kind);
		for (unsigned i = 0; i < call->arg_count; i++)
			def_parameter_pack(&packer, call->args[i].class, call->args[i].name,
					   call->args[i].kind);
	} else {
		def_function_pack(&packer, id, 1, "kernel", call_record_name(id), CLASS_INT, "int");
		def_parameter_pack(&packer, CLASS_INT, "number", "int");
	}
	watched_stream_define(stream, DEF_FUNCTION, payload, packer_size(&packer, payload));
}

static uint64_t put_text(struct raw_record *record, const struct call_event *event)
{
	struct string_block *block = (void *)((uint8_t *)record + record->size);
	uint32_t at = record->size, size = event->text_size;

	if (event->flags & CALL_TEXT_LOST)
		return BLOCK_UNREADABLE;
	block->stored = size;
	block->original = size + (event->flags & CALL_TEXT_CUT ? 1 : 0);
	memcpy(block->bytes, event->text, size);
	memset(block->bytes + size, 0, -size % 8);
	record->size += (uint32_t)sizeof(*block) + ((size + 7) & ~7u);
	return at;
}

static uint64_t value_of(struct raw_record *record, const struct kernel_call *call,
			 const struct kernel_arg *arg, const struct call_event *event,
			 uint32_t file, bool seekable)
{
	uint64_t value;

	if (arg->reg == KERNEL_ARG_POSITION)
		return seekable ? (uint64_t)event->offset : (uint64_t)-1;
	value = event->args[arg->reg];
	if (arg->class == CLASS_STRING)
		return event->args[arg->reg] ? put_text(record, event) : BLOCK_ABSENT;
	if (arg->class != CLASS_PAIR)
		return value;
	return pair_make((int32_t)value,
			 arg->reg + 1 == call->descriptor && !call->makes ? file : 0);
}

/* -4095 to -1 are errors, as libc has them. */
static void put_result(struct raw_record *record, const struct kernel_call *call,
		       const struct call_event *event, uint32_t file)
{
	if (event->flags & CALL_NO_RETURN) {
		record->flags |= RECORD_NORETURN;
	} else if (event->result < 0 && event->result >= -4095) {
		record->err = (int32_t)-event->result;
		record->result = call && call->class == CLASS_PAIR ? (int64_t)pair_make(-1, 0) : -1;
	} else if (call && call->class == CLASS_PAIR) {
		record->result = (int64_t)pair_make((int32_t)event->result, file);
	} else {
		record->result = event->result;
	}
}

void call_record_make(union call_record_room *room, const struct call_event *event, uint32_t file,
		      bool seekable)
{
	const struct kernel_call *call =
		event->flags & CALL_COMPAT ? NULL : kernel_call(event->call);
	unsigned count = call ? call->arg_count : 1;
	struct raw_record *record = &room->record;

	memset(record, 0, sizeof(*record));
	record->size = (uint32_t)(sizeof(*record) + 8 * count);
	record->function = call_record_function(event);
	record->level = event->level;
	record->arg_count = (uint8_t)count;
	record->tstart = event->begin;
	record->tend = event->head.time;
	record->repeat = 1;
	put_result(record, call, event, file);
	for (unsigned i = 0; i < count; i++)
		record->args[i] =
			call ? value_of(record, call, &call->args[i], event, file, seekable)
			     : event->call;
}
