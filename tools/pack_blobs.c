/* SPDX-License-Identifier: MIT */
/* pack_blobs.c - see pack_blobs.h */
#include "pack_blobs.h"

#include <stdlib.h>
#include <string.h>

#include "format/pack_copies.h"
#include "message.h"

#define LIKES 1024u           /* `like` below that are kept */
#define KEPT_MOST (64u << 20) /* bytes of blobs, and of bases */
#define MODEL_MOST (1u << 20) /* a larger blob is no model for others */

/* A blob that others may be made from. */
struct model {
	struct model *base; /* that it is made from itself */
	uint64_t number;
	unsigned depth; /* models below it */
	unsigned users;
	size_t size;
	uint8_t bytes[];
};

struct known {
	struct pack_digest digest;
	uint64_t number; /* + 1; 0: an empty place */
};

struct blobs {
	uint64_t count;
	struct known *known;
	size_t places;                        /* a power of two */
	struct model *last[2], *likes[LIKES]; /* `last`: with an even and an odd `like` */
	size_t kept;                          /* bytes of models in `likes` */
	struct part_shape *bases; /* of shapes, by number; some are forgotten at the begin */
	size_t base_count, base_first, base_bytes;
	struct buffer window, try;
	void *work;
	size_t work_size;
};

struct blobs *blobs_new(void)
{
	struct blobs *blobs = calloc(1, sizeof(*blobs));

	if (!blobs)
		die("out of memory");
	blobs->places = 1024;
	blobs->known = calloc(blobs->places, sizeof(*blobs->known));
	if (!blobs->known)
		die("out of memory");
	return blobs;
}

/* ---- models ---- */

static void model_put(struct model *model)
{
	while (model && --model->users == 0) {
		struct model *base = model->base;

		free(model);
		model = base;
	}
}

static struct model *model_new(uint64_t number, struct model *base, const void *bytes, size_t size)
{
	struct model *model = malloc(sizeof(*model) + size);

	if (!model)
		die("out of memory");
	*model = (struct model){.base = base, .number = number, .users = 1, .size = size};
	model->depth = base ? base->depth + 1 : 0;
	if (base)
		base->users++;
	if (size > 0)
		memcpy(model->bytes, bytes, size);
	return model;
}

static void *work_for(struct blobs *blobs, size_t size)
{
	if (pack_copies_work(size) > blobs->work_size) {
		free(blobs->work);
		blobs->work_size = pack_copies_work(size * 2);
		blobs->work = malloc(blobs->work_size);
		if (!blobs->work)
			die("out of memory");
	}
	return blobs->work;
}

/* Appends the blob `bytes`, the `number`th, made from `model` or from nothing. */
static void code(struct blobs *blobs, uint64_t number, const struct model *model, const void *bytes,
		 size_t size, struct buffer *out)
{
	size_t base = model ? model->size : 0, room = pack_copies_bound(size);
	struct varints copies;
	const uint8_t *begin;

	buffer_clear(&blobs->window);
	if (model)
		buffer_add(&blobs->window, model->bytes, model->size);
	buffer_add(&blobs->window, bytes, size);
	buffer_add_varint(out, size);
	buffer_add_varint(out, model ? number - model->number : 0);
	copies = varints_in(buffer_room(out, room), room);
	begin = copies.p;
	pack_copies_encode(blobs->window.bytes, base, size, work_for(blobs, base + size), &copies);
	if (copies.full)
		die("a blob of %zu bytes cannot be coded", size);
	out->size += (size_t)(copies.p - begin);
}

void blob_code(struct buffer *coded, const void *bytes, size_t size)
{
	buffer_add_varint(coded, size);
	buffer_add_varint(coded, 0);
	buffer_add_varint(coded, size);
	buffer_add(coded, bytes, size);
}

/* Tries a model; *best and `coded` are the shortest form so far. */
static void try_model(struct blobs *blobs, struct model *model, const void *bytes, size_t size,
		      size_t begin, struct model **best, struct buffer *coded)
{
	while (model && model->depth + 1 > PACK_DEPTH)
		model = model->base;
	if (!model || model == *best)
		return;
	buffer_clear(&blobs->try);
	code(blobs, blobs->count, model, bytes, size, &blobs->try);
	if (blobs->try.size >= coded->size - begin)
		return;
	coded->size = begin;
	buffer_add(coded, blobs->try.bytes, blobs->try.size);
	*best = model;
}

