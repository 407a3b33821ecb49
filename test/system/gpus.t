#!/bin/sh
# SPDX-License-Identifier: MIT
# Samples of GPUs, by a libnvidia-ml.so.1 of the test's own: exact values; what is not supported, not there or fails is told and is not 0.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
source=$TOP_SRCDIR/test/system/fake_nvml.c

# sampled NAME FLAGS...: a run beside such a library
sampled()
{
	name=$1
	shift
	mkdir -p "$name" || return
	cc -shared -fPIC "$@" -o "$name/libnvidia-ml.so.1" "$source" || fail "cannot compile"
	LD_LIBRARY_PATH=$PWD/$name${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} recorder run -q --sample -o "$name.trace" -- sleep 0 || fail "exit status $?"
	recorder check -q --strict "$name.trace" || fail "recorder check"
	recorder2text -q "$name.trace" | sed -n 's/^.* sample \(gpu.*\) = counter$/\1/p' >"$name.gpus"
	strings -a "$name.trace"/sampler.*.lm >"$name.meta"
}

newest()
{
	sampled newest
	# first time, later times: usages are new once
	sed -n 1,8p newest.gpus | sort >got
	sort >want <<-'END'
	gpu(gpu="0", sm=57, memory_busy=13, used=123456789, free=17056412395, total=17179869184, power=250000, energy=5000000000, temperature=61, clock_sm=1410, clock_memory=1215)
	gpu_process(gpu="0", pid=4242, type="C", at=1700000000000002, sm=50, memory_busy=6, encoder=0, decoder=0, jpeg=0, optical_flow=0, used=1000000)
	gpu_process(gpu="0", pid=31, type="-", at=1700000000000000, sm=8, memory_busy=9, encoder=0, decoder=0, jpeg=0, optical_flow=0, used=NONE)
	gpu_process(gpu="0", pid=4243, type="C", at=NONE, sm=NONE, memory_busy=NONE, encoder=NONE, decoder=NONE, jpeg=NONE, optical_flow=NONE, used=2000000)
	gpu_process(gpu="0", pid=9, type="G", at=NONE, sm=NONE, memory_busy=NONE, encoder=NONE, decoder=NONE, jpeg=NONE, optical_flow=NONE, used=7)
	gpu(gpu="1", sm=NOT_SUPPORTED, memory_busy=NOT_SUPPORTED, used=123456789, free=17056412395, total=17179869184, power=NO_PERMISSION, energy=NOT_SUPPORTED, temperature=61, clock_sm=1410, clock_memory=1215)
	gpu_process(gpu="1", pid=77, type="C", at=NOT_SUPPORTED, sm=NOT_SUPPORTED, memory_busy=NOT_SUPPORTED, encoder=NOT_SUPPORTED, decoder=NOT_SUPPORTED, jpeg=NOT_SUPPORTED, optical_flow=NOT_SUPPORTED, used=NOT_SUPPORTED)
	gpu(gpu="2", sm=FAILED, memory_busy=FAILED, used=FAILED, free=FAILED, total=FAILED, power=FAILED, energy=FAILED, temperature=FAILED, clock_sm=FAILED, clock_memory=FAILED)
	END
	diff want got || fail "not what the devices say"
	# the second time nothing is new
	sed -n '9,$p' newest.gpus | grep -q 'pid=4242, type="C", at=NONE' || fail "usages are taken twice"
	for text in 'Fake A "quoted"' GPU-b 999.88.77; do
		grep -qF "$text" newest.meta || fail "no $text in the metadata"
	done
	recorder2pfw -q --format chrome -o newest.json newest.trace || fail "recorder2pfw"
	"${PYTHON:-python3}" -c 'import json, sys; json.load(open(sys.argv[1]))' newest.json || fail "no JSON"
}

oldest()
{
	sampled oldest -DOLD
	sed -n 1,5p oldest.gpus | sort >got
	sort >want <<-'END'
	gpu(gpu="0", sm=57, memory_busy=13, used=123456789, free=17056412395, total=17179869184, power=250000, energy=NO_FUNCTION, temperature=61, clock_sm=1410, clock_memory=1215)
	gpu_process(gpu="0", pid=4243, type="C", at=1700000000000009, sm=33, memory_busy=3, encoder=2, decoder=1, jpeg=NO_FUNCTION, optical_flow=NO_FUNCTION, used=2000000)
	gpu_process(gpu="0", pid=4242, type="C", at=NONE, sm=NONE, memory_busy=NONE, encoder=NONE, decoder=NONE, jpeg=NONE, optical_flow=NONE, used=1000000)
	gpu(gpu="1", sm=NOT_SUPPORTED, memory_busy=NOT_SUPPORTED, used=123456789, free=17056412395, total=17179869184, power=NO_PERMISSION, energy=NO_FUNCTION, temperature=61, clock_sm=1410, clock_memory=1215)
	gpu_process(gpu="1", pid=77, type="C", at=NOT_SUPPORTED, sm=NOT_SUPPORTED, memory_busy=NOT_SUPPORTED, encoder=NOT_SUPPORTED, decoder=NOT_SUPPORTED, jpeg=NOT_SUPPORTED, optical_flow=NOT_SUPPORTED, used=NOT_SUPPORTED)
	END
	diff want got || fail "not what the devices say"
	grep -q nvmlDeviceGetMigMode oldest.meta || fail "functions that are missing are not told"
}

none()
{
	sampled none -DNO_DRIVER
	expect_eq "" "$(cat none.gpus)" "GPUs without a driver"
	grep -q "nvmlInit: error 9" none.meta || fail "why is not told: $(grep -A1 gpu none.meta)"
	mkdir empty
	: >empty/libnvidia-ml.so.1
	LD_LIBRARY_PATH=$PWD/empty recorder run -q --sample -o empty.trace -- sleep 0 || fail "exit status $?"
	strings -a empty.trace/sampler.*.lm | grep -A1 gpu.missing | grep -q libnvidia-ml || fail "why is not told"
}

try "newest library" newest
try "oldest library" oldest
try "no GPUs" none
echo "1..$reported"
