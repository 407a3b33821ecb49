#!/bin/sh
# SPDX-License-Identifier: MIT
# files: memory
# recorder2pfw --split: files that are valid each by itself and together have what one file has; all of them or none. --stacks: the stacks that
# recorder2text has.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
cli=$TOP_SRCDIR/test/cli

cat >calls.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void __attribute__((noinline)) save(int file, long at)
{
	if (pwrite(file, "12345678", 8, at) < 0)
		abort();
}

/* Files that come and go, and calls within calls. */
static void *work(void *data)
{
	char name[64];

	for (int i = 0; i < 60; i++) {
		FILE *lines;
		int file;

		snprintf(name, sizeof(name), "%s.%d", (const char *)data, i);
		file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
		for (int k = 0; k < 20; k++)
			save(file, 8L * k);
		close(file);
		lines = fopen(name, "w");
		fprintf(lines, "%d\n", i);
		fclose(lines);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, "one");
	work("two");
	pthread_join(thread, NULL);
	return 0;
}
END
${CC:-cc} -g -O1 -pthread -o calls calls.c || fail "cannot compile"
RECORDER_STACKS=8 recorder run -q -o trace ./calls || fail "cannot record"
python3 "$cli/sample.py" sample || fail "no sample"
records=$(recorder info -q --json trace | python3 -c 'import json, sys; print(json.load(sys.stdin)["stored"])')

# what files say, without what each must say by itself
calls() {
	for file in "$@"; do
		case $file in
		*.gz) gzip -dc "$file" ;;
		*) cat "$file" ;;
		esac
	done | grep -E '"ph":("X"|"B"|1[,}])' | sed 's/,$//'
}

# FORM OPTIONS... : the same events, each file valid
split_as() {
	form=$1
	shift
	case $form in
	# several files of Chrome JSON are of one time after the other, one file is of one thread after the other
	chrome) ending=json checker=check_chrome.py order=sort ;;
	*) ending=pfw checker=check_pfw.py order=cat ;;
	esac
	[ $# -eq 0 ] && traces="trace sample" || traces=trace
	for trace in $traces; do
		[ $trace = trace ] && size=160K || size=2K
		recorder2pfw -q --format "$form" "$@" -o "$form.$ending" $trace || fail "$form $*: one file"
		recorder2pfw -q --format "$form" "$@" --split $size -o "s.$ending" $trace || fail "$form $*: several files"
		recorder2pfw -q --format "$form" "$@" --split $size -j 3 -z -o "s.$ending.gz" $trace || fail "$form $*: several files, -z"
		for file in s-[0-9]*; do
			python3 "$cli/$checker" "$file" >verdict || fail "$form $*: $(cat verdict)"
		done
		calls "$form.$ending" | $order >want
		calls s-[0-9][0-9][0-9][0-9]."$ending" | $order | cmp - want || fail "$form $*: other events in $trace"
		calls s-[0-9]*.gz | $order | cmp - want || fail "$form $*: other events in $trace with -z"
		[ $trace = sample ] || {
			[ -f "s-0001.$ending" ] || fail "$form $*: only $(echo s-*)"
			for file in s-[0-9]*."$ending"; do
				[ "$(wc -c <"$file")" -lt 200000 ] || fail "$form $*: $file has $(wc -c <"$file") bytes"
			done
			expect_eq "$records" "$(wc -l <want)" "events"
		}
		rm -f "$form.$ending" s-*
	done
}

split_as pfw
split_as pfw2
split_as chrome
split_as pfw --stacks
split_as chrome --no-args

# the analyzer's rules find in all files what the summary has
recorder2pfw -q -z --split 200K -o d.pfw.gz trace || fail "-z --split"
python3 "$cli/dftracer.py" trace d-*.pfw.gz || fail "DFTracer's rules, several files"
for form in pfw pfw2; do
	recorder2pfw -q --force -z --format $form -o d.pfw.gz trace || fail "$form -z"
	python3 "$cli/dftracer.py" trace d.pfw.gz || fail "DFTracer's rules, $form"
	for jobs in 2 4; do
		recorder2pfw -q --force -z --format $form -j $jobs -o again.pfw.gz trace && cmp d.pfw.gz again.pfw.gz || fail "$form: -j $jobs gives something else"
	done
