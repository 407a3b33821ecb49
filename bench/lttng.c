/* SPDX-License-Identifier: MIT */
/*
 * lttng.c - lttng FILE CALLS: small writes, each between two tracepoints of LTTng-UST. On stdout the CPU time of this thread, in ns. A
 * session must record before it starts, else the tracepoints do nothing.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure.h"

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_events.h"

int main(int argc, char **argv)
{
	static const char bytes[8];
	long calls = argc == 3 ? strtol(argv[2], NULL, 10) : -1;
	int64_t begin;
	int file;

	if (calls < 0)
		return 2;
	file = open(argv[1], O_WRONLY | O_CREAT, 0600);
	if (file < 0)
		die(argv[1]);
	begin = cpu_now();
	for (long i = 0; i < calls; i++) {
		off_t offset = i % 4096 * 8;
		ssize_t result;

		lttng_ust_tracepoint(recorder_bench, enter, file, sizeof(bytes), offset);
		result = pwrite(file, bytes, sizeof(bytes), offset);
		lttng_ust_tracepoint(recorder_bench, leave, result);
		if (result < 0)
			die("pwrite");
	}
	report("cpu", (double)(cpu_now() - begin));
	close(file);
	return 0;
}
