/* SPDX-License-Identifier: MIT */
/* usage_watch.c - see usage_watch.h */
#include "usage_watch.h"

#include <stdlib.h>
#include <string.h>

#define DEVICES_MAX 512u /* of one node; others are left out */
#define CPU_NUMBERS 10u
#define SECOND 1e9
#define SECTOR 512.0

/* What was read last of a device. */
struct usage_device {
	enum usage_form form;
	char of[64];
	struct usage_reading last;
};

struct process {
	/* the last of each form; form USAGE_FORM_NONE: none yet */
	struct usage_reading used, moved;
	bool is_counted, is_worker;
};

void usage_watch_end(const struct usage *usage, struct usage_watch *watch)
{
	if (watch->gpus_sm > 0)
		watch->sums[USAGE_gpu_sm] /= watch->gpus_sm;
	if (watch->gpus_busy > 0)
		watch->sums[USAGE_gpu_memory_busy] /= watch->gpus_busy;
	for (unsigned i = 0; i < USAGE_COUNT && watch->before >= 0; i++)
		if (watch->known[i])
			usage_add_value(usage, &watch->node->values[i], watch->before, watch->round,
					watch->sums[i]);
	memset(watch->sums, 0, sizeof(watch->sums));
	memset(watch->known, 0, sizeof(watch->known));
	watch->gpus_sm = watch->gpus_busy = 0;
}

static void add(struct usage_watch *watch, enum usage_kind kind, double value)
{
	watch->sums[kind] += value;
	watch->known[kind] = true;
}

/* The device's last reading, which this one takes the place of in `last`; false: it is the first one. */
static bool exchange_last(struct usage_watch *watch, const struct usage_reading *reading,
			  struct usage_reading *last)
{
	struct usage_device *device = NULL;

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

static void take_cpu(const struct usage *usage, struct usage_watch *watch,
		     const struct usage_reading *now)
{
	double grown[CPU_NUMBERS], all = 0;
	struct usage_reading last;

	if (strcmp(now->of, "all") != 0)
		return;
	usage_watch_end(usage, watch);
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

static void take_gpu(struct usage_watch *watch, const struct usage_reading *now)
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
static void take_device(struct usage_watch *watch, const struct usage_reading *now,
			enum usage_kind first, double unit)
{
	struct usage_reading last;

	if (!exchange_last(watch, now, &last))
		return;
	for (unsigned i = 0; i < 2; i++)
		if (now->numbers[i] >= last.numbers[i])
			add(watch, first + i, rate(now, &last, i) * unit);
}

static void take_pressure(struct usage_watch *watch, const struct usage_reading *now)
{
	enum usage_kind kind = !strcmp(now->of, "cpu")  ? USAGE_pressure_cpu
			       : !strcmp(now->of, "io") ? USAGE_pressure_io
							: USAGE_pressure_memory;
	struct usage_reading last;

	if (exchange_last(watch, now, &last) && now->numbers[0] >= last.numbers[0])
		add(watch, kind, rate(now, &last, 0) / 1e4); /* us a second */
}

/* Processes --------------------------------------------------------------------------- */

static struct process *process_of(struct usage_watch *watch, int64_t pid)
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
static bool is_worker(const struct usage_watch *watch, const struct usage_reading *now)
{
	const struct process *parent = idmap_get(&watch->processes, (uint32_t)now->numbers[1]);

	if (!strncmp(now->of, "pt_data_worker", strlen("pt_data_worker")))
		return true;
	return parent && parent->used.form != USAGE_FORM_NONE &&
	       !strcmp(parent->used.of, now->of) && !usage_is_shell(now->of);
}

static void take_process(struct usage_watch *watch, const struct usage_reading *now)
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

static void take_process_io(struct usage_watch *watch, const struct usage_reading *now)
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

void usage_watch_take(const struct usage *usage, struct usage_watch *watch,
		      const struct usage_reading *now)
{
	switch (now->form) {
	case USAGE_FORM_CPU:
		take_cpu(usage, watch, now);
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

void usage_watch_release(struct usage_watch *watch)
{
	for (uint32_t k = 0; k < watch->processes.count; k++)
		free(watch->processes.entries[k].value);
	idmap_release(&watch->processes);
	free(watch->devices);
}