static void keep_model(struct blobs *blobs, uint32_t like, struct model *model)
{
	model_put(blobs->last[like & 1]);
	blobs->last[like & 1] = model;
	if (like >= LIKES || blobs->kept + model->size > KEPT_MOST)
		return;
	if (blobs->likes[like])
		blobs->kept -= blobs->likes[like]->size;
	model_put(blobs->likes[like]);
	blobs->likes[like] = model;
	blobs->kept += model->size;
	model->users++;
}

/* ---- digests ---- */

static struct known *place_of(const struct blobs *blobs, struct pack_digest digest)
{
	size_t mask = blobs->places - 1, place = digest.a & mask;

	while (blobs->known[place].number && (blobs->known[place].digest.a != digest.a ||
					      blobs->known[place].digest.b != digest.b))
		place = (place + 1) & mask;
	return &blobs->known[place];
}

static void grow(struct blobs *blobs)
{
	struct known *old = blobs->known;
	size_t places = blobs->places;

	blobs->places *= 2;
	blobs->known = calloc(blobs->places, sizeof(*old));
	if (!blobs->known)
		die("out of memory");
	for (size_t i = 0; i < places; i++)
		if (old[i].number)
			*place_of(blobs, old[i].digest) = old[i];
	free(old);
}

int64_t blobs_find(const struct blobs *blobs, struct pack_digest digest)
{
	return (int64_t)place_of(blobs, digest)->number - 1;
}

uint64_t blobs_add(struct blobs *blobs, struct pack_digest digest, uint32_t like, const void *bytes,
		   size_t size, struct buffer *coded)
{
	size_t begin = coded->size;
	struct model *best = NULL;
	uint64_t number = blobs->count;

	code(blobs, number, NULL, bytes, size, coded);
	if (size <= MODEL_MOST) {
		try_model(blobs, blobs->last[like & 1], bytes, size, begin, &best, coded);
		if (like < LIKES)
			try_model(blobs, blobs->likes[like], bytes, size, begin, &best, coded);
		keep_model(blobs, like, model_new(number, best, bytes, size));
	}
	*place_of(blobs, digest) = (struct known){digest, number + 1};
	blobs->count++;
	if (blobs->count > blobs->places / 2)
		grow(blobs);
	return number;
}

/* ---- shapes ---- */

static void copy_buffer(struct buffer *to, const struct buffer *from)
{
	buffer_add(to, from->bytes, from->size);
}

static size_t base_size(const struct part_shape *base)
{
	return base->numbers.size + base->times.size + base->clocks.size;
}

void blobs_keep_base(struct blobs *blobs, const struct part_shape *from)
{
	struct part_shape *base;

	if ((blobs->base_count & (blobs->base_count - 1)) == 0) {
		size_t places = blobs->base_count ? blobs->base_count * 2 : 1;

		blobs->bases = realloc(blobs->bases, places * sizeof(*base));
		if (!blobs->bases)
			die("out of memory");
	}
	base = &blobs->bases[blobs->base_count++];
	memset(base, 0, sizeof(*base));
	copy_buffer(&base->numbers, &from->numbers);
	copy_buffer(&base->times, &from->times);
	copy_buffer(&base->clocks, &from->clocks);
	blobs->base_bytes += base_size(base);
	while (blobs->base_bytes > KEPT_MOST && blobs->base_first + 1 < blobs->base_count) {
		base = &blobs->bases[blobs->base_first++];
		blobs->base_bytes -= base_size(base);
		shape_release(base);
	}
}

int64_t blobs_find_base(const struct blobs *blobs, struct pack_digest digest)
{
	int64_t number = blobs_find(blobs, digest);

	return number >= (int64_t)blobs->base_first ? number : -1;
}

const struct part_shape *blobs_base(const struct blobs *blobs, uint64_t number)
{
	return &blobs->bases[number];
}

void blobs_free(struct blobs *blobs)
{
	model_put(blobs->last[0]);
	model_put(blobs->last[1]);
	for (size_t i = 0; i < LIKES; i++)
		model_put(blobs->likes[i]);
	for (size_t i = blobs->base_first; i < blobs->base_count; i++)
		shape_release(&blobs->bases[i]);
	free(blobs->bases);
	free(blobs->known);
	free(blobs->work);
	buffer_release(&blobs->window);
	buffer_release(&blobs->try);
	free(blobs);
}
