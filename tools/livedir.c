/* SPDX-License-Identifier: MIT */
/* livedir.c - see livedir.h */
#include "livedir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/wire.h"

bool livedir_name(const char *name)
{
	unsigned uid;
	int length = 0;

	return sscanf(name, "recorder-%u-%*16[0-9a-f]%n", &uid, &length) == 1 &&
	       (size_t)length == strlen(name);
}

int livedir_open(const char *path, uid_t owner)
{
	const char *name = strrchr(path, '/');
	struct stat status;
	int fd;

	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return errno == ELOOP || errno == ENOTDIR ? -EPERM : -errno;
	name = name ? name + 1 : path;
	if (livedir_name(name) && fstat(fd, &status) == 0 &&
	    (status.st_uid == geteuid() || status.st_uid == owner) && (status.st_mode & 022) == 0)
		return fd;
	close(fd);
	return -EPERM;
}

void livedir_remove(int fd, const char *path)
{
	int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = again < 0 ? NULL : fdopendir(again);
	bool alone = dir;
	struct dirent *entry;

	while (alone && (entry = readdir(dir)))
		alone = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
			!strcmp(entry->d_name, LIVE_COUNT);
	if (dir)
		closedir(dir);
	if (!alone)
		return;
	unlinkat(fd, LIVE_COUNT, 0);
	rmdir(path);
}

#ifdef UNIT_TEST
#include "unittest.h"

#include <stdlib.h>

TEST_CASE(live_directories_have_names_of_their_own)
{
	EXPECT(livedir_name("recorder-0-0123456789abcdef"));
	EXPECT(!livedir_name("recorder-0-0123456789abcdef0"));
	EXPECT(!livedir_name("recorder-0-xyz"));
	EXPECT(!livedir_name("recorder-0-"));
	EXPECT(!livedir_name("home"));
	EXPECT(!livedir_name(""));
}

TEST_CASE(live_directories_are_ours_alone)
{
	char parent[] = "/tmp/livedir.XXXXXX", path[64];
	int fd;

	REQUIRE(mkdtemp(parent));
	EXPECT_EQ(livedir_open(parent, geteuid()), -EPERM);
	snprintf(path, sizeof(path), "%s/recorder-7-0123456789abcdef", parent);
	EXPECT_EQ(livedir_open(path, geteuid()), -ENOENT);
	EXPECT_EQ(mkdir(path, 0700), 0);
	fd = livedir_open(path, geteuid());
	EXPECT_LE(0, fd);
	close(fd);
	EXPECT_EQ(chmod(path, 0777), 0);
	EXPECT_EQ(livedir_open(path, geteuid()), -EPERM);
	rmdir(path);
	EXPECT_EQ(symlink("/tmp", path), 0);
	EXPECT_EQ(livedir_open(path, geteuid()), -EPERM);
	unlink(path);
	rmdir(parent);
}

TEST_CASE(live_directories_go_with_the_last_stream)
{
	char parent[] = "/tmp/livedir.XXXXXX", path[64], file[96];
	int fd;

	REQUIRE(mkdtemp(parent));
	snprintf(path, sizeof(path), "%s/recorder-7-0123456789abcdef", parent);
	snprintf(file, sizeof(file), "%s/0.host.1.defs", path);
	for (unsigned files = 0; files < 4;
	     files++) { /* bit 0: the count, bit 1: one of a stream */
		EXPECT_EQ(mkdir(path, 0700), 0);
		fd = livedir_open(path, geteuid());
		if (files & 1)
			close(openat(fd, LIVE_COUNT, O_WRONLY | O_CREAT, 0600));
		if (files & 2)
			close(open(file, O_WRONLY | O_CREAT, 0600));
		livedir_remove(fd, path);
		EXPECT_EQ(access(path, F_OK), files & 2 ? 0 : -1);
		EXPECT_EQ(faccessat(fd, LIVE_COUNT, F_OK, 0), files == 3 ? 0 : -1);
		unlink(file);
		livedir_remove(fd, path);
		close(fd);
	}
	EXPECT_EQ(rmdir(parent), 0);
}
#endif
