/* SPDX-License-Identifier: MIT */
/* functions.c - see functions.h */
#include "read/functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/defs.h"
#include "format/kinds.h"
#include "read/trace.h"

/* What lies behind the known fields is for later readers and is no part of the key. */
static bool measure(struct bytes payload, struct def_function *head, size_t *key_size)
{
	const uint8_t *begin = payload.p + sizeof(head->id);
	struct def_parameter parameter;

	if (!def_function_unpack(&payload, head) || head->arg_count > RECORD_MAX_ARGS ||
	    head->result_class == CLASS_STRING || head->result_class == CLASS_ARRAY)
		return false;
	for (unsigned i = 0; i < head->arg_count; i++) {
		if (!def_parameter_unpack(&payload, &parameter))
			return false;
	}
	def_outputs_unpack(&payload);
	def_category_unpack(&payload);
	*key_size = (size_t)(payload.p - begin);
	return true;
}

static struct function *find(const struct functions *functions, const void *key, size_t size,
			     uint32_t hash)
{
	uint32_t position = hash;
	int64_t number;

	while ((number = index_next(&functions->index, hash, &position)) >= 0) {
		struct function *function = functions->items[number];

		if (function->key_size == size && memcmp(function->key, key, size) == 0)
			return function;
	}
	return NULL;
}

/* A kind is known only if its class is the one we know for it: the text rules rely on it. */
static int16_t kind_number(const char *name, uint8_t class)
{
	int kind = kind_find(name);

	return (int16_t)(kind >= 0 && kind_class((enum kind)kind) == class ? kind : -1);
}

static void note_first(int8_t *first, unsigned index)
{
	if (*first == NO_ARG)
		*first = (int8_t)index;
}

bool kind_has_file(int kind)
{
	return kind == KIND_fd || kind == KIND_stream || kind == KIND_dir || kind == KIND_mapped ||
	       kind == KIND_mpi_file;
}

static void note_role(struct function *function, unsigned index, int kind)
{
	if (kind == KIND_comm || kind == KIND_win || kind == KIND_mpi_file)
		note_first(&function->comm_arg, index);
	if (kind == KIND_request || kind == KIND_requests || kind == KIND_message)
		function->requests |= (uint64_t)1 << index;
	if (kind_has_file(kind)) {
		note_first(&function->handle_arg, index);
		return;
	}
	switch (kind) {
	case KIND_hid:
	case KIND_ncid:
		note_first(&function->object_arg, index);
		break;
	case KIND_transferred:
		note_first(&function->transferred_arg, index);
		break;
	case KIND_dirfd:
		note_first(&function->dirfd_arg, index);
		break;
	case KIND_path:
		note_first(&function->path_arg, index);
		break;
	case KIND_count:
		note_first(&function->count_arg, index);
		break;
	case KIND_datatype:
		note_first(&function->datatype_arg, index);
		break;
	case KIND_mpi_status:
		note_first(&function->status_arg, index);
		break;
	case KIND_bytes:
		note_first(&function->bytes_arg, index);
		break;
	case KIND_msg_flags:
		note_first(&function->msg_flags_arg, index);
		break;
	case KIND_counts:
		if (function->msg_flags_arg != NO_ARG)
			note_first(&function->sizes_arg, index);
		break;
	default:
		break;
	}
}

static bool fill_parameters(struct function *function, struct pool *pool, struct bytes payload)
{
	unsigned count = function->info.arg_count;
	struct reader_parameter *parameters = pool_alloc(pool, count * sizeof(*parameters));
	uint8_t *classes = pool_alloc(pool, count);
	int16_t *kinds = pool_alloc(pool, count * sizeof(*kinds));
	struct text category;

	if (!parameters || !classes || !kinds)
		return false;
	for (unsigned i = 0; i < count; i++) {
		struct def_parameter parameter;

		def_parameter_unpack(&payload, &parameter);
		parameters[i].name = pool_copy(pool, parameter.name.bytes, parameter.name.length);
		parameters[i].kind = pool_copy(pool, parameter.kind.bytes, parameter.kind.length);
		parameters[i].class_ = (enum reader_class)parameter.class;
		if (!parameters[i].name || !parameters[i].kind)
			return false;
		classes[i] = parameter.class;
		kinds[i] = kind_number(parameters[i].kind, parameter.class);
		note_role(function, i, kinds[i]);
	}
	function->stored_args = (uint8_t)count;
	if (count > 0 && kinds[count - 1] == KIND_busy)
		function->info.arg_count--;
	function->outputs = def_outputs_unpack(&payload);
	for (unsigned i = 0; i < count; i++)
		if (kinds[i] == KIND_message && !(function->outputs >> i & 1))
			function->messages_taken |= (uint64_t)1 << i;
	category = def_category_unpack(&payload);
	function->info.category = pool_copy(pool, category.bytes, category.length);
	if (!function->info.category)
		return false;
	function->info.args = parameters;
	function->classes = classes;
	function->kinds = kinds;
	return true;
}

