#!/bin/sh
# SPDX-License-Identifier: MIT
# Shell scripts with pipelines, sub-shells, traps and jobs in the background, by dash and by bash.
. "${TOP_SRCDIR:?}/test/real/compare.sh"
need dash
need bash
need python3

mkdir script
cat >script/job.sh <<'END_OF_JOB'
trap 'echo "at the end: $?"' EXIT
seq 1 2000 | sort -r -n | sed -n 1,5p | tee five | wc -l
printf '%s\n' b a c | sort | tr a-c A-C >letters
(cd / && pwd; exit 4) || echo "sub-shell: $?"
for n in 1 2 3 4; do
	(seq 1 $((n * 100)) | awk '{ s += $1 } END { print s }' >sum.$n) &
done
wait
cat sum.? | paste -s -d+
value=$(cat <<HERE | rev
here $((6 * 7)) documents
HERE
)
echo "$value" | sed 's/24/42/' >>letters
exec 5>>letters 6<five
read -r first <&6
echo "first $first" >&5
exec 5>&- 6<&-
yes | head -n 3 >yes
echo "yes: $?"
grep -c nothing letters || echo "grep: $?" >&2
sh -c 'kill -TERM $$' || echo "killed: $?"
no-such-command 2>/dev/null || echo "no command: $?"
set -- letters yes
find . -type f -newer / -size -9 | sort | xargs -n 2 cat | cksum
exit 9
END_OF_JOB

# yes is killed in write, sh in kill: nothing is lost, the calls are in flight.
killed=2
# what writes here writes by stdio
witnessed_calls='read|lseek'
for shell in dash bash; do
	mkdir $shell.test
	(
		cd $shell.test || exit 1
		test_dir=$PWD
		cp -r ../script input
		both $shell job.sh
		expect_eq 9 "$(cat traced.status)" "$shell: status"
		witnessed '.*' $shell job.sh
	) || exit 1
done
