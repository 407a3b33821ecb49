/* SPDX-License-Identifier: MIT */
/* sampled_processes.c - see sampled_processes.h */
#include "system/sampled_processes.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/cgroup_members.h"
#include "system/sample_forms.h"

#define OPEN_MAX_PROCESSES 400u /* whose files are kept open: descriptors are few */

struct member {
	uint32_t pid;
	int stat, io; /* descriptors; -1: opened each time, or not readable */
	bool kept;    /* open */
	bool ended;
};

struct pids {
	uint32_t *list;
	uint32_t count, room;
};

struct sampled_processes {
	const char *cgroup; /* NULL: none */
	struct member *members;
	uint32_t count, room, kept;
	struct pids strangers, seen; /* sorted as /proc has them: by number */
	struct pile text;
	uint64_t page;
};

static bool pids_add(struct pids *pids, uint32_t pid)
{
	if (pids->count == pids->room) {
		uint32_t room = pids->room ? 2 * pids->room : 256;
		uint32_t *list = realloc(pids->list, room * sizeof(*list));

		if (!list)
			return false;
		pids->list = list;
		pids->room = room;
	}
	pids->list[pids->count++] = pid;
	return true;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static bool pids_have(const struct pids *pids, uint32_t pid)
{
	return pids->count > 0 &&
	       bsearch(&pid, pids->list, pids->count, sizeof(pid), by_number) != NULL;
}

/* Files ---------------------------------------------------------------------------- */

static int open_of(uint32_t pid, const char *name)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/%u/%s", pid, name);
	return proc_open(path);
}

static const char *read_of(struct sampled_processes *processes, uint32_t pid, const char *name,
			   int fd)
{
	const char *text;
	int opened = fd >= 0 ? -1 : open_of(pid, name);

	if (fd < 0 && opened < 0)
		return NULL;
	text = proc_read(fd >= 0 ? fd : opened, &processes->text);
	if (opened >= 0)
		close(opened);
	return text && *text ? text : NULL;
}

static uint32_t parent_of(struct sampled_processes *processes, uint32_t pid)
{
	const char *text = read_of(processes, pid, "stat", -1);

	text = text ? strrchr(text, ')') : NULL;
	if (!text)
		return 0;
	text++;
	proc_skip(&text, 1);
	return (uint32_t)proc_number(&text);
}

/* Members -------------------------------------------------------------------------- */

static struct member *member_of(const struct sampled_processes *processes, uint32_t pid)
{
	for (uint32_t i = 0; i < processes->count; i++)
		if (processes->members[i].pid == pid)
			return &processes->members[i];
	return NULL;
}

static int add_member(struct sampled_processes *processes, uint32_t pid)
{
	struct member member = {.pid = pid, .stat = -1, .io = -1};

	if (processes->count == processes->room) {
		uint32_t room = processes->room ? 2 * processes->room : 32;
		struct member *members = realloc(processes->members, room * sizeof(*members));

		if (!members)
			return -ENOMEM;
		processes->members = members;
		processes->room = room;
	}
	if (processes->kept < OPEN_MAX_PROCESSES) {
		member.stat = open_of(pid, "stat");
		member.io = open_of(pid, "io");
		member.kept = true;
		processes->kept++;
	}
	processes->members[processes->count++] = member;
	return 0;
}

static void close_member(struct sampled_processes *processes, struct member *member)
{
	if (member->stat >= 0)
		close(member->stat);
	if (member->io >= 0)
		close(member->io);
	processes->kept -= member->kept;
}

static void drop_ended(struct sampled_processes *processes)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < processes->count; i++) {
		if (processes->members[i].ended)
			close_member(processes, &processes->members[i]);
		else
			processes->members[kept++] = processes->members[i];
	}
	processes->count = kept;
}

/* Looking -------------------------------------------------------------------------- */

static int list_all(struct pids *all)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");
	int error = dir ? 0 : -errno;

	all->count = 0;
	while (dir && !error && (entry = readdir(dir))) {
		uint32_t pid = (uint32_t)strtoul(entry->d_name, NULL, 10);

		if (pid > 0 && !pids_add(all, pid))
			error = -ENOMEM;
	}
	if (dir)
		closedir(dir);
	if (!error)
		qsort(all->list, all->count, sizeof(*all->list), by_number);
	return error;
}

/* Those of `seen` that are neither members nor known as strangers are asked for their parents; a child can have a lower number than its parent. */
static int look_for_members(struct sampled_processes *processes)
{
	struct pids unknown = {0};
	uint32_t before;
	int error = 0;

	for (uint32_t i = 0; i < processes->seen.count && !error; i++)
		if (!pids_have(&processes->strangers, processes->seen.list[i]) &&
		    !member_of(processes, processes->seen.list[i]) &&
		    !pids_add(&unknown, processes->seen.list[i]))
			error = -ENOMEM;
	do {
		before = processes->count;
		for (uint32_t i = 0; i < unknown.count && !error; i++)
			if (!member_of(processes, unknown.list[i]) &&
			    member_of(processes, parent_of(processes, unknown.list[i])))
				error = add_member(processes, unknown.list[i]);
	} while (processes->count != before && !error);
	free(unknown.list);
	return error;
}

