/* SPDX-License-Identifier: MIT */
/* rownames_told.c - see rownames_told.h */
#include "rownames_told.h"

#include <string.h>

#include "message.h"
#include "rownames_lists.h"

/* Lists follow: told_file each with three texts; named_site; a byte for each communicator. */
struct told {
	uint32_t files, sites, comms;
};

/* Without holes: it is written as it is. */
struct told_file {
	uint32_t known, lowest, type, block_size, used, unused;
	uint64_t device, inode, size;
	uint32_t has_fs, has_mount;
};

void rownames_tell(const struct rownames *names, struct buffer *to)
{
	struct told told = {names->files.count, names->sites.count, names->comms.count};
	const struct named_comm *comms = names->comms.items;

	buffer_add(to, &told, sizeof(told));
	for (uint32_t i = 0; i < told.files; i++) {
		const struct named_file *file = (struct named_file *)names->files.items + i;
		struct told_file said = {.used = file->used,
					 .known = file->known,
					 .lowest = file->lowest,
					 .type = file->type,
					 .block_size = file->block_size,
					 .device = file->device,
					 .inode = file->inode,
					 .size = file->size,
					 .has_fs = file->fs != 0,
					 .has_mount = file->mount != 0};

		buffer_add(to, &said, sizeof(said));
		buffer_add(to, rownames_kept(names, file->path),
			   strlen(rownames_kept(names, file->path)) + 1);
		if (file->fs)
			buffer_add(to, rownames_kept(names, file->fs),
				   strlen(rownames_kept(names, file->fs)) + 1);
		if (file->mount)
			buffer_add(to, rownames_kept(names, file->mount),
				   strlen(rownames_kept(names, file->mount)) + 1);
	}
	if (told.sites > 0)
		buffer_add(to, names->sites.items, told.sites * sizeof(struct named_site));
	for (uint32_t i = 0; i < told.comms; i++)
		buffer_add(to, &comms[i].used, sizeof(comms[i].used));
}

/* What is left of what was told. */
struct heard {
	const char *next, *end;
};

static bool take(struct heard *heard, void *to, size_t size)
{
	if ((size_t)(heard->end - heard->next) < size)
		return false;
	memcpy(to, heard->next, size);
	heard->next += size;
	return true;
}

/* NULL: there is none. */
static const char *take_text(struct heard *heard)
{
	const char *text = heard->next;
	const char *end = memchr(text, '\0', (size_t)(heard->end - text));

	if (!end)
		return NULL;
	heard->next = end + 1;
	return text;
}

static bool learn_file(struct rownames *names, struct heard *heard)
{
	const char *path, *fs = NULL, *mount = NULL;
	struct named_file *file;
	struct told_file said;
	uint32_t number;

	if (!take(heard, &said, sizeof(said)) || !(path = take_text(heard)) ||
	    (said.has_fs && !(fs = take_text(heard))) ||
	    (said.has_mount && !(mount = take_text(heard))))
		return false;
	number = rownames_file_number(names, path);
	file = (struct named_file *)names->files.items + number;
	file->used |= said.used != 0;
	if (said.lowest < (uint32_t)file->lowest)
		file->lowest = (enum layer_height)said.lowest;
	if (file->known || !said.known)
		return true;
	file->known = true;
	file->type = said.type;
	file->block_size = said.block_size;
	file->device = said.device;
	file->inode = said.inode;
	file->size = said.size;
	file->fs = fs ? rownames_keep(names, fs) : 0;
	file->mount = mount ? rownames_keep(names, mount) : 0;
	return true;
}

static bool learn_site(struct rownames *names, struct heard *heard)
{
	struct named_site said;

	if (!take(heard, &said, sizeof(said)))
		return false;
	said.site = callsites_find(names->callsites, said.stream, said.module, said.offset);
	if (!said.site)
		die("out of memory");
	rownames_site_number(names, &said);
	return true;
}

bool rownames_learn(struct rownames *names, const void *bytes, size_t size)
{
	struct heard heard = {bytes, (const char *)bytes + size};
	struct named_comm *comms = names->comms.items;
	struct told told;

	if (!take(&heard, &told, sizeof(told)) || told.comms != names->comms.count)
		return false;
	while (told.files-- > 0)
		if (!learn_file(names, &heard))
			return false;
	while (told.sites-- > 0)
		if (!learn_site(names, &heard))
			return false;
	for (uint32_t i = 0; i < told.comms; i++) {
		bool used;

		if (!take(&heard, &used, sizeof(used)))
			return false;
		comms[i].used |= used;
	}
	return heard.next == heard.end;
}
