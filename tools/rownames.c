/* SPDX-License-Identifier: MIT */
/* rownames.c - see rownames.h */
#include "rownames.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/file_table.h"
#include "buffer.h"
#include "callsites.h"
#include "message.h"
#include "numbered.h"
#include "read/index.h"

/* A file, by its path. Texts are offsets into `texts`. */
struct named_file {
	size_t path, fs, mount;
	bool known; /* the rest is set */
	enum layer_height lowest;
	uint32_t type, block_size;
	uint64_t device, inode, size;
	const char *class; /* as long as the type is `class_type`; NULL: not asked for yet */
	uint32_t class_type;
};

struct named_comm {
	uint64_t identity; /* 0: not known, then it is one of its own */
	size_t name, kind;
	int32_t size, remote_size;
};

struct list {
	void *items;
	uint32_t count, room;
	struct index index;
};

struct rownames {
	const struct reader *trace;
	struct callsites *callsites;
	struct buffer texts;
	struct list files, comms,
		sites; /* of struct named_file, named_comm, const struct callsite * */
	struct numbered comm_numbers; /* by stream and id */
};

struct rownames *rownames_new(const struct reader *trace)
{
	struct rownames *names = calloc(1, sizeof(*names));

	if (!names)
		die("out of memory");
	names->trace = trace;
	names->callsites = callsites_shared(trace);
	return names;
}

static void list_release(struct list *list)
{
	free(list->items);
	index_release(&list->index);
}

void rownames_free(struct rownames *names)
{
	list_release(&names->files);
	list_release(&names->comms);
	list_release(&names->sites);
	numbered_release(&names->comm_numbers, NULL);
	buffer_release(&names->texts);
	free(names);
}

static size_t keep(struct rownames *names, const char *text)
{
	size_t at = names->texts.size;

	buffer_add(&names->texts, text, strlen(text) + 1);
	return at;
}

static const char *kept(const struct rownames *names, size_t at)
{
	return (const char *)names->texts.bytes + at;
}

/* A zeroed item at the end. */
static void *list_add(struct list *list, size_t size, uint32_t hash)
{
	void *item;

	if (list->count == list->room) {
		list->room = list->room ? 2 * list->room : 64;
		list->items = realloc(list->items, list->room * size);
		if (!list->items)
			die("out of memory");
	}
	if (index_add(&list->index, hash, list->count))
		die("out of memory");
	item = (char *)list->items + list->count++ * size;
	return memset(item, 0, size);
}

/* ---- files ---- */

static void learn(struct rownames *names, struct named_file *known,
		  const struct recorder_record *record, const struct reader_file *file)
{
	struct reader_mount mount;

	known->known = true;
	known->type = file->type;
	known->block_size = file->block_size;
	known->device = file->device;
	known->inode = file->inode;
	known->size = file->size;
	for (unsigned i = 0; i < record->arg_count; i++) {
		struct reader_file same;

		if (reader_file(names->trace, record->stream, record->args[i].id, &same) ||
		    same.inode != file->inode || same.device != file->device ||
		    reader_file_mount(names->trace, record->stream, record->args[i].id, &mount))
			continue;
		known->fs = keep(names, mount.type);
		known->mount = keep(names, mount.directory);
		return;
	}
	if (!reader_file_mount(names->trace, record->stream, record->ret_id, &mount)) {
		known->fs = keep(names, mount.type);
		known->mount = keep(names, mount.directory);
	}
}

int64_t rownames_file(struct rownames *names, const struct recorder_record *record,
		      enum layer_height height)
{
	struct named_file *files = names->files.items, *one = NULL;
	struct reader_file file;
	uint32_t hash, position;
	int64_t number;

	if (reader_record_file(names->trace, record, &file) || !*file.path)
		return 0;
	position = hash = index_hash(file.path, strlen(file.path));
	while ((number = index_next(&names->files.index, hash, &position)) >= 0)
		if (strcmp(kept(names, files[number].path), file.path) == 0)
			break;
	if (number >= 0)
		one = &files[number];
	if (!one) {
		number = names->files.count;
		one = list_add(&names->files, sizeof(*one), hash);
		one->path = keep(names, file.path);
		one->lowest = HEIGHT_NONE;
	}
	if (height < one->lowest)
		one->lowest = height;
	if (!one->known && file.type)
		learn(names, one, record, &file);
	return number + 1;
}

