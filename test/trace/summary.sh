#!/bin/sh
# SPDX-License-Identifier: MIT
# RECORDER_TIMING=summary: what is recorded is what it is with stamps, but for times, which are marked; what was killed, around a chdir, packed,
# taken apart and anonymized; both readers make the same of it.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need cc gcc
memory_dir
RECORDER_LIVE_DIR=$memory
export RECORDER_LIVE_DIR

cat >program.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int count, file;

/* a level below ftw() */
static int visit(const char *path, const struct stat *status, int type)
{
	(void)status;
	return access(path, R_OK) + lseek(file, 0, SEEK_SET) + type * 0;
}

__attribute__((constructor)) static void begin(void)
{
	access("/by/constructor", F_OK);
}

__attribute__((destructor)) static void end(void)
{
	access("/by/destructor", F_OK);
}

static void *seek(void *argument)
{
	for (int i = 0; i < count; i++)
		lseek(file, i, SEEK_SET);
	return argument;
}

/* one record */
static void characters(FILE *stream, int number)
{
	while (number-- > 0)
		if (fgetc(stream) != 0)
			abort();
}

int main(int argc, char **argv)
{
	FILE *zeros = fopen("zeros", "r");
	pthread_t thread;

	count = atoi(argv[1]);
	file = open("data", O_CREAT | O_RDWR, 0600);
	pthread_create(&thread, NULL, seek, NULL);
	for (int i = 0; i < count; i++) {
		if (pwrite(file, "12345678", 8, 8 * i) != 8)
			abort();
		if (i % 64 == 8)
			characters(zeros, 2 + i % 500 * (i % 3));
		if (i % 64 == 0 && ftw("tree", visit, 8))
			abort();
		if (i % 1000 == 999)
			close(open("/none", O_RDONLY));
	}
	pthread_join(thread, NULL);
	if (argc > 2 && chdir(argv[2]))
		kill(getpid(), SIGKILL);
	if (access("here", F_OK))
		return 0;
	return 0;
}
END
quietly cc -O1 -o program program.c -lpthread || fail "cannot compile"
truncate -s 4M zeros || fail "truncate"
mkdir tree tree/a tree/b && : >tree/a/x || fail "mkdir"

# what is recorded but for times: thread by thread in the order of begins
calls()
{
	recorder2text "$@" >text || fail "recorder2text $*"
	main=$(sed -n 's/^0 \([0-9]*\) .*\/by\/constructor.*/\1/p' text)
	sed -e "s/^0 $main [^ ]* [^ ]* /main /" -e 's/^0 [0-9]* [^ ]* [^ ]* /other /' -e 's/ busy=[^ ]*//' text | sort -s -k 1,1
}

record()
{
	RECORDER_TIMING=$1 RECORDER_BUFFER_SIZE=256k recorder run -q -o "$2" -- ./program "$3" ${4:+"$4"}
}

for timing in stamps summary; do
	record $timing $timing 20000 || fail "the program ended with $?"
	recorder check $timing >check.log 2>&1 || fail "$timing: $(cat check.log)"
	calls --show phase $timing >$timing.calls
	grep -c '^0 [0-9]* ~[0-9.]* ~' text >$timing.made_up
