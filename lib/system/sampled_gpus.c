/* SPDX-License-Identifier: MIT */
/* sampled_gpus.c - see sampled_gpus.h */
#include "system/sampled_gpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/nvml.h"
#include "system/sample_forms.h"

#define DEVICES_MAX 64u
#define PROCESSES_MAX 4096u /* on one device */
#define SPARE 16u           /* processes that begin between two questions */
#define CLOCK_SM 1
#define CLOCK_MEMORY 2
#define SENSOR 0

/* A process on a device, by what is known of it. */
struct gpu_process {
	unsigned pid;
	char type; /* C, G, M as pmon has it; -: of none of the lists */
	int64_t used, time, sm, memory, encoder, decoder, jpeg, optical_flow;
};

struct gpu {
	nvml_device device;
	char index[16];
	unsigned long long last_seen;
};

struct sampled_gpus {
	struct nvml nvml;
	struct gpu gpus[DEVICES_MAX];
	unsigned count;
	struct gpu_process processes[PROCESSES_MAX];
	unsigned process_count;
	struct pile buffer; /* that NVML fills */
};

/* Begin and end -------------------------------------------------------------------- */

static void describe(struct watched_stream *stream, const char *key, const char *text)
{
	if (*text)
		watched_stream_describe(stream, key, text, strlen(text));
}

static void describe_gpu(struct sampled_gpus *gpus, unsigned index, struct watched_stream *stream)
{
	const struct nvml *nvml = &gpus->nvml;
	nvml_device device = gpus->gpus[index].device;
	char key[32], text[128] = "";
	unsigned mig = 0, later = 0;

	snprintf(key, sizeof(key), "gpu.%u.name", index);
	if (nvml->name && !nvml->name(device, text, sizeof(text)))
		describe(stream, key, text);
	snprintf(key, sizeof(key), "gpu.%u.uuid", index);
	if (nvml->uuid && !nvml->uuid(device, text, sizeof(text)))
		describe(stream, key, text);
	snprintf(key, sizeof(key), "gpu.%u.mig", index);
	if (nvml->mig && !nvml->mig(device, &mig, &later))
		describe(stream, key, mig ? "on" : "off");
}

static void find_gpus(struct sampled_gpus *gpus, struct watched_stream *stream)
{
	char driver[128] = "";
	unsigned count = 0;

	if (gpus->nvml.driver && !gpus->nvml.driver(driver, sizeof(driver)))
		describe(stream, "gpu.driver", driver);
	if (gpus->nvml.count(&count))
		count = 0;
	for (unsigned i = 0; i < count && gpus->count < DEVICES_MAX; i++) {
		struct gpu *gpu = &gpus->gpus[gpus->count];

		if (gpus->nvml.device(i, &gpu->device))
			continue;
		snprintf(gpu->index, sizeof(gpu->index), "%u", i);
		describe_gpu(gpus, gpus->count++, stream);
	}
}

struct sampled_gpus *sampled_gpus_new(struct watched_stream *stream)
{
	struct sampled_gpus *gpus = calloc(1, sizeof(*gpus));
	char why[512], missing[1024];

	if (!gpus)
		return NULL;
	if (!nvml_open(&gpus->nvml, why, sizeof(why), missing, sizeof(missing))) {
		describe(stream, "gpu.missing", why);
		free(gpus);
		return NULL;
	}
	describe(stream, "gpu.functions.missing", missing);
	find_gpus(gpus, stream);
	return gpus;
}

void sampled_gpus_free(struct sampled_gpus *gpus)
{
	if (!gpus)
		return;
	nvml_close(&gpus->nvml);
	pile_release(&gpus->buffer);
	free(gpus);
}

/* Devices -------------------------------------------------------------------------- */

/* What stands for a value that NVML did not give. */
static int64_t reason(int error)
{
	switch (error) {
	case NVML_NOT_SUPPORTED:
		return READING_NOT_SUPPORTED;
	case NVML_NO_PERMISSION:
		return READING_NO_PERMISSION;
	case NVML_FUNCTION_NOT_FOUND:
		return READING_NO_FUNCTION;
	case NVML_NOT_FOUND:
		return READING_NONE;
	}
	return READING_FAILED;
}

static void put(struct sample *sample, int error, uint64_t value)
{
	sample_number(sample, error ? (uint64_t)reason(error) : value);
}

#define CALL(function, ...) ((function) ? (function)(__VA_ARGS__) : NVML_FUNCTION_NOT_FOUND)

