/* SPDX-License-Identifier: MIT */
/*
 * witness.h - of a generated library that counts the calls of names[], which stands before this: at exit it writes lines
 * "function count" to $WITNESS_DIR/PID, with WITNESS_SUFFIX behind it.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bare.h"

#define COUNT (int)(sizeof(names) / sizeof(names[0]))
static atomic_ulong counts[COUNT];

/* With bare system calls: the witness leaves no record. */
__attribute__((destructor)) static void tell(void)
{
	const char *folder = getenv("WITNESS_DIR");
	char text[4096];
	int fd, length;

	snprintf(text, sizeof(text), "%s/%d" WITNESS_SUFFIX, folder ? folder : ".", getpid());
	fd = (int)bare(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	for (int at = 0; at < COUNT; at++) {
		length = snprintf(text, sizeof(text), "%s %lu\n", names[at], counts[at]);
		if (counts[at] && bare(SYS_write, fd, text, length) != length)
			abort();
	}
}
