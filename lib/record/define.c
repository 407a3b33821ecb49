/* SPDX-License-Identifier: MIT */
/* define.c - definitions of functions. */
#include "record/define.h"

#include "format/defs.h"
#include "record/arena.h"
#include "record/call.h"
#include "record/function.h"
#include "record/named.h"
#include "record/sources.h"

/* names and kinds of up to RECORD_MAX_ARGS arguments of usual length; of named functions the longest */
#define FUNCTION_PAYLOAD 1792

static void pack_catalogued(struct packer *packer, unsigned function)
{
	const struct function_entry *entry = &function_table[function];
	const struct function_parameter *args = function_args(entry);
	uint64_t outputs = 0;

	def_function_pack(packer, (uint16_t)function, entry->arg_count,
			  layer_table[entry->layer].name, entry->name, kind_class(entry->result),
			  kind_name(entry->result));
	for (unsigned i = 0; i < entry->arg_count; i++) {
		def_parameter_pack(packer, kind_class(args[i].kind), args[i].name,
				   kind_name(args[i].kind));
		outputs |= (uint64_t)args[i].output << i;
	}
	def_outputs_pack(packer, outputs);
}

static void pack_named(struct packer *packer, unsigned function)
{
	struct named_description named;

	if (!named_describe(function, &named))
		return;
	def_function_pack(packer, (uint16_t)function, named.arg_count, named.layer, named.name,
			  kind_class(named.result), kind_name(named.result));
	for (unsigned i = 0; i < named.arg_count; i++)
		def_parameter_pack(packer, kind_class(named.args[i].kind), named.args[i].name,
				   kind_name(named.args[i].kind));
	def_outputs_pack(packer, 0);
	def_category_pack(packer, named.category);
}

bool definition_function(unsigned function)
{
	uint8_t payload[FUNCTION_PAYLOAD];
	struct packer packer = packer_of(payload, sizeof(payload));
	uint8_t expected = FUNCTION_NEW;

	if (function < function_count)
		pack_catalogued(&packer, function);
	else
		pack_named(&packer, function);
	if (!arena_put(DEF_FUNCTION, payload, packer_size(&packer, payload)) ||
	    !source_define(function))
		return false;
	/* unless a pause came in between */
	__atomic_compare_exchange_n(&function_state[function], &expected, call_state(), false,
				    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	return true;
}

static bool is_defined_state(uint8_t state)
{
	return state == FUNCTION_ON || state == FUNCTION_STACK || state == FUNCTION_FAR;
}

void definitions_forked(void)
{
	for (unsigned i = 0; i < named_end(); i++)
		if (is_defined_state(function_state_of(i)))
			function_set_state(i, FUNCTION_NEW);
}
