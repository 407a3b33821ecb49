#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# The runtime under ThreadSanitizer: rings, sealing, definitions, rotation, control, the end of a process with threads at work. The
# sanitizer has to be ready before the first of our wrappers is called, so the library is linked, behind it, into programs that are
# built with it, too. It finds no race, and the traces are whole.
. "${TOP_SRCDIR:?}/test/lib.sh"
need cc gcc
need addr2line binutils
case ${SANITIZERS:-} in
*thread*) ;;
*) skip "make check-tsan builds what it takes" ;;
esac

# PROGRAM SOURCE...
build()
{
	program=$1
	shift
	cc -D_GNU_SOURCE -g -O1 -w -fsanitize=thread -pthread -o "$program" "$@" \
		-Wl,--no-as-needed "$RECORDER_SO" -Wl,-rpath,"$(dirname "$RECORDER_SO")" || fail "cannot build $program"
}
build threads "$TOP_SRCDIR/test/trace/threads.c"
build many "$TOP_SRCDIR/test/storage/many.c"
build steps -I"$TOP_SRCDIR/include" "$TOP_SRCDIR/test/control/steps.c"
build life "$TOP_SRCDIR/test/life/births.c" "$TOP_SRCDIR/test/life/ends.c" "$TOP_SRCDIR/test/life/faults.c" \
	"$TOP_SRCDIR/test/life/life.c"
plug=$TOP_BUILDDIR/test/life/.libs/plug.so

# It cannot look its names up while it reports: that makes calls, which we record.
TSAN_OPTIONS="symbolize=0 exitcode=66 ${TSAN_OPTIONS:-}"
export TSAN_OPTIONS

# FILE: with functions and lines of ours
named()
{
	sed -n 's/.*(librecorder\.so\.0+\(0x[0-9a-f]*\)).*/\1/p' "$1" | sort -u | while read -r address; do
		echo "$address $(addr2line -s -f -e "$RECORDER_SO" "$address" | tr '\n' ' ')"
	done | awk -v file="$1" '
		{ name[$1] = $2 " " $3 }
		END {
			while ((getline line < file) > 0) {
				if (match(line, /\(librecorder\.so\.0\+0x[0-9a-f]+\)/))
					line = line "  " name[substr(line, RSTART + 18, RLENGTH - 19)]
				print line
			}
		}' | head -n 60
}

judge()
{
	grep -q 'WARNING: ThreadSanitizer' err && fail "$name: $(named err)"
	recorder check -q trace || fail "$name: $(recorder check trace)"
}

# NAME STATUS [VARIABLE=VALUE...] CMD...
run()
{
	name=$1 want=$2
	shift 2
	rm -rf trace work
	mkdir -p work/d
	(cd work && timeout -s KILL 60 env RECORDER_TRACES_DIR=../trace LIFE_DIR="$test_dir/work" LIFE_PLUG="$plug" "$@" >../out 2>../err)
	status=$?
	judge
	expect_eq "$want" "$status" "$name: status: $(cat err)"
}

run "rings" 0 ../threads 20000
"${PYTHON:-python3}" "$TOP_SRCDIR/test/trace/check.py" threads 20000 trace out || fail "rings: records"
run "definitions" 0 ../many d 4 2000
run "threads that come and go" 0 ../many d 50 100
run "rotation" 0 RECORDER_ROTATE=16k RECORDER_BUFFER_SIZE=16k ../threads 20000
[ "$(find trace -name '*-s*.rec' | wc -l)" -ge 3 ] || fail "rotation: no segments"
run "flight" 0 RECORDER_MODE=flight RECORDER_MAX_SIZE=64k ../threads 20000
run "little live memory" 0 RECORDER_LIVE_MAX=256k ../many d 50 100
run "no live memory" 0 RECORDER_LIVE_MAX=0 ../many d 8 2000
run "a limit to the trace" 0 RECORDER_MAX_SIZE=30k ../many d 8 2000
run "old rings" 0 RECORDER_FLUSH=1ms ../many d 8 2000
run "short calls dropped" 0 RECORDER_MIN_DURATION=1us ../many d 8 1000
run "paused by itself" 0 ../steps self
run "a signal handler" 0 ../life jumped_out_of_read
for case in return_with_threads:18 _exit_with_threads:18 thread_exits:17 thread_marks_in_exit:19 thread_cancelled:0 \
	thread_cancelled_busy:0 exec_threads_writing:0 exec_failing_late:0 fork_handlers:0 by_popen:0 vfork_exec:0 plug_lazy:0; do
	run "${case%:*}" "${case#*:}" ../life "${case%:*}"
done
run "the end, rotating" 18 RECORDER_ROTATE=16k ../life return_with_threads

# paused, resumed and flushed from outside, with four threads at work
name=control
rm -rf trace work
mkdir work
(cd work && RECORDER_TRACES_DIR=../trace RECORDER_BUFFER_SIZE=64k exec timeout -s KILL 60 ../threads 30000 20 >../out 2>../err) &
job=$!
program_began()
{
	pid=$(tr -d ' ' </proc/$job/task/$job/children) && [ -n "$pid" ] && recorder ctl -q "$pid" status >/dev/null
}
until_ program_began
for _ in 1 2 3 4 5 6; do
	recorder ctl -q "$pid" pause >/dev/null 2>&1
	recorder ctl -q "$pid" resume >/dev/null 2>&1
	recorder ctl -q "$pid" flush >/dev/null 2>&1
	sleep 0.1
done
wait $job
status=$?
judge
expect_eq 0 $status "$name: status: $(cat err)"
exit 0
