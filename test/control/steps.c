/* SPDX-License-Identifier: MIT */
/*
 * steps: writes one record each 2 ms, with numbers as offsets, until the file "stop" is there. With an argument it pauses
 * itself after 100 writes and resumes after 200, by the public header alone.
 */
#include "../bare.h"

#include <recorder/recorder.h>

#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec step = {0, 2000000};
	int fd = open("data", O_CREAT | O_WRONLY, 0600);

	(void)argv;
	for (long i = 0; i < 30000 && bare(SYS_access, "stop", F_OK); i++) {
		if (argc > 1 && i == 100)
			recorder_pause();
		if (argc > 1 && i == 200)
			recorder_resume();
		if (argc > 1 && i == 300)
			recorder_flush();
		if (argc > 1 && i == 400)
			return 0;
		if (pwrite(fd, "x", 1, i) != 1)
			return 1;
		nanosleep(&step, NULL);
	}
	return 0;
}
