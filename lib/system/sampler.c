/* SPDX-License-Identifier: MIT */
/* sampler.c - see sampler.h */
#include "system/sampler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "system/clock_reading.h"
#include "system/sample_forms.h"
#include "system/sampled_gpus.h"
#include "system/sampled_machine.h"
#include "system/sampled_processes.h"

#define SECOND 1000000000ull
#define FLUSH_AFTER (10 * SECOND)
#define LOOK_EVERY SECOND /* for new processes: the dearest of all, as it goes through /proc */

struct sampler {
	const struct watch_place *place;
	struct watched_stream *stream;
	uint32_t thread;
	struct sampled_machine machine;
	struct sampled_processes *processes;
	struct sampled_gpus *gpus; /* NULL: none */
	uint64_t next_clock, next_look;
	uint64_t forks;   /* of the machine, when processes were looked for */
	bool forks_count; /* its /proc is ours, and nobody comes who was not forked */
	struct sampler_costs costs;
};

static void describe(struct sampler *sampler, const char *key, const char *text)
{
	if (text && *text)
		watched_stream_describe(sampler->stream, key, text, strlen(text));
}

/* What readers have to know of the values. */
static void describe_all(struct sampler *sampler, const struct sampler_options *options,
			 const char *missing)
{
	char number[32];

	snprintf(number, sizeof(number), "%u", options->rate);
	describe(sampler, "sampler.rate", number);
	snprintf(number, sizeof(number), "%ld", sysconf(_SC_CLK_TCK));
	describe(sampler, "sampler.ticks", number);
	snprintf(number, sizeof(number), "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	describe(sampler, "sampler.cpus", number);
	describe(sampler, "sampler.missing", missing);
	describe(sampler, "sampler.instead", options->instead);
	describe(sampler, "exe", "[samples]");
}

static int64_t begin_thread(struct sampler *sampler, uint64_t now)
{
	return watched_stream_thread(sampler->stream, (uint32_t)syscall(SYS_gettid), now,
				     "sampler");
}

struct sampler *sampler_new(const struct watch_place *place, const struct sampler_options *options)
{
	struct sampler *sampler = calloc(1, sizeof(*sampler));
	struct watched_facts facts = {.source = "sampler",
				      .pid = (uint32_t)getpid(),
				      .ppid = (uint32_t)getppid(),
				      .pid_start = watch_now() / (SECOND / 100),
				      .start = watch_now(),
				      .job = {.rank = {.rank = -1, .size = -1}}};
	char missing[1024] = "";
	int64_t thread;

	if (!sampler)
		return NULL;
	sampler->place = place;
	sampler->stream = watched_stream_new(place, &facts);
	thread = sampler->stream ? begin_thread(sampler, facts.start) : -ENOMEM;
	if (thread < 0) {
		if (sampler->stream)
			watched_stream_end(sampler->stream, NULL, 0, 0);
		free(sampler);
		return NULL;
	}
	sampler->thread = (uint32_t)thread;
	sampler->forks_count = !options->proc;
	sampled_machine_open(&sampler->machine, options->proc ? options->proc : "/proc", missing,
			     sizeof(missing));
	describe_all(sampler, options, missing);
	sampler->gpus = sampled_gpus_new(sampler->stream);
	return sampler;
}

int sampler_follow(struct sampler *sampler, uint32_t root)
{
	sampled_processes_free(sampler->processes);
	sampler->processes = sampled_processes_new(root, NULL);
	return sampler->processes ? 0 : -ENOMEM;
}

int sampler_follow_cgroup(struct sampler *sampler, const char *path)
{
	sampled_processes_free(sampler->processes);
	sampler->processes = sampled_processes_new(0, path);
	sampler->forks_count = false;
	return sampler->processes ? 0 : -ENOMEM;
}

static int take_clock(struct sampler *sampler)
{
	struct clock_reading reading = clock_reading_now();
	struct sample sample;

	sample_begin(&sample, SAMPLE_CLOCK, reading.monotonic);
	sample_number(&sample, reading.monotonic);
	sample_number(&sample, reading.boot);
	sample_number(&sample, reading.realtime);
	sample_number(&sample, reading.tsc);
	sample_number(&sample, reading.bound);
	return sample_end(&sample, sampler->stream, sampler->thread);
}

static uint64_t thread_cpu(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* Whether it is time for what is done more seldom than samples are taken. */
static bool is_due(uint64_t *next, uint64_t now, uint64_t period)
{
	if (now < *next)
		return false;
	*next = now + period;
	return true;
}

/* New processes are looked for where any has been made on the machine. */
static bool is_to_look(struct sampler *sampler, uint64_t now)
{
	uint64_t forks = sampler->machine.forks;

	if (sampler->forks_count && forks > 0 && forks == sampler->forks)
		return false;
	if (!is_due(&sampler->next_look, now, LOOK_EVERY))
		return false;
	sampler->forks = forks;
	return true;
}

int sampler_take(struct sampler *sampler)
{
	uint64_t now = watch_now(), cpu = thread_cpu();
	int error = 0;

	if (is_due(&sampler->next_clock, now, SECOND))
		error = take_clock(sampler);
	if (!error)
		error = sampled_machine_take(&sampler->machine, sampler->stream, sampler->thread);
	if (!error && sampler->processes)
		error = sampled_processes_take(sampler->processes, is_to_look(sampler, now),
					       sampler->stream, sampler->thread);
	if (!error && sampler->gpus)
		error = sampled_gpus_take(sampler->gpus, sampler->stream, sampler->thread);
	clock_log_go_on(&sampler->place->work->clocks, now);
	watched_stream_flush(sampler->stream, now > FLUSH_AFTER ? now - FLUSH_AFTER : 0);
	sampler->costs.samples++;
	sampler->costs.cpu += thread_cpu() - cpu;
	return error;
}

struct sampler_costs sampler_costs(const struct sampler *sampler)
{
	return sampler->costs;
}

void sampler_free(struct sampler *sampler)
{
	char number[32];

	take_clock(sampler);
	snprintf(number, sizeof(number), "%llu", (unsigned long long)sampler->costs.cpu);
	describe(sampler, "sampler.cpu", number);
	snprintf(number, sizeof(number), "%llu", (unsigned long long)sampler->costs.samples);
	describe(sampler, "sampler.samples", number);
	watched_stream_end(sampler->stream, "exit", 0, 0);
	sampled_machine_close(&sampler->machine);
	sampled_processes_free(sampler->processes);
	sampled_gpus_free(sampler->gpus);
	free(sampler);
}