static const char *type_name(const struct named_file *file)
{
	if (!file->known)
		return NULL;
	switch (file->type & S_IFMT) {
	case S_IFREG:
		return "file";
	case S_IFDIR:
		return "directory";
	case S_IFIFO:
		return "pipe";
	case S_IFSOCK:
		return "socket";
	case S_IFCHR:
		return "character";
	case S_IFBLK:
		return "block";
	case S_IFLNK:
		return "link";
	default:
		return "other";
	}
}

bool rownames_file_at(const struct rownames *names, uint32_t number, struct row_file *file)
{
	struct named_file *named = names->files.items;

	if (number == 0 || number > names->files.count)
		return false;
	named += number - 1;
	*file = (struct row_file){
		.path = kept(names, named->path),
		/* 0 is the path of the first file */
		.fs = named->fs ? kept(names, named->fs) : NULL,
		.mount = named->mount ? kept(names, named->mount) : NULL,
		.lowest = named->lowest,
		.type = type_name(named),
		.block_size = named->block_size,
		.device = named->device,
		.inode = named->inode,
		.size = named->size,
	};
	if (!named->class || named->class_type != named->type) {
		named->class = analysis_file_class_name(file_class(file->path, named->type));
		named->class_type = named->type;
	}
	file->class = named->class;
	return true;
}

/* ---- communicators ---- */

static int64_t add_comm(struct rownames *names, const struct reader_comm *comm)
{
	uint32_t hash = index_hash(&comm->identity, sizeof(comm->identity)), position = hash;
	struct named_comm *comms = names->comms.items, *made;
	int64_t number;

	while (comm->identity && (number = index_next(&names->comms.index, hash, &position)) >= 0)
		if (comms[number].identity == comm->identity)
			return number + 1;
	made = list_add(&names->comms, sizeof(*made), hash);
	made->identity = comm->identity;
	made->name = keep(names, comm->name);
	made->kind = keep(names, comm->kind);
	made->size = comm->size;
	made->remote_size = comm->remote_size;
	return names->comms.count;
}

int64_t rownames_comm(struct rownames *names, const struct recorder_record *record)
{
	uint32_t id = reader_record_comm(names->trace, record);
	struct reader_comm comm;
	void **number;

	if (!id)
		return 0;
	number = numbered_at(&names->comm_numbers, record->stream, id);
	if (!number)
		die("out of memory");
	if (!*number && reader_comm(names->trace, record->stream, id, &comm) == 0)
		*number = (void *)(uintptr_t)add_comm(names, &comm);
	return (int64_t)(uintptr_t)*number;
}

bool rownames_comm_at(const struct rownames *names, uint32_t number, struct row_comm *comm)
{
	const struct named_comm *named = names->comms.items;

	if (number == 0 || number > names->comms.count)
		return false;
	named += number - 1;
	*comm = (struct row_comm){.name = kept(names, named->name),
				  .kind = kept(names, named->kind),
				  .size = named->size,
				  .remote_size = named->remote_size};
	return true;
}

/* ---- call sites ---- */

int64_t rownames_callsite(struct rownames *names, const struct recorder_record *record)
{
	const struct callsite **sites = names->sites.items, **made;
	const struct callsite *site = callsites_of(names->callsites, record);
	uint32_t hash = index_hash(&site, sizeof(site)), position = hash;
	int64_t number;

	if (!site)
		die("out of memory");
	if (!record->module && !record->callsite)
		return 0;
	while ((number = index_next(&names->sites.index, hash, &position)) >= 0)
		if (sites[number] == site)
			return number + 1;
	made = list_add(&names->sites, sizeof(*made), hash);
	*made = site;
	return names->sites.count;
}

const struct callsite *rownames_callsite_at(const struct rownames *names, uint32_t number)
{
	const struct callsite *const *sites = names->sites.items;

	return number == 0 || number > names->sites.count ? NULL : sites[number - 1];
}
