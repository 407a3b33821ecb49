/* SPDX-License-Identifier: MIT */
/* sampling.c - see sampling.h */
#include "sampling.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "format/job.h"
#include "quietthread.h"
#include "rundir.h"
#include "system/sampler.h"
#include "system/watch_place.h"

#define SECOND 1000000000ull
#define RATE_MAX 100u

struct sampling {
	struct watch_place place;
	struct sampler *sampler;
	pthread_t thread;
	bool runs;
	pthread_mutex_t lock; /* of `over` */
	pthread_cond_t told;
	bool over;
	char path[PATH_MAX], run_id[512];
};

/* Options -------------------------------------------------------------------------- */

static unsigned rate; /* 0: not asked for */

int sampling_parse_rate(const char *value)
{
	char *end;
	unsigned long number = SAMPLING_RATE;

	if (value && *value) {
		number = strtoul(value, &end, 10);
		if (!isdigit((unsigned char)*value) || *end || number < 1 || number > RATE_MAX)
			return -EINVAL;
	}
	rate = (unsigned)number;
	return 0;
}

/* Of the ranks of a node that know their place the first one, else the first one of all. */
static bool is_of_its_node_the_first(void)
{
	struct job_node node = job_node();

	return node.rank >= 0 ? node.rank == 0 : job_rank().rank == 0;
}

bool sampling_asked(void)
{
	return rate > 0 && is_of_its_node_the_first();
}

/* Opening -------------------------------------------------------------------------- */

static int place_it(struct sampling *sampling, const char *asked, const char *command)
{
	int fd = rundir_open(asked, sampling->run_id, command, sampling->path), error;

	if (fd < 0)
		return fd;
	error = watch_place_init(&sampling->place, fd, sampling->run_id);
	if (error)
		close(fd);
	return error;
}

static void release(struct sampling *sampling)
{
	if (sampling->place.work)
		close(sampling->place.dir_fd);
	watch_place_release(&sampling->place);
	free(sampling);
}

struct sampling *sampling_open(const char *asked, const char *run_id, const char *command,
			       const char *instead, char *why, size_t room)
{
	struct sampler_options wanted = {.rate = rate ? rate : SAMPLING_RATE,
					 .proc = getenv("HOST_PROC"),
					 .instead = instead};
	struct sampling *sampling = calloc(1, sizeof(*sampling));
	int error = sampling ? 0 : -ENOMEM;

	if (!error) {
		rate = wanted.rate;
		snprintf(sampling->run_id, sizeof(sampling->run_id), "%s", run_id);
		error = place_it(sampling, asked, command);
	}
	if (!error) {
		sampling->sampler = sampler_new(&sampling->place, &wanted);
		error = sampling->sampler ? 0 : -ENOMEM;
	}
	if (!error)
		return sampling;
	snprintf(why, room, "%s: %s", asked, strerror(-error));
	if (sampling)
		release(sampling);
	return NULL;
}

const char *sampling_path(const struct sampling *sampling)
{
	return sampling->path;
}

/* Meanwhile ------------------------------------------------------------------------ */

static void add_ns(struct timespec *time, uint64_t ns)
{
	ns += (uint64_t)time->tv_nsec;
	time->tv_sec += (time_t)(ns / SECOND);
	time->tv_nsec = (long)(ns % SECOND);
}

static bool is_past(const struct timespec *time)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > time->tv_sec ||
	       (now.tv_sec == time->tv_sec && now.tv_nsec >= time->tv_nsec);
}

/* Until the time; false: the job is over. */
static bool wait_until(struct sampling *sampling, const struct timespec *time)
{
	bool goes_on;

	pthread_mutex_lock(&sampling->lock);
	while (!sampling->over &&
	       pthread_cond_timedwait(&sampling->told, &sampling->lock, time) != ETIMEDOUT)
		;
	goes_on = !sampling->over;
	pthread_mutex_unlock(&sampling->lock);
	return goes_on;
}

/* At even times, of which those are left out that have passed meanwhile; a last time when the job has ended. */
static void *take_samples(void *data)
{
	struct sampling *sampling = data;
	struct timespec next;
	bool goes_on = true;

	clock_gettime(CLOCK_MONOTONIC, &next);
	do {
		do
			add_ns(&next, SECOND / rate);
		while (is_past(&next));
		goes_on = wait_until(sampling, &next);
	} while (!sampler_take(sampling->sampler) && goes_on);
	return NULL;
}

static int begin(struct sampling *sampling)
{
	pthread_condattr_t attributes;
	int error;

	pthread_mutex_init(&sampling->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&sampling->told, &attributes);
	pthread_condattr_destroy(&attributes);
	error = quietthread_start(&sampling->thread, take_samples, sampling);
	sampling->runs = !error;
	return error;
}

static int take_first(struct sampling *sampling)
{
	int error = sampler_take(sampling->sampler);

	return error ? error : begin(sampling);
}

int sampling_follow(struct sampling *sampling, pid_t pid)
{
	pid_t root = job_rank().source ? getppid() : pid;
	int error = sampler_follow(sampling->sampler, (uint32_t)root);

	return error ? error : take_first(sampling);
}

int sampling_follow_cgroup(struct sampling *sampling, const char *path)
{
	int error = sampler_follow_cgroup(sampling->sampler, path);

	return error ? error : take_first(sampling);
}

unsigned long sampling_close(struct sampling *sampling)
{
	unsigned long samples;

	if (sampling->runs) {
		pthread_mutex_lock(&sampling->lock);
		sampling->over = true;
		pthread_cond_signal(&sampling->told);
		pthread_mutex_unlock(&sampling->lock);
		pthread_join(sampling->thread, NULL);
		pthread_cond_destroy(&sampling->told);
		pthread_mutex_destroy(&sampling->lock);
	}
	samples = (unsigned long)sampler_costs(sampling->sampler).samples;
	sampler_free(sampling->sampler);
	release(sampling);
	return samples;
}
