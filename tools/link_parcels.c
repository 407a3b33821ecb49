/* SPDX-License-Identifier: MIT */
/* link_parcels.c - see link_parcels.h */
#include "link_parcels.h"

#include <errno.h>
#include <stdlib.h>

#include "lanes.h"
#include "links.h"

#define OPERATION_COST 2  /* of so many calls: as much as of one record */
#define MESSAGES_COST 8   /* the same, of all records */
#define MESSAGES_MOST 64u /* parcels */

/* Stored records by first stream of the process; to be freed. */
static uint64_t *sizes_of(const struct out_events *events)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	uint64_t *sizes = calloc(events->info.streams + 1, sizeof(*sizes));

	for (unsigned i = 0; sizes && i < events->info.streams; i++)
		if (!reader_stream(events->trace, i, &stream))
			sizes[lanes_first_stream(events->lanes, i)] += stream.stored;
	return sizes;
}

static uint32_t count_of(uint64_t stored)
{
	return (uint32_t)((stored + PARCEL_RECORDS - 1) / PARCEL_RECORDS);
}

static int add_process(struct link_parcels *links, struct parcels *parcels, unsigned process,
		       uint64_t stored)
{
	uint32_t count = count_of(stored);
	struct parcel parcel = {.stored = stored / count / OPERATION_COST};
	int error = 0;

	for (uint32_t i = 0; i < count && !error; i++) {
		parcel.follows = i > 0;
		links->operations[parcels->count - links->first_operation] =
			(struct link_parcel){process, i == 0, i + 1 == count};
		error = parcels_add(parcels, &parcel);
	}
	return error;
}

static int add_messages(struct parcels *parcels, uint64_t stored)
{
	unsigned count = 1;
	int error = 0;

	while (count < MESSAGES_MOST && count < stored / PARCEL_RECORDS)
		count *= 2;
	for (unsigned i = 0; i < count && !error; i++)
		error = parcels_add(parcels,
				    &(struct parcel){.stored = stored / count / MESSAGES_COST});
	return error;
}

int link_parcels_add(struct link_parcels *links, struct parcels *parcels,
		     const struct out_events *events)
{
	uint64_t *sizes, all = 0;
	uint32_t count = 0;
	int error = 0;

	links->first_operation = links->first_message = UINT32_MAX;
	if (!events->links || !links_has_any(events->links))
		return 0;
	sizes = sizes_of(events);
	for (unsigned i = 0; sizes && i < events->info.streams; i++) {
		count += count_of(sizes[i]);
		all += sizes[i];
	}
	links->operations = calloc(count + 1, sizeof(*links->operations));
	if (!sizes || !links->operations)
		error = -ENOMEM;
	links->first_operation = parcels->count;
	for (unsigned i = 0; i < events->info.streams && !error; i++)
		if (sizes[i] > 0)
			error = add_process(links, parcels, i, sizes[i]);
	links->first_message = parcels->count;
	free(sizes);
	return error ? error : add_messages(parcels, all);
}

void link_parcels_release(struct link_parcels *links)
{
	free(links->operations);
	links->operations = NULL;
}
