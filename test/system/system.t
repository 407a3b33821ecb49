#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder system: all system calls of a job and of nothing else, as strace counts them; what is lost is counted; the program is as it is without.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
sources=$TOP_SRCDIR/test/system

cc -static -O1 -o job "$sources/job.c" -lpthread || skip "no static programs"
need_kernel

# COUNT NAME of system calls, by recorder2text and by strace. How often a shell is told of its children's ends depends on who is faster.
counted()
{
	grep -vE '^(rt_sigreturn|wait4|rt_sigprocmask|rt_sigsuspend)$' | sort | uniq -c
}

recorded()
{
	recorder2text -q "$1" | sed -n 's/^[^ ]* [0-9]* [^ ]* [^ ]* [0-9]* kernel \([a-z0-9_]*\)(.*/\1/p' | counted
}

straced()
{
	strace -f -qq -e signal=none -o strace.out "$@" >/dev/null 2>&1
	sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' strace.out | counted
}

# same NAME CMD...: it is as strace has it
same()
{
	recorder system -q -o "$1.trace" -- "$2" "$3" "$4" "$5" >/dev/null || fail "exit status $?"
	recorder check -q --strict "$1.trace" || fail "recorder check"
	recorded "$1.trace" >got
	shift
	straced "$@" >want
	diff want got || fail "not as strace has them"
	[ "$(awk '{ n += $1 } END { print n }' got)" -gt 20 ] || fail "only $(cat got)"
}

pipeline()
{
	need strace
	same pipeline sh -c 'ls / | wc -l; cat /etc/hostname; (exit 3); true' sh
}

static()
{
	need strace
	same static ./job plain file ""
	recorder2text -q static.trace | sed -n 's/^.* kernel //p' | sed -n '/openat/,$p' | sed "s|$PWD|HERE|" >got
	cat >want <<-'END'
	openat(dirfd=AT_FDCWD, path="file", flags=O_RDWR|O_CREAT|O_TRUNC, mode=0640) = 3 "HERE/file"
	pwrite64(fd=3 "HERE/file", count=8, offset=0) = 8
	read(fd=3 "HERE/file", count=16, position=0) = 8
	lseek(fd=3 "HERE/file", offset=2, whence=SEEK_SET) = 2
	read(fd=3 "HERE/file", count=1, position=2) = 1
	openat(dirfd=AT_FDCWD, path="/there/is/none", flags=O_RDONLY, mode=0000) = -1 ENOENT
	close(fd=-1) = -1 EBADF
	close(fd=3 "HERE/file") = 0
	unlink(path="file") = 0
	exit_group(status=0) = ?
	END
	diff want got || fail "not as the program makes them"
}

# Forked, threaded and left alone; beside it one that is none of the job's.
tree()
{
	sh -c 'while :; do echo >>outsider; done' &
	outsider=$!
	recorder system -q -o tree.trace -- ./job tree file || fail "exit status $?"
	kill $outsider
	wait $outsider 2>/dev/null
	expect_eq 9000 "$(recorder2text -q tree.trace | grep -c ' kernel pwrite64(')" "writes of the job"
	recorder2text -q tree.trace | grep outsider && fail "the outsider is in the trace"
	expect_eq 4 "$(recorder info --json tree.trace | grep -c '"pid":')" "processes"
	recorder check -q --strict tree.trace || fail "recorder check"
}

lost()
{
	# calls alone: how many requests to disks there are is the page cache's
	recorder system -q --events calls -o lost.trace -- ./job flooded file || fail "exit status $?"
	recorder info --json lost.trace >info.json
	expect_eq 0 "$(info_number lost)" "lost with room for all"
	all=$(info_number records)
	recorder system -q --events calls --ring 64K -o few.trace -- ./job flooded file || fail "exit status $?"
	recorder info -q --json few.trace >info.json
	[ "$(info_number lost)" -gt 10000 ] || fail "lost: $(info_number lost)"
	expect_eq "$all" $(($(info_number records) + $(info_number lost))) "recorded and lost"
	quietly recorder check -q few.trace || fail "recorder check"
}

