/* SPDX-License-Identifier: MIT */
/* sizes.c - so many small writes to a small file; behind half of them, of files that may be so many bytes long, if that is said. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned calls = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	int file = open("sizes.data", O_CREAT | O_WRONLY, 0600);

	for (unsigned i = 0; i < calls; i++) {
		if (argc > 2 && i == calls / 2) {
			rlim_t size = strtoul(argv[2], NULL, 10);

			if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){size, size}))
				return 1;
		}
		if (pwrite(file, "x", 1, (off_t)(i * 7919u % 500)) != 1)
			return 2;
	}
	return close(file);
}
