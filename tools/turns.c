/* SPDX-License-Identifier: MIT */
/* turns.c - see turns.h */
#include "turns.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "progress.h"
#include "writelock.h"

/* Processes: two hardly wait longer for each other than it takes to fall asleep and to wake up. */
#define LOCKED_FROM 3u

enum { EAR_NAMES, EAR_PARTS, EAR_OTHERS };

static void check(const struct turns *turns, int error)
{
	if (error)
		output_die(turns->path, error);
}

/* ---- writing ---- */

/* Bytes and the place in the file where the next ones go. */
struct place {
	const struct turns *turns;
	uint64_t offset;
};

static int put(void *data, const void *bytes, size_t size)
{
	struct place *place = data;

	if (place->turns->in_place && place->turns->crew)
		return output_write_at(place->turns->fd, bytes, size, &place->offset);
	return output_write(place->turns->fd, bytes, size);
}

static void add_part(struct turns *turns, const struct turns_part *part)
{
	turns->size += part->size;
	turns->plain += part->plain;
	if (turns->gzip)
		turns->crc = (uint32_t)crc32_combine(turns->crc, part->crc, (z_off_t)part->plain);
}

static struct turns_part part_of(const struct made *made)
{
	return (struct turns_part){.size = made->size, .plain = made->plain, .crc = made->crc};
}

static void settle(struct turns *turns, struct made *made, bool first)
{
	made_settle(made, turns->known, first ? turns->head : "");
}

static void write_made(struct turns *turns, const struct made *made, uint64_t offset)
{
	struct place place = {turns, offset};

	check(turns, made_write(made, put, &place));
}

/* ---- one process: segments are written as they are made ---- */

void turns_write(struct turns *turns, struct made *made)
{
	struct turns_part part;

	check(turns, made_cut(made));
	settle(turns, made, turns->plain == 0);
	write_made(turns, made, turns->size);
	part = part_of(made);
	add_part(turns, &part);
	made_drop(made);
}

/* ---- several: parcels take their turn ---- */

static unsigned owner_of(const struct turns *turns, uint32_t parcel)
{
	return turns->parcels->items[parcel].owner;
}

static void add_names(struct turns *turns, const struct buffer *keys)
{
	uint64_t key;

	for (size_t i = 0; i + sizeof(key) <= keys->size; i += sizeof(key)) {
		memcpy(&key, keys->bytes + i, sizeof(key));
		hash_set_add(turns->known, key);
	}
}

/* It is the turn of a parcel of ours to define its names; then its size is known. */
static void settle_own(struct turns *turns, unsigned at)
{
	struct made *made = &turns->made[at];
	struct turns_part *part = &turns->parts[at];
	struct turns_part settled;

	settle(turns, made, turns->next_names == 0);
	settled = part_of(made);
	settled.records = part->records;
	settled.messages = part->messages;
	settled.problems = part->problems;
	*part = settled;
	if (turns->in_place)
		crew_say(turns->crew, TURNS_PART, part, sizeof(*part));
}

/* The names of the next parcel, if they are there. */
static bool take_names(struct turns *turns)
{
	unsigned owner = owner_of(turns, turns->next_names), at = 0;

	if (owner == turns->number) {
		while (at < turns->used &&
		       turns->made[turns->queue[at]].number != turns->next_names)
			at++;
		if (at == turns->used)
			return false;
		settle_own(turns, turns->queue[at]);
	} else {
		if (!crew_hear(turns->crew, owner, EAR_NAMES, TURNS_NAMES, &turns->body))
			return false;
		add_names(turns, &turns->body);
	}
	turns->next_names++;
	return true;
}

static void write_first(struct turns *turns)
{
	unsigned first = turns->queue[0];

	write_made(turns, &turns->made[first], turns->places[first]);
	turns->placed--;
	turns->used--;
	memmove(turns->queue, turns->queue + 1, turns->used * sizeof(turns->queue[0]));
	turns->spare[TURNS_AHEAD - 1 - turns->used] = first;
}

/* Writes parcels that have their place, as long as no other process writes, or once it does not. Whether there were any. */
static bool write_placed(struct turns *turns, bool wait)
{
	bool written = false;

	while (turns->placed > 0) {
		if (turns->locked && !writelock_take(turns->fd, wait && !written))
			break;
		write_first(turns);
		written = true;
		if (turns->locked)
			writelock_give(turns->fd);
	}
	return written;
}

