#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder system --mode profile: sums that the kernel makes have all calls that it tells of one by one, and every output has the same numbers.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/report/pages.sh"
skip_under_tsan

cc -static -O1 -o job "$TOP_SRCDIR/test/system/job.c" -lpthread || skip "no static programs"
need_kernel

# profile TRACE MODE INTERVAL [OPTIONS --] CMD...
profile()
{
	trace=$1 mode=$2 interval=$3
	shift 3
	recorder system -q -o "$trace" --mode "$mode" --interval "$interval" "$@" >/dev/null || fail "exit status $?"
	recorder check -q --strict "$trace" || fail "recorder check"
	recorder2text -q "$trace" >text
}

# TID FUNCTION COUNT BYTES of the sums, and of the calls, of a text
sums()
{
	sed -n 's/^[^ ]* \([0-9]*\) [^ ]* [^ ]* [0-9]* kernel \([a-z0-9_]*\)(file=.*, count=\([0-9]*\), time=[0-9]*, interval=[0-9]*, back=[0-9]*\(, bytes=\([0-9]*\)\)\?) = sum$/\1 \2 \3 0\5/p' "$1" |
		awk '{ n[$1" "$2] += $3; b[$1" "$2] += $4 } END { for (k in n) print k, n[k], b[k] }' | sort
}

calls()
{
	sed -n '/ = sum$/d; s/^[^ ]* \([0-9]*\) [^ ]* [^ ]* [0-9]* kernel \([a-z0-9_]*\)(.* = \([-0-9?a-fx]*\).*/\1 \2 \3/p' "$1" |
		awk '{ n[$1" "$2]++; b[$1" "$2] += $2 ~ /^(p?(read|write)(64|v|v2)?|readlink|getrandom|getdents64|copy_file_range|sendfile)$/ && $3 > 0 ? $3 : 0 } END { for (k in n) print k, n[k], b[k] }' | sort
}

both()
{
	profile both.trace trace,profile "$1" sh -c './job tree file; ./job executes file; cat /etc/hostname | wc -c; ls -R /usr/share/doc/bash; (exit 3); true'
	sums text >got
	calls text >want
	diff want got || fail "sums are not those of the calls"
	[ "$(wc -l <got)" -gt 100 ] || fail "only $(cat got)"
	grep -c ' = sum$' text >/dev/null || fail "no sums"
	rm -rf both.trace
}

# total NAME: how many calls of it the sums in `text` have
total()
{
	sums text | awk -v name="$1" '$2 == name { n += $3 } END { print n + 0 }'
}

outputs()
{
	profile alone.trace profile 10ms ./job tree file
	expect_eq 9000 "$(total pwrite64)" "writes in the text"
	recorder2pfw -q -o - alone.trace >lines || fail "recorder2pfw"
	recorder2pfw -q --format chrome -o all.json alone.trace || fail "chrome"
	recorder summary -q --json alone.trace >summary.json || fail "recorder summary"
	python3 - "$PWD/file" <<-'END' || fail "the outputs do not agree"
		import json, sys
		lines = [json.loads(line) for line in open("lines") if line.startswith("{")]
		sums = [line for line in lines if line["ph"] == "C"]
		writes = [line for line in sums if line["name"] == "pwrite64"]
		assert sum(line["args"]["freq"] for line in writes) == 9000
		assert sum(line["args"]["size_sum"] for line in writes) == 72000, writes
		assert {line["args"]["fname"] for line in writes} == {sys.argv[1]}
		assert all(line["ts"] % 10000 == 0 and line["dur"] == 10000 for line in sums), sums
		assert all(0 < line["args"]["time"] < 100 for line in writes)
		assert {line["args"]["size_sum"] for line in sums if line["name"] == "close"} == {None}
		assert len({(line["pid"], line["tid"]) for line in writes}) > 4
		assert not [line for line in lines if line["ph"] == "X"]
		events = json.load(open("all.json"))["traceEvents"]
		assert sum(event["args"]["count"] for event in events
		           if event["ph"] == "C" and event["name"] == "pwrite64") == 9000
		functions = json.load(open("summary.json"))["functions"]
		assert [row["calls"] for row in functions if row["function"] == "pwrite64"] == [9000]
	END
	if recorder sql -q --csv alone.trace "SELECT sum(calls), sum(bytes) FROM records WHERE function = 'pwrite64'" >rows 2>err; then
		expect_eq "9000,72000" "$(tail -n 1 rows)" "calls and bytes in SQL"
	fi
	recorder system -q --mode trace,profile -o twice.trace -- ./job tree file || fail "exit status $?"
	recorder summary -q --json twice.trace >summary.json
	python3 -c 'import json; assert [row["calls"] for row in json.load(open("summary.json"))["functions"] if row["function"] == "pwrite64" and row["calls"]] == [9000]' ||
		fail "calls count twice where there are sums of them: $(grep -A3 pwrite64 summary.json)"
	recorder sql -q --csv twice.trace "SELECT sum(calls) FROM records WHERE function = 'pwrite64'" >rows 2>err &&
		expect_eq 9000 "$(tail -n 1 rows)" "calls in SQL, where there are sums, too"
	quietly recorder pack -q -o alone.rtrace alone.trace || fail "recorder pack"
	recorder2text -q alone.rtrace | cmp - text || fail "packed"
}

