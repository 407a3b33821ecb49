/* SPDX-License-Identifier: MIT */
/* runs.c - see runs.h */
#include "runs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment.h"
#include "format/global.h"
#include "format/job.h"
#include "instant.h"
#include "process.h"
#include "program.h"

void run_id_make(char *id, size_t size)
{
	char host[128] = "";

	gethostname(host, sizeof(host) - 1);
	snprintf(id, size, "%s-%ld-%llx", host, (long)getpid(),
		 (unsigned long long)instant_of(CLOCK_REALTIME));
}

bool run_id_of_ranks(char *id, size_t size)
{
	uint32_t launcher = (uint32_t)getppid();
	char host[128] = "";

	job_run_name(id, size);
	if (*id)
		return true;
	gethostname(host, sizeof(host) - 1);
	snprintf(id, size, "%s-%u-%llu", host, launcher,
		 (unsigned long long)process_start(launcher));
	return false;
}

/* What a launcher is to start: its first argument that is a program. */
static const char *job_program(char *const command[])
{
	char path[PATH_MAX];

	if (!program_is_launcher(command[0]))
		return command[0];
	for (char *const *word = command + 1; *word; word++)
		if (**word != '-' && !program_find(*word, path, sizeof(path)))
			return *word;
	return command[0];
}

static const char *job_name(void)
{
	static char own[32];

	if (*job_scheduler_id())
		return job_scheduler_id();
	snprintf(own, sizeof(own), "%ld", (long)getpid());
	return own;
}

char *run_default_directory(char *const command[])
{
	char name[512];

	snprintf(name, sizeof(name), "recorder-%s-%s", program_base(job_program(command)),
		 job_name());
	/* a job's name may hold anything, and '%' means something to the runtime */
	for (char *p = name; *p; p++)
		if (*p == '/' || *p == '%')
			*p = '_';
	return environment_directory(name);
}

bool run_directory_is(const char *dir, const char *id)
{
	uint8_t bytes[GLOBAL_MAX];
	char path[PATH_MAX + 16];
	struct global_head head;
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "%s/recorder.gm", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	size = read(fd, bytes, sizeof(bytes));
	close(fd);
	return size > 0 && global_read(bytes, (size_t)size, &head) && global_is_of_run(&head, id);
}

static bool find_numbered(const char *base, const char *id, char path[PATH_MAX])
{
	for (unsigned i = 1; i < GLOBAL_RUNS_MAX; i++) {
		int length = i == 1 ? snprintf(path, PATH_MAX, "%s", base)
				    : snprintf(path, PATH_MAX, "%s.%u", base, i);

		if (length >= PATH_MAX || access(path, F_OK))
			return false;
		if (run_directory_is(path, id))
			return true;
	}
	return false;
}

static bool find_below(const char *parent, const char *id, char path[PATH_MAX])
{
	DIR *dir = opendir(parent);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' &&
		    snprintf(path, PATH_MAX, "%s/%s", parent, entry->d_name) < PATH_MAX)
			found = run_directory_is(path, id);
	if (dir)
		closedir(dir);
	return found;
}

bool run_find_directory(const char *asked, const char *id, char path[PATH_MAX])
{
	char parent[PATH_MAX];
	size_t length;

	if (!*id)
		return false;
	if (!asked)
		return getcwd(parent, sizeof(parent)) && find_below(parent, id, path);
	length = strcspn(asked, "%");
	if (!asked[length])
		return find_numbered(asked, id, path);
	/* the folder that holds whatever the pattern becomes */
	while (length > 1 && asked[length - 1] != '/')
		length--;
	snprintf(parent, sizeof(parent), "%.*s", (int)length, asked);
	return find_below(parent, id, path);
}
