/* SPDX-License-Identifier: MIT */
/* filter_defs.c - see filter_defs.h */
#include "filter_defs.h"

#include <string.h>

#include "format/kinds.h"
#include "format/raw.h"
#include "message.h"

#define FIXED_ROOM 512u /* of a payload without its texts and lists */

/* ---- entries ---- */

static void put_entry(struct filter_defs *defs, enum def_type type, size_t payload)
{
	size_t size = def_entry_size(payload);

	if (payload == 0)
		die("a definition is too large");
	defs->entries.size += def_entry_pack(buffer_room(&defs->entries, size), size, type,
					     defs->payload.bytes, payload);
	defs->count++;
}

/* Room for a payload with so many bytes of texts and lists. */
static size_t make_room(struct filter_defs *defs, size_t texts)
{
	buffer_clear(&defs->payload);
	buffer_room(&defs->payload, texts + FIXED_ROOM);
	return texts + FIXED_ROOM;
}

/* Whether the id was not there before; it is then. */
static bool is_new(struct idmap *known, uint32_t id)
{
	if (idmap_get(known, id))
		return false;
	if (idmap_set(known, id, known))
		die("out of memory");
	return true;
}

/* ---- what goes with the first record ---- */

/* Threads of which only the ring said something. */
static void put_undefined(struct filter_defs *defs)
{
	const struct stream *from = defs->from;

	for (uint32_t i = 0; i < from->thread_count; i++) {
		const struct thread *thread = &from->threads[i];
		struct def_thread def = {.index = thread->index,
					 .tid = thread->tid,
					 .name = text_of(thread->name)};
		size_t room;

		if (thread->tid == 0 || idmap_get(&from->defs.threads, thread->index))
			continue;
		room = make_room(defs, def.name.length);
		put_entry(defs, DEF_THREAD, def_thread_pack(defs->payload.bytes, room, &def));
	}
}

void filter_defs_threads(struct filter_defs *defs)
{
	const struct idmap *threads = &defs->from->defs.threads;

	for (uint32_t i = 0; i < threads->count; i++) {
		const struct def_thread *def = threads->entries[i].value;
		size_t room = make_room(defs, def->name.length);

		put_entry(defs, DEF_THREAD, def_thread_pack(defs->payload.bytes, room, def));
	}
	put_undefined(defs);
}

static void put_modules(struct filter_defs *defs)
{
	const struct idmap *modules = &defs->from->defs.modules;

	for (uint32_t i = 0; i < modules->count; i++) {
		const struct def_module *def = modules->entries[i].value;
		size_t room = make_room(defs, def->path.length + def->build_id.length);

		put_entry(defs, DEF_MODULE, def_module_pack(defs->payload.bytes, room, def));
	}
}

static void put_comm(struct filter_defs *defs, const struct def_comm *from)
{
	struct def_comm def = *from;
	size_t worlds = ((size_t)def.local_count + def.remote_count) * sizeof(uint32_t);
	size_t room = make_room(defs, def.name.length + bytes_left(&def.local_bytes) +
					      bytes_left(&def.remote_bytes) + worlds);

	/* they are copied, and need not be aligned */
	def.local = (const void *)def.local_bytes.p;
	def.remote = (const void *)def.remote_bytes.p;
	if (worlds > 0 && bytes_left(&def.range_worlds) >= worlds) {
		def.local_worlds = (const void *)def.range_worlds.p;
		def.remote_worlds =
			(const void *)(def.range_worlds.p + def.local_count * sizeof(uint32_t));
	} else {
		def.local_worlds = def.remote_worlds = NULL;
	}
	put_entry(defs, DEF_COMM, def_comm_pack(defs->payload.bytes, room, &def));
}

static void put_mpi(struct filter_defs *defs)
{
	const struct definitions *from = &defs->from->defs;

	for (uint32_t i = 0; i < from->comms.count; i++)
		put_comm(defs, from->comms.entries[i].value);
	for (uint32_t i = 0; i < from->datatypes.count; i++) {
		const struct def_datatype *def = from->datatypes.entries[i].value;
		size_t room = make_room(defs, def->name.length);

		put_entry(defs, DEF_DATATYPE, def_datatype_pack(defs->payload.bytes, room, def));
	}
	for (uint32_t i = 0; i < from->wins.count; i++) {
		size_t room = make_room(defs, 0);

		put_entry(defs, DEF_WIN,
			  def_win_pack(defs->payload.bytes, room, from->wins.entries[i].value));
	}
}

static void put_texts(struct filter_defs *defs)
{
	const struct definitions *from = &defs->from->defs;

	for (uint32_t i = 0; i < from->name_count; i++) {
		const struct def_name *def = from->names[i];
		size_t room = make_room(defs, def->kind.length + def->text.length);

		put_entry(defs, DEF_NAME, def_name_pack(defs->payload.bytes, room, def));
	}
	for (uint32_t i = 0; i < from->strings.count; i++) {
		const struct def_string *def = from->strings.entries[i].value;
		size_t room = make_room(defs, def->text.length);

		put_entry(defs, DEF_STRING, def_string_pack(defs->payload.bytes, room, def));
	}
}

