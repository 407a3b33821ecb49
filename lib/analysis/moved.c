/* SPDX-License-Identifier: MIT */
/* moved.c - see moved.h */
#include "analysis/moved.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/add.h"

static struct moved_bins *row_of(struct moved *moved, unsigned place, unsigned height)
{
	struct moved_bins **row = &moved->rows[place][height];

	if (!*row)
		*row = calloc(1, sizeof(**row));
	return *row;
}

int moved_count(struct moved *moved, const struct series *series, const struct series_call *call,
		unsigned place)
{
	enum layer_height height = series->facts->layers[call->layer].height;
	struct moved_bins *row;

	if (height >= HEIGHT_NONE)
		return 0;
	row = row_of(moved, place, height);
	if (!row)
		return -ENOMEM;
	if (operation_moves(call->operation))
		row->calls[call->first] += call->calls;
	if (operation_is_metadata(call->operation))
		row->metadata[call->first] += call->calls;
	if (call->bytes_read > 0)
		series_spread(series, row->bytes_read, call, call->bytes_read);
	if (call->bytes_written > 0)
		series_spread(series, row->bytes_written, call, call->bytes_written);
	return 0;
}

static bool has_bytes(const struct moved_bins *row)
{
	for (unsigned i = 0; i < SERIES_BINS; i++)
		if (row->bytes_read[i] > 0 || row->bytes_written[i] > 0)
			return true;
	return false;
}

const struct moved_bins *moved_at(const struct moved *moved, unsigned place)
{
	const struct moved_bins *called = NULL;

	for (unsigned height = 0; height < HEIGHT_NONE; height++) {
		const struct moved_bins *row = moved->rows[place][height];

		if (row && has_bytes(row))
			return row;
		if (row && !called)
			called = row;
	}
	return called;
}

static void add_row(struct moved_bins *into, const struct moved_bins *from)
{
	for (unsigned i = 0; i < SERIES_BINS; i++) {
		add_to(&into->calls[i], from->calls[i]);
		add_to(&into->metadata[i], from->metadata[i]);
		add_to(&into->bytes_read[i], from->bytes_read[i]);
		add_to(&into->bytes_written[i], from->bytes_written[i]);
	}
}

int moved_merge(struct moved *into, const struct moved *from)
{
	for (unsigned place = 0; place < MOVED_PLACES; place++)
		for (unsigned height = 0; height < HEIGHT_NONE; height++) {
			if (!from->rows[place][height])
				continue;
			if (!row_of(into, place, height))
				return -ENOMEM;
			add_row(into->rows[place][height], from->rows[place][height]);
		}
	return 0;
}

void moved_release(struct moved *moved)
{
	for (unsigned place = 0; place < MOVED_PLACES; place++)
		for (unsigned height = 0; height < HEIGHT_NONE; height++)
			free(moved->rows[place][height]);
}
