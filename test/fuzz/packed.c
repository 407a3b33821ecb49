/* SPDX-License-Identifier: MIT */
/* packed.c - see packed.h */
#include "packed.h"

#include <string.h>

#include "format/chunk.h"
#include "format/frame.h"
#include "format/wire.h"
#include "scratch.h"

#define LIVE_MAX (1u << 20)

const char *const packed_names[PACKED_NAMES] = {
	"trace/recorder.gm",
	"trace/a.lm",
	"trace/a.rec",
	SCRATCH_LIVE "/a.defs",
	SCRATCH_LIVE "/a.0.ring",
	SCRATCH_LIVE "/a.1.ring",
	"trace/b.lm",
	"trace/b.rec",
	SCRATCH_LIVE "/b.defs",
	SCRATCH_LIVE "/b.10.ring",
	PACKED_NODE,
	"trace/a-s1.lm",
	"trace/a-s1.rec",
	"trace/a-s2.lm",
	"trace/a-s2.rec",
};

bool packed_is_live(uint32_t name)
{
	return packed_names[name % PACKED_NAMES][0] == 'r';
}

bool packed_next(const uint8_t **p, const uint8_t *end, struct packed_entry *entry)
{
	size_t left;

	if (end - *p < 8)
		return false;
	memcpy(&entry->name, *p, 4);
	memcpy(&entry->size, *p + 4, 4);
	entry->name %= PACKED_NAMES;
	entry->data = *p + 8;
	left = (size_t)(end - entry->data);
	if (entry->size > left)
		entry->size = (uint32_t)left;
	*p = entry->data + entry->size;
	return true;
}

static void put_live(const struct packed_entry *entry)
{
	static uint8_t file[LIVE_MAX];
	size_t head = entry->size < PACKED_HEADER ? entry->size : PACKED_HEADER;
	size_t rest = entry->size - head;

	if (rest > LIVE_MAX - LIVE_HEADER_SIZE)
		rest = LIVE_MAX - LIVE_HEADER_SIZE;
	memset(file, 0, LIVE_HEADER_SIZE);
	memcpy(file, entry->data, head);
	memcpy(file + LIVE_HEADER_SIZE, entry->data + head, rest);
	/* one whose header was cut short stays short */
	scratch_put(packed_names[entry->name], file,
		    entry->size < PACKED_HEADER ? head : LIVE_HEADER_SIZE + rest);
}

/* Whose a chunk is stays as it was, and its checksum becomes right. */
static void retag(uint8_t *frame)
{
	struct chunk_header header;
	struct frame_tag tag;
	uint64_t stream;

	memcpy(&tag, frame, sizeof(tag));
	memcpy(&header, frame + sizeof(tag), sizeof(header));
	memcpy(&stream, tag.stream, sizeof(stream));
	if (header.magic == CHUNK_MAGIC && !chunk_header_check(&header)) {
		frame_tag_seal(&tag, stream, &header);
		memcpy(frame, &tag, sizeof(tag));
	}
}

void packed_put_node(const uint8_t *data, size_t size)
{
	static uint8_t file[LIVE_MAX];

	size = size < sizeof(file) ? size : sizeof(file);
	memcpy(file, data, size);
	for (size_t i = sizeof(struct file_header); i + FRAME_HEADER_SIZE <= size; i++)
		retag(file + i);
	scratch_put(PACKED_NODE, file, size);
}

void packed_unpack(const uint8_t *data, size_t size)
{
	const uint8_t *p = data;
	struct packed_entry entry;

	scratch_clear();
	while (packed_next(&p, data + size, &entry)) {
		if (packed_is_live(entry.name))
			put_live(&entry);
		else if (strcmp(packed_names[entry.name], PACKED_NODE) == 0)
			packed_put_node(entry.data, entry.size);
		else
			scratch_put(packed_names[entry.name], entry.data, entry.size);
	}
}