done
cmp stamps.calls summary.calls || fail "other calls with RECORDER_TIMING=summary"
expect_eq 0 "$(cat stamps.made_up)" "made-up times with stamps"
expect_eq "$(wc -l <summary.calls)" "$(cat summary.made_up)" "made-up times"
grep -q '~.* access(.*before_main' text || fail "a constructor's call is not before main()"
grep -q '~.* access(.*after_main' text || fail "a destructor's call is not after main()"
recorder info --json summary >info.json || fail "recorder info"
expect_eq "$(wc -l <summary.calls)" "$(info_number summed)" "records with summed times by recorder info"
recorder info summary | grep -q '^timing  *times of ' || fail "recorder info does not say that times are summed"
recorder info --entropy summary | grep -q '^entropy' && fail "times that are made up have an entropy"
small=$(cat summary/*.rec | wc -c) large=$(cat stamps/*.rec | wc -c)
[ $((small * 3)) -lt $((large * 2)) ] || fail "$small bytes with summed times, $large with stamps"

# calls lie one in the other as levels say, in made-up times, too
recorder2text summary | tr -d '~' | sort -s -k 2,2 -k 3,3 | awk '
	{ level = $5 }
	$2 != thread { thread = $2; delete end; for (i = 0; i < 99; i++) end[i] = 1e9 }
	level > 0 && (level > last + 1 || $4 > end[level - 1]) { print "not inside: " $0; wrong = 1 }
	{ for (i = level + 1; i < 99; i++) end[i] = 0; end[level] = $4; last = level }
	END { exit wrong }' >nesting.log || fail "$(head -n 3 nesting.log)"

# seconds that a function took are less than those of the process
recorder2pfw -o - summary | grep -c '"times":"summed"' >pfw.made_up
expect_eq "$(cat summary.made_up)" "$(cat pfw.made_up)" "calls that recorder2pfw marks"

# the second reader
"${PYTHON:-python3}" "$TOP_SRCDIR/test/decode.py" --plain summary >second.text || fail "decode.py"
recorder2text --plain summary >first.text || fail "recorder2text --plain"
cmp first.text second.text || fail "the two readers make other times of it"

# the whole within a time: no call begins outside
recorder2text --plain --time 0.001s..0.002s summary >part.text || fail "recorder2text --time"
awk '{ gsub("~", ""); if ($4 < 0.001 || $3 > 0.002) exit 1 }' part.text || fail "calls of another time"
expect_eq "$(tr -d '~' <first.text | awk '$4 >= 0.001 && $3 <= 0.002' | wc -l)" "$(wc -l <part.text)" "calls of a time"

# packed, taken apart, made anonymous
quietly recorder pack -q summary -o packed.rtrace || fail "recorder pack"
recorder2text --plain packed.rtrace | cmp - first.text || fail "packed, it is another trace"
quietly recorder unpack -q packed.rtrace -o unpacked || fail "recorder unpack"
diff -r summary unpacked || fail "unpacked, it is another trace"
quietly recorder anonymize -q summary -o nameless || fail "recorder anonymize"
quietly recorder check nameless || fail "recorder check of the anonymous trace"
expect_eq "$(cut -d ' ' -f 5-7 first.text | cut -d '(' -f 1 | sort | uniq -c)" \
	"$(recorder2text nameless | cut -d ' ' -f 5-7 | cut -d '(' -f 1 | sort | uniq -c)" "calls of the anonymous trace"
recorder2text nameless | grep -vc '^0 [0-9]* ~[0-9.]* ~' >nameless.stamped
expect_eq 0 "$(cat nameless.stamped)" "stamps of the anonymous trace"

# killed: what lies in the rings has its stamps, and nothing is missing
record summary killed 3000 /none 2>/dev/null
for state in left repaired; do
	calls killed >killed.calls 2>/dev/null
	expect_eq 3000 "$(grep -c '^main.* pwrite(' killed.calls)" "writes of a killed process, $state"
	expect_eq 3000 "$(grep -c '^other.* lseek(' killed.calls)" "seeks of its thread, $state"
	grep -q '^0 [0-9]* ~.* pwrite(' text || fail "no summed times in a killed process, $state"
	grep -q '^0 [0-9]* [0-9].* pwrite(' text || fail "no stamps in a killed process, $state"
	quietly recorder repair -q killed || fail "recorder repair"
done

# relative paths are those of the time
mkdir below && : >below/here || fail "mkdir"
record summary moved 100 below || fail "the program ended with $?"
recorder2text moved >moved.text
grep -q ' access(path="here", ' moved.text || fail "no access"
recorder2pfw -o - moved | grep -q "$PWD/below/here" || fail "a path after chdir() is not that of the time"
