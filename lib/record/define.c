/* SPDX-License-Identifier: MIT */
/* define.c - numbers and definitions. */
#include "record/define.h"

#include <stdatomic.h>

#include "format/defs.h"
#include "record/arena.h"
#include "record/function.h"

#define TYPES_MAX 32
#define FUNCTION_PAYLOAD 1536 /* names and kinds of up to RECORD_MAX_ARGS arguments of usual length */

static _Atomic uint32_t last_id[TYPES_MAX];

uint32_t definition_next_id(enum def_type type)
{
	return atomic_fetch_add(&last_id[(unsigned)type % TYPES_MAX], 1) + 1;
}

void definition_put(enum def_type type, const void *payload, size_t size)
{
	arena_put(type, payload, size);
}

void definition_function(unsigned function)
{
	const struct function_entry *entry = &function_table[function];
	uint8_t payload[FUNCTION_PAYLOAD];
	struct packer packer = packer_of(payload, sizeof(payload));

	def_function_pack(&packer, (uint16_t)function, entry->arg_count, entry->layer, entry->name,
			  kind_class(entry->result), kind_name(entry->result));
	for (unsigned i = 0; i < entry->arg_count; i++)
		def_parameter_pack(&packer, kind_class(entry->args[i].kind), entry->args[i].name,
				   kind_name(entry->args[i].kind));
	arena_put(DEF_FUNCTION, payload, packer_size(&packer, payload));
	__atomic_store_n(&function_state[function], FUNCTION_ON, __ATOMIC_RELEASE);
}

void definitions_forked(void)
{
	for (unsigned i = 0; i < TYPES_MAX; i++)
		atomic_store(&last_id[i], 0);
	for (unsigned i = 0; i < function_count; i++)
		if (function_state[i] == FUNCTION_ON)
			function_state[i] = FUNCTION_NEW;
}
