/* SPDX-License-Identifier: MIT */
/* batch.c - see batch.h */
#include "record/batch.h"

#include <signal.h>
#include <stdatomic.h>

#include "format/raw.h"
#include "record/config.h"
#include "record/function.h"
#include "record/modules.h"
#include "record/named.h"
#include "record/sys.h"

struct batch batch_from(const struct thread *thread, uint32_t from, uint32_t passed,
			uint64_t t_base)
{
	uint64_t first = thread->sequence_base + passed;

	return (struct batch){.records = thread->data + from,
			      .size = thread->head - from,
			      .count = thread->sequence_low - (uint32_t)first,
			      .first_sequence = first,
			      .t_base = t_base};
}

struct batch batch_half(const struct batch *batch)
{
	struct batch half = *batch;
	uint32_t at = 0;

	half.count = (batch->count + 1) / 2;
	for (uint32_t i = 0; i < half.count; i++)
		at += ((const struct raw_record *)(const void *)(batch->records + at))->size;
	half.size = at;
	return half;
}

struct batch batch_behind(const struct batch *batch, const struct batch *part)
{
	struct batch rest = *batch;

	for (uint32_t at = 0; at < part->size;) {
		const struct raw_record *record = (const void *)(part->records + at);

		rest.t_base = record->tend;
		at += record->size;
	}
	rest.records += part->size;
	rest.size -= part->size;
	rest.count -= part->count;
	rest.first_sequence += part->count;
	return rest;
}

void batch_describe_raw(const struct batch *batch, struct chunk_header *chunk)
{
	raw_describe(chunk, batch->records, batch->size, batch->t_base);
}

static struct encode_function named_classes(struct batch_classes *classes, uint16_t id)
{
	struct named_description named = {.arg_count = 0};
	struct encode_function function = {.arg_classes = classes->args};

	if (!named_describe(id, &named))
		return function;
	function.result_class = kind_class(named.result);
	function.arg_count = named.arg_count;
	for (unsigned i = 0; i < named.arg_count; i++)
		classes->args[i] = kind_class(named.args[i].kind);
	return function;
}

static struct encode_function catalogued_classes(struct batch_classes *classes, uint16_t id)
{
	const struct function_entry *entry = &function_table[id];
	struct encode_function function = {.result_class = kind_class(entry->result),
					   .result_descriptor = kind_is_descriptor(entry->result),
					   .arg_count = entry->arg_count};

	for (unsigned i = 0; i < entry->arg_count; i++) {
		enum kind kind = function_args(entry)[i].kind;

		classes->args[i] = kind_class(kind);
		function.ranks |= (uint64_t)(kind == KIND_rank) << i;
		function.descriptors |= (uint64_t)kind_is_descriptor(kind) << i;
	}
	function.arg_classes = classes->args;
	return function;
}

struct encode_function batch_function(void *data, uint16_t id)
{
	return id < function_count ? catalogued_classes(data, id) : named_classes(data, id);
}

struct encode_site batch_site(void *data, uint64_t address)
{
	struct encode_site site = modules_find(address);

	(void)data;
	return site;
}

uint64_t batch_ticks(int64_t ns, const struct anchor *now)
{
	struct anchor first = clock_first_anchor();

	return clock_ticks_in(ns, &first, now);
}

static uint64_t estimated_unit(const struct anchor *now)
{
	uint64_t unit = batch_ticks((int64_t)config.time_resolution, now);
	uint64_t granule = clock_granule();

	if (config.time_resolution <= 1 && granule > 1)
		return granule;
	return unit > granule ? (unit + granule / 2) / granule * granule : granule;
}

/* The one before, as long as it is about right: rounded down to other units, a call could end after the next one began. */
uint64_t batch_unit(const struct anchor *now)
{
	static _Atomic uint64_t last;
	uint64_t before = atomic_load_explicit(&last, memory_order_relaxed);
	uint64_t unit = estimated_unit(now);

	if (before - before / 16 <= unit && unit <= before + before / 16)
		return before;
	atomic_store_explicit(&last, unit, memory_order_relaxed);
	return unit;
}

/*
 * That of a real reading where the counter moves in steps of the unit: all others are whole units away, and nothing is rounded. Else the same in all chunks, as times that are rounded down
 * from different ones are in another order.
 */
uint64_t batch_phase(uint64_t unit, uint64_t reading)
{
	return unit > clock_granule() ? 0 : reading % unit;
}

bool batch_on_alternate_stack(void)
{
	stack_t stack;

	return !sys_sigaltstack(NULL, &stack) && (stack.ss_flags & SS_ONSTACK);
}
