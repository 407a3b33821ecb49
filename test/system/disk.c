/* SPDX-License-Identifier: MIT */
/*
 * disk.c - a program whose requests to the disk are known: disk CASE FILE. 77: the file system does not let us.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1 << 20)
#define PAGE 4096

static char *aligned(size_t size)
{
	char *memory = NULL;

	if (posix_memalign((void **)&memory, PAGE, size))
		exit(2);
	memset(memory, 7, size);
	return memory;
}

/*
 * 4 MiB written and 8 pages read, past the page cache: each MiB between others that are the file's, too, and that nobody writes. What lies beside another program's on the disk can become part of a request of that one,
 * or the other way round.
 */
static int direct(const char *file)
{
	int fd = open(file, O_CREAT | O_RDWR | O_DIRECT | O_TRUNC, 0600);
	char *memory = aligned(MIB);

	if (fd < 0)
		return errno == EINVAL ? 77 : 1;
	if (fallocate(fd, 0, 0, 9 * (off_t)MIB) && errno != EOPNOTSUPP)
		return 1;
	for (int i = 0; i < 4; i++)
		if (pwrite(fd, memory, MIB, (off_t)(2 * i + 1) * MIB) != MIB)
			return 1;
	for (int i = 0; i < 8; i++)
		if (pread(fd, memory, PAGE, MIB + (off_t)i * 16 * PAGE) != PAGE)
			return 1;
	return close(fd);
}

/* The same by two children at once, who end before their parent does. */
static int children(const char *file)
{
	int failed = 0, status;

	for (int i = 0; i < 2; i++)
		if (fork() == 0) {
			char name[4096];

			strncpy(name, file, sizeof(name) - 3);
			strcat(name, i ? ".2" : ".1");
			_exit(direct(name));
		}
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}

/* 1 MiB that is written by the kernel while the program waits for that. */
static int behind(const char *file)
{
	int fd = open(file, O_CREAT | O_RDWR | O_TRUNC, 0600);
	char *memory = aligned(MIB);

	return fd < 0 || write(fd, memory, MIB) != MIB || syncfs(fd) || close(fd);
}

/* Pages 0, 2, 4 ... by one and 1, 3, 5 ... by another process, in turns, of the same file or of two; both have the kernel write all that they have written. */
static int in_turns(const char *file, bool shared)
{
	char *memory = aligned(PAGE), name[4096], token = 0;
	int turn[2][2], failed = 0, status;

	if (pipe(turn[0]) || pipe(turn[1]))
		return 1;
	for (int i = 0; i < 2; i++)
		if (fork() == 0) {
			int fd;

			snprintf(name, sizeof(name), "%s.%d", file, shared ? 0 : i + 1);
			fd = open(name, O_CREAT | O_RDWR, 0600);
			for (int page = i; page < 64; page += 2) {
				if (page > 0 && read(turn[i][0], &token, 1) != 1)
					_exit(1);
				if (pwrite(fd, memory, PAGE, (off_t)page * PAGE) != PAGE ||
				    write(turn[1 - i][1], &token, 1) != 1)
					_exit(1);
			}
			_exit(fsync(fd) || close(fd));
		}
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}

/* Three times the same page, then others, apart from each other; written to the disk when all have been. */
static int apart(const char *file)
{
	static const int pages[] = {0, 0, 0, 9, 4, 20, 5};
	int fd = open(file, O_CREAT | O_RDWR | O_TRUNC, 0600);
	char *memory = aligned(PAGE);

	for (unsigned i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		if (pwrite(fd, memory, PAGE, (off_t)pages[i] * PAGE) != PAGE)
			return 1;
	return fsync(fd) || close(fd);
}

/* 256 pages written, made to leave the page cache, and read; 256 pages of memory touched. */
static int pages(const char *file)
{
	int fd = open(file, O_CREAT | O_RDWR | O_TRUNC, 0600);
	char *memory = aligned(MIB), *touched;

	if (fd < 0 || write(fd, memory, MIB) != MIB || fsync(fd) ||
	    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) || pread(fd, memory, MIB, 0) != MIB)
		return 1;
	touched = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (touched == MAP_FAILED)
		return 1;
	madvise(touched, MIB, MADV_NOHUGEPAGE);
	for (int i = 0; i < MIB; i += PAGE)
		((volatile char *)touched)[i] = 1;
	usleep(1000);
	return close(fd);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	if (!strcmp(argv[1], "direct"))
		return direct(argv[2]);
	if (!strcmp(argv[1], "children"))
		return children(argv[2]);
	if (!strcmp(argv[1], "behind"))
		return behind(argv[2]);
	if (!strcmp(argv[1], "shared") || !strcmp(argv[1], "two"))
		return in_turns(argv[2], argv[1][0] == 's');
	if (!strcmp(argv[1], "apart"))
		return apart(argv[2]);
	if (!strcmp(argv[1], "pages"))
		return pages(argv[2]);
	return 2;
}