# A file that is made where one was removed may get its inode number; it does not get its name.
again()
{
	recorder system -q -o again.trace -- sh -c 'for i in 1 2 3 4; do echo $i >made$i; rm made$i; done' || fail "exit status $?"
	recorder2text -q again.trace | sed -n 's/.* kernel openat(.*path="\(made.\)".* = [0-9]* "\(.*\)"$/\1 \2/p' >got
	for i in 1 2 3 4; do
		echo "made$i $PWD/made$i"
	done | diff - got
}

# A thread that executes another program is its process from then on.
executes()
{
	recorder system -q -o executes.trace -- ./job executes file || fail "exit status $?"
	recorder check -q --strict executes.trace || fail "recorder check"
	expect_eq 2 "$(recorder2text -q executes.trace | grep -c ' kernel execve(.* = 0$')" "programs"
	recorder2text -q executes.trace | grep -q 'unlink(path="executed")' || fail "the second program's calls"
}

manners()
{
	recorder system -q -o status.trace -- ./job 7 7
	expect_eq 7 $? "exit status"
	(recorder system -q -o killed.trace -- ./job killed 1)
	expect_eq 143 $? "status after a signal"
	recorder system -q -o none.trace -- ./there-is-none 2>err
	expect_eq 127 $? "no such program"
	recorder system -q --ring 3000 -o none.trace -- ./job 7 7 2>/dev/null
	expect_eq 2 $? "a ring of no power of two"
	if command -v setpriv >/dev/null; then
		chmod 755 . && mkdir free && chmod 777 free
		setpriv --reuid 65534 --regid 65534 --clear-groups recorder system -o "$PWD/free/t" -- true 2>err
		expect_eq 0 $? "without rights"
		grep -q "cannot record from the kernel" err || fail "$(cat err)"
	fi
}

kernel_calls()
{
	recorder summary -q --json "$1" | "$PYTHON" -c 'import json, sys; print(sum(layer["calls"] for layer in json.load(sys.stdin)["layers"] if layer["layer"] == "kernel"))'
}

# What the preload records and what is below it, in one trace: processes are the same, sums are those of the calls that programs made.
together()
{
	recorder run -q --system -o both.trace -- sh -c './job plain file; cat /etc/hostname; : >made' || fail "exit status $?"
	recorder check -q --strict both.trace || fail "recorder check"
	recorder2text -q both.trace >text
	cat=$(sed -n 's/^[^ ]* \([0-9]*\) .* kernel execve(path="[^"]*\/cat").*/\1/p' text)
	grep "^0 $cat .* posix open(path=\"/etc/hostname\"" text >made_by || fail "cat is not in the preload's part"
	grep "^0 $cat .* kernel openat(.*path=\"/etc/hostname\"" text >below || fail "cat is not in the kernel's part"
	awk 'NR == FNR { begin = $3; end = $4; level = $5; next } $3 < begin || $4 > end || $5 != level + 1 { exit 1 }' made_by below ||
		fail "the kernel's call is not a level below: $(cat made_by below)"
	recorder2text -q --levels 1 --layers kernel --functions openat both.trace | grep -F -q -x -f below || fail "asked for by its level"
	recorder2text -q --levels 0 --layers kernel both.trace | grep -F -x -f below && fail "it has another level, too"
	recorder2pfw -q --format chrome -o both.json both.trace && awk -v "pid=\"pid\":$cat," -v "tid=\"tid\":$cat," '
		index($0, pid) && index($0, tid) { inside += /"cat":"posix"/; below += /"cat":"kernel"/ }
		END { exit !(inside && below) }' both.json || fail "not of one process in the viewer"
	grep -q ' kernel unlink(path="file") = 0' text || fail "the static program"
	# calls of the kernel count where the library recorded none of the process: of the static program
	awk '$6 == "posix" || $6 == "stdio" { inside[$2] = 1 } $6 == "kernel" { of[$2]++ } END { for (pid in of) if (!(pid in inside)) n += of[pid]; print n }' text >counted
	expect_eq "$(cat counted)" "$(kernel_calls both.trace)" "calls of the kernel that count"
	recorder summary -q status.trace | grep -qw kernel || fail "nothing of the kernel in a trace that has nothing else"
	quietly recorder pack -q -o both.rtrace both.trace || fail "recorder pack"
	recorder2text -q both.rtrace | cmp - text || fail "packed"
	recorder filter --layers kernel -o kernel.trace both.trace 2>err || fail "recorder filter: $(cat err)"
	expect_eq "" "$(grep 'no layer' err)" "its warnings"
	# the calls around are not recorded there
	grep ' kernel ' text | cut -d ' ' -f 1-2,6- >want
	recorder2text -q kernel.trace >got
	grep -v '^[^ ]* [^ ]* [^ ]* [^ ]* 0 ' got && fail "levels of what is not there"
	cut -d ' ' -f 1-2,6- got | cmp - want || fail "recorder filter"
	recorder anonymize -q both.trace -o other.trace || fail "recorder anonymize"
	expect_eq "$(cat counted)" "$(kernel_calls other.trace)" "and anonymized"
	command -v setpriv >/dev/null || return 0
	chmod 755 . && mkdir -p free && chmod 777 free
	setpriv --reuid 65534 --regid 65534 --clear-groups recorder run --system -o "$PWD/free/u" -- ls / 2>err >/dev/null || fail "without rights: $?"
	grep -q "without system calls in the kernel" err || fail "$(cat err)"
	recorder check -q --strict free/u || fail "recorder check of the trace without"
}

