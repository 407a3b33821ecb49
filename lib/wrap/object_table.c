/* SPDX-License-Identifier: MIT */
/* object_table.c - see object_table.h */
#include "wrap/object_table.h"

#include <limits.h>
#include <string.h>

#include "format/defs.h"
#include "record/arena.h"
#include "record/bulk.h"
#include "record/identity.h"
#include "record/readable.h"
#include "record/text.h"
#include "wrap/mpi_query.h"

#define BLOCK_BITS 10u
#define BLOCK_SIZE (1u << BLOCK_BITS)
#define BLOCKS 1024u

struct object {
	const char *kind;
	uint32_t file;            /* number of its file, its own for a file, 0 none */
	_Atomic uint32_t file_id; /* of a file: FILE definition, with FILE_EXCLUDED */
	_Atomic uint64_t asked;   /* of a file: the stream of that, 0 if it was opened since */
	_Atomic uint64_t stream;  /* in which it is defined */
	char name[];              /* of a file: its path */
};

typedef struct object *_Atomic block[BLOCK_SIZE];

static block *_Atomic blocks[BLOCKS] BULK;
static _Atomic uint32_t last;
static struct mpi_table numbers; /* by hash of kind, file and name */
static struct mpi_lock lock;

static const char file_kind[] = "file";

static struct object *object_get(uint32_t number)
{
	block *in;

	if (number == 0 || number > atomic_load_explicit(&last, memory_order_acquire))
		return NULL;
	in = atomic_load_explicit(&blocks[number >> BLOCK_BITS], memory_order_acquire);
	return atomic_load_explicit(&(*in)[number & (BLOCK_SIZE - 1)], memory_order_relaxed);
}

/* Under the lock. 0: no memory or no number left. */
static uint32_t object_new(const char *kind, uint32_t file, const char *name)
{
	uint32_t number = atomic_load_explicit(&last, memory_order_relaxed) + 1;
	size_t size = strlen(name) + 1;
	struct object *object;
	block *in;

	if (number >> BLOCK_BITS == BLOCKS)
		return 0;
	in = atomic_load_explicit(&blocks[number >> BLOCK_BITS], memory_order_relaxed);
	if (!in)
		in = mpi_memory_get(sizeof(*in));
	object = mpi_memory_get(sizeof(*object) + size);
	if (!in || !object)
		return 0;
	object->kind = kind;
	object->file = kind == file_kind ? number : file;
	memcpy(object->name, name, size);
	atomic_store_explicit(&(*in)[number & (BLOCK_SIZE - 1)], object, memory_order_relaxed);
	atomic_store_explicit(&blocks[number >> BLOCK_BITS], in, memory_order_release);
	atomic_store_explicit(&last, number, memory_order_release);
	return number;
}

static uint32_t intern(const char *kind, uint32_t file, const char *name)
{
	uint64_t hash = text_hash(name, strlen(name), text_hash(kind, strlen(kind), file)) | 2;
	uint64_t number = mpi_table_find(&numbers, hash);

	if (number != MPI_TABLE_NONE)
		return (uint32_t)number;
	mpi_lock(&lock);
	number = mpi_table_find(&numbers, hash);
	if (number == MPI_TABLE_NONE) {
		number = object_new(kind, file, name);
		if (number)
			mpi_table_set(&numbers, hash, number);
	}
	mpi_unlock(&lock);
	return (uint32_t)number;
}

uint32_t object_of_path(const char *path)
{
	char absolute[PATH_MAX];
	struct mpi_query query;
	size_t length;
	struct object *file;
	uint32_t number;
	bool fits;

	if (!path || !readable_string(path, &length) || !files_active())
		return 0;
	mpi_query_begin(&query);
	fits = file_absolute_path(path, absolute, sizeof(absolute));
	mpi_query_end(&query);
	number = fits ? intern(file_kind, 0, absolute) : 0;
	file = object_get(number);
	if (file)
		atomic_store_explicit(&file->asked, 0, memory_order_relaxed);
	return number;
}

uint32_t object_of_name(const char *kind, uint32_t file, const char *name)
{
	return intern(kind, file, name);
}

uint32_t object_file(uint32_t object)
{
	const struct object *found = object_get(object);

	return found ? found->file : 0;
}

const char *object_kind(uint32_t object)
{
	const struct object *found = object_get(object);

	return found ? found->kind : "";
}

const char *object_name(uint32_t object)
{
	const struct object *found = object_get(object);

	return found && found->kind != file_kind ? found->name : "";
}

/* The next component of a path, without "."; false at its end. */
static bool next_component(const char **path, const char **begin, size_t *length)
{
	do {
		*path += strspn(*path, "/");
		*begin = *path;
		*length = strcspn(*path, "/");
		*path += *length;
	} while (*length == 1 && **begin == '.');
	return *length > 0;
}

void object_path(char path[OBJECT_NAME_MAX], uint32_t begin, const char *name)
{
	struct textbuf text = text_in(path, OBJECT_NAME_MAX);
	const char *component;
	size_t length;

	if (*name != '/' && strcmp(object_name(begin), "/"))
		text_add(&text, object_name(begin));
	while (next_component(&name, &component, &length)) {
		text_add(&text, "/");
		text_add_bytes(&text, component, length);
	}
	if (text.length == 0)
		text_add(&text, "/");
}

/* The FILE of a file, in this stream. The kernel is asked once each time it is opened, as another file may have come to its name, and not for each object in it. */
static uint32_t file_id_of(struct object *file)
{
	struct mpi_query query;
	uint32_t id;

	if (atomic_load_explicit(&file->asked, memory_order_acquire) == identity.stream_id)
		return atomic_load_explicit(&file->file_id, memory_order_relaxed);
	mpi_query_begin(&query);
	id = file_of_path(file->name);
	mpi_query_end(&query);
	atomic_store_explicit(&file->file_id, id, memory_order_relaxed);
	atomic_store_explicit(&file->asked, identity.stream_id, memory_order_release);
	return id;
}

static void define(uint32_t number, const struct object *object, uint32_t file_id)
{
	uint8_t payload[OBJECT_NAME_MAX + 64];
	bool is_file = object->kind == file_kind;
	struct def_object def = {.id = number,
				 .file = file_id,
				 .kind = text_of(object->kind),
				 .name = text_of(is_file ? "" : object->name)};

	arena_put(DEF_OBJECT, payload, def_object_pack(payload, sizeof(payload), &def));
}

bool object_define(uint32_t number)
{
	struct object *object = object_get(number), *file;
	uint32_t file_id = 0;

	if (!object)
		return true;
	file = object_get(object->file);
	if (atomic_load_explicit(&object->stream, memory_order_acquire) != identity.stream_id) {
		if (file)
			file_id = file_id_of(file);
		if (!(file_id & FILE_EXCLUDED))
			define(number, object, file_id);
		atomic_store_explicit(&object->stream, identity.stream_id, memory_order_release);
	} else if (file) {
		file_id = atomic_load_explicit(&file->file_id, memory_order_relaxed);
	}
	return !(file_id & FILE_EXCLUDED);
}

void arg_object(struct call *call, unsigned index, int32_t value, uint32_t object)
{
	if (!object_define(object)) {
		call->record->flags |= RECORD_DROP;
		object = 0;
	}
	call->record->args[index] = pair_make(value, object);
}

void result_object(struct call *call, int32_t value, uint32_t object)
{
	if (!object_define(object)) {
		call->record->flags |= RECORD_DROP;
		object = 0;
	}
	call->record->result = (int64_t)pair_make(value, object);
}