done
if /usr/bin/python3 -c 'import dask.bag' 2>/dev/null; then
	recorder2pfw -q -o d.pfw trace || fail "pfw"
	together=$(/usr/bin/python3 "$cli/dask_pfw.py" d-*.pfw.gz)
	expect_eq "$(/usr/bin/python3 "$cli/dask_pfw.py" d.pfw)" "$together" "dask, several files"
	expect_eq "$records" "${together%% *}" "dask, events"
fi

# stacks are those of the text
python3 - trace <<'END' || fail "--stacks"
import json
import subprocess
import sys


def output(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


want = {line[line.index("stack=["):].split("[", 1)[1].split("]")[0]
        for line in output("recorder2text", "-q", "--stacks", "--functions", "pwrite", sys.argv[1]).splitlines()}
for form in ("pfw", "chrome"):
    lines = output("recorder2pfw", "-q", "--stacks", "--functions", "pwrite", "--format", form, "-o", "-", sys.argv[1]).splitlines()
    events = [json.loads(line.rstrip(",")) for line in lines if '"ph":"X"' in line]
    got = {", ".join(f'"{frame}"' for frame in event["args"]["stack"]) for event in events}
    assert got == want and len(events) == 2400 and any("save calls.c:" in stack for stack in got), (form, got, want)
END
recorder2pfw -q --no-args --stacks -o - trace >/dev/null 2>&1
expect_eq 2 $? "--no-args --stacks"

# all or none: a file in the way, of this set and behind it
mkdir way && echo mine >way/t-0003.pfw
recorder2pfw -q --split 40K -o way/t.pfw trace 2>errors && fail "an existing file was replaced"
grep -q "t-0003.pfw" errors || fail "nothing is said of the file: $(cat errors)"
expect_eq "t-0003.pfw" "$(ls -A way)" "left behind"
expect_eq mine "$(cat way/t-0003.pfw)" "an existing file"
mv way/t-0003.pfw way/t-0001.pfw
recorder2pfw -q --split 100M -o way/t.pfw trace 2>/dev/null && fail "a file of an older set stays beside"
expect_eq "t-0001.pfw" "$(ls -A way)" "left behind"
recorder2pfw -q --force --split 100M -o way/t.pfw trace || fail "--force"
expect_eq "t-0000.pfw" "$(ls -A way)" "files of an older set"
rm way/*
(ulimit -f 20 && trap '' XFSZ && exec recorder2pfw -q --split 40K -o way/t.pfw trace) 2>/dev/null && fail "a full disk is no error"
(ulimit -f 20 && exec recorder2pfw -q --split 40K -o way/t.pfw trace) 2>/dev/null && fail "SIGXFSZ is no error"
expect_eq "" "$(ls -A way)" "left behind"
recorder2pfw -q --split 40K -o - trace >/dev/null 2>&1 && fail "--split into a pipe"
recorder2pfw -q --split 0 -o x.pfw trace >/dev/null 2>&1
expect_eq 2 $? "--split 0"

# a signal that comes with the third file, or when the first takes its name
case ${SANITIZERS:-} in
*address*) exit 0 ;;
esac
cat >signal.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int mkostemp(char *template, int flags)
{
	static int count;

	if (!strcmp(getenv("SIGNAL_AT"), "file") && ++count == 3)
		kill(getpid(), SIGTERM);
	return ((int (*)(char *, int))dlsym(RTLD_NEXT, "mkostemp"))(template, flags);
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
	if (!strcmp(getenv("SIGNAL_AT"), "name"))
		kill(getpid(), SIGTERM);
	return ((int (*)(int, const char *, int, const char *, unsigned))dlsym(RTLD_NEXT, "renameat2"))(
		from, old, to, new, flags);
}
END
${CC:-cc} -shared -fPIC -o signal.so signal.c || fail "cannot compile"
SIGNAL_AT=file LD_PRELOAD=./signal.so recorder2pfw -q --split 40K -o way/t.pfw trace
expect_eq 143 $? "status"
expect_eq "" "$(ls -A way)" "left behind by a signal"
SIGNAL_AT=name LD_PRELOAD=./signal.so recorder2pfw -q --split 40K -o way/t.pfw trace
expect_eq 143 $? "status"
recorder2pfw -q --split 40K -o t.pfw trace || fail "--split"
for file in t-*.pfw; do
	cmp "$file" "way/$file" || fail "a signal between names left some files without"
done
expect_eq "$(echo t-*.pfw)" "$(cd way && echo *)" "files"
exit 0
