/* SPDX-License-Identifier: MIT */
/* watch_place.c - see watch_place.h */
#include "system/watch_place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "format/deflater.h"

#define NS 1000000000ll

static void read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");

	if (!file || !fgets(line, (int)size, file))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (file)
		fclose(file);
}

int watch_place_init(struct watch_place *place, int dir_fd, const char *run_id)
{
	struct watch_work *work = calloc(1, sizeof(*work));
	struct utsname names;

	if (!work)
		return -ENOMEM;
	*place = (struct watch_place){.dir_fd = dir_fd, .run_id = run_id, .unit = 10, .work = work};
	work->deflater_memory = aligned_alloc(16, (deflater_size() + 15) & ~(size_t)15);
	work->deflater = deflater_init(work->deflater_memory);
	if (!work->deflater) {
		watch_place_release(place);
		return -ENOMEM;
	}
	if (!uname(&names))
		snprintf(place->host, sizeof(place->host), "%s", names.nodename);
	read_line("/proc/sys/kernel/random/boot_id", place->boot_id, sizeof(place->boot_id));
	clock_log_begin(&work->clocks);
	return 0;
}

void watch_place_release(struct watch_place *place)
{
	struct watch_work *work = place->work;

	if (!work)
		return;
	pile_release(&work->words);
	pile_release(&work->bits);
	pile_release(&work->body);
	pile_release(&work->encoder);
	clock_log_release(&work->clocks);
	free(work->deflater_memory);
	free(work);
	place->work = NULL;
}

uint64_t watch_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * (uint64_t)NS + (uint64_t)now.tv_nsec;
}

struct anchor watch_anchor_now(void)
{
	struct timespec mono, real;
	struct anchor anchor;

	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_REALTIME, &real);
	anchor.mono = (int64_t)mono.tv_sec * NS + mono.tv_nsec;
	anchor.real = (int64_t)real.tv_sec * NS + real.tv_nsec;
	anchor.ticks = (uint64_t)anchor.mono;
	return anchor;
}

struct anchor watch_anchor_at(uint64_t mono)
{
	struct anchor anchor = watch_anchor_now();

	anchor.real -= anchor.mono - (int64_t)mono;
	anchor.mono = (int64_t)mono;
	anchor.ticks = mono;
	return anchor;
}
