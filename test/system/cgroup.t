#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# recorder system --cgroup: who is in a cgroup or one below it, who comes into it, and nobody else.
if [ -z "${CGROUPS_ARE_OURS-}" ] && unshare -m true 2>/dev/null; then
	# what is mounted goes with the namespace
	CGROUPS_ARE_OURS=1 exec unshare -m "$0" "$@"
fi
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
[ -n "${CGROUPS_ARE_OURS-}" ] || skip "no mount namespace of its own"
mkdir mounted
mount -t cgroup2 none mounted 2>mount.err || skip "no cgroups of version 2: $(cat mount.err)"
group=$PWD/mounted/recorder-test-$$

# Whoever is left is told to end, and sent to the group of all, so that these can be removed; they are the test's own children.
leave()
{
	touch go stop
	for folder in "$group/below" "$group"; do
		[ -d "$folder" ] || continue
		while read -r pid; do
			echo "$pid" >mounted/cgroup.procs
		done <"$folder/cgroup.procs" 2>/dev/null
		rmdir "$folder"
	done
	umount mounted
}
trap 'leave; rm -rf "${test_dir:?}"' EXIT
mkdir "$group" 2>mkdir.err && mkdir "$group/below" || skip "cgroups are not writable: $(cat mkdir.err)"

need_kernel
# shellcheck disable=SC2034 # until_ reads it
until_tries=2400

# What `sh -c` runs in the group that is its next argument
# shellcheck disable=SC2016 # for that shell
enter='echo $$ >"$0/cgroup.procs" && exec "$@"'

three_are_up()
{
	[ "$(find . -maxdepth 1 -name 'up.*' | wc -l)" -eq 3 ]
}

writes()
{
	recorder2text -q "$1" | grep -c ' kernel p\{0,1\}write\(64\)\{0,1\}(fd=[0-9]* "[^"]*/opened before", '
}

is_there_already()
{
	(cd / && while :; do echo >/dev/null; done) &
	outsider=$!
	sh -c "$enter" "$group/below" python3 "$TOP_SRCDIR/test/system/joined.py" &
	job=$!
	until_ three_are_up
	recorder system -o there.trace --sample --cgroup "$group/" 2>said &
	recorder=$!
	until_ grep -q "are recorded" said
	touch go
	until_ [ -e child ]
	touch stop
	wait $job
	wait $recorder
	expect_eq 0 $? "the recorder's status"
	kill $outsider
	wait $outsider 2>/dev/null
	recorder check -q --strict there.trace || fail "recorder check"
	expect_eq 950 "$(writes there.trace)" "writes into a file that was open before"
	recorder2text -q there.trace | grep -q ' "/dev/null", ' && fail "the outsider's"
	recorder2text -q --layers sample there.trace >samples
	for pid in up.*; do
		grep -q " process(pid=${pid#up.}," samples || fail "no samples of ${pid#up.}"
	done
	grep -q -e " process(pid=$outsider," -e " process(pid=$recorder," samples && fail "samples of others"
	rm -f up.* go stop child
}

has_streams()
{
	ls comes.trace/system.*.rec
}

comes_into_it()
{
	sh -c "$enter" "$group" recorder system -o comes.trace --cgroup "$group" 2>said &
	recorder=$!
	until_ grep -q "are recorded" said
	python3 "$TOP_SRCDIR/test/system/joined.py" &
	job=$!
	until_ three_are_up
	for pid in up.*; do
		echo "${pid#up.}" >"$group/below/cgroup.procs"
	done
	until_ has_streams
	touch go
	until_ [ -e child ]
	kill -INT $recorder
	wait $recorder
	expect_eq 0 $? "the recorder's status"
	touch stop
	wait $job
	recorder check -q --strict comes.trace || fail "recorder check"
	expect_eq 950 "$(writes comes.trace)" "writes into a file that was open before"
	recorder info --json comes.trace >info.json
	expect_eq 4 "$(grep -c '"pid":' info.json)" "processes"
	grep -q '"exe": *"[^"]*/recorder"' info.json && fail "itself"
	true
}

# wrong STATUS WORDS ARGUMENTS...
wrong()
{
	status=$1 words=$2
	shift 2
	recorder system -q -o none.trace "$@" 2>err
	expect_eq "$status" $? "$*"
	grep -qF "$words" err || fail "$(cat err)"
	[ ! -e none.trace ] || fail "a trace of nothing"
}

is_none()
{
	wrong 125 "there is no cgroup 'nowhere'" --cgroup nowhere
	wrong 125 "'$PWD' is no cgroup" --cgroup "$PWD"
	wrong 125 "is no cgroup" --cgroup "$group/cgroup.procs"
	wrong 125 "is the cgroup of all processes" --cgroup mounted
	wrong 2 "without a command" --cgroup "$group" -- true
	wrong 2 "without a command" --cgroup "$group" --pid 1
}

try "who is there already" is_there_already
try "who comes into it" comes_into_it
try "what is no cgroup" is_none
echo "1..$reported"
