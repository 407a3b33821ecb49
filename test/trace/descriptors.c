/* SPDX-License-Identifier: MIT */
/*
 * A program that closes, and puts something else in place of, every descriptor there can be, the
 * recorder's too. It sees what it would see alone, nothing of the recorder goes into its files, and
 * its calls go on to be recorded. Descriptors above 2 must not be inherited.
 */
#include "expect.h"

#include <sys/stat.h>

#define DESCRIPTORS 1100

/* EBADF for each, as nothing is open, the recorder's own included. */
static void close_all(void)
{
	for (int fd = 3; fd < DESCRIPTORS; fd++)
		expect("0 posix close(fd=%d ?) = -1 EBADF", close(fd) == -1 ? fd : -1);
}

static void replace_all(int file)
{
	for (int fd = file + 1; fd < DESCRIPTORS; fd++)
		if (dup2(file, fd) == fd)
			expect("0 posix dup2(fd=%s, fd2=%d ?) = %s", on_file(file, "data"), fd,
			       on_file(fd, "data"));
}

int main(void)
{
	struct stat status;
	int fd;

	close_all();
	expect("0 posix close_range(first=3, last=4294967295, flags=0) = %d",
	       close_range(3, ~0u, 0));
	closefrom(3);
	expect("0 posix closefrom(first=3) = -");
	fd = creat("data", 0600);
	if (fd != 3)
		abort();
	expect("0 posix creat(path=\"data\", mode=0600) = %s", on_file(fd, "data"));
	replace_all(fd);
	for (int i = 0; i < 100; i++)
		expect("0 posix pwrite(fd=%s, count=3, offset=%d) = %zd", on_file(fd, "data"),
		       3 * i, pwrite(fd, "abc", 3, 3 * i));
	fstat(fd, &status);
	expect("0 posix fstat(fd=%s) = 0", on_file(fd, "data"));
	if (status.st_size != 300)
		abort();
	return expect_end();
}
