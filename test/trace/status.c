/* SPDX-License-Identifier: MIT */
/* What files are, and changing that. */
#include "expect.h"

#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/time.h>

static void looks(int fd, const char *file)
{
	struct stat status;
	struct stat64 status64;
	struct statx statusx;
	struct statfs system;

	expect("0 posix stat(path=\"data\") = %d", stat("data", &status));
	expect("0 posix stat(path=\"none\") = %s", returned(stat("none", &status)));
	expect("0 posix stat(path=\"data\") = %d", stat64("data", &status64));
	expect("0 posix lstat(path=\"data\") = %d", lstat("data", &status));
	expect("0 posix fstat(fd=%s) = %d", file, fstat(fd, &status));
	expect("0 posix fstat(fd=-1) = %s", returned(fstat(-1, &status)));
	expect("0 posix fstatat(dirfd=AT_FDCWD, path=\"data\", flags=AT_SYMLINK_NOFOLLOW) = %d",
	       fstatat(AT_FDCWD, "data", &status, AT_SYMLINK_NOFOLLOW));
	expect("0 posix statx(dirfd=AT_FDCWD, path=\"data\", flags=0, mask=STATX_BASIC_STATS) = %d",
	       statx(AT_FDCWD, "data", 0, STATX_BASIC_STATS, &statusx));
	expect("0 posix statfs(path=\".\") = %d", statfs(".", &system));
	expect("0 posix fstatfs(fd=%s) = %d", file, fstatfs(fd, &system));
	expect("0 posix access(path=\"data\", mode=R_OK|W_OK) = %d", access("data", R_OK | W_OK));
	expect("0 posix access(path=\"none\", mode=F_OK) = %s", returned(access("none", F_OK)));
	expect("0 posix faccessat(dirfd=AT_FDCWD, path=\"data\", mode=R_OK, flags=AT_EACCESS) = %d",
	       faccessat(AT_FDCWD, "data", R_OK, AT_EACCESS));
}

static void changes(int fd, const char *file)
{
	struct timespec times[2] = {{1, 0}, {2, 0}};

	expect("0 posix chmod(path=\"data\", mode=0644) = %d", chmod("data", 0644));
	expect("0 posix chmod(path=\"none\", mode=0644) = %s", returned(chmod("none", 0644)));
	expect("0 posix fchmod(fd=%s, mode=0600) = %d", file, fchmod(fd, 0600));
	expect("0 posix chown(path=\"data\", owner=%d, group=%d) = %d", (int)getuid(),
	       (int)getgid(), chown("data", getuid(), getgid()));
	expect("0 posix fchown(fd=%s, owner=%d, group=-1) = %d", file, (int)getuid(),
	       fchown(fd, getuid(), (gid_t)-1));
	expect("0 posix futimens(fd=%s) = %d", file, futimens(fd, times));
	expect("0 posix utimensat(dirfd=AT_FDCWD, path=\"data\", flags=0) = %d",
	       utimensat(AT_FDCWD, "data", times, 0));
	expect("0 posix umask(mask=0022) = %s", umask(022) == 022 ? "0022" : "?");
}

int main(void)
{
	mode_t mask;
	int fd;
	const char *file;

	mask = umask(022);
	expect("0 posix umask(mask=0022) = %04o", mask);
	fd = creat("data", 0600);
	file = strdup(on_file(fd, "data"));
	expect("0 posix creat(path=\"data\", mode=0600) = %s", file);
	looks(fd, file);
	changes(fd, file);
	close(fd);
	expect("0 posix close(fd=%s) = 0", file);
	return expect_end();
}
