#!/bin/sh
# SPDX-License-Identifier: MIT
# The converters: both forms are judged by checkers of our own and read by dask; files appear whole or not at all.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3
cli=$TOP_SRCDIR/test/cli
python3 "$cli/sample.py" sample || fail "no sample"

records=$(recorder info -q --json sample | python3 -c 'import json, sys; print(json.load(sys.stdin)["records"])')
recorder2text -q sample | grep -v 'in_flight$' >lines
events=$(wc -l <lines) # a run of calls is one
calls=$(awk '{ n += match($0, / repeat=[0-9]+/) ? substr($0, RSTART + 8, RLENGTH - 8) : 1 } END { print n }' lines)
expect_eq "$records" "$calls" "calls in the text"

# every form, every way of compressing
for jobs in 1 3; do
	recorder2pfw -q -j $jobs -o s$jobs.pfw sample || fail "pfw"
	recorder2pfw -q -j $jobs -z -o s$jobs.pfw.gz sample || fail "pfw -z"
	recorder2pfw -q -j $jobs --format chrome -o s$jobs.json sample || fail "chrome"
	recorder2pfw -q -j $jobs --format chrome -z -o s$jobs.json.gz sample || fail "chrome -z"
	for file in s$jobs.pfw s$jobs.pfw.gz; do
		python3 "$cli/check_pfw.py" $file "$events" || fail "$file"
	done
	for file in s$jobs.json s$jobs.json.gz; do
		python3 "$cli/check_chrome.py" $file "$events" || fail "$file"
	done
done
for form in pfw pfw.gz json json.gz; do
	cmp s1.$form s3.$form || fail "$form depends on the number of threads"
done
python3 -m json.tool s1.json >/dev/null || fail "json.tool"
mkdir named
(cd named && recorder2timeline -q ../sample) || fail "recorder2timeline"
cmp s1.json named/sample.json || fail "recorder2timeline gives something else"
recorder2pfw -q --no-args -o n.pfw sample && python3 "$cli/check_pfw.py" n.pfw "$events" || fail "--no-args"

# numbers of all lengths, in lines that are mostly those of others
recorder run -q -o seeking.trace python3 "$cli/seeking.py" || fail "cannot record"
recorder2pfw -q -o seeking.pfw seeking.trace || fail "pfw"
recorder2pfw -q --format chrome -o seeking.json seeking.trace || fail "chrome"
python3 "$cli/same_events.py" seeking.pfw seeking.json || fail "the forms differ"

# dask counts what the text has: events, bytes of reads and writes, files
if /usr/bin/python3 -c 'import dask.bag' 2>/dev/null; then
	expect_eq "$events 1152921504606847056 4" "$(/usr/bin/python3 "$cli/dask_pfw.py" s1.pfw)" "dask"
	expect_eq "$events 1152921504606847056 4" "$(/usr/bin/python3 "$cli/dask_pfw.py" s1.pfw.gz)" "dask, gz"
else
	[ -z "${CI:-}" ] || fail "dask is missing (package python3-dask)"
	echo "not tried: dask (package python3-dask)"
fi

# an existing file stays
echo mine >there
recorder2pfw -q -o there sample 2>/dev/null && fail "an existing file was replaced"
expect_eq mine "$(cat there)" "an existing file"
recorder2pfw -q --force -o there sample || fail "--force"
python3 "$cli/check_pfw.py" there "$events" || fail "--force wrote something else"
ln -s nowhere dangling
recorder2pfw -q -o dangling sample 2>/dev/null && fail "a link was replaced"

# nothing replaces the trace that it is made of, by whatever name
cp -r sample own && quietly recorder pack -o own.rtrace sample || fail "no copies"
ln -s own alias
sum() { cat own/* own.rtrace | cksum; }
before=$(sum)
for path in own.rtrace own/recorder.gm alias/recorder.gm; do
	for tool in recorder2text recorder2pfw recorder2csv recorder2parquet recorder2sqlite recorder2collapsed "recorder report"; do
		case $path in own.rtrace) trace=own.rtrace ;; *) trace=own ;; esac
		$tool -q --force -o "$path" "$trace" 2>err && fail "$tool replaced $path"
		grep -q "of the trace itself" err || fail "$tool -o $path: $(cat err)"
	done
done
for path in own alias/. ./own/; do
	for tool in filter anonymize; do
		recorder $tool -q --force -o "$path" own 2>err && fail "$tool replaced $path"
		grep -q "of the trace itself" err || fail "$tool -o $path: $(cat err)"
	done
done
recorder pack -q --force -o own/recorder.gm own 2>err && fail "pack replaced a file of the trace"
expect_eq "$before" "$(sum)" "the trace itself"
quietly recorder pack --force -o own.rtrace own.rtrace || fail "a packed trace is not packed in its place"
expect_eq "$before" "$(sum)" "packed in its place"
recorder2text -q -o own/lines sample && recorder2text -q --force -o own/lines sample || fail "beside the files of a trace"

# a full disk is an error that leaves nothing
for tool in recorder2text recorder2pfw; do
	$tool -q -o - sample >/dev/full 2>/dev/null && fail "$tool: a full stdout is no error"
	(ulimit -f 1 && trap '' XFSZ && exec $tool -q -o big.out sample) 2>/dev/null && fail "$tool: a full disk is no error"
	(ulimit -f 1 && exec $tool -q -o big.out sample) 2>/dev/null && fail "$tool: SIGXFSZ is no error"
	recorder2pfw -q -o /no/such/place sample 2>/dev/null && fail "$tool: no such folder"
done
expect_eq "" "$(find . -name '*big.out*')" "left behind"
exit 0
