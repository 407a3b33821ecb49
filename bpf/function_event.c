/* SPDX-License-Identifier: MIT */
/* function_event.c - see function_event.h */
#include "bpf/function_event.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GROUP "recorder_" /* and the pid of who has defined it */
#define LINE_MAX_SIZE (PATH_MAX + 128)

/* As linux/mount.h has them, which not all systems have yet. */
#define MOUNT_NEW_CLOEXEC 1
#define MOUNT_CREATE 6

/* tracefs, wherever it is mounted or not: it is not made to be seen by anybody. A descriptor or a negative errno. */
static int open_tracefs(void)
{
	int kind = (int)syscall(SYS_fsopen, "tracefs", MOUNT_NEW_CLOEXEC), folder = -1, error;

	if (kind < 0)
		return -errno;
	if (!syscall(SYS_fsconfig, kind, MOUNT_CREATE, NULL, NULL, 0))
		folder = (int)syscall(SYS_fsmount, kind, MOUNT_NEW_CLOEXEC, 0);
	error = errno;
	close(kind);
	return folder < 0 ? -error : folder;
}

static int open_events(int folder, int flags)
{
	int fd = openat(folder, "uprobe_events", flags | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* One command each. */
static int say(int events, const char *line)
{
	return write(events, line, strlen(line)) < 0 ? -errno : 0;
}

/* Lines of recorders that were killed. */
static void remove_left(int folder, int events)
{
	int fd = open_events(folder, O_RDONLY);
	FILE *list = fd < 0 ? NULL : fdopen(fd, "r");
	char line[LINE_MAX_SIZE], command[64];
	long before = 0, pid;

	if (!list && fd >= 0)
		close(fd);
	while (list && fgets(line, sizeof(line), list)) {
		if (sscanf(line, "p:" GROUP "%ld/", &pid) != 1 || pid <= 0 || pid == before ||
		    !kill((pid_t)pid, 0) || errno != ESRCH)
			continue;
		before = pid;
		snprintf(command, sizeof(command), "-:" GROUP "%ld/functions\n", pid);
		say(events, command);
	}
	if (list)
		fclose(list);
}

/* Blanks end a path, and a colon what comes before the offset: such a file is named by a descriptor of ours. */
static bool is_plain(const char *path)
{
	return !strpbrk(path, " \t\n:");
}

static int define_place(int events, const char *path, uint64_t offset)
{
	char line[LINE_MAX_SIZE];

	snprintf(line, sizeof(line), "p:" GROUP "%ld/functions %s:0x%llx\n", (long)getpid(), path,
		 (unsigned long long)offset);
	return say(events, line);
}

static int define_one(int events, const struct function_event_probe *probe)
{
	char path[64];
	int fd, error;

	if (is_plain(probe->path))
		return define_place(events, probe->path, probe->offset);
	fd = open(probe->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	error = define_place(events, path, probe->offset);
	close(fd);
	return error;
}

static int64_t number_of(int folder)
{
	char path[96], text[32] = "";
	int64_t number = 0;
	int fd;

	snprintf(path, sizeof(path), "events/" GROUP "%ld/functions/id", (long)getpid());
	fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (read(fd, text, sizeof(text) - 1) > 0)
		number = strtoll(text, NULL, 10);
	close(fd);
	return number > 0 ? number : -EIO;
}

static int define_all(int events, next_probe *next, void *data)
{
	struct function_event_probe probe;
	int error = 0;

	while (!error && next(data, &probe))
		error = define_one(events, &probe);
	return error;
}

int64_t function_event_define(next_probe *next, void *data)
{
	int folder = open_tracefs(), events;
	int64_t number;

	if (folder < 0)
		return folder;
	events = open_events(folder, O_WRONLY | O_APPEND);
	number = events;
	if (events >= 0) {
		remove_left(folder, events);
		number = define_all(events, next, data);
		close(events);
	}
	if (!number)
		number = number_of(folder);
	close(folder);
	if (number < 0)
		function_event_remove();
	return number;
}

int function_event_open(int64_t event, int task, bool inherited)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attributes),
		.config = (uint64_t)event,
		.sample_period = 1,
		.inherit = inherited,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attributes, task, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

void function_event_remove(void)
{
	int folder = open_tracefs(),
	    events = folder < 0 ? -1 : open_events(folder, O_WRONLY | O_APPEND);
	char line[64];

	snprintf(line, sizeof(line), "-:" GROUP "%ld/functions\n", (long)getpid());
	if (events >= 0) {
		say(events, line);
		close(events);
	}
	if (folder >= 0)
		close(folder);
}
