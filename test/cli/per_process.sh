#!/bin/sh
# SPDX-License-Identifier: MIT
# Files of events for each process, as DFTracer has them: of a trace, and when `recorder run` ends; together they have what one file of all has.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
cli=$TOP_SRCDIR/test/cli
unset DFTRACER_LOG_FILE DFTRACER_INC_METADATA DFTRACER_TRACE_COMPRESSION

# a script of Python, what it starts, and a process that becomes another program
cat >"my script.py" <<'END'
import os, subprocess
subprocess.run(["/bin/sh", "-c", "head 'my script.py' >copy; exec cat copy"], stdout=subprocess.DEVNULL, check=True)
with open("written", "w") as file:
    file.write("x" * 1000)
END
mv "my script.py" script.py
sed -i 's/my script/script/g' script.py

# not a script that starts it
real=$("${PYTHON:-python3}" -c "import sys; print(sys.executable)")
recorder run -q -o trace --pfw logs/of/t -- "$real" -S -E script.py || fail "recorder run"
ls logs/of | sed 's/-[0-9]*[.]/-PID./' | sort | uniq -c | sed 's/^ *//' >names
cat >want <<-'END'
	1 t-cat-PID.pfw.gz
	1 t-head-PID.pfw.gz
	1 t-script.py-PID.pfw.gz
	1 t-sh-PID.pfw.gz
END
diff want names || fail "names of files"
expect_eq "$(echo logs/of/t-sh-* | sed 's/.*-//')" "$(ls logs/of/t-cat-*"$(echo logs/of/t-sh-* | sed 's/.*-//')" | sed 's/.*-//')" "process that became another program"
for file in logs/of/*; do python3 "$cli/check_pfw.py" "$file" >/dev/null || fail "$file"; done
python3 "$cli/dftracer.py" trace logs/of/* || fail "not all that is in the trace"

# the same later on, by any number of processes; nothing is replaced without --force
recorder2pfw -q -z --per-process -j 1 -o one trace && recorder2pfw -q -z --per-process -j 3 -o three trace || fail "recorder2pfw"
for file in logs/of/t-*; do
	name=${file#logs/of/t-}
	zcat "$file" >whole
	zcat "one-$name" | cmp - whole && zcat "three-$name" | cmp - whole || fail "$name"
done
! recorder2pfw -q -z --per-process -o one trace 2>notes || fail "replaced without --force"
grep -q -- '--force' notes || fail "no word of --force: $(cat notes)"
recorder2pfw -q -z --per-process --force -o one trace || fail "--force"
recorder2pfw -q --per-process --functions write -o some trace || fail "a filter"
for wrong in '--split 1M' '-o -'; do
	recorder2pfw -q --per-process $wrong trace >/dev/null 2>&1
	expect_eq 2 $? "exit status of --per-process $wrong"
done

# DFTracer's settings
settings()
{
	name=$1
	shift
	env "$@" RECORDER_TRACES_DIR="$name" DFTRACER_LOG_FILE="$name.log" recorder run -q -- cat script.py >/dev/null 2>&1 || fail "$name: recorder run"
}
settings plain DFTRACER_TRACE_COMPRESSION=1
zcat plain.log-cat-*.pfw.gz | grep -q '"name":"read".*"args"' || fail "arguments"
settings bare DFTRACER_INC_METADATA=0 DFTRACER_TRACE_COMPRESSION=0
grep -q '"name":"read"' bare.log-cat-*.pfw || fail "no calls"
! grep '"ph":"X"' bare.log-cat-*.pfw | grep -q '"args"' || fail "arguments with DFTRACER_INC_METADATA=0"
settings off DFTRACER_ENABLE=0
[ ! -e off ] && ! ls off.log* 2>/dev/null || fail "files with DFTRACER_ENABLE=0"

cat >conf.yaml <<-'END'
	# as DFTracer documents it
	enable: True
	profiler:
	  init: PRELOAD   # no matter here
	  log_file: "yaml.log"
	  compression: False
	features:
	  metadata: no
	  io:
	    enable: True
	    stdio: False
	  tid: True
END
DFTRACER_CONFIGURATION=conf.yaml recorder run -q -o yaml -- cat script.py >/dev/null || fail "recorder run with DFTRACER_CONFIGURATION"
grep -q '"name":"read"' yaml.log-cat-*.pfw || fail "no calls by DFTRACER_CONFIGURATION"
! grep -q '"cat":"STDIO"\|"ph":"X","args"' yaml.log-cat-*.pfw || fail "what DFTRACER_CONFIGURATION switches off"
DFTRACER_CONFIGURATION=conf.yaml DFTRACER_LOG_FILE=env.log recorder run -q -o env -- cat script.py >/dev/null || fail "recorder run"
ls env.log-cat-*.pfw >/dev/null || fail "the environment does not come before the file"
DFTRACER_CONFIGURATION=nowhere.yaml recorder run -o none -- cat script.py >/dev/null 2>notes || fail "recorder run without the file"
grep -q 'cannot read DFTRACER_CONFIGURATION=nowhere.yaml' notes || fail "no warning: $(cat notes)"

# in each rank: its own processes
for rank in 0 1; do
	OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=2 RECORDER_RUN_ID=two recorder run -q -o ranks --pfw r/t -- cat script.py >/dev/null || fail "rank $rank"
	expect_eq $((rank + 1)) "$(ls r | wc -l)" "files behind rank $rank"
done

# a file that cannot be made is no failure of the command
: >folder
recorder run -o there --pfw folder/t -- cat script.py >/dev/null 2>notes
expect_eq 0 $? "exit status with files that cannot be made"
grep -q 'not all files folder/t-' notes || fail "no warning: $(cat notes)"
exit 0
