/* SPDX-License-Identifier: MIT */
/* occurrences.c - see occurrences.h */
#include "system/occurrences.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "format/kinds.h"
#include "system/call_record.h"
#include "system/watched_files.h"

/* Where an argument comes from: a number of args[], or one of these. */
enum {
	OCCURRENCE_TEXT = 100,
	OCCURRENCE_NAME,
	OCCURRENCE_FILE,
	OCCURRENCE_OFFSETS,
	OCCURRENCE_LENGTHS
};

struct kernel_occurrence {
	const char *layer, *name;
	const char *kind; /* of the result */
	uint8_t class;
	uint8_t arg_count;
	struct {
		const char *name, *kind;
		uint8_t class; /* enum arg_class */
		uint8_t source;
	} args[OCCURRENCE_PARAMETERS];
};

#include "kernelevents_gen.h"

static struct watched_function functions[OCCURRENCES];
static uint64_t devices[OCCURRENCES]; /* bits of arguments that are numbers of devices */
static pthread_once_t described = PTHREAD_ONCE_INIT;

static void describe_all(void)
{
	for (unsigned what = 0; what < OCCURRENCES; what++) {
		const struct kernel_occurrence *occurrence = &kernel_occurrences[what];
		struct watched_function *function = &functions[what];

		function->result_class = occurrence->class;
		function->arg_count = occurrence->arg_count;
		for (unsigned i = 0; i < occurrence->arg_count; i++) {
			function->arg_classes[i] = occurrence->args[i].class;
			devices[what] |= (uint64_t)!strcmp(occurrence->args[i].kind, "device") << i;
		}
	}
}

uint16_t occurrence_function(unsigned what)
{
	return (uint16_t)(CALL_RECORD_FUNCTIONS + what);
}

const char *occurrence_layer(unsigned what)
{
	return kernel_occurrences[what].layer;
}

const char *occurrence_name(unsigned what)
{
	return kernel_occurrences[what].name;
}

bool occurrence_moves(unsigned what)
{
	return !strcmp(kernel_occurrences[what].layer, "pagecache") ||
	       what == OCCURRED_ext4_write || what <= OCCURRED_io_uring_request;
}

bool occurrence_queues(unsigned what)
{
	return what <= OCCURRED_block_request;
}

void occurrence_define(struct watched_stream *stream, unsigned what)
{
	const struct kernel_occurrence *occurrence = &kernel_occurrences[what];
	uint16_t id = occurrence_function(what);
	uint8_t payload[1024];
	struct packer packer = packer_of(payload, sizeof(payload));

	pthread_once(&described, describe_all);
	watched_stream_function(stream, id, &functions[what]);
	def_function_pack(&packer, id, occurrence->arg_count, occurrence->layer, occurrence->name,
			  occurrence->class, occurrence->kind);
	for (unsigned i = 0; i < occurrence->arg_count; i++)
		def_parameter_pack(&packer, occurrence->args[i].class, occurrence->args[i].name,
				   occurrence->args[i].kind);
	watched_stream_define(stream, DEF_FUNCTION, payload, packer_size(&packer, payload));
}

/* Texts of the kernel that are no longer than an event's. */
static uint64_t put_text(struct raw_record *record, const char *text, size_t room)
{
	struct string_block *block = (void *)((uint8_t *)record + record->size);
	uint32_t at = record->size, size = (uint32_t)strnlen(text, room);

	block->stored = block->original = size;
	memcpy(block->bytes, text, size);
	memset(block->bytes + size, 0, -size % 8);
	record->size += (uint32_t)sizeof(*block) + ((size + 7) & ~7u);
	return at;
}

/* Where the ranges of its file begin, or how long they are. */
static uint64_t put_ranges(struct raw_record *record, const struct occurrence_event *event,
			   bool offsets)
{
	struct array_block *block = (void *)((uint8_t *)record + record->size);
	uint32_t at = record->size, count = (uint32_t)event->range_count;

	block->stored = block->original = count;
	block->sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct file_range *range = &event->ranges[i];

		block->elements[i] = (int64_t)(offsets ? range->offset : range->size);
		block->sum = (int64_t)((uint64_t)block->sum + (uint64_t)block->elements[i]);
	}
	record->size += (uint32_t)(sizeof(*block) + 8 * count);
	return at;
}

static uint64_t value_of(struct raw_record *record, const struct occurrence_event *event,
			 unsigned index, uint32_t file)
{
	unsigned source = kernel_occurrences[event->what].args[index].source;

	switch (source) {
	case OCCURRENCE_TEXT:
		return put_text(record, event->text, sizeof(event->text));
	case OCCURRENCE_NAME:
		return put_text(record, event->name, sizeof(event->name));
	case OCCURRENCE_OFFSETS:
	case OCCURRENCE_LENGTHS:
		return put_ranges(record, event, source == OCCURRENCE_OFFSETS);
	case OCCURRENCE_FILE:
		return pair_make(file ? 0 : -1, file);
	}
	if (devices[event->what] >> index & 1)
		return watched_device((uint32_t)event->args[source]);
	return event->args[source];
}

/* What a blk_status_t says. */
static int block_errno(int64_t status)
{
	static const uint16_t errnos[] = {
		0,     EOPNOTSUPP, ETIMEDOUT, ENOSPC, ENOLINK, EREMOTEIO,
		EBADE, ENODATA,    EILSEQ,    ENOMEM, EIO,
	};

	if (status < 0)
		return (int)-status;
	return (size_t)status < sizeof(errnos) / sizeof(errnos[0]) ? errnos[status] : EIO;
}

static void put_result(struct raw_record *record, const struct occurrence_event *event)
{
	if (event->what <= OCCURRED_block_request)
		record->err = block_errno(event->result);
	else if (event->result < 0 && event->result >= -4095)
		record->err = (int32_t)-event->result;
	record->result = record->err ? -1 : event->result;
}

void occurrence_record(union occurrence_room *room, const struct occurrence_event *event,
		       uint32_t file)
{
	unsigned count = kernel_occurrences[event->what].arg_count;
	struct raw_record *record = &room->record;

	memset(record, 0, sizeof(*record));
	record->size = (uint32_t)(sizeof(*record) + 8 * count);
	record->function = occurrence_function(event->what);
	record->level = event->level + (event->flags & OCCURRENCE_IN_CALL ? 1 : 0);
	record->arg_count = (uint8_t)count;
	record->tstart = event->begin;
	record->tend = event->head.time;
	record->repeat = 1;
	put_result(record, event);
	for (unsigned i = 0; i < count; i++)
		record->args[i] = value_of(record, event, i, file);
}
