/* SPDX-License-Identifier: MIT */
/* entropy.c - see entropy.h */
#include "entropy.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "metavalue.h"
#include "numbered.h"

#define EXACT 256u /* numbers that are symbols of their own */
#define EXACT_BITS 8u
#define EACH_POWER 16u /* symbols of those between two powers of two */
#define EACH_BITS 4u
#define SYMBOLS (EXACT + (64 - EXACT_BITS) * EACH_POWER)
#define MODELS 2048u /* a power of two; what is beyond shares the last one found */

/* How often each symbol came. */
struct histogram {
	uint64_t total, bits; /* symbols; bits behind them */
	uint32_t counts[SYMBOLS];
};

struct model {
	uint64_t key; /* 0: free */
	struct histogram idle, around, duration;
};

struct measuring {
	int64_t resolution;
	struct numbered ends; /* of the newest record of each thread: int64_t */
	struct model *models;
};

static void count(struct histogram *histogram, int64_t time, int64_t resolution)
{
	uint64_t number =
		time > 0 ? ((uint64_t)time + (uint64_t)resolution / 2) / (uint64_t)resolution : 0;
	unsigned symbol = (unsigned)number, bits = 0;

	if (number >= EXACT) {
		unsigned length = 64 - (unsigned)__builtin_clzll(number);

		bits = length - 1 - EACH_BITS;
		symbol = EXACT + (length - 1 - EXACT_BITS) * EACH_POWER +
			 ((unsigned)(number >> bits) & (EACH_POWER - 1));
	}
	histogram->counts[symbol]++;
	histogram->total++;
	histogram->bits += bits;
}

static double bits_of(const struct histogram *histogram)
{
	double bits = (double)histogram->bits;

	for (unsigned i = 0; i < SYMBOLS; i++)
		if (histogram->counts[i])
			bits += histogram->counts[i] *
				log2((double)histogram->total / histogram->counts[i]);
	return bits;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

static struct model *model_of(struct measuring *measuring, const struct recorder_record *record)
{
	uint64_t key =
		mix(mix(mix(record->stream, record->func_id), record->level), record->module);
	struct model *model = NULL;

	key = mix(key, record->callsite) | 1;
	for (unsigned i = 0; i < 16; i++) {
		model = &measuring->models[(key + i) & (MODELS - 1)];
		if (model->key == key || model->key == 0)
			break;
	}
	model->key = model->key ? model->key : key;
	return model;
}

static int add(struct measuring *measuring, const struct recorder_record *record)
{
	struct model *model = model_of(measuring, record);
	void **slot = numbered_at(&measuring->ends, record->stream, record->thread);
	int64_t *end;

	if (slot && !*slot)
		*slot = calloc(1, sizeof(*end));
	if (!slot || !*slot)
		return -ENOMEM;
	end = *slot;
	if (record->tstart >= *end)
		count(&model->idle, record->tstart - *end, measuring->resolution);
	else
		count(&model->around, record->tend - *end, measuring->resolution);
	count(&model->duration, record->tend - record->tstart, measuring->resolution);
	*end = record->tend;
	return 0;
}

static int64_t resolution_of(const struct reader *trace)
{
	struct reader_info info = {.sz = sizeof(info)};
	uint64_t finest = 0;

	reader_info(trace, &info);
	for (unsigned i = 0; i < info.streams; i++) {
		uint64_t one = meta_number(trace, i, "clock.resolution");

		if (one > 0 && one < INT64_MAX && (!finest || one < finest))
			finest = one;
	}
	return finest ? (int64_t)finest : 10; /* of traces that do not tell */
}

static int read_all(struct measuring *measuring, struct reader *trace, struct entropy *entropy)
{
	const struct reader_filter filter = {.sz = sizeof(filter), .order = READER_BY_END};
	struct reader_cursor *cursor = reader_cursor_new(trace, &filter);
	const struct recorder_record *record;
	int error = cursor ? 0 : -errno;

	while (!error && (record = reader_next(cursor))) {
		if (record->flags & RECORDER_TIMES_SUMMED) /* made up: nothing has to store them */
			continue;
		error = add(measuring, record);
		entropy->records++;
	}
	if (!error)
		error = reader_cursor_status(cursor);
	reader_cursor_free(cursor);
	return error;
}

int entropy_measure(struct reader *trace, struct entropy *entropy)
{
	struct measuring measuring = {.resolution = resolution_of(trace),
				      .models = calloc(MODELS, sizeof(struct model))};
	int error = -ENOMEM;

	*entropy = (struct entropy){.resolution = measuring.resolution};
	if (measuring.models)
		error = read_all(&measuring, trace, entropy);
	for (unsigned i = 0; measuring.models && i < MODELS; i++) {
		const struct model *model = &measuring.models[i];

		entropy->floor += (bits_of(&model->idle) + bits_of(&model->around) +
				   bits_of(&model->duration)) /
				  8;
	}
	numbered_release(&measuring.ends, free);
	free(measuring.models);
	return error;
}
