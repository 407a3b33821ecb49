#!/bin/sh
# SPDX-License-Identifier: MIT
# Times that are rounded to milliseconds, in many chunks that begin within calls: of the calls of a thread none begins before the end of the one before.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need cc gcc

cat >program.c <<'END'
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int fd, number;

static int filter(const struct dirent *entry)
{
	(void)entry;
	for (int i = 0; i < 10; i++)
		pwrite(fd, "x", 1, number++);
	return 0;
}

int main(void)
{
	struct dirent **list;

	fd = creat("data", 0600);
	for (int i = 0; i < 2000; i++) {
		lseek(fd, 0, SEEK_SET);
		scandir(".", &list, filter, NULL);
		free(list);
	}
	return 0;
}
END
cc -w -o program program.c || fail "cannot compile"
RECORDER_TIME_RESOLUTION=1ms RECORDER_BUFFER_SIZE=4k RECORDER_TRACES_DIR=trace preload ./program || fail "exit status $?"
recorder2text -q --functions scandir,lseek trace | cut -d ' ' -f 3-4 | sort -n >spans
expect_eq 4000 "$(wc -l <spans)" "calls"
# The first chunks may have another unit: how long a tick is is not known well as yet.
tail -n +1000 spans | awk '$1 < end { print } { end = $2 > end ? $2 : end }' >wrong
[ ! -s wrong ] || fail "$(wc -l <wrong) calls begin before the one before ended"
