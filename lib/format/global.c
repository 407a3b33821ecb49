/* SPDX-License-Identifier: MIT */
/* global.c - see global.h */
#include "format/global.h"

#include <string.h>

#include "format/chunk.h"
#include "format/meta.h"

size_t global_pack(uint8_t *buffer, size_t size, const struct global_facts *facts)
{
	struct file_header file;
	struct chunk_header chunk = {.type = CHUNK_META, .count = 6, .anchor = facts->now};
	uint8_t *body = buffer + sizeof(file) + sizeof(chunk);
	struct packer packer = packer_of(body, size - sizeof(file) - sizeof(chunk));

	meta_put_str(&packer, "run.id", facts->run_id);
	meta_put_str(&packer, "format", "1.0");
	meta_put_str(&packer, "recorder.version", RECORDER_VERSION);
	meta_put_u64(&packer, "created", (uint64_t)facts->now.real);
	meta_put_str(&packer, "cwd", facts->cwd);
	meta_put_str(&packer, "command", facts->command);
	file_header_init(&file, FILE_GLOBAL, 0);
	chunk.body_size = chunk.plain_size = (uint32_t)packer_size(&packer, body);
	chunk_header_seal(&chunk, body);
	memcpy(buffer, &file, sizeof(file));
	memcpy(buffer + sizeof(file), &chunk, sizeof(chunk));
	return sizeof(file) + sizeof(chunk) + chunk.body_size;
}

bool global_read(const uint8_t *bytes, size_t size, struct global_head *head)
{
	struct chunk_header header;
	struct meta_entry entry;
	struct bytes body;

	if (size < sizeof(struct file_header) + sizeof(header))
		return false;
	bytes += sizeof(struct file_header);
	size -= sizeof(struct file_header) + sizeof(header);
	memcpy(&header, bytes, sizeof(header));
	if (chunk_header_check(&header) || header.body_size > size)
		return false;
	head->made = header.anchor;
	body = bytes_of(bytes + sizeof(header), header.body_size);
	while (meta_next(&body, &entry))
		if (entry.key.length == 6 && !memcmp(entry.key.bytes, "run.id", 6)) {
			head->run_id = entry.bytes;
			return entry.type == META_BYTES;
		}
	return false;
}

bool global_is_of_run(const struct global_head *head, const char *run_id)
{
	return head->run_id.length == strlen(run_id) &&
	       !memcmp(head->run_id.bytes, run_id, head->run_id.length);
}
