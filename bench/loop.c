/* SPDX-License-Identifier: MIT */
/* loop.c - the loop that other tracers are measured by: loop FILE CALLS makes CALLS small writes, one behind the other. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure.h"

int main(int argc, char **argv)
{
	static const char bytes[8];
	long calls = argc == 3 ? strtol(argv[2], NULL, 10) : -1;
	int file;

	if (calls < 0)
		return 2;
	file = open(argv[1], O_WRONLY | O_CREAT, 0600);
	if (file < 0)
		die(argv[1]);
	for (long i = 0; i < calls; i++)
		if (pwrite(file, bytes, sizeof(bytes), i % 4096 * 8) < 0)
			die("pwrite");
	close(file);
	return 0;
}
