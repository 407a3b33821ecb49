#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder sql gives what the database of recorder2sqlite has, whatever columns a question needs; and its forms.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3
[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || skip "built without SQLite"

python3 "$TOP_SRCDIR/test/cli/sample.py" sample && python3 "$TOP_SRCDIR/test/sql/made.py" made || fail "no traces"
cat >compare.py <<'END'
"""Every table, every view and every column of records alone, asked of a trace and of its database; options of recorder sql behind it."""
import json, sqlite3, subprocess, sys

trace, database, options = sys.argv[1], sys.argv[2], sys.argv[3:]
base = sqlite3.connect(database)
base.row_factory = sqlite3.Row
names = [row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'")]
columns = [row[1] for row in base.execute("PRAGMA table_info(records)")]
queries = [f"SELECT * FROM {name}" for name in names]
queries += [f'SELECT "{name}" FROM records ORDER BY id' for name in columns]
queries += [f'SELECT r."{name}" AS one FROM in_flight i LEFT JOIN records r ON r.id > i.id - 3 ORDER BY r.id' for name in ("args", "callsite")]
queries += ["SELECT count(*) AS n FROM records", "SELECT c.place, count(*) AS n FROM records r LEFT JOIN callsites c ON c.id = r.callsite GROUP BY 1",
            "SELECT name FROM pragma_table_info('streams')", "SELECT j.value FROM json_each('[1, 2]') j",
            "SELECT sum(args ->> '$.count') AS sum FROM records WHERE args ->> '$.fd' = 5"]


def plain(value):
    """Integers beyond 2^53 are strings in JSON, and infinity; 2.0 is 2."""
    if isinstance(value, float) and abs(value) < 1 << 53 and value.is_integer():
        return int(value)
    if isinstance(value, int) and abs(value) > 1 << 53:
        return str(value)
    return {float("inf"): "Infinity", float("-inf"): "-Infinity"}.get(value, value) if isinstance(value, float) else value


done = subprocess.run(["recorder", "sql", "-q", "--json", *options, trace, ";".join(queries)], check=True, stdout=subprocess.PIPE)
answers = json.loads(done.stdout)
assert len(answers) == len(queries)
wrong = 0
for alone in (False, True):
    for query, answer in zip(queries, answers):
        if alone:
            done = subprocess.run(["recorder", "sql", "-q", "--json", *options, trace, query], check=True, stdout=subprocess.PIPE)
            answer = json.loads(done.stdout)
        want = [{key: plain(row[key]) for key in row.keys()} for row in base.execute(query)]
        # without ORDER BY, indices may change the order
        if "FROM trace" not in query and sorted(map(repr, answer)) != sorted(map(repr, want)):
            print(query, [row for row in answer if row not in want][:3], [row for row in want if row not in answer][:3])
            wrong += 1
print(len(queries), "queries")
sys.exit(wrong > 0)
END
for trace in sample made; do
	recorder2sqlite -q $trace && python3 compare.py $trace $trace.sqlite || fail "$trace"
done
recorder2sqlite -q -o part.sqlite --ranks 0 --functions pwrite sample || fail "part"
python3 compare.py sample part.sqlite --ranks 0 --functions pwrite || fail "a filter"
case ${SANITIZERS:-} in
*thread*) ;;
*)
	recorder run -q -o work.trace -- sh -c 'cat /etc/passwd >copy; cat none; ls -l | sort' >out 2>&1
	recorder2sqlite -q work.trace && python3 compare.py work.trace work.trace.sqlite || fail "work"
	;;
esac

recorder sql -q sample 'SELECT * FROM records' >/dev/full 2>said && fail "a full stdout is no error"
grep -q "cannot write to stdout" said || fail "a full stdout: $(cat said)"
# columns are as wide as the first rows need; numbers stand to the right, names may hold anything
recorder sql -q made "SELECT rank, function FROM records WHERE id IN (1, 4) UNION ALL SELECT 10, 'a' || char(10) || 'b' || char(27) || 'é'" >table || fail "text"
printf '%s\n' 'rank  function' '   0  MPI_Barrier' '   0  MPI_File_write_at_all' '  10  a\nb?é' | cmp - table || fail "text: $(cat table)"
expect_eq 2000 "$(recorder sql -q made 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 2000) SELECT x FROM c' | tail -1)" "many rows"
exit 0