/* ---- what a record needs ---- */

static void need_file(struct filter_defs *defs, uint32_t id)
{
	const struct def_file *def = id ? idmap_get(&defs->from->defs.files, id) : NULL;
	size_t room;

	if (!def || !is_new(&defs->files, id))
		return;
	room = make_room(defs, def->path.length + def->striping.length);
	put_entry(defs, DEF_FILE, def_file_pack(defs->payload.bytes, room, def));
}

static void need_object(struct filter_defs *defs, uint32_t id)
{
	const struct def_object *def = id ? idmap_get(&defs->from->defs.objects, id) : NULL;
	size_t room;

	if (!def || !is_new(&defs->objects, id))
		return;
	need_file(defs, def->file);
	room = make_room(defs, def->kind.length + def->name.length);
	put_entry(defs, DEF_OBJECT, def_object_pack(defs->payload.bytes, room, def));
}

static void need_stack(struct filter_defs *defs, uint32_t id)
{
	const struct def_stack *from = id ? idmap_get(&defs->from->defs.stacks, id) : NULL;
	struct def_stack def;
	size_t room;

	if (!from || !is_new(&defs->stacks, id))
		return;
	def = *from;
	def.frames = (const void *)def.frame_bytes.p;
	room = make_room(defs, bytes_left(&def.frame_bytes));
	put_entry(defs, DEF_STACK, def_stack_pack(defs->payload.bytes, room, &def));
}

static void put_source(struct filter_defs *defs, uint16_t function)
{
	const struct def_source *def = idmap_get(&defs->from->defs.sources, function);
	size_t room;

	if (!def)
		return;
	room = make_room(defs, def->module.length + def->path.length + def->file.length +
				       def->args.length + def->locals.length);
	put_entry(defs, DEF_SOURCE, def_source_pack(defs->payload.bytes, room, def));
}

/* As it was stored, with the id that it has in this stream. */
static void need_function(struct filter_defs *defs, uint16_t id, const struct function *function)
{
	if (!is_new(&defs->functions, id))
		return;
	buffer_clear(&defs->payload);
	buffer_add(&defs->payload, &id, sizeof(id));
	buffer_add(&defs->payload, function->key, function->key_size);
	put_entry(defs, DEF_FUNCTION, defs->payload.size);
	put_source(defs, id);
}

/* Of a PAIR, whatever its kind: what has no such id is none. */
static void need_pair(struct filter_defs *defs, uint64_t value)
{
	need_file(defs, pair_id(value));
	need_object(defs, pair_id(value));
}

static void need_files(struct filter_defs *defs, const struct raw_record *record, uint64_t value)
{
	const struct array_block *block = raw_array(record, value);

	for (uint32_t i = 0; block && i < block->stored; i++)
		need_file(defs, pair_id((uint64_t)block->elements[i]));
}

static void put_directories(struct filter_defs *defs)
{
	const struct definitions *from = &defs->from->defs;

	for (uint32_t i = 0; i < from->directory_count; i++) {
		size_t room;

		need_file(defs, from->directories[i].file);
		room = make_room(defs, 0);
		put_entry(defs, DEF_DIRECTORY,
			  def_directory_pack(defs->payload.bytes, room, &from->directories[i]));
	}
}

static void put_mpifiles(struct filter_defs *defs)
{
	const struct idmap *files = &defs->from->defs.mpifiles;

	for (uint32_t i = 0; i < files->count; i++) {
		const struct def_mpifile *def = files->entries[i].value;
		size_t room;

		need_file(defs, def->file);
		room = make_room(defs, def->path.length);
		put_entry(defs, DEF_MPIFILE, def_mpifile_pack(defs->payload.bytes, room, def));
	}
}

static void begin(struct filter_defs *defs)
{
	defs->begun = true;
	put_modules(defs);
	put_mpi(defs);
	put_texts(defs);
	put_directories(defs);
	put_mpifiles(defs);
}

void filter_defs_need(struct filter_defs *defs, const struct function *function,
		      const struct raw_record *record)
{
	if (!defs->begun)
		begin(defs);
	need_function(defs, record->function, function);
	if (record->stack)
		need_stack(defs, record->stack);
	if (function->info.result.class_ == READER_PAIR)
		need_pair(defs, (uint64_t)record->result);
	for (unsigned i = 0; i < record->arg_count; i++) {
		if (function->classes[i] == CLASS_PAIR)
			need_pair(defs, record->args[i]);
		else if (function->classes[i] == CLASS_ARRAY)
			need_files(defs, record, record->args[i]);
	}
}

void filter_defs_clear(struct filter_defs *defs)
{
	buffer_clear(&defs->entries);
	defs->count = 0;
}

void filter_defs_release(struct filter_defs *defs)
{
	idmap_release(&defs->functions);
	idmap_release(&defs->files);
	idmap_release(&defs->stacks);
	idmap_release(&defs->objects);
	buffer_release(&defs->entries);
	buffer_release(&defs->payload);
}
