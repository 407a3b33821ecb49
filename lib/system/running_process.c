/* SPDX-License-Identifier: MIT */
/* running_process.c - see running_process.h */
#include "system/running_process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/job.h"

#define ARGUMENTS_MAX 4096
#define ENVIRONMENT_MAX (128u << 10)

/* Not so in a space of process numbers of its own that has the /proc of another one. */
static bool proc_is_ours(void)
{
	char number[32] = "";

	return readlink("/proc/self", number, sizeof(number) - 1) > 0 &&
	       strtol(number, NULL, 10) == getpid();
}

/* Bytes of the file, 0 if it cannot be read. */
static size_t read_proc(uint32_t pid, const char *file, char *text, size_t room)
{
	char path[64];
	size_t size;
	FILE *from;

	if (pid == 0 || !proc_is_ours())
		return 0;
	snprintf(path, sizeof(path), "/proc/%u/%s", pid, file);
	from = fopen(path, "re");
	if (!from)
		return 0;
	size = fread(text, 1, room, from);
	fclose(from);
	return size;
}

void running_name(uint32_t pid, char *name, size_t room)
{
	size_t size = read_proc(pid, "comm", name, room - 1);

	name[size] = '\0';
	name[strcspn(name, "\n")] = '\0';
}

void running_describe_arguments(struct watched_stream *stream, uint32_t pid)
{
	char text[ARGUMENTS_MAX];
	size_t size = read_proc(pid, "cmdline", text, sizeof(text));

	if (size > 0)
		watched_stream_arguments(stream, text, size);
}

void running_describe_program(struct watched_stream *stream, uint32_t pid)
{
	char path[64], exe[PATH_MAX];
	ssize_t size;

	if (pid == 0 || !proc_is_ours())
		return;
	snprintf(path, sizeof(path), "/proc/%u/exe", pid);
	size = readlink(path, exe, sizeof(exe));
	if (size > 0)
		watched_stream_describe(stream, "exe", exe, (size_t)size);
}

bool running_job(uint32_t pid, struct watched_job *job)
{
	static char variables[ENVIRONMENT_MAX];
	size_t size = read_proc(pid, "environ", variables, sizeof(variables));

	return size > 0 && running_job_by(variables, size, job);
}

bool running_job_by(const char *variables, size_t size, struct watched_job *job)
{
	job_look_in(variables, size);
	job->rank = job_rank();
	job_world_name(job->world, sizeof(job->world));
	job_look_in(NULL, 0);
	return job->rank.source;
}
