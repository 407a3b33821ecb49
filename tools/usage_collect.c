/* SPDX-License-Identifier: MIT */
/* usage_collect.c - see usage_collect.h */
#include "usage_collect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metavalue.h"
#include "read/index.h"
#include "usage_events.h"
#include "usage_reading.h"

#define NODES_MAX 64u
#define DEVICES_MAX 512u /* of one node; others are left out */
#define CPU_NUMBERS 10u
#define SECOND 1e9
#define SECTOR 512.0

/* Nodes ------------------------------------------------------------------------------- */

/* What was read last of a device. */
struct device {
	enum usage_form form;
	char of[64];
	struct usage_reading last;
};

struct process {
	/* the last of each form; form USAGE_FORM_NONE: none yet */
	struct usage_reading used, moved;
	bool is_counted, is_worker;
};

/* While it is read: one round of records is a sample; a round ends where the next begins. */
struct watch {
	struct usage_node *node;
	int64_t round, before; /* times of this sample and of the one before; -1: none */
	double sums[USAGE_COUNT];
	bool known[USAGE_COUNT];
	unsigned gpus_sm, gpus_busy;
	struct device *devices;
	unsigned device_count;
	struct idmap processes;
};

struct collecting {
	struct usage *usage;
	struct reader *trace;
	struct usage_reading_map *maps;
	struct watch *watches; /* by node */
	struct usage_events *events;
	uint8_t *is_main; /* by stream: of the first rank's own process, whose regions are shown */
};

static void end_round(struct collecting *collecting, struct watch *watch)
{
	if (watch->gpus_sm > 0)
		watch->sums[USAGE_gpu_sm] /= watch->gpus_sm;
	if (watch->gpus_busy > 0)
		watch->sums[USAGE_gpu_memory_busy] /= watch->gpus_busy;
	for (unsigned i = 0; i < USAGE_COUNT && watch->before >= 0; i++)
		if (watch->known[i])
			usage_add_value(collecting->usage, &watch->node->values[i], watch->before,
					watch->round, watch->sums[i]);
	memset(watch->sums, 0, sizeof(watch->sums));
	memset(watch->known, 0, sizeof(watch->known));
	watch->gpus_sm = watch->gpus_busy = 0;
}

static void add(struct watch *watch, enum usage_kind kind, double value)
{
	watch->sums[kind] += value;
	watch->known[kind] = true;
}

/* The device's last reading, which this one takes the place of in `last`; false: it is the first one. */
static bool exchange_last(struct watch *watch, const struct usage_reading *reading,
			  struct usage_reading *last)
{
	struct device *device = NULL;

	for (unsigned i = 0; i < watch->device_count && !device; i++)
		if (watch->devices[i].form == reading->form &&
		    !strcmp(watch->devices[i].of, reading->of))
			device = &watch->devices[i];
	if (device) {
		*last = device->last;
		device->last = *reading;
		return reading->time > last->time;
	}
	if (!watch->devices)
		watch->devices = calloc(DEVICES_MAX, sizeof(*watch->devices));
	if (watch->devices && watch->device_count < DEVICES_MAX) {
		device = &watch->devices[watch->device_count++];
		device->form = reading->form;
		memcpy(device->of, reading->of, sizeof(device->of));
		device->last = *reading;
	}
	return false;
}

/* How much a number has grown, a second. Negative: it went back. */
static double rate(const struct usage_reading *now, const struct usage_reading *last,
		   unsigned number)
{
	return (double)(now->numbers[number] - last->numbers[number]) * SECOND /
	       (double)(now->time - last->time);
}

static void take_cpu(struct collecting *collecting, struct watch *watch,
		     const struct usage_reading *now)
{
	double grown[CPU_NUMBERS], all = 0;
	struct usage_reading last;

	if (strcmp(now->of, "all") != 0)
		return;
	end_round(collecting, watch);
	watch->before = watch->round;
	watch->round = now->time;
	watch->node->samples++;
	if (watch->node->samples == 1)
		watch->node->begin = now->time;
	watch->node->end = now->time;
	if (!exchange_last(watch, now, &last))
		return;
	for (unsigned i = 0; i < CPU_NUMBERS; i++) {
		grown[i] = (double)(now->numbers[i] - last.numbers[i]);
		/* idle and iowait are known to go back */
		grown[i] = grown[i] < 0 ? 0 : grown[i];
		all += i < 8 ? grown[i] : 0; /* guests are in user and nice */
	}
	if (all <= 0)
		return;
	add(watch, USAGE_cpu_user, 100 * (grown[0] + grown[1] - grown[8] - grown[9]) / all);
	add(watch, USAGE_cpu_system, 100 * (grown[2] + grown[5] + grown[6]) / all);
	add(watch, USAGE_cpu_iowait, 100 * grown[4] / all);
	add(watch, USAGE_cpu_steal, 100 * grown[7] / all);
	add(watch, USAGE_cpu_idle, 100 * grown[3] / all);
}

static void take_gpu(struct watch *watch, const struct usage_reading *now)
{
	if (now->numbers[0] >= 0) {
		add(watch, USAGE_gpu_sm, (double)now->numbers[0]);
		watch->gpus_sm++;
	}
	if (now->numbers[1] >= 0) {
		add(watch, USAGE_gpu_memory_busy, (double)now->numbers[1]);
		watch->gpus_busy++;
	}
	if (now->numbers[2] >= 0)
		add(watch, USAGE_gpu_used, (double)now->numbers[2]);
	if (now->numbers[3] >= 0)
		add(watch, USAGE_gpu_power, (double)now->numbers[3] / 1000);
}