static int put_gpu(const struct nvml *nvml, const struct gpu *gpu, struct watched_stream *stream,
		   uint32_t thread)
{
	struct nvml_utilization busy = {0};
	struct nvml_memory memory = {0};
	unsigned long long energy = 0;
	unsigned number = 0;
	struct sample sample;
	int error;

	sample_begin(&sample, SAMPLE_GPU, watch_now());
	sample_text(&sample, gpu->index, strlen(gpu->index));
	error = CALL(nvml->utilization, gpu->device, &busy);
	put(&sample, error, busy.gpu);
	put(&sample, error, busy.memory);
	error = CALL(nvml->memory, gpu->device, &memory);
	put(&sample, error, memory.used);
	put(&sample, error, memory.free);
	put(&sample, error, memory.total);
	error = CALL(nvml->power, gpu->device, &number);
	put(&sample, error, number);
	error = CALL(nvml->energy, gpu->device, &energy);
	put(&sample, error, energy);
	error = CALL(nvml->temperature, gpu->device, SENSOR, &number);
	put(&sample, error, number);
	error = CALL(nvml->clock, gpu->device, CLOCK_SM, &number);
	put(&sample, error, number);
	error = CALL(nvml->clock, gpu->device, CLOCK_MEMORY, &number);
	put(&sample, error, number);
	return sample_end(&sample, stream, thread);
}

/* Processes ------------------------------------------------------------------------ */

/* Its row; made if there is none. NULL: there are too many. */
static struct gpu_process *process_of(struct sampled_gpus *gpus, unsigned pid, int64_t usage)
{
	struct gpu_process *process;

	for (unsigned i = 0; i < gpus->process_count; i++)
		if (gpus->processes[i].pid == pid)
			return &gpus->processes[i];
	if (gpus->process_count == PROCESSES_MAX)
		return NULL;
	process = &gpus->processes[gpus->process_count++];
	*process = (struct gpu_process){pid,   '-',   READING_NONE, usage, usage,
					usage, usage, usage,        usage, usage};
	return process;
}

static void add_listed(struct sampled_gpus *gpus, enum nvml_list list, unsigned pid,
		       unsigned long long used, int64_t usage)
{
	struct gpu_process *process = process_of(gpus, pid, usage);

	if (!process)
		return;
	if (process->type == '-')
		process->type = "CGM"[list];
	process->used = used == ~0ull ? READING_NOT_SUPPORTED : (int64_t)used;
}

/* Room in the buffer for what a list that was asked with no room says that it has, and some more; NULL: there is nothing, or no memory. */
static void *room_for(struct sampled_gpus *gpus, int error, unsigned *count, size_t size)
{
	if ((error && error != NVML_INSUFFICIENT_SIZE) || *count == 0)
		return NULL;
	*count = *count + SPARE < PROCESSES_MAX ? *count + SPARE : PROCESSES_MAX;
	return pile_anew(&gpus->buffer, *count * size);
}

static void take_list(struct sampled_gpus *gpus, nvml_device device, enum nvml_list list,
		      int64_t usage)
{
	struct nvml_process *processes;
	unsigned count = 0, room;

	processes = room_for(gpus, CALL(gpus->nvml.lists[list].list, device, &count, NULL), &count,
			     sizeof(*processes));
	room = count;
	if (!processes || gpus->nvml.lists[list].list(device, &count, processes))
		return;
	for (unsigned i = 0; i < count && i < room; i++)
		add_listed(gpus, list, processes[i].pid, processes[i].used, usage);
}

static void take_list_v1(struct sampled_gpus *gpus, nvml_device device, enum nvml_list list,
			 int64_t usage)
{
	struct nvml_process_v1 *processes;
	unsigned count = 0, room;

	processes = room_for(gpus, CALL(gpus->nvml.lists[list].list_v1, device, &count, NULL),
			     &count, sizeof(*processes));
	room = count;
	if (!processes || gpus->nvml.lists[list].list_v1(device, &count, processes))
		return;
	for (unsigned i = 0; i < count && i < room; i++)
		add_listed(gpus, list, processes[i].pid, processes[i].used, usage);
}

