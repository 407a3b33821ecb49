/* SPDX-License-Identifier: MIT */
/* sites.c - calls from functions, inlined ones too. Lines that calls return to are marked "at". */
#include <fcntl.h>
#include <unistd.h>

static inline __attribute__((always_inline)) void put(int fd)
{
	pwrite(fd, "abc", 3, 7); /* at put */
	__asm__("");
}

__attribute__((noinline)) static void save(int fd)
{
	put(fd);
	write(fd, "x", 1); /* at save */
	__asm__("");
}

int main(void)
{
	int fd = open("out", O_CREAT | O_RDWR, 0600); /* at main */

	save(fd);
	close(fd);
	return 0;
}
