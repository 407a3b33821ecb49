/* SPDX-License-Identifier: MIT */
/* definitions.c - see definitions.h */
#include "read/definitions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/trace.h"

/* Texts of an unpacked definition point into the body; they are to outlive it. */
static bool keep_text(struct pool *pool, struct text *text)
{
	text->bytes = text->length > 0 ? pool_copy(pool, text->bytes, text->length) : "";
	return text->bytes;
}

static bool keep_bytes(struct pool *pool, struct bytes *bytes)
{
	size_t size = bytes_left(bytes);
	const char *copy = pool_copy(pool, bytes->p, size);

	*bytes = bytes_of(copy, copy ? size : 0);
	return copy;
}

static int keep(struct definitions *defs, struct idmap *map, uint32_t id, const void *def,
		size_t size)
{
	void *copy = pool_alloc(&defs->pool, size);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, def, size);
	return idmap_set(map, id, copy);
}

#define KEEP(defs, map, id, def) keep(defs, &(defs)->map, id, &(def), sizeof(def))

static bool same_text(struct text a, struct text b)
{
	return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

static bool same_classes(const struct function *a, const struct function *b)
{
	return a->info.result.class_ == b->info.result.class_ && a->stored_args == b->stored_args &&
	       memcmp(a->classes, b->classes, a->stored_args) == 0;
}

static int add_function(struct definitions *defs, struct reader *trace, struct bytes payload)
{
	uint16_t id;
	const struct function *function = functions_define(&trace->functions, payload, &id);

	if (!function)
		return -errno;
	if (id >= defs->function_count) {
		uint32_t count = (id + 256u) / 256 * 256;
		const struct function **functions =
			realloc(defs->functions, count * sizeof(*functions));

		if (!functions)
			return -ENOMEM;
		memset(functions + defs->function_count, 0,
		       (count - defs->function_count) * sizeof(*functions));
		defs->functions = functions;
		defs->function_count = count;
	}
	/* Chunks that were written with other classes could not be decoded any more. */
	if (defs->functions[id] && !same_classes(defs->functions[id], function))
		return -EINVAL;
	defs->functions[id] = function;
	return 0;
}

static int add_file(struct definitions *defs, struct bytes payload)
{
	struct def_file def;
	const struct def_file *before;

	if (!def_file_unpack(payload, &def) || def.id == 0)
		return -EINVAL;
	before = idmap_get(&defs->files, def.id);
	if (before && same_text(before->path, def.path) && before->type == def.type &&
	    before->device == def.device && before->inode == def.inode)
		return 0;
	if (!keep_text(&defs->pool, &def.path) || !keep_text(&defs->pool, &def.striping))
		return -ENOMEM;
	return KEEP(defs, files, def.id, def);
}

static int add_thread(struct definitions *defs, struct bytes payload)
{
	struct def_thread def;

	if (!def_thread_unpack(payload, &def))
		return -EINVAL;
	return keep_text(&defs->pool, &def.name) ? KEEP(defs, threads, def.index, def) : -ENOMEM;
}

static int add_module(struct definitions *defs, struct bytes payload)
{
	struct def_module def;

	if (!def_module_unpack(payload, &def) || def.id == 0)
		return -EINVAL;
	if (!keep_text(&defs->pool, &def.path) || !keep_text(&defs->pool, &def.build_id))
		return -ENOMEM;
	return KEEP(defs, modules, def.id, def);
}

static uint32_t name_hash(const char *kind, size_t length, uint32_t id)
{
	return index_hash(kind, length) ^ index_hash(&id, sizeof(id));
}

/* Where in `named`. */
static size_t rough_kind(const char *kind, size_t length)
{
	unsigned first = length > 0 ? (unsigned char)kind[0] : 0;
	unsigned last = length > 0 ? (unsigned char)kind[length - 1] : 0;

	return (first * 5 + last * 3 + length * 17) % NAMED_KINDS;
}

static struct def_name *find_name(const struct definitions *defs, const char *kind, size_t length,
				  uint32_t id)
{
	uint32_t hash = name_hash(kind, length, id), position = hash;
	int64_t number;

	while ((number = index_next(&defs->name_index, hash, &position)) >= 0) {
		struct def_name *name = defs->names[number];

		if (name->id == id && same_text(name->kind, (struct text){kind, length}))
			return name;
	}
	return NULL;
}

static int add_name(struct definitions *defs, struct bytes payload)
{
	struct def_name def, *name;

	if (!def_name_unpack(payload, &def))
		return -EINVAL;
	name = find_name(defs, def.kind.bytes, def.kind.length, def.id);
	if (name && same_text(name->text, def.text))
		return 0;
	if (!keep_text(&defs->pool, &def.text))
		return -ENOMEM;
	if (name) {
		name->text = def.text;
		return 0;
	}
	if (defs->name_count == defs->name_capacity) {
		uint32_t capacity = defs->name_capacity ? defs->name_capacity * 2 : 16;
		struct def_name **names = realloc(defs->names, capacity * sizeof(*names));

		if (!names)
			return -ENOMEM;
		defs->names = names;
		defs->name_capacity = capacity;
	}
	name = pool_alloc(&defs->pool, sizeof(*name));
	if (!name || !keep_text(&defs->pool, &def.kind))
		return -ENOMEM;
	*name = def;
	defs->names[defs->name_count] = name;
	if (index_add(&defs->name_index, name_hash(def.kind.bytes, def.kind.length, def.id),
		      defs->name_count))
		return -ENOMEM;
	defs->name_count++;
	defs->named[rough_kind(def.kind.bytes, def.kind.length)] |= 1ull << def.id % 64;
	return 0;
}

static int add_comm(struct definitions *defs, struct bytes payload)
{
	struct known_comm comm;
	struct def_comm *def = &comm.def;

	if (!def_comm_unpack(payload, def))
		return -EINVAL;
	if (!keep_text(&defs->pool, &def->name) || !keep_bytes(&defs->pool, &def->local_bytes) ||
	    !keep_bytes(&defs->pool, &def->remote_bytes) ||
	    !keep_bytes(&defs->pool, &def->range_worlds) ||
	    comm_group_make(&comm.local, def->local_bytes, &defs->pool) ||
	    comm_group_make(&comm.remote, def->remote_bytes, &defs->pool))
		return -ENOMEM;
	return KEEP(defs, comms, def->id, comm);
}

static int add_datatype(struct definitions *defs, struct bytes payload)
{
	struct def_datatype def;

	if (!def_datatype_unpack(payload, &def))
		return -EINVAL;
	return keep_text(&defs->pool, &def.name) ? KEEP(defs, datatypes, def.id, def) : -ENOMEM;
}

static int add_string(struct definitions *defs, struct bytes payload)
{
	struct def_string def;

	if (!def_string_unpack(payload, &def))
		return -EINVAL;
	return keep_text(&defs->pool, &def.text) ? KEEP(defs, strings, def.id, def) : -ENOMEM;
}

static int add_stack(struct definitions *defs, struct bytes payload)
{
	struct def_stack def;

	if (!def_stack_unpack(payload, &def))
		return -EINVAL;
	return keep_bytes(&defs->pool, &def.frame_bytes) ? KEEP(defs, stacks, def.id, def)
							 : -ENOMEM;
}

static int add_mpifile(struct definitions *defs, struct bytes payload)
{
	struct def_mpifile def;

	if (!def_mpifile_unpack(payload, &def))
		return -EINVAL;
	return keep_text(&defs->pool, &def.path) ? KEEP(defs, mpifiles, def.id, def) : -ENOMEM;
}

static int add_object(struct definitions *defs, struct bytes payload)
{
	struct def_object def;

	if (!def_object_unpack(payload, &def))
		return -EINVAL;
	if (!keep_text(&defs->pool, &def.kind) || !keep_text(&defs->pool, &def.name))
		return -ENOMEM;
	return KEEP(defs, objects, def.id, def);
}

static int add_win(struct definitions *defs, struct bytes payload)
{
	struct def_win def;

	return def_win_unpack(payload, &def) ? KEEP(defs, wins, def.id, def) : -EINVAL;
}

static int add_directory(struct definitions *defs, struct bytes payload)
{
	struct def_directory def, *directories;

	if (!def_directory_unpack(payload, &def))
		return -EINVAL;
	if (defs->directory_count == defs->directory_capacity) {
		uint32_t capacity = defs->directory_capacity ? defs->directory_capacity * 2 : 16;

		directories = realloc(defs->directories, capacity * sizeof(*directories));
		if (!directories)
			return -ENOMEM;
		defs->directories = directories;
		defs->directory_capacity = capacity;
	}
	defs->directories[defs->directory_count++] = def;
	return 0;
}

static int add_source(struct definitions *defs, struct bytes payload)
{
	struct def_source def;

	if (!def_source_unpack(payload, &def) || def.function >= FUNCTIONS_MAX)
		return -EINVAL;
	if (!keep_text(&defs->pool, &def.module) || !keep_text(&defs->pool, &def.path) ||
	    !keep_text(&defs->pool, &def.file) || !keep_text(&defs->pool, &def.args) ||
	    !keep_text(&defs->pool, &def.locals))
		return -ENOMEM;
	return KEEP(defs, sources, def.function, def);
}

static int add(struct definitions *defs, struct reader *trace, const struct def_entry *entry)
{
	switch (entry->type) {
	case DEF_PADDING:
		return 0;
	case DEF_FUNCTION:
		return add_function(defs, trace, entry->payload);
	case DEF_FILE:
		return add_file(defs, entry->payload);
	case DEF_THREAD:
		return add_thread(defs, entry->payload);
	case DEF_MODULE:
		return add_module(defs, entry->payload);
	case DEF_NAME:
		return add_name(defs, entry->payload);
	case DEF_COMM:
		return add_comm(defs, entry->payload);
	case DEF_DATATYPE:
		return add_datatype(defs, entry->payload);
	case DEF_STRING:
		return add_string(defs, entry->payload);
	case DEF_STACK:
		return add_stack(defs, entry->payload);
	case DEF_MPIFILE:
		return add_mpifile(defs, entry->payload);
	case DEF_OBJECT:
		return add_object(defs, entry->payload);
	case DEF_WIN:
		return add_win(defs, entry->payload);
	case DEF_DIRECTORY:
		return add_directory(defs, entry->payload);
	case DEF_SOURCE:
		return add_source(defs, entry->payload);
	}
	if (!defs->unknown)
		notice(trace, "%s: definitions of unknown type %u are skipped", trace->dir,
		       entry->type);
	defs->unknown = true;
	return 0;
}

int definitions_load(struct definitions *defs, struct reader *trace, struct bytes entries,
		     const char *where, uint64_t offset, enum definitions_of from, uint64_t limit,
		     uint32_t *count)
{
	struct def_entry entry;

	*count = 0;
	while (def_entry_next(&entries, &entry)) {
		int error;

		++*count;

		if (from != DEFINITIONS_OF_CHUNK && entry.complete != 1) {
			/* zeros: reserved, and not begun */
			if (from == DEFINITIONS_OF_RUNNING && bytes_left(&entry.payload) == 0)
				break;
			continue;
		}
		if (defs->pool.total > limit)
			return -EFBIG;
		error = add(defs, trace, &entry);
		if (error == -ENOMEM)
			return error;
		if (error)
			problem(trace, "%s/%s: offset %llu: malformed definition of type %u",
				trace->dir, where, (unsigned long long)offset, entry.type);
	}
	if (entries.bad)
		problem(trace, "%s/%s: offset %llu: definitions end in the middle of one",
			trace->dir, where, (unsigned long long)offset);
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct def_module *x = *(const struct def_module *const *)a;
	const struct def_module *y = *(const struct def_module *const *)b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int by_thread_and_ticks(const void *a, const void *b)
{
	const struct def_directory *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->ticks < y->ticks ? -1 : x->ticks > y->ticks;
}

int definitions_finish(struct definitions *defs)
{
	uint32_t count = defs->modules.count;
	const struct def_module **modules;

	if (defs->directory_count)
		qsort(defs->directories, defs->directory_count, sizeof(*defs->directories),
		      by_thread_and_ticks);
	if (count == 0)
		return 0;
	modules = calloc(count, sizeof(*modules));
	if (!modules)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		modules[i] = defs->modules.entries[i].value;
	qsort(modules, count, sizeof(*modules), by_start);
	free(defs->by_address);
	defs->by_address = modules;
	defs->by_address_count = count;
	return 0;
}

const struct def_module *definitions_module_at(const struct definitions *defs, uint64_t address)
{
	uint32_t low = 0, high = defs->by_address_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (defs->by_address[middle]->start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || address >= defs->by_address[low - 1]->end)
		return NULL;
	return defs->by_address[low - 1];
}

const char *definitions_name(const struct definitions *defs, const char *kind, uint32_t id)
{
	size_t length = strlen(kind);
	const struct def_name *name;

	if (!(defs->named[rough_kind(kind, length)] >> id % 64 & 1))
		return NULL;
	name = find_name(defs, kind, length, id);
	return name ? name->text.bytes : NULL;
}

void definitions_release(struct definitions *defs)
{
	idmap_release(&defs->files);
	idmap_release(&defs->comms);
	idmap_release(&defs->datatypes);
	idmap_release(&defs->modules);
	idmap_release(&defs->threads);
	idmap_release(&defs->strings);
	idmap_release(&defs->stacks);
	idmap_release(&defs->mpifiles);
	idmap_release(&defs->objects);
	idmap_release(&defs->wins);
	idmap_release(&defs->sources);
	index_release(&defs->name_index);
	free(defs->names);
	free(defs->by_address);
	free(defs->directories);
	free(defs->functions);
	pool_release(&defs->pool);
	memset(defs, 0, sizeof(*defs));
}
