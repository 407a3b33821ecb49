#!/bin/sh
# SPDX-License-Identifier: MIT
# What the commands print, exactly: each golden/NAME.cmd is run where the trace "sample" (sample.py) lies;
# its stdout, stderr and status are golden/NAME.out. test/cli/golden.sh --refresh writes these anew, for review;
# it needs TOP_SRCDIR and TOP_BUILDDIR.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3
folder=$TOP_SRCDIR/test/cli/golden
python3 "$TOP_SRCDIR/test/cli/sample.py" sample || fail "no sample"

# The version changes with each release.
run_case()
{
	version=$(recorder --version | sed 's/.* //')
	mkdir case && ln -s ../sample case/sample
	{
		(cd case && exec sh "$1") 2>stderr
		echo "status $?"
		sed 's/^/stderr: /' stderr
	} | sed "s/$(echo "$version" | sed 's/\./\\./g')/VERSION/g"
	rm -r case stderr
}

status=0
for file in "$folder"/*.cmd; do
	name=$(basename "$file" .cmd)
	if grep -q 'recorder2sqlite\|recorder sql' "$file" && [ ! -x "$TOP_BUILDDIR/tools/recorder2sqlite" ]; then
		echo "not tried: $name, built without SQLite"
		continue
	fi
	# these preload
	case ${SANITIZERS:-} in
	*thread*) ! grep -q 'recorder run' "$file" || continue ;;
	esac
	run_case "$file" >"$name.got"
	if [ "${1:-}" = --refresh ]; then
		cp "$name.got" "$folder/$name.out"
	elif ! diff -u "$folder/$name.out" "$name.got"; then
		echo "fail: $name"
		status=1
	fi
done
exit $status
