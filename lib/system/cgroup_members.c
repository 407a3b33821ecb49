/* SPDX-License-Identifier: MIT */
/* cgroup_members.c - see cgroup_members.h */
#include "system/cgroup_members.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DEPTH_MAX 64 /* of cgroups in each other */

struct visit {
	int (*each)(void *data, uint32_t pid);
	void *data;
};

static int visit_members(const struct visit *visit, int folder)
{
	int fd = openat(folder, "cgroup.procs", O_RDONLY | O_CLOEXEC), error = 0;
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	char line[32];

	if (!file) {
		error = -errno;
		if (fd >= 0)
			close(fd);
		return error;
	}
	while (!error && fgets(line, sizeof(line), file)) {
		uint32_t pid = (uint32_t)strtoul(line, NULL, 10);

		if (pid > 0)
			error = visit->each(visit->data, pid);
	}
	fclose(file);
	return error;
}

/* `folder` is closed. */
static int visit_group(const struct visit *visit, int folder, unsigned depth)
{
	int error = visit_members(visit, folder);
	DIR *dir = error ? NULL : fdopendir(folder);
	struct dirent *entry;

	if (!dir) {
		error = error ? error : -errno;
		close(folder);
		return error;
	}
	while (!error && depth < DEPTH_MAX && (entry = readdir(dir))) {
		int below = -1;

		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			below = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (below >= 0)
			error = visit_group(visit, below, depth + 1);
		if (error == -ENOENT || error == -ENODEV)
			error = 0; /* removed meanwhile */
	}
	closedir(dir);
	return error;
}

int cgroup_members(const char *path, int (*each)(void *data, uint32_t pid), void *data)
{
	const struct visit visit = {each, data};
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return folder < 0 ? -errno : visit_group(&visit, folder, 0);
}

#ifdef UNIT_TEST
#include <sys/stat.h>

#include "unittest.h"

static int add_up(void *data, uint32_t pid)
{
	*(uint32_t *)data += pid;
	return pid == 99 ? -ENOMEM : 0;
}

static void put_members(const char *folder, const char *pids)
{
	char path[128];
	FILE *file;

	mkdir(folder, 0700);
	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	file = fopen(path, "w");
	EXPECT(file != NULL);
	if (!file)
		return;
	fputs(pids, file);
	fclose(file);
}

static void remove_group(const char *folder)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	unlink(path);
	rmdir(folder);
}

TEST_CASE(members_of_cgroups_below_are_members)
{
	char folder[] = "/tmp/cgroup-members-XXXXXX", below[64], deeper[80];
	uint32_t sum = 0;

	EXPECT(mkdtemp(folder) != NULL);
	snprintf(below, sizeof(below), "%s/below", folder);
	snprintf(deeper, sizeof(deeper), "%s/deeper", below);
	EXPECT_EQ(cgroup_members(folder, add_up, &sum), -ENOENT);
	put_members(folder, "1\n20\n0\n");
	put_members(below, "");
	put_members(deeper, "300\n");
	EXPECT_EQ(cgroup_members(folder, add_up, &sum), 0);
	EXPECT_EQ(sum, 321u);
	put_members(below, "99\n4000\n");
	sum = 0;
	EXPECT_EQ(cgroup_members(folder, add_up, &sum), -ENOMEM);
	EXPECT(sum < 4000);
	remove_group(deeper);
	remove_group(below);
	remove_group(folder);
	EXPECT_EQ(cgroup_members(folder, add_up, &sum), -ENOENT);
}
#endif
