#!/bin/sh
# SPDX-License-Identifier: MIT
# Records that are begun in place and do not stay there: strings that the ring has no room for any more, calls inside of calls with strings, arrays behind them. What is recorded is what was
# called, also of a process that is killed in the innermost of its calls.
. "${TOP_SRCDIR:?}/test/lib.sh"
need cc gcc
memory_dir
RECORDER_LIVE_DIR=$memory RECORDER_BUFFER_SIZE=64k
export RECORDER_LIVE_DIR RECORDER_BUFFER_SIZE

cat >program.c <<'END_OF_PROGRAM'
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static FILE *expected;
static unsigned number;
static int depth, killed;

/* A path of every length up to more than is stored of one, that is nowhere. */
static const char *path(void)
{
	static char room[5000];
	size_t length = 2 + number * 37 % 4000;

	memset(room, 'a' + number % 26, length);
	room[0] = '/';
	snprintf(room + length, sizeof(room) - length, ".%u", number++);
	return room;
}

static void ask(void)
{
	const char *name = path();

	fprintf(expected, "%d access %s\n", depth, name);
	access(name, F_OK);
}

static void parts(void)
{
	struct iovec vector[70];
	int count = 1 + number++ % 70;

	for (int i = 0; i < count; i++)
		vector[i] = (struct iovec){"12345678", 1 + (size_t)i % 8};
	fprintf(expected, "%d writev %d\n", depth, count);
	if (writev(3, vector, count) < 0)
		abort();
}

static int filter(const struct dirent *entry);

static void scan(void)
{
	struct dirent **list;

	fprintf(expected, "%d scandir folder\n", depth);
	if (scandir("folder", &list, filter, NULL) != 1)
		abort();
	free(list[0]);
	free(list);
}

static int filter(const struct dirent *entry)
{
	if (strcmp(entry->d_name, "file"))
		return 0;
	depth++;
	for (int i = 0; i < 3; i++)
		ask();
	parts();
	if (depth < 4)
		scan();
	parts();
	if (killed && number > 3000)
		kill(getpid(), SIGKILL);
	depth--;
	return 1;
}

int main(int argc, char **argv)
{
	expected = fopen(argv[1], "w");
	setvbuf(expected, malloc(16 << 20), _IOFBF, 16 << 20);
	killed = argc > 2;
	while (number < 4000) {
		for (int i = 0; i < 20; i++)
			ask();
		parts();
		scan();
	}
	return fclose(expected);
}
END_OF_PROGRAM
quietly cc -O1 -o program program.c || fail "cannot compile"
mkdir folder && : >folder/file || fail "mkdir"

# what the recorder says of the same calls, in the order in which they began
recorded()
{
	recorder2text --plain "$1" 2>warnings >text || fail "recorder2text $1"
	sed -n -e 's/.* \([0-9]*\) posix \(access\)(path="\([^"]*\)".*/\1 \2 \3/p' \
		-e 's/.* \([0-9]*\) posix \(scandir\)(path="\([^"]*\)".*/\1 \2 \3/p' \
		-e 's/.* \([0-9]*\) posix \(writev\)(.*count=\([0-9]*\)).*/\1 \2 \3/p' text
}

RECORDER_TRACES_DIR=$PWD/whole preload ./program expected 3>out || fail "the program ended with $?"
recorder check whole >check.log 2>&1 || fail "$(cat check.log)"
expect_eq 0 "$(recorder info --json whole | tr , '\n' | sed -n 's/.*"lost": *\([0-9]*\).*/\1/p' | head -n 1)" "lost records"
recorded whole >got
cmp expected got || fail "$(diff expected got | cut -c 1-200 | head -n 5)"

# all that had returned, and the call in flight with those around it
RECORDER_TRACES_DIR=$PWD/killed preload ./program unfinished kill 3>out && fail "it was not killed"
recorded killed >got
[ "$(wc -l <got)" -gt 3000 ] || fail "$(wc -l <got) calls of a killed process"
head -n "$(wc -l <got)" expected >begun
cmp begun got || fail "$(diff begun got | cut -c 1-200 | head -n 5)"
sed -n 's/.* \([0-9]*\) posix \([a-z]*\)(.* = ?.*in_flight.*/\1 \2/p' text | sort >flying
printf '%s\n' '0 scandir' '1 scandir' '2 scandir' '3 scandir' '4 kill' >around
cmp around flying || fail "in flight: $(cat flying)"
