recorder sql -q sample 'SELECT * FROM layer_time; SELECT id, parent, rank, function, duration, self, ret, errno FROM records LIMIT 9'
recorder sql -q --json sample 'SELECT path, size, 0.5 AS half FROM files LIMIT 2'
recorder sql -q --json sample "SELECT 1 WHERE 0; SELECT x'0aff' AS blob, value AS big FROM trace WHERE name = 'start'"
recorder sql -q --csv sample "SELECT path, '' AS nothing, NULL AS unknown, 2 AS two FROM files LIMIT 2"
echo 'SELECT count(*) AS n FROM records;' | recorder sql -q --ranks 1 --script - sample
recorder sql 'SELECT text FROM missing'
