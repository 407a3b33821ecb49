/* SPDX-License-Identifier: MIT */
/*
 * calls COUNT: that many calls on files with changing arguments. Prints the resident memory (KiB) after a hundredth of
 * them and at the end, by bare system calls, which leave no record.
 */
#include <stdint.h>

#include "resident.h"

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, state = 1;
	int fd = open("data", O_RDWR | O_CREAT, 0600);
	long early = 0;

	for (uint64_t i = 0; i < count; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		if (i % 8 == 0 ? lseek(fd, (off_t)(state >> 40), SEEK_SET) < 0
			       : lseek(fd, (off_t)(i % 8), SEEK_CUR) < 0)
			return 1;
		if (i == count / 100)
			early = resident();
	}
	return resident_report(early);
}
