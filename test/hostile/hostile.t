#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Hostile but legal programs: with the recorder they see and say the same as without, and each of their counted calls is in
# the trace, or counted as lost where `try` says that some may be.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

bin=$TEST_BIN/hostile
live=$test_dir/live
mkdir "$live"
chmod 1777 "$live"
RECORDER_LIVE_DIR=$live
export RECORDER_LIVE_DIR

# run FOLDER PRELOAD CMD...: without descriptors of whoever runs the tests
run()
{
	mkdir -p "$1/work" || return 1
	chmod 0777 "$1/work"
	(cd "$1/work" && LIMIT=${limit:-1024} PRELOADED="$2" "${PYTHON:-python3}" -c '
import os, resource, sys
os.closerange(3, 2000)
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (int(os.environ.pop("LIMIT")), hard))
preload = os.environ.pop("PRELOADED")
if preload:
    os.environ["LD_PRELOAD"] = preload
os.execv(sys.argv[1], sys.argv[1:])' "$3" "$4" </dev/null 2>&1 >&3
		echo "status $?" >&3) 3>"$1/out" | cat >"$1/err"
}

totals()
{
	recorder info --json "$1" | "${PYTHON:-python3}" -c '
import json, sys
info = json.load(sys.stdin)
print(info["records"], info["lost"])'
}

# has_counter TRACE: whether its times are the counter's. Where that is not trusted a time stamp can be a system call: nothing is recorded behind a filter, 100 calls are made before it.
has_counter()
{
	recorder info --json "$1" | grep -q '"kind": *"tsc"\|"kind": *"cntvct"'
}

# ends_in_order TRACE
ends_in_order()
{
	recorder info "$1" | grep -q "ends .*1 in order, 0 repaired, 0 died, 0 running" || {
		recorder info "$1"
		return 1
	}
}

# check NAME END PROGRAM CASE: END is clean, or died: its rings are left and folded; unsaid: clean, though it cannot say so in its LM; lost: some are counted as lost, too; turned: clean, in segments; within: died, within a function that is recorded by its name
check()
{
	trace=$test_dir/$1/trace
	run "$1/bare" "" "$bin/$3" "$4"
	case $2 in
	lost)
		RECORDER_FUNCTIONS=pwrite
		export RECORDER_FUNCTIONS
		;;
	turned)
		RECORDER_ROTATE=4k
		export RECORDER_ROTATE
		;;
	within)
		RECORDER_TARGETS=main
		export RECORDER_TARGETS
		;;
	esac
	RECORDER_TRACES_DIR=$trace run "$1/traced" "$RECORDER_SO" "$bin/$3" "$4"
	diff "$1/bare/out" "$1/traced/out" || return 1
	diff "$1/bare/err" "$1/traced/err" || return 1
	recorder check "$trace" || return 1
	[ "$2" != unsaid ] || ends_in_order "$trace" || return 1
	case $2 in
	died | lost | within | unsaid)
		recorder repair "$trace" || return 1
		recorder check "$trace" || return 1
		;;
	esac
	[ "$2" != unsaid ] || ends_in_order "$trace" || return 1
	calls=$(sed -n 's/^calls //p' "$1/traced/err")
	if [ "$3" = sandboxed ] && ! has_counter "$trace"; then
		set -- "$1" died "$3" "$4"
		case $4 in few | syscall | many | threads | child | executed) calls=100 ;; esac
	fi
	recorder2text --functions pwrite "$trace" >"$1/text" || return 1
	records=$(wc -l <"$1/text")
	# shellcheck disable=SC2046
	set -- "$@" $(totals "$trace")
	case $2 in
	lost) [ $((records + $6)) = "$calls" ] && [ "$6" -gt 0 ] ;;
	*) [ "$records" = "$calls" ] && [ "$6" = 0 ] ;;
	esac || {
		echo "$calls calls, $records records, $6 lost"
		return 1
	}
	[ -z "$(ls -A "$live")" ] || {
		echo "left: $(ls -R "$live")"
		return 1
	}
}

# try END PROGRAM CASE TEXT
try()
{
	mkdir "$2.$3"
	(check "$2.$3" "$1" "$2" "$3") >"$2.$3/why" 2>&1
	checked=$?
	if grep -q '^status 77$' "$2.$3/bare/out"; then
		report_skip "$4: not on this system"
	else
		report $checked "$4" "$2.$3/why"
	fi
	[ -n "${TEST_KEEP:-}" ] || rm -rf "${test_dir:?}/$2.$3"
	find "$live" -mindepth 1 -delete
}

# The same, where a system call of AddressSanitizer itself would end the program: one that it maps memory by, or any.
try_without_asan()
{
	case ${SANITIZERS:-} in
	*address*)
		report_skip "$4: AddressSanitizer makes system calls that it cannot do without"
		;;
	*) try "$@" ;;
	esac
}

echo 1..39
try clean closing loop "closes every descriptor in a loop, twice"
try clean closing range "closes every descriptor by close_range"
try clean closing cloexec "marks every descriptor close-on-exec"
try clean closing from "closes every descriptor by closefrom"
try clean closing onto_all "puts a descriptor on every number, one after the other"
try clean closing onto_all_kept "has a descriptor on every number"
try lost rights fsize "RLIMIT_FSIZE 0"
try_without_asan clean rights as "RLIMIT_AS below what is in use"
try clean rights memlock "RLIMIT_MEMLOCK 0"
try clean rights stack "RLIMIT_STACK 64 KiB"
try clean rights chdir "chdir"
try clean rights umask "umask 0777"
try unsaid rights chroot "chroot"
try unsaid rights setuid "setuid and setgid to nobody"
try died sandboxed strict "seccomp, strict"
try died sandboxed no_counter "a counter that must not be read"
try within sandboxed no_counter "a counter that must not be read, nor when functions that gave it up return"
try died sandboxed few "a seccomp filter by prctl"
try died sandboxed syscall "a seccomp filter by syscall(SYS_seccomp)"
try lost sandboxed many "a seccomp filter, and more records than the ring holds"
try lost sandboxed threads "a seccomp filter, and threads that begin after it"
try died sandboxed child "a seccomp filter, and a child that inherits it"
try_without_asan died sandboxed executed "a seccomp filter, and a program that is executed under it"
try_without_asan clean sandboxed vforked "a seccomp filter in the child of a vfork"
try_without_asan clean sandboxed forked "a seccomp filter in a child that executes a program"
try clean sandboxed refused "a seccomp filter that is refused"
try clean stacks in_turn "10,000 threads with stacks of 16 KiB, one after the other"
try clean stacks at_once "500 threads with stacks of 16 KiB at once"
try clean stacks alternate "calls on an alternate stack of MINSIGSTKSZ"
try turned stacks in_turn "the same with stacks of 16 KiB, in segments"
try turned stacks alternate "the same on an alternate stack, in segments"
try clean mappings all "names in memory that is unmapped, protected, replaced or moved"
try clean beginning vector "the auxiliary vector behind the environment"
try clean exact raised "exceptions of floating point that were raised, and a rounding of the program's own"
try clean exact trapped "a program that such an exception ends"
try clean owning all "write(), open() and malloc() of the program's own"
if [ -x "$bin/queues" ]; then
	try clean queues uring "io_uring: what is called beside it is recorded"
	try clean queues aio "libaio: what is called beside it is recorded"
else
	for queue in io_uring libaio; do
		report_skip "$queue (packages liburing-dev, libaio-dev)"
	done
fi
try clean stacks names "100,000 names of files: memory stays bounded"
