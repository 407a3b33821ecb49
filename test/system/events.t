#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder system --events: what the kernel does for a job besides its system calls, as often as the programs have it done.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
sources=$TOP_SRCDIR/test/system

cc -O1 -o disk "$sources/disk.c" || fail "disk.c"
need_kernel

# sum TRACE FUNCTION ARGUMENT: of all its records.
sum()
{
	recorder2text -q "$1" | sed -n "s/^.* $2(.*[(, ]$3=\([0-9]*\)[,)].*/\1/p" | awk '{ n += $1 } END { print n + 0 }'
}

# disk_writes TRACE BYTES WHAT: ./disk WHAT writes so many bytes, but for what the kernel reads and writes besides, of tables of the file system. The status is that of the program.
disk_writes()
{
	recorder system -q -o "$1" -- ./disk "$3" file || return
	recorder check -q --strict "$1" || fail "recorder check"
	recorder2text -q "$1" | grep ' block block_' | grep -v 'WRITEBACK\|[=|]META' >blocks
	expect_eq "$2" "$(sed -n 's/.* block_write(.* bytes=\([0-9]*\),.*/\1/p' blocks | awk '{ n += $1 } END { print n + 0 }')" "bytes written"
}

# As many bytes of requests as the program has asked for, by its own processes and nobody else's.
block_direct()
{
	disk_writes direct.trace $((4 << 20)) direct
	case $? in
	77) echo "no O_DIRECT here"; return ;;
	0) ;;
	*) fail "exit status" ;;
	esac
	expect_eq $((8 * 4096)) "$(sed -n 's/.* block_read(.* bytes=\([0-9]*\),.*/\1/p' blocks | awk '{ n += $1 } END { print n + 0 }')" "bytes read"
	form='^0 [0-9]* [0-9.]* [0-9.]* 1 block block_[a-z]*(disk="[a-z0-9-]*", device=[0-9]*:[0-9]*, sector=[0-9]*, bytes=[0-9]*, flags=[A-Z0-9|x_]*'
	grep -v "$form, queue_ns=[0-9]*, device_ns=[1-9][0-9]*, flusher=0, comm=\"disk\", offsets=\\[\\], lengths=\\[\\], file=none) = 0\$" blocks |
		grep -v "${form}[|]END_UNSEEN, queue_ns=[0-9]*, device_ns=0, flusher=0, comm=\"disk\", offsets=\\[\\], lengths=\\[\\], file=none) = 0\$" &&
		fail "lines of another form"
	# latencies are the time from begin to end, but for rounding
	awk '!/END_UNSEEN/ { split($0, q, "_ns="); d = ($4 - $3) * 1e9 - q[2] - q[3]; if (d > 50 || d < -50) { print; bad = 1 } } END { exit bad }' blocks ||
		fail "latencies do not add up"
}

# Each process has its own, also one that has ended.
block_children()
{
	disk_writes children.trace $((8 << 20)) children || fail "exit status $?"
	sed -n 's/^0 \([0-9]*\) .* block block_write(.* bytes=\([0-9]*\),.*/\1 \2/p' blocks |
		awk '{ n[$1] += $2 } END { for (pid in n) print n[pid] }' >got
	expect_eq "4194304
4194304" "$(cat got)" "bytes written by each child"
}

# Bytes of requests are not the program's, nor is the time that they take.
block_analysed()
{
	recorder summary -q --json direct.trace >summary.json || fail "recorder summary"
	python3 - <<-'END' || fail "recorder summary"
	import json
	layers = {layer["layer"]: layer for layer in json.load(open("summary.json"))["layers"]}
	assert layers["block"].get("bytes_written", 0) == 0, layers["block"]
	assert all(value >= 0 for layer in layers.values() for value in layer.values() if isinstance(value, (int, float))), layers
	END
	recorder pack -q -o direct.rtrace direct.trace || fail "recorder pack"
	recorder2text -q direct.rtrace >got
	recorder2text -q direct.trace | diff - got || fail "packed"
	recorder2pfw -q --format chrome -o direct.json direct.trace || fail "recorder2pfw"
	python3 -c 'import json; print(sum(e["args"].get("bytes", 0) for e in json.load(open("direct.json"))["traceEvents"] if e.get("name") == "block_write"))' >got
	expect_eq "$(sum direct.trace 'block block_write' bytes)" "$(cat got)" "bytes in JSON"
}

# Pages that a thread of the kernel writes are known as those of who wrote the file. Its requests are, too, where they begin with a page of that file: on a busy file system they can be merged into those for another one.
written_back()
{
	recorder system -q -o behind.trace -- ./disk behind slow || fail "exit status $?"
	recorder check -q --strict behind.trace || fail "recorder check"
	recorder2text -q behind.trace | grep "file=\"$PWD/slow\"" >slow.text
	grep ' block block_write(' slow.text | grep -v 'flags=[A-Z|]*WRITEBACK[,|].* flusher=[1-9]' && fail "requests of nobody's thread"
	expect_eq "$(stat -c %i slow)" "$(sed -n 's/.* writeback writeback_inode(inode=\([0-9]*\), device=[0-9:]*, pages=[1-9].* flusher=[1-9].*/\1/p' slow.text | sort -u)" "inode"
}

