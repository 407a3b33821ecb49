#!/bin/sh
# SPDX-License-Identifier: MIT
# Calls before main() and after it are marked, in processes that return, exit and are killed; threads have the last name that they
# gave themselves, and the library whose function they were started with.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need cc gcc
memory_dir
RECORDER_LIVE_DIR=$memory
export RECORDER_LIVE_DIR

cat >library.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static void *work(void *argument)
{
	access("/by/thread", F_OK);
	pthread_setname_np(pthread_self(), "progress");
	return argument;
}

__attribute__((constructor)) static void begin(void)
{
	access("/by/constructor", F_OK);
}

__attribute__((destructor)) static void end(void)
{
	access("/by/destructor", F_OK);
}

void library_start(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
}
END
cat >program.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void library_start(void);

static void *wait_long(void *argument)
{
	access("/by/own", F_OK);
	pthread_setname_np(pthread_self(), "waits");
	pthread_barrier_wait(argument);
	pause();
	return NULL;
}

static void handler(void)
{
	access("/by/handler", F_OK);
}

int main(int argc, char **argv)
{
	pthread_barrier_t barrier;
	pthread_t thread;

	atexit(handler);
	library_start();
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, wait_long, &barrier);
	pthread_barrier_wait(&barrier);
	access("/by/main", F_OK);
	if (argc > 1 && !strcmp(argv[1], "exit"))
		exit(3);
	if (argc > 1)
		raise(SIGKILL);
	return 3;
}
END
cc -w -fPIC -shared -o libprogress.so library.c -lpthread || fail "cannot compile the library"
cc -w -o program program.c -L. -lprogress -Wl,-rpath,"$PWD" -lpthread || fail "cannot compile"

# "before /by/constructor" and the like, by name
phases()
{
	recorder2pfw -o - "$1" | sed -n -e 's/"phase":"\([a-z]*\)_main",/@\1 /' -e 's/.*"path":"\(\/by\/[a-z]*\)".*@.*/?/' \
		-e 's/.*@\([a-z]*\) .*"path":"\(\/by\/[a-z]*\)".*/\1 \2/p' \
		-e '/@/!s/.*"path":"\(\/by\/[a-z]*\)".*/in \1/p' | sort | tr '\n' ';'
}

all="after /by/destructor;after /by/handler;before /by/constructor;in /by/main;in /by/own;in /by/thread;"
for how in return exit; do
	argument=$how
	[ "$how" != return ] || argument=
	RECORDER_TRACES_DIR=$how RECORDER_QUIET=1 preload ./program ${argument:+"$argument"}
	expect_eq 3 $? "$how: status"
	expect_eq "$all" "$(phases $how)" "$how"
	recorder info --threads "$how" >info || fail "recorder info"
	grep -q "progress  *$PWD/libprogress.so" info || fail "$how: the thread of the library: $(cat info)"
	grep -q "waits  *$PWD/program" info || fail "$how: the thread of the program: $(cat info)"
	recorder2pfw -o - "$how" | grep -q '"name":"progress of libprogress.so"' || fail "$how: name of the lane"
done
(RECORDER_TRACES_DIR=killed RECORDER_QUIET=1 preload ./program killed) 2>/dev/null
expect_eq "before /by/constructor;in /by/main;in /by/own;in /by/thread;" "$(phases killed)" "killed"
recorder info --threads killed | grep -q "progress  *$PWD/libprogress.so" || fail "killed: the thread of the library"
quietly "${PYTHON:-python3}" "$TOP_SRCDIR/test/format/readers_agree.py" return || fail "the readers do not agree"
exit 0
