/* SPDX-License-Identifier: MIT */
/* Opening, closing and duplicating descriptors. */
#include "expect.h"

#include <sys/mman.h>

int __open_2(const char *path, int flags);

static void opens(void)
{
	int fd = open("a", O_RDWR | O_CREAT | O_EXCL, 0640);

	expect("0 posix open(path=\"a\", flags=O_RDWR|O_CREAT|O_EXCL, mode=0640) = %s",
	       on_file(fd, "a"));
	close(fd);
	expect("0 posix close(fd=%s) = 0", on_file(fd, "a"));
	fd = open("a", O_RDWR | O_CREAT | O_EXCL, 0640);
	expect("0 posix open(path=\"a\", flags=O_RDWR|O_CREAT|O_EXCL, mode=0640) = -1 EEXIST");
	fd = open("none", O_RDONLY);
	expect("0 posix open(path=\"none\", flags=O_RDONLY) = -1 ENOENT");
	fd = open64("a", O_WRONLY | O_APPEND);
	expect("0 posix open(path=\"a\", flags=O_WRONLY|O_APPEND) = %s", on_file(fd, "a"));
	close(fd);
	expect("0 posix close(fd=%s) = 0", on_file(fd, "a"));
	fd = __open_2("a", O_RDONLY);
	expect("0 posix open(path=\"a\", flags=O_RDONLY) = %s", on_file(fd, "a"));
	close(fd);
	expect("0 posix close(fd=%s) = 0", on_file(fd, "a"));
	fd = creat("b", 0600);
	expect("0 posix creat(path=\"b\", mode=0600) = %s", on_file(fd, "b"));
	close(fd);
	expect("0 posix close(fd=%s) = 0", on_file(fd, "b"));
	close(fd);
	expect("0 posix close(fd=%d ?) = -1 EBADF", fd);
}

static void opens_at(void)
{
	int dir = open(".", O_RDONLY | O_DIRECTORY), fd;

	expect("0 posix open(path=\".\", flags=O_RDONLY|O_DIRECTORY) = %s", on_file(dir, ""));
	fd = openat(dir, "c", O_WRONLY | O_CREAT, 0644);
	expect("0 posix openat(dirfd=%s, path=\"c\", flags=O_WRONLY|O_CREAT, mode=0644) = %s",
	       on_file(dir, ""), on_file(fd, "c"));
	close(fd);
	expect("0 posix close(fd=%s) = 0", on_file(fd, "c"));
	fd = openat(AT_FDCWD, "c", O_RDONLY | O_CLOEXEC);
	expect("0 posix openat(dirfd=AT_FDCWD, path=\"c\", flags=O_RDONLY|O_CLOEXEC) = %s",
	       on_file(fd, "c"));
	close(fd);
	expect("0 posix close(fd=%s) = 0", on_file(fd, "c"));
	fd = openat64(dir, "none", O_RDONLY);
	expect("0 posix openat(dirfd=%s, path=\"none\", flags=O_RDONLY) = -1 ENOENT",
	       on_file(dir, ""));
	close(dir);
	expect("0 posix close(fd=%s) = 0", on_file(dir, ""));
}

static void duplicates(void)
{
	int fd = open("a", O_RDONLY), other;

	expect("0 posix open(path=\"a\", flags=O_RDONLY) = %s", on_file(fd, "a"));
	other = dup(fd);
	expect("0 posix dup(fd=%s) = %s", on_file(fd, "a"), on_file(other, "a"));
	close(other);
	expect("0 posix close(fd=%s) = 0", on_file(other, "a"));
	other = dup2(fd, 50);
	expect("0 posix dup2(fd=%s, fd2=50 ?) = %s", on_file(fd, "a"), on_file(other, "a"));
	other = dup3(fd, 51, O_CLOEXEC);
	expect("0 posix dup3(fd=%s, fd2=51 ?, flags=O_CLOEXEC) = %s", on_file(fd, "a"),
	       on_file(other, "a"));
	other = fcntl(fd, F_DUPFD, 60);
	expect("0 posix fcntl(fd=%s, command=F_DUPFD, argument=60) = %s", on_file(fd, "a"),
	       on_file(other, "a"));
	close(other);
	expect("0 posix close(fd=%s) = 0", on_file(other, "a"));
	expect("0 posix fcntl(fd=%s, command=F_GETFD) = %d", on_file(fd, "a"), fcntl(fd, F_GETFD));
	close_range(50, 51, 0);
	expect("0 posix close_range(first=50, last=51, flags=0) = 0");
	close(51);
	expect("0 posix close(fd=51 ?) = -1 EBADF");
	dup2(fd, fd);
	expect("0 posix dup2(fd=%s, fd2=%s) = %s", on_file(fd, "a"), on_file(fd, "a"),
	       on_file(fd, "a"));
	other = dup(-1);
	expect("0 posix dup(fd=-1) = -1 EBADF");
	close(fd);
	expect("0 posix close(fd=%s) = 0", on_file(fd, "a"));
}

static void pipes(void)
{
	int ends[2], error = pipe(ends);

	expect("0 posix pipe(fds=[%d, %d]) = %d", ends[0], ends[1], error);
	close(ends[0]);
	expect("0 posix close(fd=%s) = 0", on_other(ends[0], "pipe"));
	close(ends[1]);
	expect("0 posix close(fd=%s) = 0", on_other(ends[1], "pipe"));
}

int main(void)
{
	opens();
	opens_at();
	duplicates();
	pipes();
	return expect_end();
}
