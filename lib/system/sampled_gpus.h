/* SPDX-License-Identifier: MIT */
/*
 * sampled_gpus.h - what GPUs and the processes on them do, by NVML: the columns of `nvidia-smi pmon -s um` among others. A value that cannot be read is recorded as why (READING_...), never as 0.
 *
 * Process numbers are those that the driver knows, of the machine itself and not of a container. Bandwidth of PCIe is left out: each reading takes NVML 20 ms.
 */
#ifndef RECORDER_SYSTEM_SAMPLED_GPUS_H
#define RECORDER_SYSTEM_SAMPLED_GPUS_H

#include "system/watched_stream.h"

struct sampled_gpus;

/* Describes the devices, or why there are none, in the stream's metadata (`gpu.driver`, `gpu.N.name` ...; `gpu.missing`, `gpu.functions.missing`). NULL: there are none. */
struct sampled_gpus *sampled_gpus_new(struct watched_stream *stream);
void sampled_gpus_free(struct sampled_gpus *gpus);
/* 0 or -ENOMEM. */
int sampled_gpus_take(struct sampled_gpus *gpus, struct watched_stream *stream, uint32_t thread);

#endif
