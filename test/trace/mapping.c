/* SPDX-License-Identifier: MIT */
/* Memory mappings of files. */
#include "expect.h"

#include <sys/mman.h>

static const char *named; /* the file */

/* Lines of a call on a range: its file, from where on, how many bytes. */
static const char *of_file(long offset, long bytes)
{
	static char text[512];

	snprintf(text, sizeof(text), "file=%s, file_offset=%ld, mapped=%ld", named, offset, bytes);
	return text;
}

static void whole(char *map)
{
	expect("0 posix msync(address=0x1, length=8192, flags=MS_SYNC, %s) = %d", of_file(0, 8192),
	       msync(map, 8192, MS_SYNC));
	expect("0 posix madvise(address=0x1, length=4096, advice=MADV_SEQUENTIAL, %s) = %d",
	       of_file(0, 4096), madvise(map, 4096, MADV_SEQUENTIAL));
	expect("0 posix posix_madvise(address=0x1, length=4096, advice=MADV_NORMAL, %s) = %d",
	       of_file(0, 4096), posix_madvise(map, 4096, POSIX_MADV_NORMAL));
	expect("0 posix mprotect(address=0x1, length=4096, prot=PROT_READ, %s) = %d",
	       of_file(0, 4096), mprotect(map, 4096, PROT_READ));
}

/* Another mapping over the second half: only the first one is the file's. */
static void parts(char *map)
{
	expect("0 posix msync(address=0x1, length=4096, flags=MS_ASYNC, %s) = %d",
	       of_file(4096, 4096), msync(map + 4096, 4096, MS_ASYNC));
	expect("0 posix munmap(address=0x1, length=1, %s) = %s", of_file(4000, 1),
	       returned(munmap(map + 4000, 1)));
	mmap(map + 4096, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	expect("0 posix mmap(address=0x1, length=4096, prot=PROT_READ, "
	       "flags=MAP_PRIVATE|MAP_FIXED|MAP_ANONYMOUS, fd=-1, offset=0) = 0x1");
	expect("0 posix msync(address=0x1, length=8192, flags=MS_SYNC, %s) = %d", of_file(0, 4096),
	       msync(map, 8192, MS_SYNC));
}

/* A child has its parent's mappings under names of its own. */
static void of_child(char *map)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		expect_forked();
		msync(map, 8192, MS_SYNC);
		_exit(0);
	}
	bare(SYS_wait4, child, &status, 0, NULL);
	expect("0 posix fork() = PID");
	expect("0 posix msync(address=0x1, length=8192, flags=MS_SYNC, %s) = 0", of_file(0, 4096));
	expect("0 posix _exit(status=0) = ?");
}

static void moved(int fd)
{
	const char *file = strdup(on_file(fd, "data"));
	char *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 4096);

	expect("0 posix mmap(address=NULL, length=4096, prot=PROT_READ, flags=MAP_PRIVATE, fd=%s, "
	       "offset=4096) = 0x1",
	       file);
	map = mremap(map, 4096, 8192, MREMAP_MAYMOVE);
	expect("0 posix mremap(address=0x1, length=4096, new_length=8192, flags=MREMAP_MAYMOVE, "
	       "new_address=NULL, %s) = 0x1",
	       of_file(4096, 4096));
	expect("0 posix munmap(address=0x1, length=8192, %s) = %d", of_file(4096, 8192),
	       munmap(map, 8192));
}

static void anonymous(void)
{
	char *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	expect("0 posix mmap(address=NULL, length=4096, prot=PROT_READ, "
	       "flags=MAP_PRIVATE|MAP_ANONYMOUS, fd=-1, offset=0) = 0x1");
	expect("0 posix munmap(address=0x1, length=4096, file=none, file_offset=-1, mapped=0) = %d",
	       munmap(map, 4096));
}

int main(void)
{
	int fd = open("data", O_RDWR | O_CREAT, 0600);
	const char *file = strdup(on_file(fd, "data"));
	char *map;

	expect("0 posix open(path=\"data\", flags=O_RDWR|O_CREAT, mode=0600) = %s", file);
	named = strchr(file, ' ') + 1;
	expect("0 posix ftruncate(fd=%s, length=8192) = %d", file, ftruncate(fd, 8192));
	map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	expect("0 posix mmap(address=NULL, length=8192, prot=PROT_READ|PROT_WRITE, "
	       "flags=MAP_SHARED, fd=%s, "
	       "offset=0) = 0x1",
	       file);
	memset(map, 'x', 8192);
	whole(map);
	parts(map);
	of_child(map);
	expect("0 posix munmap(address=0x1, length=8192, %s) = %d", of_file(0, 4096),
	       munmap(map, 8192));
	moved(fd);
	anonymous();
	map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0);
	expect("0 posix mmap(address=NULL, length=4096, prot=PROT_READ, flags=MAP_PRIVATE, fd=-1, "
	       "offset=0) = "
	       "MAP_FAILED EBADF");
	close(fd);
	expect("0 posix close(fd=%s) = 0", file);
	return expect_end();
}
