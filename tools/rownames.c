/* SPDX-License-Identifier: MIT */
/* rownames.c - see rownames.h */
#include "rownames.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/file_classes.h"
#include "message.h"
#include "read/trace.h"
#include "rownames_lists.h"

/* A path that is of another class than it looks: a pipe, a device. */
struct odd_file {
	size_t path;
	uint32_t type;
};

static void list_release(struct rownames_list *list)
{
	free(list->items);
	index_release(&list->index);
}

void rownames_free(struct rownames *names)
{
	list_release(&names->files);
	list_release(&names->comms);
	list_release(&names->sites);
	list_release(&names->odd);
	numbered_release(&names->comm_numbers, NULL);
	buffer_release(&names->texts);
	free(names);
}

size_t rownames_keep(struct rownames *names, const char *text)
{
	size_t at = names->texts.size;

	buffer_add(&names->texts, text, strlen(text) + 1);
	return at;
}

/* A zeroed item at the end. */
static void *list_add(struct rownames_list *list, size_t size, uint32_t hash)
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

/* ---- classes of files ---- */

static const struct odd_file *find_odd(const struct rownames *names, uint32_t hash,
				       const char *path)
{
	const struct odd_file *odd = names->odd.items;
	uint32_t position = hash;
	int64_t number;

	while ((number = index_next(&names->odd.index, hash, &position)) >= 0)
		if (strcmp(rownames_kept(names, odd[number].path), path) == 0)
			return &odd[number];
	return NULL;
}

static void note_odd(struct rownames *names, const char *path, uint32_t type)
{
	uint32_t hash = index_hash(path, strlen(path));
	struct odd_file *odd;

	if (file_class(path, type) == file_class(path, 0) || find_odd(names, hash, path))
		return;
	odd = list_add(&names->odd, sizeof(*odd), hash);
	odd->path = rownames_keep(names, path);
	odd->type = type;
}

/* A name that one stream has opened tells the class of those that the others only name: so it does not matter who is read first. */
static void find_odd_files(struct rownames *names)
{
	for (unsigned i = 0; stream_at(names->trace, i); i++) {
		const struct idmap *files = &stream_at(names->trace, i)->defs.files;

		for (uint32_t k = 0; k < files->count; k++) {
			const struct def_file *file = files->entries[k].value;
			struct reader_file known;

			/* most are regular: those cost nothing more */
			if (file->type && file->type != S_IFREG && file->type != S_IFDIR &&
			    !reader_file(names->trace, i, files->entries[k].id, &known))
				note_odd(names, known.path, known.type);
		}
	}
}

static const char *class_of(const struct rownames *names, uint32_t hash, const char *path)
{
	const struct odd_file *odd = names->odd.count > 0 ? find_odd(names, hash, path) : NULL;

	return analysis_file_class_name(file_class(path, odd ? odd->type : 0));
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
		known->fs = rownames_keep(names, mount.type);
		known->mount = rownames_keep(names, mount.directory);
		return;
	}
	if (!reader_file_mount(names->trace, record->stream, record->ret_id, &mount)) {
		known->fs = rownames_keep(names, mount.type);
		known->mount = rownames_keep(names, mount.directory);
	}
}

uint32_t rownames_file_number(struct rownames *names, const char *path)
{
	uint32_t hash = index_hash(path, strlen(path)), position = hash;
	const struct named_file *files = names->files.items;
	struct named_file *one;
	int64_t number;

	while ((number = index_next(&names->files.index, hash, &position)) >= 0)
		if (strcmp(rownames_kept(names, files[number].path), path) == 0)
			return (uint32_t)number;
	one = list_add(&names->files, sizeof(*one), hash);
	one->path = rownames_keep(names, path);
	one->lowest = HEIGHT_NONE;
	one->class = class_of(names, hash, path);
	return names->files.count - 1;
}

static int64_t name_file(struct rownames *names, const struct recorder_record *record,
			 const struct reader_file *file, enum layer_height height)
{
	struct named_file *one;
	uint32_t number;

	if (!*file->path)
		return 0;
	number = rownames_file_number(names, file->path);
	one = (struct named_file *)names->files.items + number;
	one->used = true;
	if (height < one->lowest)
		one->lowest = height;
	if (!one->known && file->type)
		learn(names, one, record, file);
	return number + 1;
}

int64_t rownames_file(struct rownames *names, const struct recorder_record *record,
		      enum layer_height height)
{
	struct reader_file file;

	return reader_record_file(names->trace, record, &file)
		       ? 0
		       : name_file(names, record, &file, height);
}

