/* SPDX-License-Identifier: MIT */
/* cmd_ctl.c - recorder ctl: pauses, resumes and flushes running processes */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands.h"
#include "format/wire.h"
#include "liveprocess.h"
#include "message.h"
#include "options.h"

static const struct option_group groups[] = {{"general", option_rows_general}, {NULL, NULL}};

static const struct command command = {
	.name = "recorder ctl",
	.synopsis = "[options] PID pause|resume|flush|status",
	.summary =
		"Tells a running process and all below it on this machine to pause recording, to "
		"resume it, or\n"
		"to write out what they have. They do so with their next recorded call, or a tenth "
		"of a second\n"
		"later. PID may be that of mpirun; on other nodes give that of their daemon.",
	.groups = groups,
	.examples = "  RECORDER_PAUSED=1 recorder run -- mpirun -np 4 ./app &\n"
		    "  recorder ctl $! resume\n"
		    "  recorder ctl $(pidof app) pause\n",
};

static void pause_recording(_Atomic uint32_t *word)
{
	atomic_fetch_or(word, CONTROL_PAUSED);
}

static void resume_recording(_Atomic uint32_t *word)
{
	atomic_fetch_and(word, ~CONTROL_PAUSED);
}

static void flush_rings(_Atomic uint32_t *word)
{
	atomic_fetch_add(word, CONTROL_FLUSH);
}

static const struct request {
	const char *name, *done;
	void (*make)(_Atomic uint32_t *word); /* NULL: only look */
} requests[] = {
	{"pause", "told to pause", pause_recording},
	{"resume", "told to resume", resume_recording},
	{"flush", "told to flush", flush_rings},
	{"status", NULL, NULL},
	{NULL, NULL, NULL},
};

static const struct request *request_of(const char *name)
{
	for (const struct request *request = requests; request->name; request++)
		if (!strcmp(request->name, name))
			return request;
	options_usage_error(&command, "'%s' is not pause, resume, flush or status", name);
}

/* The header of a process's live definitions, shared with it; NULL, and errno is set. */
static struct arena_header *map_header(const struct live_process *process)
{
	int fd = open(process->arena, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct arena_header *header;

	if (fd < 0)
		return NULL;
	header = mmap(NULL, LIVE_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return header == MAP_FAILED ? NULL : header;
}

static bool control(const struct request *request, const struct live_process *process)
{
	struct arena_header *header = map_header(process);

	if (!header) {
		message_error("cannot reach process %u: %s", process->pid, strerror(errno));
		return false;
	}
	if (request->make)
		request->make((_Atomic uint32_t *)&header->control);
	else
		printf("%u %s %s\n", process->pid,
		       header->control & CONTROL_PAUSED ? "paused" : "recording", process->trace);
	munmap(header, LIVE_HEADER_SIZE);
	return true;
}

int cmd_ctl(int argc, char **argv)
{
	int at = options_parse(&command, argc, argv);
	const struct request *request;
	struct live_processes processes;
	unsigned reached = 0, count;
	char *end;
	unsigned long pid;

	if (argc - at != 2)
		options_usage_error(&command, "which process, and what is it to do?");
	pid = strtoul(argv[at], &end, 10);
	if (*end || end == argv[at] || pid == 0 || pid > INT32_MAX)
		options_usage_error(&command, "'%s' is not a process number", argv[at]);
	request = request_of(argv[at + 1]);
	if (live_processes_below((uint32_t)pid, &processes))
		die("there is no process %lu", pid);
	count = processes.count;
	for (unsigned i = 0; i < count; i++)
		reached += control(request, &processes.list[i]);
	live_processes_release(&processes);
	if (count == 0)
		die("neither process %lu nor one below it is recorded with live files", pid);
	if (request->done && !options.quiet)
		printf("%u process%s %s\n", reached, reached == 1 ? "" : "es", request->done);
	return reached < count || fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
}
