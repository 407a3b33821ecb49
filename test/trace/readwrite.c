/* SPDX-License-Identifier: MIT */
/* Reading and writing by descriptor; built twice, the second time with the checks of libc. */
#include "expect.h"

#include <sys/sendfile.h>
#include <sys/uio.h>

static char buffer[64] = "0123456789abcdef0123456789abcdef";
static const char *file;

static void plain(int fd)
{
	expect("0 posix write(fd=%s, count=32) = %zd", file, write(fd, buffer, 32));
	expect("0 posix pwrite(fd=%s, count=8, offset=100) = %zd", file,
	       pwrite(fd, buffer, 8, 100));
	expect("0 posix lseek(fd=%s, offset=4, whence=SEEK_SET) = %ld", file,
	       (long)lseek(fd, 4, SEEK_SET));
	expect("0 posix read(fd=%s, count=10) = %zd", file, read(fd, buffer, 10));
	expect("0 posix pread(fd=%s, count=64, offset=90) = %zd", file, pread(fd, buffer, 64, 90));
	expect("0 posix pread(fd=%s, count=64, offset=5000) = %zd", file,
	       pread(fd, buffer, 64, 5000));
	lseek(fd, -5, SEEK_SET);
	expect("0 posix lseek(fd=%s, offset=-5, whence=SEEK_SET) = -1 EINVAL", file);
	expect("0 posix lseek(fd=%s, offset=0, whence=SEEK_END) = %ld", file,
	       (long)lseek(fd, 0, SEEK_END));
	expect("0 posix lseek(fd=%s, offset=-8, whence=SEEK_CUR) = %ld", file,
	       (long)lseek(fd, -8, SEEK_CUR));
	expect("0 posix pwrite(fd=-1, count=8, offset=0) = %s", returned(pwrite(-1, buffer, 8, 0)));
	expect("0 posix read(fd=-1, count=8) = %s", returned(read(-1, buffer, 8)));
}

static void vectors(int fd)
{
	struct iovec parts[2] = {{buffer, 8}, {buffer + 8, 16}};

	expect("0 posix pwritev(fd=%s, parts=[8, 16], count=2, offset=0) = %zd", file,
	       pwritev(fd, parts, 2, 0));
	expect("0 posix preadv(fd=%s, parts=[8, 16], count=2, offset=4) = %zd", file,
	       preadv(fd, parts, 2, 4));
	expect("0 posix pwritev2(fd=%s, parts=[8], count=1, offset=0, flags=0) = %zd", file,
	       pwritev2(fd, parts, 1, 0, 0));
	expect("0 posix preadv2(fd=%s, parts=[8], count=1, offset=0, flags=0) = %zd", file,
	       preadv2(fd, parts, 1, 0, 0));
	expect("0 posix writev(fd=%s, parts=[8, 16], count=2) = %zd", file, writev(fd, parts, 2));
	expect("0 posix readv(fd=%s, parts=[8, 16], count=2) = %zd", file, readv(fd, parts, 2));
}

static void sizes(int fd)
{
	expect("0 posix ftruncate(fd=%s, length=4096) = %d", file, ftruncate(fd, 4096));
	expect("0 posix truncate(path=\"data\", length=100) = %d", truncate("data", 100));
	expect("0 posix truncate(path=\"none\", length=100) = %s", returned(truncate("none", 100)));
	expect("0 posix fsync(fd=%s) = %d", file, fsync(fd));
	expect("0 posix fdatasync(fd=%s) = %d", file, fdatasync(fd));
	expect("0 posix posix_fallocate(fd=%s, offset=0, length=200) = %d", file,
	       posix_fallocate(fd, 0, 200));
	expect("0 posix posix_fallocate(fd=-1, offset=0, length=200) = %s",
	       posix_fallocate(-1, 0, 200) == EBADF ? "9 EBADF" : "?");
	expect("0 posix posix_fadvise(fd=%s, offset=0, length=0, advice=POSIX_FADV_RANDOM) = %d",
	       file, posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM));
}

static void between(int fd)
{
	int to = open("copy", O_RDWR | O_CREAT, 0600);
	const char *copy = on_file(to, "copy");

	expect("0 posix open(path=\"copy\", flags=O_RDWR|O_CREAT, mode=0600) = %s", copy);
	lseek(fd, 0, SEEK_SET);
	expect("0 posix lseek(fd=%s, offset=0, whence=SEEK_SET) = 0", file);
	expect("0 posix sendfile(out=%s, in=%s, offset=-1, count=50) = %zd", copy, file,
	       sendfile(to, fd, NULL, 50));
	close(to);
	expect("0 posix close(fd=%s) = 0", copy);
}

int main(void)
{
	int fd = open("data", O_RDWR | O_CREAT, 0600);

	file = strdup(on_file(fd, "data"));
	expect("0 posix open(path=\"data\", flags=O_RDWR|O_CREAT, mode=0600) = %s", file);
	plain(fd);
	vectors(fd);
	sizes(fd);
	between(fd);
	close(fd);
	expect("0 posix close(fd=%s) = 0", file);
	return expect_end();
}
