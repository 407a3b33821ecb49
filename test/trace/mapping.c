/* SPDX-License-Identifier: MIT */
/* Memory mappings of files. */
#include "expect.h"

#include <sys/mman.h>

int main(void)
{
	int fd = open("data", O_RDWR | O_CREAT, 0600);
	const char *file = strdup(on_file(fd, "data"));
	char *map;

	expect("0 posix open(path=\"data\", flags=O_RDWR|O_CREAT, mode=0600) = %s", file);
	expect("0 posix ftruncate(fd=%s, length=8192) = %d", file, ftruncate(fd, 8192));
	map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	expect("0 posix mmap(address=NULL, length=8192, prot=PROT_READ|PROT_WRITE, "
	       "flags=MAP_SHARED, fd=%s, "
	       "offset=0) = 0x1",
	       file);
	memset(map, 'x', 8192);
	expect("0 posix msync(address=0x1, length=8192, flags=MS_SYNC) = %d",
	       msync(map, 8192, MS_SYNC));
	expect("0 posix madvise(address=0x1, length=4096, advice=MADV_SEQUENTIAL) = %d",
	       madvise(map, 4096, MADV_SEQUENTIAL));
	expect("0 posix mprotect(address=0x1, length=4096, prot=PROT_READ) = %d",
	       mprotect(map, 4096, PROT_READ));
	expect("0 posix munmap(address=0x1, length=8192) = %d", munmap(map, 8192));
	map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0);
	expect("0 posix mmap(address=NULL, length=4096, prot=PROT_READ, flags=MAP_PRIVATE, fd=-1, "
	       "offset=0) = "
	       "MAP_FAILED EBADF");
	close(fd);
	expect("0 posix close(fd=%s) = 0", file);
	return expect_end();
}
