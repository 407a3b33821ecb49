/* SPDX-License-Identifier: MIT */
/* usage_collect.c - see usage_collect.h */
#include "usage_collect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metavalue.h"
#include "usage_events.h"
#include "usage_reading.h"
#include "usage_watch.h"

#define NODES_MAX 64u

struct collecting {
	struct usage *usage;
	struct reader *trace;
	struct usage_reading_map *maps;
	struct usage_watch *watches; /* by node */
	struct usage_events *events;
	uint8_t *is_main; /* by stream: of the first rank's own process, whose regions are shown */
};

/* Regions ----------------------------------------------------------------------------- */

static void take_region(struct collecting *collecting, const struct recorder_record *record)
{
	struct usage *usage = collecting->usage;
	const char *name = reader_function(collecting->trace, record)->name;
	struct usage_region *region = NULL;

	if (record->tend <= record->tstart)
		return;
	for (unsigned i = 0; i < usage->region_count && !region; i++)
		if (!strncmp(usage->regions[i].name, name, sizeof(region->name) - 1))
			region = &usage->regions[i];
	if (!region) {
		if (usage->region_count == USAGE_REGIONS)
			return;
		region = &usage->regions[usage->region_count];
		region->bins = calloc(usage->bins, sizeof(*region->bins));
		if (!region->bins)
			return;
		snprintf(region->name, sizeof(region->name), "%s", name);
		region->first_begin = record->tstart;
		region->first_end = record->tend;
		usage->region_count++;
	}
	region->time += record->tend - record->tstart;
	usage_add_to_bins(usage, region->bins, record->tstart, record->tend, 1);
}

/* Nodes, and all of it ----------------------------------------------------------------- */

static int find_nodes(struct collecting *collecting)
{
	struct usage *usage = collecting->usage;
	struct reader_stream stream = {.sz = sizeof(stream)}, first = stream;
	struct reader_info info = {.sz = sizeof(info)};
	bool has_first = false;

	reader_info(collecting->trace, &info);
	collecting->is_main = calloc((size_t)info.streams + 1, 1);
	usage->nodes = calloc(NODES_MAX, sizeof(*usage->nodes));
	collecting->watches = calloc(NODES_MAX, sizeof(*collecting->watches));
	if (!usage->nodes || !collecting->watches || !collecting->is_main)
		return -ENOMEM;
	for (unsigned i = 0; !reader_stream(collecting->trace, i, &stream); i++) {
		struct usage_node *node = &usage->nodes[usage->node_count];

		/* streams are in the order of worlds and ranks */
		if (stream.main && !has_first) {
			first = stream;
			has_first = true;
		}
		collecting->is_main[i] =
			stream.main && stream.world == first.world && stream.rank == first.rank;
		if (strcmp(meta_text(collecting->trace, i, "source"), "sampler") != 0 ||
		    usage->node_count == NODES_MAX)
			continue;
		node->stream = i;
		snprintf(node->host, sizeof(node->host), "%s", stream.host);
		collecting->watches[usage->node_count++] =
			(struct usage_watch){.node = node, .round = -1, .before = -1};
	}
	return 0;
}

static int map_forms(struct collecting *collecting)
{
	unsigned count = reader_function_count(collecting->trace);

	collecting->maps = calloc((size_t)count + 1, sizeof(*collecting->maps));
	for (unsigned i = 0; i < count && collecting->maps; i++)
		usage_reading_map(&collecting->maps[i],
				  reader_function_by_id(collecting->trace, i));
	return collecting->maps ? 0 : -ENOMEM;
}

static int walk(struct collecting *collecting)
{
	struct usage *usage = collecting->usage;
	struct reader_filter filter = {.sz = sizeof(filter),
				       .order = READER_BY_TIME,
				       .layers = usage_events_has_any(collecting->events)
							 ? "sample,user,kernel,block"
							 : "sample,user"};
	struct reader_cursor *cursor = reader_cursor_new(collecting->trace, &filter);
	const struct recorder_record *record;
	struct usage_reading reading;
	int error = 0;

	if (!cursor)
		return -errno;
	while (!error && (record = reader_next(cursor))) {
		const struct usage_reading_map *map = &collecting->maps[record->func_id];

		if (collecting->is_main[record->stream] && record->thread == 0 &&
		    !strcmp(reader_function(collecting->trace, record)->layer, "user"))
			take_region(collecting, record);
		for (unsigned i = 0; i < usage->node_count && map->form != USAGE_FORM_NONE; i++)
			if (usage->nodes[i].stream == record->stream &&
			    usage_reading_take(&reading, map, record))
				usage_watch_take(usage, &collecting->watches[i], &reading);
		error = usage_events_take(collecting->events, record);
	}
	error = error ? error : reader_cursor_status(cursor);
	reader_cursor_free(cursor);
	for (unsigned i = 0; i < usage->node_count; i++)
		usage_watch_end(usage, &collecting->watches[i]);
	return error ? error : usage_events_end(collecting->events);
}

static void release_collecting(struct collecting *collecting)
{
	for (unsigned i = 0; collecting->watches && i < collecting->usage->node_count; i++)
		usage_watch_release(&collecting->watches[i]);
	usage_events_free(collecting->events);
	free(collecting->watches);
	free(collecting->maps);
	free(collecting->is_main);
}

int usage_collect(struct usage *usage, struct reader *trace, int64_t begin, int64_t end,
		  unsigned bins)
{
	struct collecting collecting = {.usage = usage, .trace = trace};
	int error;

	*usage = (struct usage){.begin = begin, .bins = bins};
	usage->width = end > begin ? (end - begin + bins - 1) / bins : 1;
	error = find_nodes(&collecting);
	if (!error)
		error = map_forms(&collecting);
	if (!error)
		error = usage_events_begin(&collecting.events, usage, trace, NODES_MAX);
	if (!error && usage->node_count > 0)
		error = walk(&collecting);
	release_collecting(&collecting);
	return error;
}
