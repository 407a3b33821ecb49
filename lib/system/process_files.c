/* SPDX-License-Identifier: MIT */
/* process_files.c - see process_files.h */
#include "system/process_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PAYLOAD_MAX 2048

static int make_room(struct process_files *known)
{
	uint32_t room = known->room ? 2 * known->room : 16, *numbers;

	if (known->count < known->room)
		return 0;
	numbers = realloc(known->numbers, room * sizeof(*numbers));
	if (!numbers)
		return -ENOMEM;
	known->numbers = numbers;
	known->room = room;
	return 0;
}

static void define(struct watched_stream *stream, const struct watched_files *files,
		   uint32_t number, uint32_t id)
{
	const struct watched_file *file = watched_file(files, number);
	const struct watched_mount *mount =
		watched_mount(watched_files_mounts(files), file->device);
	struct def_file def = {.id = id,
			       .type = file->mode & S_IFMT,
			       .device = watched_device(file->device),
			       .inode = file->inode,
			       .size = file->size,
			       .fs_magic = file->magic,
			       .mount = mount ? mount->number : 0,
			       .path = {file->path, strlen(file->path)}};
	uint8_t payload[PAYLOAD_MAX];

	watched_stream_define(stream, DEF_FILE, payload,
			      def_file_pack(payload, sizeof(payload), &def));
}

uint32_t process_files_id(struct process_files *known, struct watched_stream *stream,
			  const struct watched_files *files, uint32_t device, uint64_t inode)
{
	int64_t number = watched_files_find(files, device, inode), found;
	uint32_t key = (uint32_t)number, hash, position;

	if (number < 0)
		return 0;
	position = hash = index_hash(&key, sizeof(key));
	while ((found = index_next(&known->index, hash, &position)) >= 0)
		if (known->numbers[found] == key)
			return (uint32_t)found + 1;
	if (make_room(known) || index_add(&known->index, hash, known->count))
		return 0;
	known->numbers[known->count++] = key;
	define(stream, files, key, known->count);
	return known->count;
}

void process_files_release(struct process_files *known)
{
	index_release(&known->index);
	free(known->numbers);
}
