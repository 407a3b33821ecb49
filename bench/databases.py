# SPDX-License-Identifier: MIT
"""recorder2sqlite: to what SQLite alone takes for the same rows; and questions of few columns in memory."""
import os
import statistics

from rows import missing, row

CALLS, ROUNDS, TURNS = 20000, 5, 3
QUERY = "SELECT function, sum(self) FROM records GROUP BY 1"


def once(bench, trace, files):
    """CPU ns a row of (recorder2sqlite, SQLite, recorder sql), and bytes a row."""
    path, copy = (os.path.join(files, name) for name in ("a.sqlite", "b.sqlite"))
    tools = (bench.program("tools/recorder2sqlite"), bench.program("tools/recorder"))
    cpu = bench.run([tools[0], "-q", "--force", "-o", path, trace])[1]
    size = os.path.getsize(path)
    alone = bench.values([bench.program("bench/sql"), path, copy])
    asked = bench.run([tools[1], "sql", "-q", trace, QUERY])[1]
    for name in (path, copy):
        os.unlink(name)
    rows = alone["rows"]
    return cpu / rows * 1e9, alone["insert"] + alone["index"], asked / rows * 1e9, size / rows


def measure(bench):
    if not os.path.exists(bench.program("tools/recorder2sqlite")):
        yield missing("sql", "recorder2sqlite", "built without SQLite")
        return
    for name, what in (("writes", "small writes"), ("nested", "nested loop")):
        trace = f"sql_{name}"
        bench.workload(name, trace, CALLS, ROUNDS)
        turns = [once(bench, bench.trace(trace), bench.files) for _ in range(TURNS)]
        made, alone, asked, size = (statistics.median(values) for values in zip(*turns))
        yield row(f"sql_{name}", f"recorder2sqlite, {what}: speed, to SQLite's inserts of the same rows", alone / made, "x",
                  higher=True)
        yield row(f"sql_{name}_rows", "    rows", 1e6 / made, "k rows/s", higher=True)
        yield row(f"sql_{name}_alone", "    rows of SQLite alone", 1e6 / alone, "k rows/s", higher=True)
        yield row(f"sql_{name}_size", "    size, with indices", size, "B/row")
        yield row(f"sql_{name}_asked", "    recorder sql, two columns", 1e6 / asked, "k rows/s", higher=True)
