#!/bin/sh
# SPDX-License-Identifier: MIT
# Samplers: what machine and job have used, as /proc has it, in a stream that is no rank's; exact values of a /proc that the test has made.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
sources=$TOP_SRCDIR/test/system
python=${PYTHON:-python3}

look()
{
	recorder2text -q "$1" >text || fail "recorder2text"
	shift
	"$python" "$sources/sampled.py" "$@" <text
}

# What the samples say of a process is what it says of itself.
process()
{
	recorder run -q --sample=100 -o busy.trace -- "$python" "$sources/busy.py" busy.trace >said || fail "exit status $?"
	recorder check -q --strict busy.trace || fail "recorder check"
	look busy.trace used said || fail "what it has used"
	look busy.trace monotone || fail "what is cumulative falls"
	for form in clock cpu kernel memory disk process process_io; do
		grep -q " sample $form(" text || fail "no $form"
	done
	cpus=$(sed -n 's/^.* sample cpu(cpu="\([0-9]*\)".*/\1/p' text | sort -u | wc -l)
	expect_eq "$(grep -c '^cpu[0-9]' /proc/stat)" "$cpus" "CPUs"
}

# The stream is nobody's rank, and its records are no calls.
aside()
{
	recorder info -q --json busy.trace >info.json
	expect_eq 1 "$(info_number ranks)" "ranks"
	recorder info -q --json busy.trace | grep -q '"name": "sampler\.' || fail "no stream"
	recorder summary -q busy.trace | grep -w sample && fail "samples are summed up as calls"
	expect_eq 0 "$(recorder2text -q --ranks 0 busy.trace | grep -c ' sample ')" "samples of rank 0"
	recorder2text -q --layers sample busy.trace >samples 2>err || fail "$(cat err)"
	expect_eq "" "$(cat err)" "warnings"
	grep ' sample ' text | cmp - samples || fail "--layers sample"
	recorder pack -q -o busy.rtrace busy.trace || fail "recorder pack"
	recorder2text -q busy.rtrace | cmp - text || fail "packed"
	recorder filter -q --layers sample -o only.trace busy.trace || fail "recorder filter"
	recorder2text -q only.trace | cmp - samples || fail "filtered"
	recorder summary -q only.trace >/dev/null || fail "summary of samples alone"
	recorder anonymize -q -o other.trace busy.trace || fail "recorder anonymize"
	recorder summary -q other.trace | grep -w sample && fail "anonymized, samples are calls"
	samples=$(wc -l <samples)
	for format in pfw pfw2 chrome; do
		recorder2pfw -q --format $format -o events busy.trace || fail "recorder2pfw --format $format"
		expect_eq "$samples" "$(grep -icE '"cat":"sample".*"ph":("C"|2),' events)" "counters in $format"
		rm events
	done
}