# A ring that is too small: what is not there is counted.
# Nor does what the program is begun with take the room of its begin.
lost()
{
	large=$(printf %030000d 0)
	profile all.trace profile 10us --events calls -- ./job flooded file
	all=$(sums text | awk '{ n += $3 } END { print n }')
	LARGE=$large recorder system -q --events calls --ring 4K --mode profile --interval 10us -o few.trace -- ./job flooded file || fail "exit status $?"
	recorder2text -q few.trace >text
	recorder info -q --json few.trace >info.json
	[ "$(info_number lost)" -gt 1000 ] || fail "lost: $(info_number lost)"
	expect_eq "$all" $(($(sums text | awk '{ n += $3 } END { print n }') + $(info_number lost))) "in sums and lost"
	quietly recorder check -q few.trace || fail "recorder check"
}

# What has no end while it is recorded: its sums are fetched when the recorder ends.
left()
{
	mkfifo never
	# shellcheck disable=SC2016 # for the other shell
	recorder system -q -o left.trace --mode profile --interval 100s -- sh -c '(echo up; read line <never) >flag & echo $! >pid; until [ -s flag ]; do :; done'
	recorder2text -q left.trace >text
	expect_eq 1 "$(sums text | grep -c "^$(cat pid) write 1 3$")" "writes of who goes on"
	echo >never
}

options()
{
	for wrong in --mode=fast --mode= --interval=0 --interval=1us --interval=soon; do
		recorder system -q -o none.trace "$wrong" -- true 2>err
		expect_eq 2 $? "$wrong"
	done
	[ ! -e none.trace ] || fail "a trace for nothing"
}

# near A B: ns, but for rounding
near()
{
	awk -v a="$1" -v b="$2" 'BEGIN { exit a == 0 || a - b > 100000 || b - a > 100000 }'
}

# busy events|sums LAYER: ns that the events in `text` took, or those in sums
busy()
{
	if [ "$1" = sums ]; then
		sed -n "s/^.* $2 [a-z_]*(file=.*, time=\([0-9]*\), .* = sum\$/\1/p" text
	else
		sed -n "/ = sum\$/d; s/^[^ ]* [^ ]* \([0-9.]*\) \([0-9.]*\) [0-9]* $2 .*/\1 \2/p" text | awk '{ printf "%.0f\n", ($2 - $1) * 1e9 }'
	fi | awk '{ n += $1 } END { printf "%.0f\n", n }'
}

# TID LAYER FUNCTION COUNT of what the kernel does in a thread besides calls: by sums, and one by one
events()
{
	cc -O1 -o disk "$TOP_SRCDIR/test/system/disk.c" || fail "disk.c"
	own='s/^[^ ]* \([0-9]*\) [^ ]* [^ ]* [0-9]* \(fault\|pagecache\|ext4\|xfs\|sched\) \([a-z0-9_]*\)'
	profile events.trace trace,profile 10ms --events all -- ./disk pages paged
	sed -n "$own"'(file=.*, count=\([0-9]*\), time=.* = sum$/\1 \2 \3 \4/p' text | awk '{ n[$1" "$2" "$3] += $4 } END { for (k in n) print k, n[k] }' | sort >got
	sed -n "/ = sum\$/d; $own"'(.*/\1 \2 \3/p' text | sort | uniq -c | awk '{ print $2, $3, $4, $1 }' | sort >want
	diff want got || fail "sums are not those of the events"
	grep -q ' fault page_fault ' got && grep -q ' pagecache page_cache_add ' got && grep -q ' sched off_cpu ' got || fail "$(cat got)"
	near "$(busy events sched)" "$(busy sums sched)" || fail "ns without a CPU: $(busy events sched), in sums $(busy sums sched)"
	profile events.trace2 profile 10ms --events all -- ./disk pages again
	expect_eq $((512 * 4096)) "$(sed -n "s|.* page_cache_add(file=\"$PWD/again\", .* bytes=\([0-9]*\)) = sum|\1|p" text | awk '{ n += $1 } END { print n }')" "bytes into the page cache"
	sed -n "/ = sum\$/d; $own"'(.*/\1 \2 \3/p' text >got
	[ ! -s got ] || fail "one by one in a profile: $(head -3 got)"
}

