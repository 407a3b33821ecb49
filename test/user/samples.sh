#!/bin/sh
# SPDX-License-Identifier: MIT
# A region for each sample, more of them than tags are kept for: epochs are complete all the same, and calls know theirs.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need cc gcc

cat >program.c <<'END_OF_PROGRAM'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <recorder/recorder.h>

int main(int argc, char **argv)
{
	static struct recorder_site epoch = RECORDER_SITE("epoch", NULL), sample = RECORDER_SITE("sample", NULL);
	long count = argc > 1 ? atol(argv[1]) : 0;
	int file = open("data", O_CREAT | O_RDWR, 0600);

	for (long e = 0; e < 3; e++) {
		recorder_begin(&epoch);
		recorder_region_int("epoch", e);
		for (long i = 0; i < count; i++) {
			recorder_begin(&sample);
			recorder_region_int("sample", i);
			if (i % 1000 == 0)
				lseek(file, i, SEEK_SET);
			recorder_end(&sample);
		}
		recorder_end(&epoch);
	}
	return 0;
}
END_OF_PROGRAM
quietly cc -O1 -I "$TOP_SRCDIR/include" -o program program.c || fail "cannot compile"

# COUNT: epoch and calls of each row of all processes together
epochs()
{
	rm -rf trace
	recorder run -q -o trace -- ./program "$1" || fail "$1 samples: ended with $?"
	recorder summary -q --csv --table phases trace | awk -F, 'NR > 1 && $5 == "" {print $1, $19}'
}

# epoch and sample of the last seek
last()
{
	recorder2csv -q --no-args --functions lseek -o - trace | tail -n 1 | awk -F, '{print $(NF - 4), $(NF - 2)}'
}

# the regions, the seeks, and the epoch itself
expect_eq "0 2504
1 2504
2 2504" "$(epochs 2500)" "calls of epochs with few samples"
expect_eq "2 2000" "$(last)" "epoch and sample of the last seek"
# samples are told no more, as reader_tags_new() says
expect_eq "0 750751
1 750751
2 750751" "$(epochs 750000)" "calls of epochs with many samples"
expect_eq "2 " "$(last)" "epoch and sample of the last seek of many"