# A machine whose /proc is known.
values()
{
	mkdir -p proc/net proc/pressure
	cat >proc/stat <<-'END'
	cpu  10 20 30 40 50 60 70 80 9 11
	cpu0 4 10 15 20 25 30 35 40 4 5
	cpu12 6 10 15 20 25 30 35 40 5 6
	intr 1234 1 2 3
	ctxt 5678
	btime 1
	processes 90
	procs_running 3
	procs_blocked 1
	softirq 9 8 7
	END
	printf 'MemTotal:  2048 kB\nMemFree: 1024 kB\nMemAvailable: 1500 kB\nBuffers: 1 kB\nCached: 2 kB\nSwapCached: 77 kB\nActive: 5 kB\nInactive: 6 kB\nDirty: 3 kB\nWriteback: 4 kB\nMapped: 9 kB\nShmem: 7 kB\nSlab: 8 kB\nWritebackTmp: 99 kB\n' >proc/meminfo
	cat >proc/diskstats <<-'END'
	   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
	 259       0 none-such9 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
	   8       0 "q\"x 1 0 0
	END
	cat >proc/net/dev <<-'END'
	Inter-|   Receive                                                |  Transmit
	 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
	   ib0:100 2 3 4 5 6 7 8 900 10 11 12 13 14 15 16
	  idle: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
	END
	printf 'some avg10=0.00 avg60=0.00 avg300=0.00 total=321\n' >proc/pressure/cpu
	printf 'some avg10=0.00 avg60=1.00 avg300=0.00 total=18446744073709551615\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=5\n' >proc/pressure/io
	HOST_PROC=$PWD/proc recorder run -q --sample -o values.trace -- sleep 0 || fail "exit status $?"
	recorder check -q --strict values.trace || fail "recorder check"
	recorder2text -q values.trace | sed -n 's/^.* sample \([a-z_]*(.*)\) = counter$/\1/p' | grep -vE '^(clock|process|process_io|disk)\(' | sort -u >got
	cat >want <<-'END'
	cpu(cpu="0", user=4, nice=10, system=15, idle=20, iowait=25, irq=30, softirq=35, steal=40, guest=4, guest_nice=5)
	cpu(cpu="12", user=6, nice=10, system=15, idle=20, iowait=25, irq=30, softirq=35, steal=40, guest=5, guest_nice=6)
	cpu(cpu="all", user=10, nice=20, system=30, idle=40, iowait=50, irq=60, softirq=70, steal=80, guest=9, guest_nice=11)
	kernel(interrupts=1234, switches=5678, forks=90, running=3, blocked=1)
	memory(total=2097152, free=1048576, available=1536000, buffers=1024, cached=2048, dirty=3072, writeback=4096, active=5120, inactive=6144, shmem=7168, slab=8192, mapped=9216)
	network(interface="ib0", received=100, packets_received=2, errors_in=3, dropped_in=4, sent=900, packets_sent=10, errors_out=11, dropped_out=12)
	pressure(resource="cpu", some=321, full=0)
	pressure(resource="io", some=18446744073709551615, full=5)
	END
	diff want got || fail "not the values of that machine"
	strings -a values.trace/sampler.*.lm | grep -q 'pressure/memory' || fail "what is missing is not told"
	# disks are told from partitions by /sys/block, which is this machine's
	disk=$(find /sys/block/ -mindepth 1 -printf "%f\n" -quit)
	[ -n "$disk" ] || return 0
	printf '   8 0 %s 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n   8 1 none-such1 1 2 3 4\n' "$disk" >proc/diskstats
	HOST_PROC=$PWD/proc recorder run -q --sample -o disk.trace -- sleep 0 || fail "exit status $?"
	recorder2text -q disk.trace | sed -n 's/^.* sample \(disk(.*)\) = counter$/\1/p' | sort -u >got
	echo "disk(disk=\"$disk\", reads=1, reads_merged=2, sectors_read=3, ms_reading=4, writes=5, writes_merged=6, sectors_written=7, ms_writing=8, in_progress=9, ms_busy=10, ms_weighted=11, discards=12, discards_merged=13, sectors_discarded=14, ms_discarding=15, flushes=16, ms_flushing=17)" >want
	diff want got || fail "not the disk of that machine"
}

# What cumulative values amount to: the job itself writes them, between two samples, as one system call each.
shares()
{
	mkdir -p fake/net fake/pressure
	disk=$(find /sys/block/ -mindepth 1 -printf "%f\n" -quit)
	printf 'cpu  1000 100 500 2000 300 10 20 70 50 10\nintr 1\n' >fake/stat
	printf 'cpu  1330 110 600 2400 320 15 25 200 80 10\nintr 1\n' >stat
	printf '8 0 %s 1 1 002000 1 1 1 004000 1 0 1 1 0 0 0 0 0 0\n' "${disk:-sda}" >fake/diskstats
	printf '8 0 %s 1 1 004000 1 1 1 008000 1 0 1 1 0 0 0 0 0 0\n' "${disk:-sda}" >diskstats
	printf 'MemTotal: 4000 kB\nMemAvailable: 3000 kB\n' >fake/meminfo
	HOST_PROC=$PWD/fake recorder run -q --sample=100 -o shares.trace -- sh -c \
		'dd if=stat of=fake/stat conv=notrunc; dd if=diskstats of=fake/diskstats conv=notrunc' 2>/dev/null || fail "exit status $?"
	recorder system summary --json shares.trace >shares.json || fail "recorder system summary"
	recorder system summary shares.trace | grep -q '  cpu_user ' || fail "text"
	recorder system summary --csv shares.trace | grep -q ',memory_used,B,1024000.000,1024000.000,1024000.000,,' || fail "csv"
	"$python" - <<-'END' || fail "not what the job wrote"
	import json
	node = json.load(open("shares.json"))["nodes"][0]
	values = node["values"]
	# of 1000 ticks: user without guests 330 + 10 - 30, system 100 + 5 + 5, iowait 20, steal 130, idle 400
	for name, share in (("user", 31), ("system", 11), ("iowait", 2), ("steal", 13), ("idle", 40)):
	    value = values["cpu_" + name]
	    assert abs(value["most"] - share) < 1e-6 and abs(value["least"] - share) < 1e-6, (name, value)
	for name, sectors in (("disk_read", 2000), ("disk_written", 4000)):
	    if name in values:
	        # one interval has all of it, the others nothing
	        moved = values[name]["mean"] * node["seconds"]
	        assert abs(moved / (sectors * 512) - 1) < 0.05, (name, moved)
	END
	recorder2pfw -q --format chrome -o shares.events shares.trace || fail "recorder2pfw"
	"$python" "$sources/counters.py" shares.events || fail "not the counters of what the job wrote"
	for options in "-j 3" "--split 1G"; do
		# shellcheck disable=SC2086 # options are words
		recorder2pfw -q --format chrome $options -o other.json shares.trace || fail "recorder2pfw $options"
		[ ! -f other-0000.json ] || mv other-0000.json other.json
		"$python" "$sources/counters.py" other.json || fail "counters with $options"
		rm other.json
	done
	recorder2pfw -q --format chrome --layers sample -o - shares.trace | grep -q '"cat":"usage"' && fail "usage where there is a choice of calls"
	recorder report -q -o shares.html shares.trace || fail "recorder report"
	grep -q '"cpu_iowait":' shares.html || fail "the report has no samples"
}