static struct function *make(struct pool *pool, struct bytes payload, size_t key_size)
{
	struct function *function = pool_alloc(pool, sizeof(*function));
	struct reader_function_info *info;
	struct def_function head;

	if (!function)
		return NULL;
	function->key = (uint8_t *)pool_copy(pool, payload.p + sizeof(head.id), key_size);
	function->key_size = key_size;
	function->handle_arg = function->dirfd_arg = function->path_arg = NO_ARG;
	function->count_arg = function->datatype_arg = NO_ARG;
	function->status_arg = function->bytes_arg = NO_ARG;
	function->msg_flags_arg = function->sizes_arg = NO_ARG;
	function->object_arg = function->transferred_arg = function->comm_arg = NO_ARG;
	function->requests = function->messages_taken = 0;
	def_function_unpack(&payload, &head);
	info = &function->info;
	info->layer = pool_copy(pool, head.layer.bytes, head.layer.length);
	info->name = pool_copy(pool, head.name.bytes, head.name.length);
	info->result.name = "";
	info->result.kind = pool_copy(pool, head.result_kind.bytes, head.result_kind.length);
	info->result.class_ = (enum reader_class)head.result_class;
	info->arg_count = head.arg_count;
	if (!function->key || !info->layer || !info->name || !info->result.kind)
		return NULL;
	function->result_kind = kind_number(info->result.kind, head.result_class);
	if (!fill_parameters(function, pool, payload))
		return NULL;
	mpi_names_find(&function->mpi, info);
	return function;
}

static int append(struct functions *functions, struct function *function, uint32_t hash)
{
	if (functions->count == functions->capacity) {
		uint32_t capacity = functions->capacity ? functions->capacity * 2 : 256;
		struct function **items = realloc(functions->items, capacity * sizeof(*items));

		if (!items)
			return -ENOMEM;
		functions->items = items;
		functions->capacity = capacity;
	}
	if (index_add(&functions->index, hash, functions->count))
		return -ENOMEM;
	function->info.id = (uint16_t)functions->count;
	functions->items[functions->count++] = function;
	return 0;
}

const struct function *functions_define(struct functions *functions, struct bytes payload,
					uint16_t *id)
{
	struct function *function;
	struct def_function head;
	size_t key_size;
	uint32_t hash;

	if (!measure(payload, &head, &key_size)) {
		errno = EINVAL;
		return NULL;
	}
	*id = head.id;
	hash = index_hash(payload.p + sizeof(head.id), key_size);
	function = find(functions, payload.p + sizeof(head.id), key_size, hash);
	if (function)
		return function;
	if (functions->count == FUNCTIONS_MAX) {
		errno = ENOSPC;
		return NULL;
	}
	function = make(&functions->pool, payload, key_size);
	if (!function || append(functions, function, hash)) {
		errno = ENOMEM;
		return NULL;
	}
	return function;
}

void functions_release(struct functions *functions)
{
	free(functions->items);
	index_release(&functions->index);
	pool_release(&functions->pool);
	memset(functions, 0, sizeof(*functions));
}

const struct reader_function_info *reader_function_by_id(const struct reader *trace, unsigned id)
{
	return id < trace->functions.count ? &trace->functions.items[id]->info : NULL;
}

const struct reader_function_info *reader_function(const struct reader *trace,
						   const struct recorder_record *record)
{
	return reader_function_by_id(trace, record->func_id);
}

unsigned reader_function_count(const struct reader *trace)
{
	return trace->functions.count;
}
