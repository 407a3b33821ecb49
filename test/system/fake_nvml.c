/* SPDX-License-Identifier: MIT */
/*
 * fake_nvml.c - a libnvidia-ml.so.1 whose devices say what the test wants. Device 0 says everything; device 1 has MIG, so it supports no utilization; device 2 is lost.
 *
 * With FAKE_GPU there is one device, and that file says what it does: "BUSY MEMORY_BUSY USED".
 *
 * -DOLD: one of long ago, with none of the functions that came later. -DNO_DRIVER: the library of a machine without driver.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SUCCESS = 0,
	NOT_SUPPORTED = 3,
	NO_PERMISSION = 4,
	NOT_FOUND = 6,
	SMALL = 7,
	NO_DRIVER_LOADED = 9,
	LOST = 15
};

struct device {
	int number;
};

/* False: nobody says. */
static int is_said(unsigned *busy, unsigned *memory_busy, unsigned long long *used)
{
	const char *path = getenv("FAKE_GPU");
	FILE *file = path ? fopen(path, "r") : NULL;
	int ok = file && fscanf(file, "%u %u %llu", busy, memory_busy, used) == 3;

	if (file)
		fclose(file);
	return ok;
}

static struct device devices[] = {{0}, {1}, {2}};

#ifdef OLD
#define NAME(name, version) name
struct process {
	unsigned pid;
	unsigned long long used;
};
#else
#define NAME(name, version) name##version
struct process {
	unsigned pid;
	unsigned long long used;
	unsigned gpu, compute;
};
#endif

int NAME(nvmlInit, _v2)(void)
{
#ifdef NO_DRIVER
	return NO_DRIVER_LOADED;
#else
	return SUCCESS;
#endif
}

int nvmlShutdown(void)
{
	return SUCCESS;
}

int nvmlSystemGetDriverVersion(char *text, unsigned size)
{
	strncpy(text, "999.88.77", size);
	return SUCCESS;
}

int NAME(nvmlDeviceGetCount, _v2)(unsigned *count)
{
	*count = getenv("FAKE_GPU") ? 1 : 3;
	return SUCCESS;
}

int NAME(nvmlDeviceGetHandleByIndex, _v2)(unsigned index, struct device **device)
{
	*device = &devices[index];
	return SUCCESS;
}

int nvmlDeviceGetName(struct device *device, char *text, unsigned size)
{
	strncpy(text, device->number ? "Fake B" : "Fake A \"quoted\"", size);
	return SUCCESS;
}

struct utilization {
	unsigned gpu, memory;
};

int nvmlDeviceGetUtilizationRates(struct device *device, struct utilization *rates)
{
	unsigned long long used;

	if (is_said(&rates->gpu, &rates->memory, &used))
		return SUCCESS;
	rates->gpu = 57;
	rates->memory = 13;
	return device->number == 0 ? SUCCESS : device->number == 1 ? NOT_SUPPORTED : LOST;
}

struct memory {
	unsigned long long total, free, used;
};

int nvmlDeviceGetMemoryInfo(struct device *device, struct memory *memory)
{
	unsigned long long used = 123456789;
	unsigned busy, memory_busy;

	is_said(&busy, &memory_busy, &used);
	*memory = (struct memory){1ull << 34, (1ull << 34) - used, used};
	return device->number == 2 ? LOST : SUCCESS;
}

int nvmlDeviceGetPowerUsage(struct device *device, unsigned *power)
{
	*power = 250000;
	return device->number == 0 ? SUCCESS : device->number == 1 ? NO_PERMISSION : LOST;
}

int nvmlDeviceGetTemperature(struct device *device, int sensor, unsigned *degrees)
{
	*degrees = sensor == 0 ? 61 : 0;
	return device->number == 2 ? LOST : SUCCESS;
}

int nvmlDeviceGetClockInfo(struct device *device, int type, unsigned *clock)
{
	*clock = type == 1 ? 1410 : type == 2 ? 1215 : 0;
	return device->number == 2 ? LOST : SUCCESS;
}

static int list(struct process *to, unsigned *count, const struct process *from, unsigned has)
{
	if (*count < has || !to) {
		*count = has;
		return has ? SMALL : SUCCESS;
	}
	memcpy(to, from, has * sizeof(*to));
	*count = has;
	return SUCCESS;
}

int NAME(nvmlDeviceGetComputeRunningProcesses, _v3)(struct device *device, unsigned *count,
						    struct process *processes)
{
	static const struct process of_0[] = {{.pid = 4242, .used = 1000000},
					      {.pid = 4243, .used = 2000000}};
	static const struct process of_1[] = {{.pid = 77, .used = ~0ull}};

	if (device->number == 2)
		return LOST;
	return device->number == 0 ? list(processes, count, of_0, 2)
				   : list(processes, count, of_1, 1);
}

#ifndef OLD
int nvmlDeviceGetGraphicsRunningProcesses_v2(struct device *device, unsigned *count,
					     struct process *processes)
{
	static const struct process of_0[] = {{.pid = 9, .used = 7}};

	return list(processes, count, of_0, device->number == 0);
}

int nvmlDeviceGetMPSComputeRunningProcesses_v3(struct device *device, unsigned *count,
					       struct process *processes)
{
	return list(processes, count, NULL, 0 * device->number);
}

int nvmlDeviceGetUUID(struct device *device, char *text, unsigned size)
{
	strncpy(text, device->number ? "GPU-b" : "GPU-a", size);
	return SUCCESS;
}

int nvmlDeviceGetMigMode(struct device *device, unsigned *now, unsigned *later)
{
	*now = *later = device->number == 1;
	return SUCCESS;
}

int nvmlDeviceGetTotalEnergyConsumption(struct device *device, unsigned long long *energy)
{
	*energy = 5000000000ull;
	return device->number == 0 ? SUCCESS : device->number == 1 ? NOT_SUPPORTED : LOST;
}

struct usage {
	unsigned long long time;
	unsigned pid, sm, memory, encoder, decoder, jpeg, optical_flow;
};

struct usages {
	unsigned version, count;
	unsigned long long last_seen;
	struct usage *usages;
};

/* New once, as if nothing had run since. */
int nvmlDeviceGetProcessesUtilizationInfo(struct device *device, struct usages *usages)
{
	static const struct usage said[] = {{1700000000000001, 4242, 40, 4, 1, 2, 3, 5},
					    {1700000000000002, 4242, 50, 6, 0, 0, 0, 0},
					    {1700000000000000, 31, 8, 9, 0, 0, 0, 0}};

	if (usages->version != (sizeof(*usages) | 1u << 24))
		return 2;
	if (device->number)
		return device->number == 1 ? NOT_SUPPORTED : LOST;
	if (usages->last_seen >= 1700000000000002)
		return NOT_FOUND;
	if (!usages->usages || usages->count < 3) {
		usages->count = 3;
		return SMALL;
	}
	memcpy(usages->usages, said, sizeof(said));
	usages->count = 3;
	return SUCCESS;
}
#endif

struct sample {
	unsigned pid;
	unsigned long long time;
	unsigned sm, memory, encoder, decoder;
};

int nvmlDeviceGetProcessUtilization(struct device *device, struct sample *samples, unsigned *count,
				    unsigned long long last_seen)
{
	if (device->number)
		return device->number == 1 ? NOT_SUPPORTED : LOST;
	if (last_seen >= 1700000000000009)
		return NOT_FOUND;
	if (!samples || *count < 1) {
		*count = 1;
		return SMALL;
	}
	samples[0] = (struct sample){4243, 1700000000000009, 33, 3, 2, 1};
	*count = 1;
	return SUCCESS;
}
