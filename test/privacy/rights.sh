#!/bin/sh
# SPDX-License-Identifier: MIT
# Who may read a trace: files 0600 in a directory 0700 under any umask, or what RECORDER_TRACES_MODE says; live files likewise, in a
# directory that nobody else can have made.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
rank=$TEST_BIN/launchers/rank

# as somebody whom modes matter to
if [ "$(id -u)" = 0 ]; then
	need setpriv util-linux
	user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
	chown 65534:65534 .
	chmod 755 .
	user test -r "$RECORDER_SO" || skip "user 65534 cannot read the library"
else
	user() { "$@"; }
fi

modes()
{
	stat -c %a "$1" "$1"/* | sort -u | tr '\n' ' '
}

mkdir live
chmod 1777 live
for mask in 0777 0 022; do
	# while it runs and afterwards
	user sh -c "umask $mask; mkdir -m 700 -p work; cd work; RECORDER_LIVE_DIR=$PWD/live RECORDER_TRACES_DIR=$PWD/trace-$mask \
		LD_PRELOAD=$RECORDER_SO exec \"\$0\" 100000" "$rank" 2>err &
	pid=$!
	seen=
	while kill -0 $pid 2>/dev/null; do
		[ -n "$(ls live/recorder-*/*.ring 2>/dev/null)" ] && seen=$(modes live/recorder-*) && break
		sleep 0.02
	done
	wait $pid
	expect_eq "" "$(cat err)" "notes with umask $mask"
	expect_eq "600 700 " "$seen" "modes of live files with umask $mask"
	expect_eq "600 700 " "$(modes trace-$mask)" "modes with umask $mask"
	expect_eq "" "$(ls live)" "what is left with umask $mask"
	quietly user recorder check "trace-$mask" || fail "recorder check with umask $mask"
	[ "$(user recorder2text -q "trace-$mask" | grep -c pwrite)" -ge 100000 ] || [ $mask = 0777 ] ||
		fail "records are missing with umask $mask"
done

run()
{
	dir=$1
	shift
	user env RECORDER_LIVE_DIR="$PWD/live" RECORDER_TRACES_DIR="$PWD/$dir" LD_PRELOAD="$RECORDER_SO" "$@" 2>err || fail "$dir: $(cat err)"
}

rm -rf work && user mkdir work
run group RECORDER_TRACES_MODE=640 sh -c "cd work && exec '$rank' 10"
expect_eq "640 750 " "$(modes group)" "modes for RECORDER_TRACES_MODE=640"
run all RECORDER_TRACES_MODE=444 sh -c "cd work && exec '$rank' 10"
expect_eq "644 755 " "$(modes all)" "modes for RECORDER_TRACES_MODE=444"
# what is packed is as private, and so it is unpacked
for mode in 600 640; do
	run "mode-$mode" RECORDER_TRACES_MODE=$mode sh -c "cd work && exec '$rank' 10"
	folder=$([ $mode = 600 ] && echo 700 || echo 750)
	for mask in 0777 0 022; do
		quietly user sh -c "umask $mask; recorder pack --force -o packed.rtrace 'mode-$mode' && recorder unpack --force -o 'again-$mode' packed.rtrace" ||
			fail "packing with umask $mask"
		expect_eq "$mode" "$(stat -c %a packed.rtrace)" "mode of what is packed with umask $mask"
		expect_eq "$mode $folder " "$(modes "again-$mode")" "modes unpacked with umask $mask"
		quietly user recorder pack --force -o again.rtrace packed.rtrace
		expect_eq "$mode" "$(stat -c %a again.rtrace)" "mode of what is packed again with umask $mask"
	done
done
user mkdir -m 711 there
run there sh -c "cd work && exec '$rank' 10"
expect_eq "600 711 " "$(modes there)" "modes in a directory that was there"

# somebody has foreseen the name of the live directory: theirs is not used, and the rings are safe all the same
if [ "$(id -u)" = 0 ]; then
	cat >spy.sh <<-END
		cd work && "$rank" 50000 &
		sleep 0.05
		for i in 1 2 3 4 5 6 7 8 9 10; do
			ls -d "$PWD"/live/recorder-*
			sleep 0.02
		done
		wait
	END
	run named RECORDER_RUN_ID=foreseen sh spy.sh >names
	name=$(grep recorder- names | sort -u | head -n 1)
	[ -n "$name" ] || fail "no live directory seen"
	for how in directory link; do
		case $how in
		directory) mkdir -m 777 "$name" ;;
		link) mkdir -m 777 elsewhere && ln -s "$PWD/elsewhere" "$name" ;;
		esac
		run "squatted-$how" RECORDER_RUN_ID=foreseen sh spy.sh >others
		[ "$(grep -v "^$name\$" others | sort -u | wc -l)" -ge 1 ] || fail "a $how of somebody else is used: $(sort -u others)"
		[ -z "$(ls -A "$name")" ] || fail "something is in the $how of somebody else"
		quietly recorder check "squatted-$how" || fail "recorder check"
		rm -rf "$name" elsewhere
	done
	expect_eq "" "$(ls live)" "what is left"
fi

# where others can put theirs in the place of ours, none is made
user mkdir -m 777 loose
user env RECORDER_LIVE_DIR="$PWD/loose" RECORDER_TRACES_DIR="$PWD/private" LD_PRELOAD="$RECORDER_SO" sh -c \
	"cd work && '$rank' 10 && ls ../loose" >out || fail "a directory open to all"
expect_eq "" "$(cat out)" "a live directory where all may write"
quietly user recorder check private || fail "recorder check"
exit 0