# Requests of io_uring: each with its completion, whoever completes it.
io_uring()
{
	cc -O1 -Wall -o uring "$sources/uring.c" || fail "uring.c"
	recorder system -q -o uring.trace -- ./uring queued
	status=$?
	[ $status -eq 77 ] && echo "no io_uring here" && return
	expect_eq 0 $status "exit status"
	recorder check -q --strict uring.trace || fail "recorder check"
	recorder2text -q uring.trace | grep ' iouring ' >requests
	sed 's/.*(opcode=\([A-Z]*\),.* = /\1 /' requests | sort | uniq -c | sed 's/^ *//' >got
	cat >want <<-'END'
	1 NOP 0
	1 READ -1 EBADF
	16 READ 4096
	64 WRITE 4096
	END
	diff want got || fail "not as many"
	expect_eq 32 "$(grep -c 'flags=IOSQE_ASYNC' requests)" "asynchronous ones"
	grep -q "offset=4096, length=4096, user_data=0x1, .*file=\"$PWD/queued\"" requests || fail "$(head -2 requests)"
	# a worker of the kernel has completed those that it was given: not the thread that submitted them
	sed -n 's/^0 \([0-9]*\) .*IOSQE_ASYNC, completer=\([0-9]*\),.*/\1 \2/p' requests | awk '$1 == $2 { exit 1 }' || fail "completed by the program itself"
}

fio_io_uring()
{
	need fio
	recorder system -q -o fio.trace -- fio --name=job --ioengine=io_uring --rw=randwrite --bs=4k --size=1m --iodepth=16 --thread --numjobs=2 \
		--filename=fio.file --output-format=terse >fio.out 2>&1 ||
		{ grep -qi "not permitted\|not implemented\|engine io_uring not loadable" fio.out || fail "$(cat fio.out)"; echo "no io_uring for fio here"; return; }
	expect_eq 512 "$(recorder2text -q fio.trace | grep -c ' iouring io_uring_request(opcode=WRITE.* = 4096$')" "writes"
}

# Pages into the page cache, faults, and what ext4 does: as many as the program has touched.
pages()
{
	recorder system -q --events all -o pages.trace -- ./disk pages paged || fail "exit status $?"
	recorder check -q --strict pages.trace || fail "recorder check"
	recorder2text -q pages.trace >text
	expect_eq 512 "$(grep "file=\"$PWD/paged\"" text | sed -n 's/.* page_cache_add(.* pages=\([0-9]*\),.*/\1/p' | awk '{ n += $1 } END { print n }')" "pages added"
	expect_eq 256 "$(grep "file=\"$PWD/paged\"" text | sed -n 's/.* page_cache_delete(.* pages=\([0-9]*\),.*/\1/p' | awk '{ n += $1 } END { print n }')" "pages deleted"
	python3 - <<-'END' || fail "page faults"
	import re
	text = open("text").read()
	begin = int(re.search(r" mmap\([^\n]* length=1048576, [^\n]* fd=-1, [^\n]* = (0x[0-9a-f]+)", text).group(1), 16)
	faults = {int(a, 16) for a in re.findall(r" page_fault\(address=(0x[0-9a-f]+),", text)}
	assert sum(begin <= address < begin + (1 << 20) for address in faults) == 256, len(faults)
	END
	grep -q ' sched off_cpu(why=SLEEPS, ' text || fail "it has slept"
	[ "$(stat -f -c %T .)" = ext2/ext3 ] && grep -q ' ext4 ' text || return 0
	expect_eq $((1 << 20)) "$(grep "file=\"$PWD/paged\"" text | sed -n 's/.* ext4_write(.* = \([0-9]*\)$/\1/p' | awk '{ n += $1 } END { print n }')" "bytes written in ext4"
	expect_eq 1 "$(grep -c " ext4 ext4_sync_file(data_only=0, file=\"$PWD/paged\") = 0" text)" "files synchronised"
}

choice()
{
	recorder system -q --events block -o block.trace -- ./disk direct file || fail "exit status $?"
	expect_eq 0 "$(recorder2text -q block.trace | grep -vc ' block block_')" "records besides blocks"
	recorder system -q --events=-block -o calls.trace -- ./disk direct file || fail "exit status $?"
	expect_eq 0 "$(recorder2text -q calls.trace | grep -c ' block ')" "records of blocks"
	recorder system -q --events nonsense -o none.trace -- true 2>err
	expect_eq 2 $? "no such events"
}

# What finds no room is counted, whatever it is.
lost()
{
	recorder system -q --ring 4K -o few.trace -- sh -c 'kill -STOP $PPID; ./disk children file; kill -CONT $PPID' 2>err || fail "exit status $?"
	recorder info -q --json few.trace >info.json
	[ "$(info_number lost)" -gt 20 ] || fail "lost: $(info_number lost)"
	quietly recorder check -q few.trace || fail "recorder check"
}

try "blocks of O_DIRECT" block_direct
try "blocks of processes that end" block_children
try "blocks in analyses" block_analysed
try "write-back" written_back
try "io_uring" io_uring
try "io_uring of fio" fio_io_uring
try "pages, faults, ext4" pages
try "events that are chosen" choice
try "full ring" lost
echo "1..$reported"