int64_t rownames_file_of(struct rownames *names, const struct recorder_record *record, uint32_t id,
			 enum layer_height height)
{
	struct reader_file file;

	return reader_file(names->trace, record->stream, id, &file)
		       ? 0
		       : name_file(names, record, &file, height);
}

void rownames_number_files(struct rownames *names)
{
	for (unsigned i = 0; stream_at(names->trace, i); i++) {
		const struct idmap *files = &stream_at(names->trace, i)->defs.files;
		struct reader_file file;

		for (uint32_t k = 0; k < files->count; k++)
			if (!reader_file(names->trace, i, files->entries[k].id, &file) &&
			    *file.path)
				rownames_file_number(names, file.path);
	}
	names->numbered = names->files.count;
}

uint32_t rownames_numbered(const struct rownames *names)
{
	return names->numbered;
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
		.used = named->used,
		.path = rownames_kept(names, named->path),
		/* 0 is the path of the first file */
		.fs = named->fs ? rownames_kept(names, named->fs) : NULL,
		.mount = named->mount ? rownames_kept(names, named->mount) : NULL,
		.lowest = named->lowest,
		.type = type_name(named),
		.block_size = named->block_size,
		.device = named->device,
		.inode = named->inode,
		.size = named->size,
	};
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
	made->name = rownames_keep(names, comm->name);
	made->kind = rownames_keep(names, comm->kind);
	made->size = comm->size;
	made->remote_size = comm->remote_size;
	return names->comms.count;
}

static void number_comms(struct rownames *names)
{
	for (unsigned i = 0; stream_at(names->trace, i); i++) {
		const struct idmap *comms = &stream_at(names->trace, i)->defs.comms;

		for (uint32_t k = 0; k < comms->count; k++) {
			struct reader_comm comm;
			void **number = numbered_at(&names->comm_numbers, i, comms->entries[k].id);

			if (!number)
				die("out of memory");
			if (!reader_comm(names->trace, i, comms->entries[k].id, &comm))
				*number = (void *)(uintptr_t)add_comm(names, &comm);
		}
	}
}

int64_t rownames_comm(struct rownames *names, const struct recorder_record *record)
{
	uint32_t id = reader_record_comm(names->trace, record);
	void **number;

	if (!id)
		return 0;
	number = numbered_at(&names->comm_numbers, record->stream, id);
	if (!number)
		die("out of memory");
	if (*number)
		((struct named_comm *)names->comms.items)[(uintptr_t)*number - 1].used = true;
	return (int64_t)(uintptr_t)*number;
}

bool rownames_comm_at(const struct rownames *names, uint32_t number, struct row_comm *comm)
{
	const struct named_comm *named = names->comms.items;

	if (number == 0 || number > names->comms.count)
		return false;
	named += number - 1;
	*comm = (struct row_comm){.used = named->used,
				  .name = rownames_kept(names, named->name),
				  .kind = rownames_kept(names, named->kind),
				  .size = named->size,
				  .remote_size = named->remote_size};
	return true;
}

/* ---- call sites ---- */

uint32_t rownames_site_number(struct rownames *names, const struct named_site *wanted)
{
	uint32_t hash = index_hash(&wanted->site, sizeof(wanted->site)), position = hash;
	const struct named_site *sites = names->sites.items;
	struct named_site *made;
	int64_t number;

	while ((number = index_next(&names->sites.index, hash, &position)) >= 0)
		if (sites[number].site == wanted->site)
			return (uint32_t)number;
	made = list_add(&names->sites, sizeof(*made), hash);
	*made = *wanted;
	return names->sites.count - 1;
}

int64_t rownames_callsite(struct rownames *names, const struct recorder_record *record)
{
	struct named_site wanted = {callsites_of(names->callsites, record), record->stream,
				    record->module, record->callsite};

	if (!wanted.site)
		die("out of memory");
	return record->module || record->callsite
		       ? (int64_t)rownames_site_number(names, &wanted) + 1
		       : 0;
}

const struct callsite *rownames_callsite_at(const struct rownames *names, uint32_t number)
{
	const struct named_site *sites = names->sites.items;

	return number == 0 || number > names->sites.count ? NULL : sites[number - 1].site;
}

/* ---- beginning ---- */

struct rownames *rownames_new(const struct reader *trace)
{
	struct rownames *names = calloc(1, sizeof(*names));

	if (!names)
		die("out of memory");
	names->trace = trace;
	names->callsites = callsites_shared(trace);
	find_odd_files(names);
	number_comms(names);
	return names;
}
