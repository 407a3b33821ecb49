/* SPDX-License-Identifier: MIT */
/*
 * nvml.h - NVIDIA's management library, opened when it is there: no header of it is needed to build. Functions that it does not have are asked for by their older names, and else say so.
 *
 * Types are those of its interface, as far as they are used; they have not changed since they were published under these names.
 */
#ifndef RECORDER_SYSTEM_NVML_H
#define RECORDER_SYSTEM_NVML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What its functions return, nvmlReturn_t. */
enum {
	NVML_SUCCESS = 0,
	NVML_NOT_SUPPORTED = 3,
	NVML_NO_PERMISSION = 4,
	NVML_NOT_FOUND = 6,
	NVML_INSUFFICIENT_SIZE = 7,
	NVML_FUNCTION_NOT_FOUND = 13,
};

typedef void *nvml_device;

struct nvml_utilization {
	unsigned gpu, memory; /* percent */
};

struct nvml_memory {
	unsigned long long total, free, used;
};

/* nvmlProcessInfo_v2_t, of the functions that end in _v2 and _v3 */
struct nvml_process {
	unsigned pid;
	unsigned long long used; /* ~0: not available */
	unsigned gpu_instance, compute_instance;
};

/* of those without a version in their name */
struct nvml_process_v1 {
	unsigned pid;
	unsigned long long used;
};

/* nvmlProcessUtilizationSample_t */
struct nvml_sample {
	unsigned pid;
	unsigned long long time; /* us since 1970 */
	unsigned sm, memory, encoder, decoder;
};

/* nvmlProcessUtilizationInfo_v1_t and nvmlProcessesUtilizationInfo_v1_t */
struct nvml_usage {
	unsigned long long time;
	unsigned pid, sm, memory, encoder, decoder, jpeg, optical_flow;
};

struct nvml_usages {
	unsigned version, count;
	unsigned long long last_seen;
	struct nvml_usage *usages;
};

#define NVML_USAGES_VERSION ((unsigned)sizeof(struct nvml_usages) | 1u << 24)

/* A name, in the library with nvml before it; names that it has elsewhere; its arguments. */
#define NVML_FUNCTIONS(F)                                                                          \
	F(init, "nvmlInit_v2", "nvmlInit", (void))                                                 \
	F(shutdown, "nvmlShutdown", NULL, (void))                                                  \
	F(driver, "nvmlSystemGetDriverVersion", NULL, (char *, unsigned))                          \
	F(count, "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount", (unsigned *))                      \
	F(device, "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex",                   \
	  (unsigned, nvml_device *))                                                               \
	F(name, "nvmlDeviceGetName", NULL, (nvml_device, char *, unsigned))                        \
	F(uuid, "nvmlDeviceGetUUID", NULL, (nvml_device, char *, unsigned))                        \
	F(mig, "nvmlDeviceGetMigMode", NULL, (nvml_device, unsigned *, unsigned *))                \
	F(utilization, "nvmlDeviceGetUtilizationRates", NULL,                                      \
	  (nvml_device, struct nvml_utilization *))                                                \
	F(memory, "nvmlDeviceGetMemoryInfo", NULL, (nvml_device, struct nvml_memory *))            \
	F(power, "nvmlDeviceGetPowerUsage", NULL, (nvml_device, unsigned *))                       \
	F(energy, "nvmlDeviceGetTotalEnergyConsumption", NULL,                                     \
	  (nvml_device, unsigned long long *))                                                     \
	F(temperature, "nvmlDeviceGetTemperature", NULL, (nvml_device, int, unsigned *))           \
	F(clock, "nvmlDeviceGetClockInfo", NULL, (nvml_device, int, unsigned *))                   \
	F(samples, "nvmlDeviceGetProcessUtilization", NULL,                                        \
	  (nvml_device, struct nvml_sample *, unsigned *, unsigned long long))                     \
	F(usages, "nvmlDeviceGetProcessesUtilizationInfo", NULL,                                   \
	  (nvml_device, struct nvml_usages *))

/* By what kind of work processes are listed. */
enum nvml_list { NVML_COMPUTE, NVML_GRAPHICS, NVML_MPS, NVML_LISTS };

struct nvml {
	void *library;
#define FUNCTION(name, symbol, older, arguments) int(*name) arguments;
	NVML_FUNCTIONS(FUNCTION)
#undef FUNCTION
	struct {
		/* one of them, or none */
		int (*list)(nvml_device, unsigned *, struct nvml_process *);
		int (*list_v1)(nvml_device, unsigned *, struct nvml_process_v1 *);
	} lists[NVML_LISTS];
};

/* Whether the library is there and has begun; else *why says why not. `missing`: names of functions that it does not have, with blanks between. */
bool nvml_open(struct nvml *nvml, char *why, size_t room, char *missing, size_t missing_room);
void nvml_close(struct nvml *nvml);

#endif
