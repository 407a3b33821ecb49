#!/bin/sh
# SPDX-License-Identifier: MIT
# RECORDER_TIMING=summary of programs that do the same again and again: the trace does not grow with how often; what is recorded is what it is with stamps,
# but for times; of a process that is killed nothing is missing, at whatever step of holding a loop that was.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need cc gcc
memory_dir
RECORDER_LIVE_DIR=$memory RECORDER_TIMING=summary RECORDER_BUFFER_SIZE=256k
export RECORDER_LIVE_DIR RECORDER_TIMING RECORDER_BUFFER_SIZE
hooked=$TOP_BUILDDIR/test/.libs/librecorder_hooked.so

cat >program.c <<'END_OF_PROGRAM'
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int file;
static long count;
static long *done; /* writes, for who comes after a kill */

static void write_one(long i)
{
	if (pwrite(file, "12345678", 8, 8 * i) != 8)
		abort();
	++*done;
}

static void writes(void)
{
	for (long i = 0; i < count; i++) {
		write_one(i);
		lseek(file, 16 * i, SEEK_SET);
	}
}

/* a loop of loops: an eighth of the ring, or nearly */
static void turns(void)
{
	char bytes[8];

	for (long i = 0; i < count; i++) {
		write_one(i % 150);
		for (long k = 0; i % 150 == 149 && k < 150; k++)
			if (pread(file, bytes, 8, 8 * k) != 8)
				abort();
	}
}

static void names(void)
{
	static const char *const all[] = {"a", "b", "c"};
	struct stat status;

	for (long i = 0; i < count; i++) {
		int fd = open(all[i % 3], O_CREAT | O_RDWR, 0600);

		if (fstat(fd, &status) || close(fd) || access(all[i % 3], R_OK))
			abort();
		access("none", F_OK);
	}
}

/* a level below ftw() */
static int visit(const char *path, const struct stat *status, int type)
{
	(void)status;
	return access(path, R_OK) + type * 0;
}

static void nested(void)
{
	for (long i = 0; i < count; i++) {
		write_one(i);
		if (i % 10 == 9 && ftw("tree", visit, 8))
			abort();
	}
}

/* loops within a loop, which takes longer than a ring has room for */
static void checkpoints(void)
{
	for (long i = 0; i < count;) {
		int fd = open("a", O_CREAT | O_RDWR, 0600);

		for (long k = 0; k < 3000; k++, i++)
			write_one(k);
		if (fd < 0 || fsync(fd))
			abort();
		for (long k = 0; k < 800; k++, i++) {
			lseek(fd, 8 * i, SEEK_SET);
			write_one(i);
		}
		close(fd);
	}
}

/* the same below ftw(), whose record comes behind */
static int visit_long(const char *path, const struct stat *status, int type)
{
	(void)status;
	for (long i = 0; type == FTW_F && i < 2500; i++)
		write_one(i);
	for (long i = 0; type == FTW_F && i < 500; i++)
		access(path, R_OK);
	return 0;
}

static void around(void)
{
	for (long i = 0; i < count; i += 3000)
		if (ftw("tree", visit_long, 8) || access("a", F_OK))
			abort();
}

/* a loop that ends now and then, and is another one for a while */
static void breaks(void)
{
	for (long i = 0; i < count; i++) {
		write_one(i);
		if (i % 4500 == 4499)
			close(open("/none", O_RDONLY));
		if (i % 14000 < 6000)
			access("a", F_OK);
	}
}

static void *in_thread(void *argument)
{
	nested();
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int progress = open("progress", O_CREAT | O_TRUNC | O_RDWR, 0600);

	if (argc < 3 || ftruncate(progress, 4096))
		return 2;
	done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, progress, 0);
	count = atol(argv[2]);
	file = open("data", O_CREAT | O_RDWR, 0600);
	if (!strcmp(argv[1], "writes"))
		writes();
	else if (!strcmp(argv[1], "turns"))
		turns();
	else if (!strcmp(argv[1], "names"))
		names();
	else if (!strcmp(argv[1], "nested"))
		nested();
	else if (!strcmp(argv[1], "checkpoints"))
		checkpoints();
	else if (!strcmp(argv[1], "around"))
		around();
	else if (!strcmp(argv[1], "breaks"))
		breaks();
	else if (pthread_create(&thread, NULL, in_thread, NULL) || pthread_join(thread, NULL))
		return 2;
	return 0;
}
END_OF_PROGRAM
quietly cc -O1 -o program program.c -lpthread || fail "cannot compile"
mkdir tree tree/x && : >tree/y && : >a || fail "mkdir"

# KIND COUNT: bytes of the stream
size()
{
	rm -rf sized
	recorder run -q -o sized -- ./program "$1" "$2" || fail "$1 $2 ended with $?"
	quietly recorder check sized || fail "recorder check after $1 $2"
	cat sized/*.rec | wc -c
}

# eight times as many records, of which a chunk for each ring would take some 50 KB
for kind in writes turns names nested thread; do
	few=$(size $kind 20000) many=$(size $kind 160000)
	[ "$many" -lt $((few + 3000)) ] || fail "$kind: $few bytes of few records, $many of many"
	echo "$kind: $few $many"
done

# until it is known what comes again it takes some turns
for kind in checkpoints around; do
	few=$(size $kind 50000) many=$(size $kind 400000)
	[ "$many" -lt $((few + 3000)) ] || fail "$kind: $few bytes of few records, $many of many"
	echo "$kind: $few $many"
done

# recorder2text without times
calls()
{
	recorder2text "$1" | cut -d ' ' -f 5- | sed -e 's/ busy=[^ ]*//'
}

