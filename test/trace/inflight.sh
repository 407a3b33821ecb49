#!/bin/sh
# SPDX-License-Identifier: MIT
# A process that ends in order while threads of it are in calls: the trace is whole and shows these calls, but not
# those that return before the process is gone.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

cat >blocked.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static int ends[2][2];

static void *wait_for(void *end)
{
	char c;

	read(*(int *)end, &c, 1);
	pause();
	return NULL;
}

/* After the recorder's end: one of the two gets what it waits for. */
void late(void)
{
	write(ends[1][1], "", 1);
	usleep(300000);
}

int main(void)
{
	pthread_t thread;

	for (int i = 0; i < 2; i++) {
		pipe(ends[i]);
		pthread_create(&thread, NULL, wait_for, ends[i]);
	}
	usleep(700000);
	return 3;
}
END
cat >late.c <<'END'
void late(void) __attribute__((weak));
__attribute__((destructor)) static void end(void)
{
	if (late)
		late();
}
END
cc -shared -fPIC -o liblate.so late.c || fail "cannot compile"
cc -w -rdynamic -pthread -o blocked blocked.c || fail "cannot compile"
cc -w -rdynamic -pthread -Wl,--no-as-needed -o late blocked.c -L. -llate -Wl,-rpath,"$PWD" || fail "cannot compile"

# PROGRAM CALLS-IN-FLIGHT
one()
{
	LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR="$1.trace" "./$1"
	expect_eq 3 $? "status of $1"
	recorder check --strict "$1.trace" >said || fail "check of $1: $(cat said)"
	recorder where --json "$1.trace" >where.json || fail "where of $1"
	python3 - "$2" <<-'END' || fail "$1: $(cat where.json)"
		import json, sys
		groups = json.load(open("where.json"))["groups"]
		threads = [thread for group in groups for thread in group["threads"]]
		assert len(threads) == int(sys.argv[1]), "calls in flight"
		assert all(0.6 <= thread["seconds"] < 30 for thread in threads), "seconds"
		assert all(group["function"] == "read" and not group["died"] for group in groups)
	END
	python3 "$TOP_SRCDIR/test/decode.py" --text --in-flight "$1.trace" >decoded || fail "the second reader"
	expect_eq "$2" "$(grep -c ' read(.*in_flight' decoded)" "the second reader: $(cat decoded)"
}

one blocked 2
recorder where blocked.trace | grep -q '^rank.* 0 ended in read(.*' || fail "where: $(recorder where blocked.trace)"
one late 1
recorder2text late.trace | grep -q ' read(.* = 1' || fail "the call that returned late is not there"
exit 0
