/* SPDX-License-Identifier: MIT */
/* writes FILE COUNT: that many 8-byte writes at offsets that compress badly. Exit 1: one of them failed. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, state = 1;
	int fd = open(argv[1], O_CREAT | O_WRONLY, 0600);

	for (uint64_t i = 0; i < count; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		if (pwrite(fd, &i, 8, (off_t)(state >> 44)) != 8)
			return 1;
	}
	return 0;
}