/* Two rates of a device: what it got and what it gave. */
static void take_device(struct watch *watch, const struct usage_reading *now, enum usage_kind first,
			double unit)
{
	struct usage_reading last;

	if (!exchange_last(watch, now, &last))
		return;
	for (unsigned i = 0; i < 2; i++)
		if (now->numbers[i] >= last.numbers[i])
			add(watch, first + i, rate(now, &last, i) * unit);
}

static void take_pressure(struct watch *watch, const struct usage_reading *now)
{
	enum usage_kind kind = !strcmp(now->of, "cpu")  ? USAGE_pressure_cpu
			       : !strcmp(now->of, "io") ? USAGE_pressure_io
							: USAGE_pressure_memory;
	struct usage_reading last;

	if (exchange_last(watch, now, &last) && now->numbers[0] >= last.numbers[0])
		add(watch, kind, rate(now, &last, 0) / 1e4); /* us a second */
}

/* Processes --------------------------------------------------------------------------- */

static struct process *process_of(struct watch *watch, int64_t pid)
{
	struct process *process = idmap_get(&watch->processes, (uint32_t)pid);

	if (process)
		return process;
	process = calloc(1, sizeof(*process));
	if (!process || idmap_set(&watch->processes, (uint32_t)pid, process)) {
		free(process);
		return NULL;
	}
	return process;
}

/* Processes that a program has forked of itself load data for it, mostly; PyTorch names them so. */
static bool is_worker(const struct watch *watch, const struct usage_reading *now)
{
	const struct process *parent = idmap_get(&watch->processes, (uint32_t)now->numbers[1]);

	if (!strncmp(now->of, "pt_data_worker", strlen("pt_data_worker")))
		return true;
	return parent && parent->used.form != USAGE_FORM_NONE &&
	       !strcmp(parent->used.of, now->of) && !usage_is_shell(now->of);
}

static void take_process(struct watch *watch, const struct usage_reading *now)
{
	struct process *process = process_of(watch, now->numbers[0]);
	struct usage_reading last;
	enum usage_kind first;

	if (!process)
		return;
	last = process->used;
	process->used = *now;
	process->is_worker = is_worker(watch, now);
	if (!process->is_counted && !usage_is_shell(now->of)) {
		process->is_counted = true;
		watch->node->programs += !process->is_worker;
		watch->node->workers += process->is_worker;
	}
	first = process->is_worker ? USAGE_worker_cpu : USAGE_program_cpu;
	add(watch, first + 1, (double)now->numbers[4]);
	/* fewer ticks than before: another process under its number */
	if (last.form == USAGE_FORM_NONE || now->time <= last.time ||
	    now->numbers[2] < last.numbers[2] || now->numbers[3] < last.numbers[3])
		return;
	add(watch, first, rate(now, &last, 2) + rate(now, &last, 3)); /* 100 ticks a second */
}

static void take_process_io(struct watch *watch, const struct usage_reading *now)
{
	struct process *process = process_of(watch, now->numbers[0]);
	struct usage_reading last;
	enum usage_kind first;

	if (!process)
		return;
	last = process->moved;
	process->moved = *now;
	first = process->is_worker ? USAGE_worker_reads : USAGE_program_reads;
	if (last.form == USAGE_FORM_NONE || now->time <= last.time)
		return;
	for (unsigned i = 0; i < 4; i++)
		if (now->numbers[i + 1] >= last.numbers[i + 1])
			add(watch, first + i, rate(now, &last, i + 1));
}

static void take_reading(struct collecting *collecting, struct watch *watch,
			 const struct usage_reading *now)
{
	switch (now->form) {
	case USAGE_FORM_CPU:
		take_cpu(collecting, watch, now);
		break;
	case USAGE_FORM_MEMORY:
		add(watch, USAGE_memory_used, (double)(now->numbers[0] - now->numbers[1]));
		break;
	case USAGE_FORM_DISK:
		take_device(watch, now, USAGE_disk_read, SECTOR);
		break;
	case USAGE_FORM_NETWORK:
		if (strcmp(now->of, "lo") != 0)
			take_device(watch, now, USAGE_network_received, 1);
		break;
	case USAGE_FORM_PRESSURE:
		take_pressure(watch, now);
		break;
	case USAGE_FORM_PROCESS:
		take_process(watch, now);
		break;
	case USAGE_FORM_PROCESS_IO:
		take_process_io(watch, now);
		break;
	case USAGE_FORM_GPU:
		take_gpu(watch, now);
		break;
	case USAGE_FORM_NONE:
	case USAGE_FORMS:
		break;
	}
}

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

/* All of it ---------------------------------------------------------------------------- */

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
			(struct watch){.node = node, .round = -1, .before = -1};
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
				take_reading(collecting, &collecting->watches[i], &reading);
		error = usage_events_take(collecting->events, record);
	}
	error = error ? error : reader_cursor_status(cursor);
	reader_cursor_free(cursor);
	for (unsigned i = 0; i < usage->node_count; i++)
		end_round(collecting, &collecting->watches[i]);
	return error ? error : usage_events_end(collecting->events);
}

static void release_collecting(struct collecting *collecting)
{
	for (unsigned i = 0; collecting->watches && i < collecting->usage->node_count; i++) {
		struct watch *watch = &collecting->watches[i];

		for (uint32_t k = 0; k < watch->processes.count; k++)
			free(watch->processes.entries[k].value);
		idmap_release(&watch->processes);
		free(watch->devices);
	}
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