/* But this one. */
static int add_of_cgroup(void *data, uint32_t pid)
{
	struct sampled_processes *processes = data;

	if (pid == (uint32_t)getpid() || member_of(processes, pid))
		return 0;
	return add_member(processes, pid);
}

/* A cgroup that is gone has nobody who could come. */
static int look_in_cgroup(struct sampled_processes *processes)
{
	int error =
		processes->cgroup ? cgroup_members(processes->cgroup, add_of_cgroup, processes) : 0;

	return error == -ENOMEM ? error : 0;
}

static int look(struct sampled_processes *processes)
{
	struct pids before = processes->strangers;
	int error = list_all(&processes->seen);

	if (!error)
		error = look_in_cgroup(processes);
	if (!error)
		error = look_for_members(processes);
	if (error)
		return error;
	/* all that there are and that are no members: the next look passes over them */
	processes->strangers = processes->seen;
	processes->seen = before;
	return 0;
}

/* Records -------------------------------------------------------------------------- */

/* "pid (command) S ppid ..." with any characters in the command; words behind it are counted from 1. */
static int put_process(struct sampled_processes *processes, struct member *member,
		       struct watched_stream *stream, uint32_t thread)
{
	uint64_t before = watch_now();
	const char *text = read_of(processes, member->pid, "stat", member->stat), *end, *at;
	uint64_t words[64] = {0};
	struct sample sample;

	end = text ? strrchr(text, ')') : NULL;
	text = text ? strchr(text, '(') : NULL;
	member->ended = !text || !end || end < text;
	if (member->ended)
		return 0;
	at = end + 1;
	proc_skip(&at, 1);
	for (unsigned word = 2; word <= 40; word++) {
		words[word] = proc_number(&at);
		proc_skip(&at, at[0] != ' ' && at[0] != '\n'); /* a negative number */
	}
	sample_begin(&sample, SAMPLE_PROCESS, before + (watch_now() - before) / 2);
	sample_number(&sample, member->pid);
	sample_number(&sample, words[2]);
	sample_text(&sample, text + 1, (size_t)(end - text - 1));
	for (unsigned word = 12; word <= 15; word++)
		sample_number(&sample, words[word]);
	sample_number(&sample, words[8]);
	sample_number(&sample, words[10]);
	sample_number(&sample, words[18]);
	sample_number(&sample, words[22] * processes->page);
	sample_number(&sample, words[37]);
	sample_number(&sample, words[40]);
	return sample_end(&sample, stream, thread);
}

static int put_io(struct sampled_processes *processes, const struct member *member,
		  struct watched_stream *stream, uint32_t thread)
{
	uint64_t before = watch_now();
	const char *text = member->kept && member->io < 0
				   ? NULL
				   : read_of(processes, member->pid, "io", member->io);
	struct sample sample;

	if (!text)
		return 0;
	sample_begin(&sample, SAMPLE_PROCESS_IO, before + (watch_now() - before) / 2);
	sample_number(&sample, member->pid);
	for (const char *line = text; line && *line; line = proc_line(line)) {
		const char *value = line + strcspn(line, ":\n");

		value += *value == ':';
		sample_number(&sample, proc_number(&value));
	}
	return sample_end(&sample, stream, thread);
}

int sampled_processes_take(struct sampled_processes *processes, bool also_look,
			   struct watched_stream *stream, uint32_t thread)
{
	int error = also_look ? look(processes) : 0;

	for (uint32_t i = 0; i < processes->count && !error; i++) {
		error = put_process(processes, &processes->members[i], stream, thread);
		if (!error && !processes->members[i].ended)
			error = put_io(processes, &processes->members[i], stream, thread);
	}
	drop_ended(processes);
	return error;
}

/* Begin and end -------------------------------------------------------------------- */

struct sampled_processes *sampled_processes_new(uint32_t root, const char *cgroup)
{
	struct sampled_processes *processes = calloc(1, sizeof(*processes));
	long page = sysconf(_SC_PAGESIZE);

	if (!processes)
		return NULL;
	processes->page = page > 0 ? (uint64_t)page : 4096;
	processes->cgroup = cgroup;
	if (root && add_member(processes, root)) {
		sampled_processes_free(processes);
		return NULL;
	}
	return processes;
}

void sampled_processes_free(struct sampled_processes *processes)
{
	if (!processes)
		return;
	for (uint32_t i = 0; i < processes->count; i++)
		close_member(processes, &processes->members[i]);
	free(processes->members);
	free(processes->strangers.list);
	free(processes->seen.list);
	pile_release(&processes->text);
	free(processes);
}

void sampled_processes_each(const struct sampled_processes *processes,
			    void (*each)(void *data, uint32_t pid), void *data)
{
	for (uint32_t i = 0; i < processes->count; i++)
		each(data, processes->members[i].pid);
}
