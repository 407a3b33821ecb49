/* SPDX-License-Identifier: MIT */
/* liveprocess.c - see liveprocess.h */
#include "liveprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/bytes.h"
#include "process.h"

/* The trace directory that the arena at `path` names, if it is that of `pid`; on the heap. */
static char *arena_trace(const char *path, uint32_t pid)
{
	uint8_t bytes[LIVE_HEADER_SIZE];
	struct arena_header header;
	struct text dir;
	struct bytes rest;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t size;

	if (fd < 0)
		return NULL;
	size = read(fd, bytes, sizeof(bytes));
	close(fd);
	memcpy(&header, bytes, sizeof(header));
	if (size != sizeof(bytes) || memcmp(header.magic, ARENA_MAGIC, sizeof(header.magic)) != 0 ||
	    header.pid != pid)
		return NULL;
	rest = bytes_of(bytes + ARENA_TRACE_DIR, ARENA_TRACE_DIR_MAX + 2);
	dir = bytes_str(&rest);
	return rest.bad ? NULL : strndup(dir.bytes, dir.length);
}

/* The file name of a line of /proc/PID/maps if it is that of an arena, else NULL. */
static char *arena_path(char *line)
{
	char *path = strchr(line, '/');
	size_t length;

	line[strcspn(line, "\n")] = '\0';
	length = path ? strlen(path) : 0;
	return length > 5 && !strcmp(path + length - 5, ".defs") ? path : NULL;
}

static int add_process(struct live_processes *processes, uint32_t pid, char *trace, char *arena)
{
	struct live_process *larger =
		realloc(processes->list, (processes->count + 1) * sizeof(*larger));

	if (!larger || !arena) {
		processes->list = larger ? larger : processes->list;
		free(trace);
		free(arena);
		return -ENOMEM;
	}
	processes->list = larger;
	larger[processes->count++] = (struct live_process){pid, trace, arena};
	return 0;
}

static int look_at(void *data, uint32_t pid)
{
	char name[64], *line = NULL, *path = NULL, *trace = NULL, *arena;
	size_t room = 0;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%u/maps", pid);
	maps = fopen(name, "re");
	while (maps && !trace && getline(&line, &room, maps) > 0) {
		path = arena_path(line);
		if (path)
			trace = arena_trace(path, pid);
	}
	arena = trace ? strdup(path) : NULL;
	free(line);
	if (maps)
		fclose(maps);
	return trace ? add_process(data, pid, trace, arena) : 0;
}

int live_processes_below(uint32_t root, struct live_processes *processes)
{
	int error;

	memset(processes, 0, sizeof(*processes));
	error = process_each_below(root, look_at, processes);
	if (error)
		live_processes_release(processes);
	return error;
}

void live_processes_release(struct live_processes *processes)
{
	for (unsigned i = 0; i < processes->count; i++) {
		free(processes->list[i].trace);
		free(processes->list[i].arena);
	}
	free(processes->list);
	memset(processes, 0, sizeof(*processes));
}
