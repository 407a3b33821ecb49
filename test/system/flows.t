#!/bin/sh
# SPDX-License-Identifier: MIT
# Flows of Chrome JSON from a call to its requests and to the write-back of what it wrote: of programs of which it is known who wrote what.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
sources=$TOP_SRCDIR/test/system

cc -O1 -o disk "$sources/disk.c" || fail "disk.c"
need_kernel

# arrows CASE FILE RECORD...: of ./disk CASE FILE, recorded by the command. On a disk that others keep busy a request can be missed (doc/roadmap.md), so it is tried three times.
arrows()
{
	case=$1 file=$2
	shift 2
	for attempt in 1 2 3; do
		rm -rf flows.trace "$file" "$file".*
		"$@" -q -o flows.trace -- ./disk "$case" "$file"
		status=$?
		[ $status -eq 77 ] && echo "no O_DIRECT here" && return
		[ $status -eq 0 ] || fail "exit status $status"
		recorder2pfw -q --force --format chrome -o flows.json flows.trace || fail "recorder2pfw"
		python3 "$sources/flow_ends.py" "$case" flows.json "$PWD/$file" && return
		[ $? -eq 3 ] || fail "arrows"
		echo "attempt $attempt"
	done
	fail "requests are missed"
}

direct()
{
	arrows direct past recorder system
}

buffered()
{
	arrows apart cached recorder system
}

# Each has its own, be they of two files or of one.
interleaved()
{
	arrows two pair recorder system
	arrows shared both recorder system
}

written_back()
{
	arrows behind later recorder system
}

# The calls of the kernel lie in those of the library.
of_library()
{
	arrows apart cached recorder run --system
	grep -q '"name":"pwrite","cat":"posix"' flows.json || fail "the library's calls"
}

# However many processes make the file, in one file and in several, and with calls left out.
in_other_forms()
{
	arrows two pair recorder system
	for jobs in 2 3; do
		recorder2pfw -q --force -j $jobs --format chrome -o jobs.json flows.trace || fail "-j $jobs"
		diff flows.json jobs.json || fail "with -j $jobs"
	done
	recorder2pfw -q --force --format chrome --layers block -o few.json flows.trace || fail "--layers"
	grep -q '"causes":0' few.json || fail "arrows from nothing"
	recorder2pfw -q --force --format chrome --no-args -o none.json flows.trace || fail "--no-args"
	grep -q '"cat":"cause"' none.json && fail "arrows without arguments"
	recorder2pfw -q --force --format pfw -o none.pfw flows.trace || fail "pfw"
	grep -q '"cat":"cause"' none.pfw && fail "arrows in .pfw"
	return 0
}

# Tables of a file system lie on its device, and many have changed them: what the kernel writes of a device by itself is nobody's.
of_device()
{
	dd if=/dev/zero of=image bs=1M count=4 2>/dev/null
	device=$(losetup -f --show image 2>err) || { echo "no loop devices here: $(cat err)"; return; }
	# the kernel's thread does it, as the device stays open
	recorder system -q -o device.trace -- sh -c 'exec 3<"$1"; dd if=/dev/zero of="$1" bs=64k count=16 2>/dev/null; sync' sh "$device"
	status=$?
	losetup -d "$device"
	expect_eq 0 $status "exit status"
	recorder2text -q device.trace >text
	grep -q " kernel write(fd=1 .* = 65536" text || fail "dd has not written"
	grep " flusher=[1-9].*\"/dev/block\|writeback_inode(.* device=0:[0-9]*, .*flusher=[1-9]\|block_write(disk=\"loop.*flusher=[1-9]" text && fail "of a device"
	return 0
}

# The view file_events has what each event lies in: so many calls and events, by the same thread, whichever stream they are of.
as_view()
{
	[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || { echo "built without SQLite"; return; }
	recorder run -q --system --events all -o view.trace -- ./disk apart viewed || fail "exit status $?"
	recorder2sqlite -q --force -o view.sqlite view.trace || fail "recorder2sqlite"
	python3 - "$PWD/viewed" <<-'END' || fail "the view"
	import sqlite3, sys
	base = sqlite3.connect("view.sqlite")
	aside = ("block", "writeback", "iouring", "pagecache", "fault", "ext4", "xfs", "sched")
	rows = base.execute("""SELECT r.id, r.tid, r.layer, r.function, r.tstart, r.tend, f.path, r.parent FROM records r
	    LEFT JOIN files f ON f.id = r.file""").fetchall()
	want = {}
	for c in rows:
	    if c[6] != sys.argv[1] or c[2] in aside:
	        continue
	    for e in rows:
	        if e[1] == c[1] and c[4] <= e[4] <= c[5] and (e[2] in aside or e[2] == "kernel" and c[2] != "kernel"):
	            calls, events = want.setdefault((c[2], c[3], e[2], e[3]), (set(), []))
	            calls.add(c[0])
	            events.append(e[0])
	want = {key: (len(calls), len(events)) for key, (calls, events) in want.items()}
	for e in rows:
	    if e[6] == sys.argv[1] and e[2] in aside and e[7] is None:
	        key = (None, None, e[2], e[3])
	        want[key] = (None, want.get(key, (None, 0))[1] + 1)
	got = {row[:4]: row[4:] for row in base.execute("SELECT call_layer, call, layer, function, calls, events FROM file_events WHERE path = ?", (sys.argv[1],))}
	assert got == want, (got, want)
	assert got["posix", "pwrite", "kernel", "pwrite64"] == (7, 7), got
	assert got["posix", "fsync", "kernel", "fsync"] == (1, 1), got
	assert ("kernel", "fsync", "block", "block_write") in got or ("kernel", "fsync", "block", "block_flush") in got, got
	END
	recorder sql view.trace "SELECT call, events FROM file_events WHERE path GLOB '*/viewed' AND function = 'pwrite64'" >text || fail "recorder sql"
	grep -q '^pwrite  *7$' text || fail "$(cat text)"
}

try "past the page cache" direct
try "through the page cache, and fsync" buffered
try "two programs in turns" interleaved
try "written back later" written_back
try "calls of the library" of_library
try "other forms" in_other_forms
try "block devices" of_device
try "a view" as_view
echo "1..$reported"
