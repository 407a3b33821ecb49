/* SPDX-License-Identifier: MIT */
/* process.c - see process.h */
#include "process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct facts {
	uint32_t pid, parent;
	uint64_t start;
	char state;
};

/* /proc/PID/stat: the second field, the name, is in brackets and may hold anything. */
static bool read_facts(uint32_t pid, struct facts *facts)
{
	char path[64], line[1024];
	const char *p;
	FILE *file;
	bool ok;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	ok = fgets(line, sizeof(line), file) && (p = strrchr(line, ')'));
	fclose(file);
	facts->pid = pid;
	return ok &&
	       sscanf(p + 1,
		      " %c %u %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		      "%*s %lu",
		      &facts->state, &facts->parent, &facts->start) == 3;
}

uint64_t process_start(uint32_t pid)
{
	struct facts facts;

	return read_facts(pid, &facts) ? facts.start : 0;
}

static struct facts *read_all(size_t *count)
{
	struct facts *all = NULL;
	struct dirent *entry;
	DIR *dir = opendir("/proc");

	*count = 0;
	while (dir && (entry = readdir(dir))) {
		struct facts *larger;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		larger = realloc(all, (*count + 1) * sizeof(*all));
		if (!larger)
			break;
		all = larger;
		if (read_facts((uint32_t)strtoul(entry->d_name, NULL, 10), &all[*count]))
			(*count)++;
	}
	if (dir)
		closedir(dir);
	return all;
}

static int visit_below(const struct facts *all, size_t count, uint32_t pid, unsigned depth,
		       int (*visit)(void *data, uint32_t pid), void *data)
{
	int result = visit(data, pid);

	for (size_t i = 0; i < count && !result && depth < 1000; i++)
		if (all[i].parent == pid && all[i].pid != pid)
			result = visit_below(all, count, all[i].pid, depth + 1, visit, data);
	return result;
}

int process_each_below(uint32_t root, int (*visit)(void *data, uint32_t pid), void *data)
{
	struct facts facts;
	size_t count;
	struct facts *all;
	int result;

	if (!read_facts(root, &facts))
		return -ESRCH;
	all = read_all(&count);
	result = visit_below(all, count, root, 0, visit, data);
	free(all);
	return result;
}

#ifdef UNIT_TEST
#include "unittest.h"

#include <unistd.h>

static int count_visit(void *data, uint32_t pid)
{
	(void)pid;
	(*(int *)data)++;
	return 0;
}

TEST_CASE(processes_have_a_start)
{
	struct facts facts;
	int count = 0;

	REQUIRE(read_facts((uint32_t)getpid(), &facts));
	EXPECT_EQ(process_start(facts.pid), facts.start);
	EXPECT_EQ(process_each_below(facts.pid, count_visit, &count), 0);
	EXPECT_EQ(count, 1);
	EXPECT_EQ(process_each_below(0, count_visit, &count), -ESRCH);
}
#endif
