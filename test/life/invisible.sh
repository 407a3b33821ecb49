#!/bin/sh
# SPDX-License-Identifier: MIT
# The recorder is never visible: what programs see of themselves is the same with and without it,
# and so are the system calls that they make, one by one.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
case ${SANITIZERS:-} in
*address*) skip "AddressSanitizer is visible itself" ;;
esac

life=$TEST_BIN/life/life
visible=$TEST_BIN/life/visible
memory_dir
live=$memory

# traced CMD...: in a folder of its own, so that both runs find the same
traced()
{
	LD_PRELOAD=$RECORDER_SO RECORDER_TRACES_DIR=$test_dir/trace RECORDER_LIVE_DIR=$live "$@"
}

# ---- what a program can see of itself; standard output, standard error, status ----
mkdir seen
cd seen || exit 99
"$visible" >../plain.out 2>../plain.err
expect_eq 33 $? "status without the recorder"
traced "$visible" >../traced.out 2>../traced.err
expect_eq 33 $? "status with the recorder"
cd ..
diff plain.out traced.out || fail "the program sees another world"
diff plain.err traced.err || fail "standard error"
[ -f trace/recorder.gm ] || fail "nothing was recorded"

# where the limit of descriptors leaves no place beyond it
prlimit --nofile=3000:3000 "$visible" open >plain.open || fail "open descriptors without the recorder"
RECORDER_TRACES_DIR=trace.open prlimit --nofile=3000:3000 env LD_PRELOAD="$RECORDER_SO" "$visible" open >traced.open ||
	fail "open descriptors"
diff plain.open traced.open || fail "a descriptor more is open"
[ -f trace.open/recorder.gm ] || fail "nothing was recorded"

# The environment has what recorder run sets, and what says that this is the rank's own process.
env | sed 's/=.*//' | sort >plain.env
recorder run -o run -- env 2>notes | sed 's/=.*//' | sort >traced.env
expect_eq "LD_PRELOAD RECORDER_MAIN_PID RECORDER_RUN_ID RECORDER_TRACES_DIR" \
	"$(comm -13 plain.env traced.env | grep -v '^_$' | tr '\n' ' ' | sed 's/ $//')" "the environment's additions"
expect_eq "" "$(comm -23 plain.env traced.env)" "the environment's losses"

# ---- the same system calls ----
need strace

# same NAME CMD...
same()
{
	name=$1
	shift
	for run in plain traced; do
		mkdir "$name"
		cd "$name" || exit 99
		echo "some text" >file
		if [ $run = plain ]; then
			strace -f -i -o "../$name.plain.log" "$@" >../$run.out 2>../$run.err </dev/null
		else
			strace -f -i -o "../$name.traced.log" -E LD_PRELOAD="$RECORDER_SO" \
				-E RECORDER_TRACES_DIR="$test_dir/$name.trace" -E RECORDER_LIVE_DIR="$live" \
				"$@" >../$run.out 2>../$run.err </dev/null
		fi
		echo "status $?" >>../$run.out
		cd ..
		rm -r "$name"
	done
	diff plain.out traced.out || fail "$name: standard output or status"
	diff plain.err traced.err || fail "$name: standard error"
	"${PYTHON:-python3}" "$TOP_SRCDIR/test/life/strace_logs.py" "$name.plain.log" "$name.traced.log" "$RECORDER_SO" \
		>said || fail "$name: $(cat said)"
	echo "$name: $(cat said)"
	[ -f "$name.trace/recorder.gm" ] || fail "$name: nothing was recorded"
}

same cat cat file
same shell sh -c 'echo a b | cat | wc -c; (exit 3); cat file >copy; echo $?; no-such-command; exit 4'
# not a script that looks for it
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
PYTHONHASHSEED=0; export PYTHONHASHSEED # else its heap grows as chance has it
same python "$python" -S -c 'import os
os.mkdir("d"); open("d/f", "w").write("x"); print(os.listdir("d"), os.stat("d/f").st_size)'
same threads "$life" main_pthread_exit
same fork "$life" fork__exit
same fork_exec "$life" fork_exec
same vfork "$life" vfork_shell
same spawn "$life" spawned
same popen "$life" by_popen
same clone "$life" clone_shared_waiting
same exec "$life" exec_failing_late
same signal "$life" jumped_out_of_read
same overflow "$life" handled_overflow
same abort "$life" end_abort_handler