# The recorder dies: the job goes on, and nothing of it stays in the kernel.
some_is_there()
{
	while read -r id; do
		bpftool prog show id "$id" >/dev/null 2>&1 && return 0
	done <"$1"
	return 1
}

killed()
{
	need bpftool
	# by the recorder's number: other tests may have programs there, too
	recorder system -q -o dead.trace -- sh -c 'cat /proc/$PPID/fdinfo/* >descriptors; kill -9 $PPID; ./job many file && echo done' >out
	i=0
	until grep -q '^done' out || [ $i -ge 600 ]; do
		i=$((i + 1))
		sleep 0.1
	done
	expect_eq "done" "$(cat out)" "the job's output"
	sed -n 's/^prog_id:[[:space:]]*//p' descriptors | sort -u >ours
	[ "$(wc -l <ours)" -gt 3 ] || fail "the recorder has no programs"
	i=0
	while some_is_there ours && [ $i -lt 600 ]; do
		i=$((i + 1))
		sleep 0.1
	done
	[ $i -lt 600 ] || fail "programs stay in the kernel"
}

# A call that a signal interrupts, and that the kernel makes again, has the kernel's own error.
interrupted()
{
	cat >stopped.sh <<-'END'
	sleep 200 &
	until grep -q nanosleep /proc/$!/wchan; do :; done
	kill -STOP $!
	until grep -q '^State:.T' /proc/$!/status; do :; done
	kill -CONT $!
	until grep -q '^State:.S' /proc/$!/status; do :; done
	kill $!
	wait
	END
	timeout 300 "$(command -v recorder)" system -q -o stopped.trace -- sh stopped.sh || fail "exit status $?"
	expect_eq "clock_nanosleep -1 ERESTART_RESTARTBLOCK;restart_syscall -1 ERESTART_RESTARTBLOCK;" \
		"$(recorder2text -q stopped.trace | sed -n 's/.* kernel \(clock_nanosleep\|restart_syscall\)(.*) = \(.*\)/\1 \2/p' | tr '\n' ';')" "an interrupted sleep"
}

# The kernel counts a thread off before it tells of its end, so the last one's may come first; or one is lost.
ends()
{
	mkdir behind never
	"$TEST_BIN/system/ends" behind || fail "a thread that is heard of behind the last one"
	"$TEST_BIN/system/ends" never || fail "a thread that is never heard of again"
	expect_eq 2 "$(find behind never -name '*.rec' | wc -l)" "streams, one of the process each time"
}

PATH=$PATH:/usr/sbin
# descriptors of the program are to begin behind these
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
try "shell pipeline" pipeline
try "static program" static
try "tree of processes and threads" tree
try "full ring" lost
try "inode numbers again" again
try "thread that executes" executes
try "status and signals" manners
try "with the preload" together
try "killed recorder" killed
try "interrupted call" interrupted
try "ends in another order" ends
echo "1..$reported"