# One process of a node samples for all of its ranks, which are below the launcher.
ranks()
{
	need_mpiexec
	rm -f pids
	run_mpi 3 recorder run -q --sample=100 -o ranks.trace -- "$python" "$sources/busy.py" ranks.trace 5 >said || fail "exit status $?"
	expect_eq 3 "$(wc -l <pids)" "ranks"
	expect_eq 1 "$(find ranks.trace -name "sampler.*.rec" | wc -l)" "samplers"
	recorder2text -q ranks.trace >text
	while read -r pid; do
		grep -q " sample process(pid=$pid," text || fail "process $pid is not sampled"
	done <pids
}

# Without rights to the kernel recorder system has samples, and says what it has not.
instead()
{
	need setpriv util-linux
	[ "$(id -u)" -eq 0 ] || skip "not root"
	chmod 755 . && mkdir -p free && chmod 777 free
	setpriv --reuid 65534 --regid 65534 --clear-groups recorder system -o "$PWD/free/t" -- sh -c 'exit 5' 2>err
	expect_eq 5 $? "exit status"
	grep -q "cannot record from the kernel" err || fail "$(cat err)"
	recorder2text -q free/t | grep -q ' sample process(pid=' || fail "no samples"
	strings -a free/t/sampler.*.lm | grep -q sampler.instead || fail "the trace does not say it"
}

# Each part is tried; as root on a machine that has them all works but GPUs.
check()
{
	recorder system --check >check.json || fail "exit status $?"
	root=$(id -u) "$python" - <<-'END' || fail "$(cat check.json)"
	import json, os
	said = json.load(open("check.json"))
	kernel = {part["name"]: part for part in said["kernel"]}
	assert {"calls", "sums", "block", "writeback", "iouring", "page", "functions"} <= set(kernel), kernel
	for part in said["kernel"] + said["samplers"]:
	    assert part["works"] == (part["errno"] == 0) == (part["step"] == ""), part
	    assert part["works"] == (part["events"] > 0), part
	assert all(part["works"] for part in said["samplers"] if part["name"] in ("/proc/stat", "/proc/meminfo")), said
	if os.environ["root"] == "0" and kernel["calls"]["errno"] != 38:
	    assert kernel["calls"]["works"] and kernel["sums"]["works"], kernel
	END
	command -v setpriv >/dev/null && [ "$(id -u)" -eq 0 ] || return 0
	setpriv --reuid 65534 --regid 65534 --clear-groups recorder system --check >free.json || fail "exit status $?"
	grep -q '"records": "samples alone"' free.json || fail "without rights: $(cat free.json)"
}

manners()
{
	for rate in 0 101 x 10Hz -5; do
		recorder run "--sample=$rate" -o none.trace -- true 2>/dev/null
		expect_eq 125 $? "--sample=$rate"
	done
	recorder run --sample -o none.trace -- ./there-is-none 2>/dev/null
	expect_eq 127 $? "no such program"
	(recorder run -q --sample -o killed.trace -- sh -c 'kill -TERM $$')
	expect_eq 143 $? "status after a signal"
}

try "process" process
try "aside from calls" aside
try "values" values
try "shares and rates" shares
if [ -x "$TEST_BIN/mpi/io" ]; then
	try "ranks" ranks
else
	report_skip "built without MPI"
fi
try "in place of the kernel" instead
try "check" check
try "manners" manners
echo "1..$reported"
