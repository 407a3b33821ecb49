/* SPDX-License-Identifier: MIT */
/* mutate.c - see mutate.h */
#include "mutate.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#include "format/chunk.h"
#include "packed.h"

#define CHUNKS_MAX 64u
#define ROOM (1u << 20) /* of anything here */

/* A chunk in its file. */
struct place {
	size_t offset, size;
};

struct spoiler {
	unsigned *dice;
	uint8_t *data;
	size_t size, max;
	struct place chunks[CHUNKS_MAX];
	unsigned count;
};

unsigned roll(unsigned *dice, unsigned sides)
{
	*dice = *dice * 1664525u + 1013904223u;
	return (unsigned)((uint64_t)(*dice >> 8) * sides >> 24);
}

static void find_chunks(struct spoiler *spoiler)
{
	size_t offset = sizeof(struct file_header);
	struct chunk_header header;

	while (spoiler->count < CHUNKS_MAX && spoiler->size > offset &&
	       spoiler->size - offset >= sizeof(header)) {
		memcpy(&header, spoiler->data + offset, sizeof(header));
		if (header.magic != CHUNK_MAGIC ||
		    header.body_size > spoiler->size - offset - sizeof(header))
			return;
		spoiler->chunks[spoiler->count++] =
			(struct place){offset, sizeof(header) + header.body_size};
		offset += sizeof(header) + header.body_size;
	}
}

/* Puts other bytes in place of some; nothing if there is no room for them. */
static void replace(struct spoiler *spoiler, struct place old, const void *bytes, size_t size)
{
	size_t rest = spoiler->size - old.offset - old.size;

	if (spoiler->size - old.size + size > spoiler->max)
		return;
	memmove(spoiler->data + old.offset + size, spoiler->data + old.offset + old.size, rest);
	memcpy(spoiler->data + old.offset, bytes, size);
	spoiler->size += size - old.size;
}

/* Changes one number, as those who get counts wrong do. */
static void spoil_number(unsigned *dice, uint8_t *at, unsigned width)
{
	uint64_t value = 0, other;

	memcpy(&value, at, width);
	switch (roll(dice, 7)) {
	case 0:
		other = 0;
		break;
	case 1:
		other = UINT64_MAX;
		break;
	case 2:
		other = value + 1;
		break;
	case 3:
		other = value - 1;
		break;
	case 4:
		other = value ^ 1ull << roll(dice, width * 8);
		break;
	case 5:
		other = (uint64_t)roll(dice, 256);
		break;
	default:
		other = 1ull << roll(dice, width * 8);
		break;
	}
	memcpy(at, &other, width);
}

static const struct {
	uint8_t offset, width;
} header_fields[] = {{4, 1},  {5, 1},  {6, 2},  {12, 4}, {16, 4}, {20, 4}, {24, 8}, {32, 8},
		     {40, 8}, {48, 8}, {56, 8}, {64, 8}, {72, 8}, {80, 4}, {84, 4}};

static void spoil_header(struct spoiler *spoiler, struct place place)
{
	unsigned field = roll(spoiler->dice, sizeof(header_fields) / sizeof(header_fields[0]));
	uint8_t *at = spoiler->data + place.offset;
	struct chunk_header header;

	spoil_number(spoiler->dice, at + header_fields[field].offset, header_fields[field].width);
	memcpy(&header, at, sizeof(header));
	chunk_header_seal(&header, at + sizeof(header));
	memcpy(at, &header, sizeof(header));
}

static bool is_deflated(const struct chunk_header *header)
{
	return (header->type == CHUNK_DATA &&
		(header->encoding >= DATA_COLUMNS && header->encoding <= DATA_SUMMED)) ||
	       (header->type == CHUNK_DATA && data_is_loop(header->encoding) &&
		header->body_size != header->plain_size) ||
	       (header->type == CHUNK_DEFS &&
		(header->encoding == DEFS_DEFLATED || header->encoding == DEFS_RELATIVE));
}

/* A body apart: what is deflated, or all of it, and the bits that may follow. */
struct parts {
	uint8_t plain[ROOM], after[ROOM];
	size_t plain_size, after_size;
	bool deflated;
};

static bool inflate_part(struct parts *parts, const uint8_t *body, size_t size)
{
	uLongf plain = ROOM / 2;
	uLong stored = size;

	if (uncompress2(parts->plain, &plain, body, &stored) != Z_OK || size - stored > ROOM / 2)
		return false;
	parts->plain_size = plain;
	parts->after_size = size - stored;
	memcpy(parts->after, body + stored, size - stored);
	return true;
}

static void take_apart(struct parts *parts, const struct chunk_header *header, const uint8_t *body)
{
	parts->deflated = is_deflated(header);
	if (parts->deflated && inflate_part(parts, body, header->body_size))
		return;
	parts->after_size = 0;
	parts->plain_size = header->body_size < ROOM / 2 ? header->body_size : ROOM / 2;
	memcpy(parts->plain, body, parts->plain_size);
}

/* Puts the chunk together again. Its size; 0: it is too large. */
static size_t put_together(const struct parts *parts, struct chunk_header *header, uint8_t *chunk)
{
	uint8_t *body = chunk + sizeof(*header);
	uLongf stored = ROOM;

	if (!parts->deflated)
		memcpy(body, parts->plain, stored = parts->plain_size);
	else if (compress2(body, &stored, parts->plain, parts->plain_size, 1) != Z_OK)
		return 0;
	memcpy(body + stored, parts->after, parts->after_size);
	header->plain_size = (uint32_t)parts->plain_size;
	header->body_size = (uint32_t)(stored + parts->after_size);
	chunk_header_seal(header, body);
	memcpy(chunk, header, sizeof(*header));
	return sizeof(*header) + header->body_size;
}

