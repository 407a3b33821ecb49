#!/bin/sh
# SPDX-License-Identifier: MIT
# tar | gzip and back, and tar's own pipe to gzip.
. "${TOP_SRCDIR:?}/test/real/compare.sh"
need tar
need gzip
need python3

mkdir -p input/tree/empty input/tree/deep/er
seq 1 50000 >input/tree/numbers
seq 1 3000 | while read -r n; do printf 'line %d of a text\n' "$n"; done >input/tree/deep/text
head -c 300000 /dev/zero >input/tree/deep/er/zeros
ln -s ../numbers input/tree/deep/link
ln input/tree/numbers input/tree/deep/hard
chmod 600 input/tree/deep/text
cat >input/job.sh <<'END_OF_JOB'
set -e
tar -c -f - --sort=name --mtime=@1000000000 tree | gzip -n -9 >piped.tar.gz
tar -c -z -f own.tar.gz --sort=name --mtime=@1000000000 tree
mkdir out
gzip -d -c piped.tar.gz | tar -x -v -f - -C out
diff -r --no-dereference tree out/tree
gzip -t own.tar.gz
tar -t -f own.tar.gz
gzip -d <tree/numbers || echo "gzip: $?"
END_OF_JOB

both sh job.sh
grep -q '^gzip: 1$' traced.out || fail "the failed gzip"
witnessed '.*' sh job.sh
