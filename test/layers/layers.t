#!/bin/sh
# SPDX-License-Identifier: MIT
# Asynchronous I/O, and layers that are recorded only when they are asked for: traced programs tell which trace they expect.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
. "$TOP_SRCDIR/test/expect.sh"
# shellcheck disable=SC2034 # for test/expect.sh
programs=layers

# The layers in a trace of a program that does a bit of everything, with LIST.
layers_with()
{
	rm -rf trace text
	RECORDER_QUIET=1 RECORDER_TRACES_DIR=trace RECORDER_LAYERS=$1 preload "$TEST_BIN/layers/some" >out &&
		recorder2text trace | awk '{ print $6 }' | sort -u | tr '\n' ' '
}

choices()
{
	while read -r list want; do
		got=$(layers_with "$list") || return 1
		[ "$got" = "$want${want:+ }" ] || {
			echo "RECORDER_LAYERS=$list: layers $got, not $want" >>choices
			return 1
		}
	done
}

echo 1..9
try aio ordered
try rings ordered
if [ -x "$TEST_BIN/layers/queues" ]; then
	try queues ordered
else
	report_skip "built without liburing and libaio"
fi
layers=default,net
try net ordered
try syscalls unordered
# Which descriptors are sockets, and what came by a message, is known also without the layer.
layers=default wanted='/^0 posix/!d'
try net ordered
wanted=
layers=thread
try thread ordered
choices <<'END'
default posix stdio
thread thread
all posix stdio thread
-stdio posix
default,thread posix stdio thread
default,thread,-posix stdio thread
all,-thread posix stdio
th* thread
END
report $? choices choices

# Names that no layer has are noted when recording and when reading.
strangers()
{
	rm -rf trace
	RECORDER_TRACES_DIR=trace RECORDER_LAYERS=default,threads preload "$TEST_BIN/layers/some" >out 2>strangers || return 1
	recorder2text --layers posx,default trace >text 2>>strangers || return 1
	grep -q 'RECORDER_LAYERS: there is no layer threads$' strangers &&
		grep -q "there is no layer 'posx'" strangers && [ -s text ]
}
strangers
report $? strangers strangers