/* A parcel of ours has its place: it can be written whenever it suits, into a pipe now. */
static void take_own_part(struct turns *turns)
{
	unsigned at = turns->queue[turns->placed++];
	const struct turns_part *part = &turns->parts[at];

	turns->places[at] = turns->size;
	if (!turns->in_place) {
		write_first(turns);
		crew_say(turns->crew, TURNS_PART, part, sizeof(*part));
	}
	add_part(turns, part);
}

/* The place of the next parcel, if it is known. */
static bool take_part(struct turns *turns)
{
	unsigned owner = owner_of(turns, turns->next_part);
	struct turns_part part;

	if (turns->next_part >= turns->next_names)
		return false;
	if (owner == turns->number) {
		take_own_part(turns);
	} else {
		if (!crew_hear(turns->crew, owner, EAR_PARTS, TURNS_PART, &turns->body) ||
		    turns->body.size != sizeof(part))
			return false;
		memcpy(&part, turns->body.bytes, sizeof(part));
		add_part(turns, &part);
		turns->heard(turns->data, &part);
	}
	turns->next_part++;
	if (turns->number == 0)
		progress_report("reading", turns->next_part, turns->parcels->count);
	return true;
}

/* Does what can be done; if that is nothing, and `wait`, waits for another process. */
static void advance(struct turns *turns, bool wait)
{
	bool moved = false;

	while (turns->next_names < turns->parcels->count && take_names(turns))
		moved = true;
	while (turns->next_part < turns->parcels->count && take_part(turns))
		moved = true;
	if (write_placed(turns, wait && !moved) || moved || !wait)
		return;
	crew_wait(turns->crew,
		  owner_of(turns, turns->next_part < turns->next_names ? turns->next_part
								       : turns->next_names));
}

static void say_names(struct turns *turns, const struct made *made)
{
	const struct name *names = (const struct name *)made->names.list.bytes;

	buffer_clear(&turns->body);
	for (size_t i = 0; i < made->names.list.size / sizeof(*names); i++)
		buffer_add(&turns->body, &names[i].key, sizeof(names[i].key));
	crew_say(turns->crew, TURNS_NAMES, turns->body.bytes, turns->body.size);
}

/* ---- for who makes them ---- */

void turns_init(struct turns *turns, struct text_deflater *deflater)
{
	struct place place = {turns, 0};

	turns->locked =
		turns->count >= LOCKED_FROM && turns->in_place && writelock_is_of_use(turns->fd);
	for (unsigned i = 0; i < (turns->crew ? TURNS_AHEAD : 1); i++) {
		check(turns, made_init(&turns->made[i], deflater));
		turns->spare[TURNS_AHEAD - 1 - i] = i;
	}
	turns->known = hash_set_new();
	check(turns, turns->known ? 0 : -ENOMEM);
	if (!turns->gzip)
		return;
	if (turns->number == 0)
		check(turns, put(&place, gzip_header, sizeof(gzip_header)));
	turns->size = sizeof(gzip_header);
}

void turns_release(struct turns *turns)
{
	for (unsigned i = 0; i < TURNS_AHEAD && turns->made[i].text.buffer; i++)
		made_release(&turns->made[i]);
	hash_set_free(turns->known);
	buffer_release(&turns->body);
}

struct made *turns_spare(struct turns *turns)
{
	while (turns->used == TURNS_AHEAD)
		advance(turns, true);
	return &turns->made[turns->spare[TURNS_AHEAD - 1 - turns->used]];
}

void turns_queue(struct turns *turns, struct made *made, const struct turns_part *part)
{
	unsigned at = (unsigned)(made - turns->made);

	turns->parts[at] = *part;
	turns->queue[turns->used++] = at;
	say_names(turns, made);
	advance(turns, false);
}

void turns_hear(struct turns *turns, unsigned number, uint32_t type, struct buffer *body)
{
	while (!crew_hear(turns->crew, number, EAR_OTHERS, type, body)) {
		advance(turns, false);
		crew_wait(turns->crew, number);
	}
}

void turns_finish(struct turns *turns)
{
	while (turns->used > 0 || (turns->number == 0 && turns->next_part < turns->parcels->count))
		advance(turns, true);
}

void turns_end(struct turns *turns)
{
	struct place place = {turns, turns->size};
	uint8_t trailer[GZIP_TRAILER_SIZE];

	if (!turns->gzip)
		return;
	gzip_trailer(trailer, turns->crc, turns->plain);
	check(turns, put(&place, trailer, sizeof(trailer)));
}
