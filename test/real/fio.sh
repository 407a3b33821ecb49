#!/bin/sh
# SPDX-License-Identifier: MIT
# fio: what it says to have done is what the trace has, by engine; jobs are processes or threads.
# FIO_SIZE: bytes a job.
. "${TOP_SRCDIR:?}/test/real/compare.sh"
need fio
need python3

size=${FIO_SIZE:-2097152}

# Of fio's JSON what it did, not how fast
normal_text()
{
	"$PYTHON" -B -c '
import json, sys
text = sys.stdin.read()
if text.startswith("{"):
    for job in json.loads(text)["jobs"]:
        print(job["jobname"], job["error"],
              [(job[way]["total_ios"], job[way]["io_bytes"]) for way in ("read", "write")])
else:
    sys.stdout.write(text)'
}

# engine ENGINE READ-CALL WRITE-CALL [OPTION...]: N reads and writes by this engine
engine()
{
	engine_name=$1
	engine_read=$2
	engine_write=$3
	shift 3
	mkdir "$engine_name"
	(
		cd "$engine_name" || exit 1
		test_dir=$PWD
		mkdir input
		head -c "$size" /dev/zero | tee input/job.0.0 >input/job.1.0
		both fio --name=job --ioengine="$engine_name" --rw=randrw --bs=4k \
			--size="$size" --numjobs=2 --randrepeat=1 --allrandrepeat=1 \
			--buffer_pattern=0xfe --scramble_buffers=0 --fallocate=none \
			--output-format=json "$@"
		"$PYTHON" -B -c '
import json, sys
for job in json.load(sys.stdin)["jobs"]:
    print(job["read"]["total_ios"], job["write"]["total_ios"])' <traced.out >told
		for number in 0 1; do
			for function in $engine_read $engine_write; do
				calls --functions "$function" | grep -c "job\.$number\.0\".* = 4096\$"
			done | paste -s -d' '
		done >seen
		diff told seen || fail "$engine_name: fio tells other reads and writes (<) than the trace (>)"
	) || exit 1
}

engine psync pread pwrite
engine sync read write --thread
engine pvsync preadv pwritev --fsync=16
engine pvsync2 preadv2 pwritev2 --thread
