/* SPDX-License-Identifier: MIT */
/* agreement.c - see agreement.h */
#include "record/agreement.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "record/bulk.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/errand.h"
#include "record/folder.h"
#include "record/quiet_write.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/tracedir.h"

#define SETTLE 500000000 /* ns that rank 0 waits for the others */
#define LIMIT 2000000000 /* ns that the others wait for it */
#define PAUSE_MIN 500000 /* ns between two looks, at first */
#define PAUSE_MAX 20000000

struct agreement {
	const char *name;
	int32_t rank, weight, whole;
	int32_t *ranks;
	int count; /* of them */
	int64_t weights;
};

static char path_buffer[PATH_MAX + 64] BULK; /* the caller's stack may be small */
static char private_buffer[PATH_MAX + 64] BULK;

static struct textbuf path_of(char *buffer, const struct agreement *agreement, const char *file)
{
	struct textbuf path = text_in(buffer, PATH_MAX + 64);

	text_add(&path, tracedir_path);
	text_add(&path, "/.");
	text_add(&path, agreement->name);
	text_add(&path, file);
	return path;
}

/* "/RANK.WEIGHT", or "/RANK.list" of a list that is not the one yet. */
static const char *own_path(char *buffer, const struct agreement *agreement, bool list)
{
	struct textbuf path = path_of(buffer, agreement, "/");

	text_add_u64(&path, (uint64_t)agreement->rank);
	text_add(&path, ".");
	if (list)
		text_add(&path, "list");
	else
		text_add_u64(&path, (uint64_t)agreement->weight);
	return path.cut ? "" : buffer;
}

static const char *list_path(const struct agreement *agreement)
{
	return path_of(path_buffer, agreement, "/list").cut ? "" : path_buffer;
}

/* Sleeps, longer each time. */
static void pause_longer(int64_t *ns)
{
	struct timespec time = {0, *ns};

	sys_nanosleep(&time);
	*ns = *ns < PAUSE_MAX / 2 ? *ns * 2 : PAUSE_MAX;
}

/* ---- who is there ---- */

static int enter(const struct agreement *agreement)
{
	int fd;

	if (path_of(path_buffer, agreement, "").cut)
		return -ENAMETOOLONG;
	sys_mkdir(path_buffer, config.traces_mode | 0100);
	fd = sys_create(own_path(path_buffer, agreement, false), O_WRONLY, config.traces_mode);
	if (fd < 0)
		return fd;
	return sys_close(fd);
}

static bool count_entry(int folder, const char *name, void *data)
{
	struct agreement *agreement = data;
	uint64_t rank, weight;

	(void)folder;
	if (!text_read_u64(&name, &rank) || *name++ != '.' || !text_read_u64(&name, &weight) ||
	    *name || rank >= (uint64_t)agreement->whole)
		return true;
	if (agreement->count < AGREEMENT_MAX)
		agreement->ranks[agreement->count] = (int32_t)rank;
	agreement->count++;
	agreement->weights += (int64_t)weight;
	return true;
}

static void each_entry(struct agreement *agreement, folder_visit *visit)
{
	if (!path_of(path_buffer, agreement, "").cut)
		folder_each(AT_FDCWD, path_buffer, visit, agreement);
}

static void sort(int32_t *ranks, int count)
{
	for (int i = 1; i < count; i++) {
		int32_t rank = ranks[i];
		int at = i;

		for (; at > 0 && ranks[at - 1] > rank; at--)
			ranks[at] = ranks[at - 1];
		ranks[at] = rank;
	}
}

static void wait_for_all(struct agreement *agreement)
{
	int64_t begin = clock_mono(), pause = PAUSE_MIN;

	for (;;) {
		agreement->count = 0;
		agreement->weights = 0;
		each_entry(agreement, count_entry);
		if (agreement->weights >= agreement->whole || clock_mono() - begin > SETTLE)
			break;
		pause_longer(&pause);
	}
	if (agreement->count > AGREEMENT_MAX)
		agreement->count = 0;
	sort(agreement->ranks, agreement->count);
}

/* ---- the list ---- */

/* Makes it the list, unless there is one already. */
static void write_list(const struct agreement *agreement, int count)
{
	const char *private = own_path(private_buffer, agreement, true);
	long size = count * (long)sizeof(*agreement->ranks);
	int fd = sys_create(private, O_WRONLY, config.traces_mode);

	if (fd < 0)
		return;
	if (size == 0 || quiet_write(fd, agreement->ranks, (size_t)size) == size)
		sys_link(private, list_path(agreement));
	sys_close(fd);
	sys_unlink(private);
}

/* False: there is none yet. */
static bool read_list(struct agreement *agreement)
{
	int fd = sys_open(list_path(agreement), O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
	long size;

	if (fd < 0)
		return false;
	size = sys_read(fd, agreement->ranks, AGREEMENT_MAX * sizeof(*agreement->ranks));
	agreement->count = size > 0 ? (int)(size / (long)sizeof(*agreement->ranks)) : 0;
	sys_close(fd);
	return true;
}

static bool wait_for_list(struct agreement *agreement)
{
	int64_t begin = clock_mono(), pause = PAUSE_MIN;

	while (!read_list(agreement)) {
		if (clock_mono() - begin > LIMIT)
			return false;
		pause_longer(&pause);
	}
	return true;
}

static bool is_in_list(const struct agreement *agreement)
{
	for (int i = 0; i < agreement->count; i++)
		if (agreement->ranks[i] == agreement->rank)
			return true;
	return false;
}

static int reach(void *data)
{
	struct agreement *agreement = data;
	int error = enter(agreement);

	if (error)
		return error;
	if (agreement->rank == 0) {
		wait_for_all(agreement);
		write_list(agreement, agreement->count);
	} else if (!wait_for_list(agreement)) {
		write_list(agreement, 0);
	}
	if (!read_list(agreement) || !is_in_list(agreement))
		return -ENOENT;
	return 0;
}

int agreement_reach(const char *name, int32_t rank, int32_t weight, int32_t whole,
		    int32_t ranks[AGREEMENT_MAX])
{
	struct agreement agreement = {name, rank, weight, whole, ranks, 0, 0};

	if (!*tracedir_path || errand_run(reach, &agreement))
		return 0;
	return agreement.count;
}

static bool remove_entry(int folder, const char *name, void *agreement)
{
	struct textbuf path = path_of(private_buffer, agreement, "/");

	(void)folder;
	text_add(&path, name);
	if (name[0] != '.')
		sys_unlink(private_buffer);
	return true;
}

static int forget(void *data)
{
	each_entry(data, remove_entry);
	if (!path_of(path_buffer, data, "").cut)
		sys_rmdir(path_buffer);
	return 0;
}

void agreement_forget(const char *name)
{
	struct agreement agreement = {.name = name};

	if (*tracedir_path)
		errand_run(forget, &agreement);
}
