#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 1800
# libreader and the tools under valgrind, on sound and on broken traces: no invalid access, nothing uninitialised used, nothing leaked.
. "${TOP_SRCDIR:?}/test/lib.sh"
need valgrind
[ -z "${SANITIZERS:-}" ] || skip "valgrind does not go with a sanitizer"

watched()
{
	libtool=$TOP_BUILDDIR/libtool
	"$libtool" --mode=execute valgrind -q --error-exitcode=99 --leak-check=full \
		--errors-for-leak-kinds=definite,indirect "$@" >out 2>err
	status=$?
	[ $status -ne 99 ] && ! grep -q '^==' err || { cat err; fail "valgrind: $*"; }
}

"${PYTHON:-python3}" "$TOP_SRCDIR/test/cli/sample.py" sample || fail "no sample"
"${PYTHON:-python3}" "$TOP_SRCDIR/test/format/broken.py" "$PWD/broken" >/dev/null || fail "no broken traces"
tools=$TOP_BUILDDIR/tools
for args in "recorder info" "recorder info --json" "recorder check" "recorder where" recorder2text \
	"recorder2parquet --force -o out.parquet" "recorder2pfw --force -o out.pfw" "recorder2pfw --force --format chrome -z -o out.json.gz"; do
	# shellcheck disable=SC2086 # a command and its options
	watched "$tools"/$args sample
done
if [ -x "$tools/recorder2sqlite" ]; then
	watched "$tools"/recorder2sqlite --force -o out.sqlite sample
	watched "$tools"/recorder sql --json sample "SELECT * FROM calls; SELECT * FROM file_use"
	watched "$tools"/recorder sql sample "SELECT * FROM calls"
fi
# each seventh of the broken ones; the others go through the sanitizers
find "$PWD/broken" -mindepth 1 -maxdepth 1 -type d | sort | awk 'NR % 7 == 1' >list
while read -r trace; do
	watched "$tools"/recorder check "$trace" </dev/null
	watched "$tools"/recorder2text "$trace" </dev/null
done <list
cp -r sample repaired
watched "$tools"/recorder repair repaired
# but for the one that reads whatever addresses random bytes say, asking the kernel first: what can be read is not what may be
# shellcheck disable=SC2046 # a list of names
watched "$TOP_BUILDDIR/test/unit/unittest" $("$TOP_BUILDDIR/test/unit/unittest" -l | awk '$2 != "cfi_survives_any_bytes" { print $2 }')

# valgrind itself under the recorder reads what the library tells debuggers: it says nothing of it
recorder run -q -o itself -- valgrind -q true >said 2>&1 || fail "valgrind under the recorder: $(cat said)"
[ ! -s said ] || fail "valgrind under the recorder: $(cat said)"
echo "$(wc -l <list) broken traces"
