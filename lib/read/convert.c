/* SPDX-License-Identifier: MIT */
/* convert.c - see convert.h */
#include "read/convert.h"

#include <string.h>

#include "format/kinds.h"
#include "format/raw.h"

static void set_string(struct converter *converter, struct recorder_arg *arg,
		       const struct raw_record *raw, uint64_t value)
{
	const struct string_block *block = raw_string(raw, value);
	const uint8_t *end = (const uint8_t *)raw + raw->size;

	if (!block) {
		arg->state = value == BLOCK_ABSENT ? RECORDER_ARG_ABSENT : RECORDER_ARG_UNREADABLE;
		return;
	}
	arg->bytes = (const char *)block->bytes;
	arg->count = block->stored;
	arg->original = block->original;
	if (block->bytes + block->stored < end && block->bytes[block->stored] == 0)
		return;
	if (arg->count >= sizeof(converter->scratch) - converter->scratch_used)
		arg->count = (uint32_t)(sizeof(converter->scratch) - converter->scratch_used - 1);
	arg->bytes = converter->scratch + converter->scratch_used;
	memcpy(converter->scratch + converter->scratch_used, block->bytes, arg->count);
	converter->scratch_used += arg->count;
	converter->scratch[converter->scratch_used++] = 0;
}

static void set_array(struct recorder_arg *arg, const struct raw_record *raw, uint64_t value)
{
	const struct array_block *block = raw_array(raw, value);

	if (!block) {
		arg->state = value == BLOCK_ABSENT ? RECORDER_ARG_ABSENT : RECORDER_ARG_UNREADABLE;
		return;
	}
	arg->elements = block->elements;
	arg->count = block->stored;
	arg->original = block->original;
	arg->sum = block->sum;
}

static inline void set_arg(struct converter *converter, struct recorder_arg *arg, unsigned class,
			   const struct raw_record *raw, uint64_t value)
{
	*arg = (struct recorder_arg){.state = RECORDER_ARG_PRESENT};
	switch (class) {
	case CLASS_INT:
		arg->i64 = (int64_t)value;
		break;
	case CLASS_PAIR:
		arg->i64 = pair_value(value);
		arg->id = pair_id(value);
		break;
	case CLASS_DOUBLE:
		memcpy(&arg->f64, &value, sizeof(value));
		break;
	case CLASS_STRING:
		arg->bytes = "";
		set_string(converter, arg, raw, value);
		break;
	case CLASS_ARRAY:
		set_array(arg, raw, value);
		break;
	default: /* of a later version */
		arg->state = RECORDER_ARG_UNREADABLE;
		break;
	}
}

static inline void set_result(struct recorder_record *record, unsigned class, int64_t result)
{
	record->ret = result;
	record->ret_id = 0;
	if (class == CLASS_PAIR) {
		record->ret = pair_value((uint64_t)result);
		record->ret_id = pair_id((uint64_t)result);
	}
}

void convert_site(struct converter *converter, const struct stream *stream,
		  struct recorder_record *record, uint32_t in, uint64_t address)
{
	const struct def_module *module = converter->module;

	record->module = in;
	record->callsite = address;
	if (in != 0 || address == 0)
		return;
	if (!module || converter->stream != stream || address < module->start ||
	    address >= module->end) {
		module = definitions_module_at(&stream->defs, address);
		converter->module = module;
		converter->stream = stream;
	}
	if (module) {
		record->module = module->id;
		record->callsite = address - module->start + module->offset;
	}
}

#define ALL_CLASSES (~0u)

unsigned convert_unset(const struct function *function, const struct raw_record *raw)
{
	if (raw->err != 0 || raw->flags & (RECORD_LEFT | RECORD_NORETURN))
		return ALL_CLASSES;
	/* MPI may say which one failed: a number 0 is one. */
	if (function->result_kind == KIND_mpi_error && raw->result != 0)
		return ALL_CLASSES & ~(1u << CLASS_INT);
	if ((function->result_kind == KIND_herr || function->result_kind == KIND_hid) &&
	    (int32_t)raw->result < 0)
		return ALL_CLASSES;
	if (function->result_kind == KIND_nc_error && raw->result != 0)
		return ALL_CLASSES;
	return 0;
}

