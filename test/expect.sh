# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by tests of programs that tell which trace they expect (test/trace/expect.h): recorder2text must
# show exactly that, and the second reader must find nothing wrong with it.
#
#   programs=trace             the folder of the programs
#   layers=LIST                RECORDER_LAYERS, "" the default
#   wanted=SED                 what is done to the lines that the program expects
#   try PROGRAM ORDER          a line of TAP. ORDER: ordered, or unordered for lines in any order (threads, children)

layers=
wanted=
# AddressSanitizer maps a page of its own when it comes into the program with the library.
case ${SANITIZERS:-} in
*address*) foreign='1{/MAP_ANONYMOUS/d;}' ;;
*) foreign= ;;
esac

# Takes out what differs from run to run: rank, thread and times, numbers of pipes and processes.
bare()
{
	sed -e "$foreign" -e 's/^[^ ]* [^ ]* [^ ]* [^ ]* //' \
		-e 's/\([fF]ork() = \)[0-9]*/\1PID/' \
		-e 's/pid=[-?0-9]*/pid=PID/' \
		-e 's/\(killpg(group=\)[0-9]*/\1PID/' \
		-e 's/\( wait[pid34]*(.* = \)[0-9][0-9]*$/\1PID/' \
		-e 's/ tid=[0-9]*)/ tid=TID)/' \
		-e 's/\( repeat=[0-9]*\) busy=[0-9.]*$/\1/'
}

# Runs a program preloaded, without descriptors inherited from whoever runs the tests.
traced()
{
	RECORDER_TRACES_DIR=$test_dir/$1/trace RECORDER_PROGRAMS=$1 RECORDER_LAYERS=$layers "${PYTHON:-python3}" -c '
import os, sys
os.closerange(3, 2000)
emulator = os.environ.get("EMULATOR", "").split()
command = sys.argv[2:]
if emulator:
    command = emulator + ["-E", "LD_PRELOAD=" + sys.argv[1]] + command
else:
    os.environ["LD_PRELOAD"] = sys.argv[1]
os.execvp(command[0], command)' \
		"${TEST_PRELOAD:+$TEST_PRELOAD:}$RECORDER_SO" "$TEST_BIN/$programs/$1"
}

check()
{
	rm -rf "$1" && mkdir -p "$1/work" && cd "$1/work" || return 1
	# the name of the working directory, as the program tells it
	PWD=$(pwd -P)
	export PWD
	traced "$1" >../want 2>../err || echo "exit status $?" >>../err
	cd .. || return 1
	[ -z "$wanted" ] || sed -i -e "$wanted" want
	recorder2text trace >text 2>>err || echo "recorder2text: exit status $?" >>err
	"${PYTHON:-python3}" "$TOP_SRCDIR/test/decode.py" --json trace >json 2>>err ||
		echo "decode.py: exit status $?" >>err
	"${PYTHON:-python3}" "$TOP_SRCDIR/test/format/readers_agree.py" trace >agree 2>&1 ||
		cat agree >>err
	grep -q '"complete": true' json || echo "decode.py: the trace is not complete" >>err
	bare <text >got
	if [ "$2" = unordered ]; then
		sort -o want want
		sort -o got got
	fi
	diff want got >differences && [ ! -s err ]
}

try()
{
	(check "$@")
	report $? "$1" "$test_dir/$1/err" "$test_dir/$1/differences"
}