static void spoil_body(struct spoiler *spoiler, struct place place)
{
	static struct parts parts;
	static uint8_t chunk[2 * ROOM + 4096];
	struct chunk_header header;
	size_t size;

	memcpy(&header, spoiler->data + place.offset, sizeof(header));
	take_apart(&parts, &header, spoiler->data + place.offset + sizeof(header));
	size = parts.plain_size;
	if (parts.after_size && roll(spoiler->dice, 4) == 0)
		parts.after_size =
			LLVMFuzzerMutate(parts.after, parts.after_size, parts.after_size + 64);
	else if (size >= 4 && roll(spoiler->dice, 4) == 0)
		spoil_number(spoiler->dice,
			     parts.plain + roll(spoiler->dice, (unsigned)size / 4) * 4, 4);
	else
		parts.plain_size = LLVMFuzzerMutate(parts.plain, size, size + 64);
	size = put_together(&parts, &header, chunk);
	if (size)
		replace(spoiler, place, chunk, size);
}

static void spoil_order(struct spoiler *spoiler, struct place place)
{
	static uint8_t copy[ROOM];
	struct place other = spoiler->chunks[roll(spoiler->dice, spoiler->count)];

	if (place.size > ROOM)
		return;
	memcpy(copy, spoiler->data + place.offset, place.size);
	if (roll(spoiler->dice, 3) == 0)
		replace(spoiler, place, "", 0);
	else
		replace(spoiler, (struct place){other.offset, 0}, copy, place.size);
}

static void spoil_file_header(struct spoiler *spoiler)
{
	static const struct {
		uint8_t offset, width;
	} fields[] = {{7, 1}, {8, 2}, {10, 2}, {12, 4}, {16, 8}, {24, 4}};
	unsigned field = roll(spoiler->dice, sizeof(fields) / sizeof(fields[0]));
	struct file_header header;

	spoil_number(spoiler->dice, spoiler->data + fields[field].offset, fields[field].width);
	memcpy(&header, spoiler->data, sizeof(header));
	header.crc = format_crc(&header, offsetof(struct file_header, crc));
	memcpy(spoiler->data, &header, sizeof(header));
}

size_t mutate_chunks(uint8_t *data, size_t size, size_t max, unsigned *dice)
{
	struct spoiler spoiler = {.dice = dice, .data = data, .size = size, .max = max};
	struct place place;
	unsigned how = roll(dice, 32);

	find_chunks(&spoiler);
	if (spoiler.count == 0 || how == 0)
		return LLVMFuzzerMutate(data, size, max);
	place = spoiler.chunks[roll(dice, spoiler.count)];
	if (how == 1)
		spoil_file_header(&spoiler);
	else if (how == 2)
		spoiler.size -= roll(dice, (unsigned)(size < ROOM ? size : ROOM));
	else if (how < 6)
		spoil_order(&spoiler, place);
	else if (how < 14)
		spoil_header(&spoiler, place);
	else
		spoil_body(&spoiler, place);
	return spoiler.size;
}

/* ---- whole directories ---- */

static size_t mutate_live(uint8_t *data, size_t size, size_t max, unsigned *dice)
{
	if (size > PACKED_HEADER && roll(dice, 2))
		return PACKED_HEADER + LLVMFuzzerMutate(data + PACKED_HEADER, size - PACKED_HEADER,
							max - PACKED_HEADER);
	/* the fields of both headers that are more than bytes lie in the first 104 bytes */
	if (size >= 104)
		spoil_number(dice, data + 8 + roll(dice, 24) * 4, roll(dice, 2) ? 4 : 8);
	return size;
}

static size_t put_entry(uint8_t *to, size_t room, uint32_t name, const uint8_t *data, size_t size)
{
	uint32_t head[2] = {name, (uint32_t)size};

	if (room < sizeof(head) + size)
		return 0;
	memcpy(to, head, sizeof(head));
	memmove(to + sizeof(head), data, size);
	return sizeof(head) + size;
}

size_t mutate_packed(uint8_t *data, size_t size, size_t max, unsigned *dice)
{
	static uint8_t from[ROOM], file[ROOM];
	const uint8_t *p = from;
	struct packed_entry entry;
	unsigned count = 0, chosen, how = roll(dice, 16);
	size_t used = 0;

	if (size > ROOM / 2)
		return LLVMFuzzerMutate(data, size, max);
	memcpy(from, data, size);
	while (packed_next(&p, from + size, &entry))
		count++;
	chosen = count ? roll(dice, count) : 0;
	p = from;
	for (unsigned i = 0; packed_next(&p, from + size, &entry); i++) {
		size_t now = entry.size, room = entry.size + 256u;

		memcpy(file, entry.data, now);
		if (i == chosen && how == 0)
			continue;
		if (i == chosen && how == 1)
			entry.name = roll(dice, PACKED_NAMES);
		else if (i == chosen)
			now = packed_is_live(entry.name) ? mutate_live(file, now, room, dice)
							 : mutate_chunks(file, now, room, dice);
		used += put_entry(data + used, max - used, entry.name, file, now);
	}
	return used ? used : LLVMFuzzerMutate(data, size, max);
}