for kind in writes:9000 turns:9000 names:9000 nested:9000 thread:9000 breaks:9000 checkpoints:40000 around:40000; do
	count=${kind#*:} kind=${kind%:*}
	for timing in stamps summary; do
		RECORDER_TIMING=$timing recorder run -q -o $timing.trace -- ./program "$kind" "$count" || fail "$kind ended with $?"
		calls $timing.trace >$timing.calls
	done
	cmp stamps.calls summary.calls || fail "$kind: other calls with RECORDER_TIMING=summary"
	quietly recorder check summary.trace || fail "recorder check after $kind"
	recorder2text --plain summary.trace >first.text
	"${PYTHON:-python3}" "$TOP_SRCDIR/test/decode.py" --plain summary.trace >second.text || fail "decode.py after $kind"
	cmp first.text second.text || fail "$kind: the two readers make other times of it"
	rm -rf stamps.trace summary.trace
done

# written for its age while it goes on
for flush in 10s 1ms; do
	RECORDER_FLUSH=$flush recorder run -q -o $flush.trace -- ./program writes 60000 || fail "writes ended with $?"
	calls $flush.trace >$flush.calls
done
cmp 10s.calls 1ms.calls || fail "other calls with RECORDER_FLUSH=1ms"
quietly recorder check 1ms.trace || fail "recorder check with RECORDER_FLUSH=1ms"

# also in the midst of a turn, and calls lie in the one that is around them
RECORDER_FLUSH=100us recorder run -q -o midst -- ./program around 400000 || fail "around ended with $?"
recorder2text midst | tr -d '~' | awk '$5 == 0 { begin = $3; end = $4 }
	$5 == 1 { inside++; if ($3 < begin || $4 > end) { print; wrong++ } }
	END { exit wrong > 0 || inside != 402000 }' >wrong.text || fail "calls outside of what is around them: $(head -n 3 wrong.text)"

# a part of it, by processes, packed and made anonymous
recorder run -q -o many -- ./program nested 100000 || fail "nested ended with $?"
recorder2text --plain many >first.text
recorder2text --plain --time 0.004s..0.011s many >part.text
expect_eq "$(tr -d '~' <first.text | awk '$4 >= 0.004 && $3 <= 0.011' | wc -l)" "$(wc -l <part.text)" "calls of a time"
recorder2pfw -j 1 -o one.pfw many && recorder2pfw -j 3 -o three.pfw many || fail "recorder2pfw"
cmp one.pfw three.pfw || fail "another trace by three processes"
quietly recorder pack -q many -o packed.rtrace || fail "recorder pack"
recorder2text --plain packed.rtrace | cmp - first.text || fail "packed, it is another trace"
quietly recorder unpack -q packed.rtrace -o unpacked || fail "recorder unpack"
diff -r many unpacked || fail "unpacked, it is another trace"
quietly recorder anonymize -q many -o nameless || fail "recorder anonymize"
quietly recorder check nameless || fail "recorder check of the anonymous trace"
expect_eq "$(cut -d ' ' -f 5-7 first.text | cut -d '(' -f 1 | sort | uniq -c)" \
	"$(recorder2text nameless | cut -d ' ' -f 5-7 | cut -d '(' -f 1 | sort | uniq -c)" "calls of the anonymous trace"
grep -q 'tree/y' first.text || fail "no name in the trace"
recorder2text nameless | grep 'tree/y' && fail "a name in the anonymous trace"

# killed at each step
for place in breaks:holding:1 breaks:holding:6 breaks:held:1 breaks:held:5 breaks:keeping:1 breaks:keeping:7 \
	breaks:releasing:1 breaks:written:4 breaks:recycled:9 checkpoints:holding:20 checkpoints:held:21 \
	checkpoints:keeping:22 around:holding:23 around:held:24 around:keeping:25; do
	rm -rf killed
	RECORDER_TEST_KILL=${place#*:} LD_PRELOAD=$hooked RECORDER_TRACES_DIR=killed ./program "${place%%:*}" 200000 2>/dev/null
	expect_eq 137 $? "status of a program killed at $place"
	written=$(od -An -td8 -N8 progress | tr -d ' ')
	recorder2text --plain killed >first.text 2>/dev/null
	"${PYTHON:-python3}" "$TOP_SRCDIR/test/decode.py" --plain --in-flight killed >second.text || fail "decode.py"
	cmp first.text second.text || fail "killed at $place: the readers differ"
	for state in left repaired; do
		found=$(recorder2text killed 2>/dev/null | grep -c ' pwrite(')
		[ "$found" = "$written" ] || [ "$found" = $((written + 1)) ] ||
			fail "killed at $place, $state: $found writes in the trace, $written made"
		[ $state = repaired ] || quietly recorder repair -q killed || fail "recorder repair after a kill at $place"
	done
	quietly recorder check killed || fail "recorder check after a kill at $place"
done
