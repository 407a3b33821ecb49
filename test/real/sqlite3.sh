#!/bin/sh
# SPDX-License-Identifier: MIT
# sqlite3: transactions with a rollback journal and with a write-ahead log.
. "${TOP_SRCDIR:?}/test/real/compare.sh"
need sqlite3
need python3

mkdir input
for mode in delete wal; do
	cat >input/$mode.sql <<END_OF_SQL
PRAGMA journal_mode=$mode;
CREATE TABLE sample (id INTEGER PRIMARY KEY, value TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
	INSERT INTO sample SELECT i, printf('value %08d', i * 7919) FROM n;
CREATE INDEX by_value ON sample(value);
BEGIN; UPDATE sample SET value = 'changed' WHERE id % 7 = 0; ROLLBACK;
DELETE FROM sample WHERE id % 5 = 0;
SELECT count(*), min(value), max(value) FROM sample;
VACUUM;
PRAGMA integrity_check;
SELECT no_such_column FROM sample;
END_OF_SQL
done
cat >input/job.sh <<'END_OF_JOB'
sqlite3 delete.db <delete.sql
sqlite3 wal.db <wal.sql
END_OF_JOB

both sh job.sh
expect_eq 1 "$(cat traced.status)" "status of a failed statement"
expect_eq 2 "$(grep -c '^4000|value 00007919|' traced.out)" "rows told"
witnessed '.*\.db.*' sh job.sh