static void unset_outputs(struct converter *converter, const struct function *function,
			  const struct raw_record *raw, unsigned classes)
{
	for (unsigned i = 0; i < raw->arg_count; i++) {
		if ((function->outputs >> i & 1) && raw->args[i] == 0 &&
		    (function->classes[i] > 31 || classes >> function->classes[i] & 1))
			converter->args[i] = (struct recorder_arg){.state = RECORDER_ARG_UNSET};
	}
}

int64_t convert_busy(const struct stream *stream, uint64_t tstart, uint64_t tend, bool summed,
		     uint64_t ticks)
{
	uint64_t most = summed ? tend : tend - tstart;

	if (ticks > most || ticks > UINT64_MAX - tstart)
		ticks = tend - tstart;
	return timeline_ns(&stream->timeline, tstart + ticks) -
	       timeline_ns(&stream->timeline, tstart);
}

void convert_untimed(struct converter *converter, const struct thread *thread,
		     const struct function *function, const struct raw_record *raw)
{
	struct recorder_record *record = &converter->record;
	const struct stream *stream = thread->stream;
	unsigned classes = convert_unset(function, raw);

	converter->scratch_used = 0;
	record->level = raw->level;
	record->func_id = function->info.id;
	record->tid = thread->tid;
	record->world = stream->world;
	record->rank = stream->rank;
	record->stream = stream->number;
	record->thread = thread->index;
	record->flags = raw->flags & (RECORD_LEFT | RECORD_NORETURN | RECORD_SIGNAL);
	record->arg_count = raw->arg_count < function->info.arg_count ? raw->arg_count
								      : function->info.arg_count;
	record->args = converter->args;
	record->err = raw->err;
	record->repeat = raw->repeat;
	record->stack = raw->stack;
	set_result(record, function->info.result.class_, raw->result);
	convert_site(converter, stream, record, raw->reserved1, raw->callsite);
	for (unsigned i = 0; i < record->arg_count; i++)
		set_arg(converter, &converter->args[i], function->classes[i], raw, raw->args[i]);
	if (classes)
		unset_outputs(converter, function, raw, classes);
}

void convert(struct converter *converter, const struct thread *thread,
	     const struct function *function, const struct raw_record *raw, uint64_t sequence)
{
	struct recorder_record *record = &converter->record;
	const struct stream *stream = thread->stream;

	convert_untimed(converter, thread, function, raw);
	record->tstart = timeline_ns(&stream->timeline, raw->tstart);
	record->tend = timeline_ns(&stream->timeline, raw->tend);
	record->sequence = sequence;
	record->busy = record->tend - record->tstart;
	if (raw->repeat > 1 && raw->arg_count > function->info.arg_count)
		record->busy = convert_busy(stream, raw->tstart, raw->tend,
					    raw->reserved0 == RAW_TIMES_SUMMED,
					    raw->args[raw->arg_count - 1]);
	record->flags |= convert_phase(stream, raw->tstart, raw->tend);
	if (raw->reserved0 == RAW_TIMES_SUMMED)
		record->flags |= RECORDER_TIMES_SUMMED;
}

void convert_open(struct converter *converter, const struct thread *thread,
		  const struct function *function, const struct raw_record *raw)
{
	struct recorder_record *record = &converter->record;
	uint64_t last = thread->stream->last_ticks;

	convert(converter, thread, function, raw, thread->stored);
	record->flags &= (uint16_t)~RECORDER_BEFORE_MAIN; /* it has no end */
	unset_outputs(converter, function, raw, ALL_CLASSES);
	record->flags |= RECORDER_IN_FLIGHT;
	record->ret = 0;
	record->ret_id = 0;
	record->err = 0;
	record->repeat = 1;
	record->tend =
		timeline_ns(&thread->stream->timeline, last > raw->tstart ? last : raw->tstart);
	record->busy = record->tend - record->tstart;
}
