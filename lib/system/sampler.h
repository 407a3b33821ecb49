/* SPDX-License-Identifier: MIT */
/*
 * sampler.h - the stream of what a machine and a job on it do, read from /proc (and of GPUs from NVML) now and then: records of sample_forms.h.
 *
 * Needs no right that the job does not have. What is not there is named in the metadata (`sampler.missing`), not guessed. Of one thread of execution.
 */
#ifndef RECORDER_SYSTEM_SAMPLER_H
#define RECORDER_SYSTEM_SAMPLER_H

#include "system/watched_stream.h"

struct sampler;

struct sampler_options {
	unsigned rate;    /* times a second */
	const char *proc; /* where the machine's /proc is, NULL: there */
	const char *
		instead; /* why system calls are not recorded in the kernel, NULL: they are, or nobody has asked */
};

/* NULL: out of memory. `place` must outlive it. */
struct sampler *sampler_new(const struct watch_place *place, const struct sampler_options *options);
/* From here on the process and what is below it are sampled, too. 0 or -ENOMEM. */
int sampler_follow(struct sampler *sampler, uint32_t root);
/* Those in the cgroup, those that come into it and what is below them. `path` must stay. 0 or -ENOMEM. */
int sampler_follow_cgroup(struct sampler *sampler, const char *path);
/* Reads everything once. 0 or -ENOMEM. */
int sampler_take(struct sampler *sampler);
/* Writes what is left, and ends the stream. */
void sampler_free(struct sampler *sampler);

/* What it has cost so far. */
struct sampler_costs {
	uint64_t samples, records, cpu; /* cpu: ns of the thread that took them */
};
struct sampler_costs sampler_costs(const struct sampler *sampler);

#endif
