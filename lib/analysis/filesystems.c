/* SPDX-License-Identifier: MIT */
/* filesystems.c - see filesystems.h */
#include "analysis/filesystems.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* The kernel's own: no data is on them. */
static bool is_of_kernel(const char *type)
{
	static const char *const types[] = {"autofs",    "binfmt_misc", "bpf",     "cgroup",
					    "cgroup2",   "configfs",    "debugfs", "devpts",
					    "efivarfs",  "fusectl",     "mqueue",  "nsfs",
					    "proc",      "pstore",      "ramfs",   "rpc_pipefs",
					    "selinuxfs", "sysfs",       "tracefs", "hugetlbfs",
					    "securityfs"};

	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i], type))
			return true;
	return false;
}

static bool is_known(const struct filesystems *filesystems, const struct reader_mount *mount)
{
	for (unsigned i = 0; i < filesystems->count; i++)
		if (!strcmp(filesystems->list[i].directory, mount->directory) &&
		    !strcmp(filesystems->list[i].type, mount->type))
			return true;
	return false;
}

static int add(struct filesystems *filesystems, const struct reader_mount *mount)
{
	struct reader_mount *kept = &filesystems->list[filesystems->count];

	if (filesystems->count == FILESYSTEMS_MOST || is_of_kernel(mount->type) ||
	    is_known(filesystems, mount))
		return 0;
	kept->directory =
		pool_copy(&filesystems->texts, mount->directory, strlen(mount->directory));
	kept->type = pool_copy(&filesystems->texts, mount->type, strlen(mount->type));
	kept->source = pool_copy(&filesystems->texts, mount->source, strlen(mount->source));
	if (!kept->directory || !kept->type || !kept->source)
		return -ENOMEM;
	filesystems->count++;
	return 0;
}

/* Ranks of a machine mostly tell the same. */
static bool tells_more(const struct reader *trace, unsigned stream, const char **told)
{
	struct reader_value value;

	if (reader_meta(trace, stream, "mounts", &value) || value.type != READER_BYTES ||
	    value.size == 0 || (*told && !strcmp(*told, value.bytes)))
		return false;
	*told = value.bytes;
	return true;
}

static int add_all(struct filesystems *filesystems, const struct reader *trace, unsigned stream)
{
	struct reader_mount mount;
	int error;

	for (unsigned i = 0; (error = reader_mount(trace, stream, i, &mount)) != -ERANGE; i++)
		if (!error && add(filesystems, &mount))
			return -ENOMEM;
	return 0;
}

int filesystems_collect(struct filesystems *filesystems, const struct reader *trace)
{
	struct reader_info info = {.sz = sizeof(info)};
	struct reader_mount mount = {"", "", ""};
	const char *told = NULL;

	memset(filesystems, 0, sizeof(*filesystems));
	if (add(filesystems, &mount))
		return -ENOMEM;
	reader_info(trace, &info);
	for (unsigned stream = 0; stream < info.streams; stream++)
		if (tells_more(trace, stream, &told) && add_all(filesystems, trace, stream))
			return -ENOMEM;
	return 0;
}

/* How much of a path a directory is, 0: it does not lie in it. */
static size_t depth(const char *directory, const char *path)
{
	size_t length = strlen(directory);

	while (length > 0 && directory[length - 1] == '/')
		length--;
	if (strncmp(directory, path, length) != 0 || (path[length] && path[length] != '/'))
		return 0;
	return *directory ? length + 1 : 0;
}

unsigned filesystems_find(const struct filesystems *filesystems, const char *path)
{
	size_t deepest = 0;
	unsigned found = 0;

	for (unsigned i = 1; *path == '/' && i < filesystems->count; i++) {
		size_t length = depth(filesystems->list[i].directory, path);

		if (length > 0 && length >= deepest) {
			deepest = length;
			found = i;
		}
	}
	return found;
}

void filesystems_release(struct filesystems *filesystems)
{
	pool_release(&filesystems->texts);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(filesystems_are_found_by_path)
{
	const struct filesystems mounted = {.count = 5,
					    .list = {{"", "", ""},
						     {"/", "ext4", "a"},
						     {"/scratch", "lustre", "b"},
						     {"/scratch/x", "tmpfs", "c"},
						     {"/scratch/x", "nfs", "d"}}};

	EXPECT_EQ(filesystems_find(&mounted, "/home/me"), 1);
	EXPECT_EQ(filesystems_find(&mounted, "/scratch/me"), 2);
	EXPECT_EQ(filesystems_find(&mounted, "/scratch"), 2);
	EXPECT_EQ(filesystems_find(&mounted, "/scratchy/me"), 1);
	EXPECT_EQ(filesystems_find(&mounted, "/scratch/x/y"), 4); /* over the other */
	EXPECT_EQ(filesystems_find(&mounted, "pipe"), 0);
	EXPECT_EQ(filesystems_find(&mounted, ""), 0);
}
#endif