# Requests to disks and of io_uring, and what is written back, which end elsewhere: of each thread as many, as many bytes, as long, and as long in the queue.
late()
{
	cc -O1 -o uring "$TOP_SRCDIR/test/system/uring.c" || fail "uring.c"
	for program in "disk direct" "disk children" "disk behind" "disk pages" uring; do
		rm -rf late.trace
		# shellcheck disable=SC2086 # two words
		recorder system -q -o late.trace --mode trace,profile --interval 10ms --events all -- ./$program file
		case $? in
		77) echo "no ${program} here"; continue ;;
		0) ;;
		*) fail "exit status of $program" ;;
		esac
		recorder check -q --strict late.trace || fail "recorder check of $program"
		recorder2text -q late.trace >text
		"$PYTHON" "$TOP_SRCDIR/test/system/latesums.py" text || fail "$program: sums are not those of the events"
	done
	# the same each time
	for mode in trace profile; do
		recorder system -q -o uring.$mode --mode $mode --interval 10s -- ./uring queued
		[ $? -ne 77 ] || return 0
		recorder sql -q --csv uring.$mode "SELECT sum(calls) FROM records WHERE layer = 'iouring'" >rows 2>err || return 0
		expect_eq 82 "$(tail -n 1 rows)" "requests of io_uring, $mode"
	done
	recorder2text -q uring.profile | grep ' iouring ' >got
	expect_eq "80 $((80 * 4096))" "$(sed -n "s|.*(file=\"$PWD/queued\", count=\([0-9]*\), .*, bytes=\([0-9]*\)) = sum|\1 \2|p" got | awk '{ n += $1; b += $2 } END { print n, b }')" "requests and bytes of $(cat got)"
	recorder2text -q uring.profile | grep -v ' = sum$' >got
	[ ! -s got ] || fail "one by one in a profile: $(head -3 got)"
	expect_eq "$(recorder info -q uring.trace | grep -c '^process')" "$(recorder info -q uring.profile | grep -c '^process')" "streams"
}

# Who has long ended has them, too, and each output.
late_outputs()
{
	recorder system -q -o kids.trace --mode profile --interval 100s --events block -- ./disk children kids
	[ $? -ne 77 ] || { echo "no O_DIRECT here"; return; }
	recorder check -q --strict kids.trace || fail "recorder check"
	recorder2text -q kids.trace >text
	expect_eq "2" "$(sed -n 's/^0 \([0-9]*\) .* block_write(file=none, .* bytes=[0-9]*, queue=[1-9][0-9]*) = sum$/\1/p' text | sort -u | wc -l)" "children with writes"
	[ "$(wc -l <text)" -lt 100 ] || fail "$(wc -l <text) records"
	recorder2pfw -q -o - kids.trace >lines || fail "recorder2pfw"
	recorder2pfw -q --format chrome -o kids.json kids.trace || fail "chrome"
	recorder summary -q --json kids.trace >summary.json || fail "recorder summary"
	recorder report -q -o kids.html kids.trace || fail "recorder report"
	"$PYTHON" - <<-'END' || fail "the outputs do not agree"
		import json, re
		sums = re.findall(r" block_write\(.*count=(\d+), time=(\d+), .*bytes=(\d+), queue=(\d+)\) = sum", open("text").read())
		count, time, size, queue = (sum(int(n) for n in column) for column in zip(*sums))
		assert size >= 8 << 20 and 0 < queue < time, sums
		lines = [json.loads(line)["args"] for line in open("lines") if '"block_write"' in line]
		assert sum(args["freq"] for args in lines) == count and sum(args["size_sum"] for args in lines) == size
		assert abs(sum(args["queue"] for args in lines) - queue / 1e9) < 1e-6
		events = [event["args"] for event in json.load(open("kids.json"))["traceEvents"] if event.get("name") == "block_write"]
		assert sum(args["count"] for args in events) == count
		assert abs(sum(args["queue_us"] for args in events) - queue / 1e3) < 1
		summary = json.load(open("summary.json"))
		assert [row["calls"] for row in summary["functions"] if row["function"] == "block_write"] == [count]
		assert [row for row in summary["layers"] if row["layer"] == "block"][0].get("bytes_written", 0) == 0
	END
}

# What went on beside calls is not told by sums of them: the page says so, and nothing else.
page()
{
	need_browser
	recorder system -q --mode profile -o page.trace -- dd if=/dev/zero of=written bs=64k count=200 conv=fsync 2>said || fail "$(cat said)"
	recorder report -q -o page.html page.trace || fail "recorder report"
	browse ../system/summed page.html
}

try "sums are those of the calls" both 1ms
try "of one long interval" both 100s
try "outputs" outputs
try "full ring" lost
try "threads that go on" left
try "options" options
try "events in the thread itself" events
try "what ends elsewhere" late
try "outputs of what ends elsewhere" late_outputs
try "in a page" page
echo "1..$reported"