static void add_usage(struct sampled_gpus *gpus, struct gpu *gpu, const struct nvml_usage *usage,
		      bool has_all)
{
	struct gpu_process *process = process_of(gpus, usage->pid, READING_NONE);

	if (usage->time > gpu->last_seen)
		gpu->last_seen = usage->time;
	if (!process || (process->time > 0 && (uint64_t)process->time > usage->time))
		return;
	process->time = (int64_t)usage->time;
	process->sm = usage->sm;
	process->memory = usage->memory;
	process->encoder = usage->encoder;
	process->decoder = usage->decoder;
	process->jpeg = has_all ? (int64_t)usage->jpeg : READING_NO_FUNCTION;
	process->optical_flow = has_all ? (int64_t)usage->optical_flow : READING_NO_FUNCTION;
}

/* What is new since the last time. What NVML returned. */
static int take_usages(struct sampled_gpus *gpus, struct gpu *gpu)
{
	struct nvml_usages usages = {.version = NVML_USAGES_VERSION, .last_seen = gpu->last_seen};
	int error = CALL(gpus->nvml.usages, gpu->device, &usages);
	unsigned room;

	usages.usages = room_for(gpus, error, &usages.count, sizeof(*usages.usages));
	if (!usages.usages)
		return error == NVML_INSUFFICIENT_SIZE ? NVML_SUCCESS : error;
	room = usages.count;
	error = gpus->nvml.usages(gpu->device, &usages);
	for (unsigned i = 0; !error && i < usages.count && i < room; i++)
		add_usage(gpus, gpu, &usages.usages[i], true);
	return error;
}

static int take_samples(struct sampled_gpus *gpus, struct gpu *gpu)
{
	unsigned long long last_seen = gpu->last_seen;
	unsigned count = 0, room;
	int error = CALL(gpus->nvml.samples, gpu->device, NULL, &count, last_seen);
	struct nvml_sample *samples = room_for(gpus, error, &count, sizeof(*samples));

	if (!samples)
		return error == NVML_INSUFFICIENT_SIZE ? NVML_SUCCESS : error;
	room = count;
	error = gpus->nvml.samples(gpu->device, samples, &count, last_seen);
	for (unsigned i = 0; !error && i < count && i < room; i++) {
		struct nvml_usage usage = {samples[i].time,
					   samples[i].pid,
					   samples[i].sm,
					   samples[i].memory,
					   samples[i].encoder,
					   samples[i].decoder,
					   0,
					   0};

		add_usage(gpus, gpu, &usage, false);
	}
	return error;
}

static int put_process(const struct gpu *gpu, const struct gpu_process *process,
		       struct watched_stream *stream, uint32_t thread)
{
	struct sample sample;

	sample_begin(&sample, SAMPLE_GPU_PROCESS, watch_now());
	sample_text(&sample, gpu->index, strlen(gpu->index));
	sample_number(&sample, process->pid);
	sample_text(&sample, &process->type, 1);
	sample_number(&sample, (uint64_t)process->time);
	sample_number(&sample, (uint64_t)process->sm);
	sample_number(&sample, (uint64_t)process->memory);
	sample_number(&sample, (uint64_t)process->encoder);
	sample_number(&sample, (uint64_t)process->decoder);
	sample_number(&sample, (uint64_t)process->jpeg);
	sample_number(&sample, (uint64_t)process->optical_flow);
	sample_number(&sample, (uint64_t)process->used);
	return sample_end(&sample, stream, thread);
}

/* Usages first: what those who are only listed have in their place is why there are none. */
static int take_processes(struct sampled_gpus *gpus, struct gpu *gpu, struct watched_stream *stream,
			  uint32_t thread)
{
	int error;

	gpus->process_count = 0;
	error = take_usages(gpus, gpu);
	if (error == NVML_FUNCTION_NOT_FOUND || error == NVML_NOT_SUPPORTED)
		error = take_samples(gpus, gpu);
	for (unsigned i = 0; i < NVML_LISTS; i++) {
		int64_t usage = error ? reason(error) : READING_NONE;

		if (gpus->nvml.lists[i].list)
			take_list(gpus, gpu->device, (enum nvml_list)i, usage);
		else
			take_list_v1(gpus, gpu->device, (enum nvml_list)i, usage);
	}
	for (unsigned i = 0; i < gpus->process_count; i++) {
		error = put_process(gpu, &gpus->processes[i], stream, thread);
		if (error)
			return error;
	}
	return 0;
}

int sampled_gpus_take(struct sampled_gpus *gpus, struct watched_stream *stream, uint32_t thread)
{
	int error = 0;

	for (unsigned i = 0; i < gpus->count && !error; i++) {
		error = put_gpu(&gpus->nvml, &gpus->gpus[i], stream, thread);
		if (!error)
			error = take_processes(gpus, &gpus->gpus[i], stream, thread);
	}
	return error;
}
