#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_rows.py TEXT DATABASE [--part]: a database has what recorder2text has, row by row.

TEXT is the output of recorder2text. Times, nesting, results and errno are compared as they stand; which call a call lies in, and what of its time is
its own, are found out from the lines here. --part: of a trace that is damaged or was filtered, no numbers of the whole trace are compared.
"""
import contextlib
import re
import sqlite3
import sys

LINE = re.compile(r"(?:(\d+):)?(-?\d+) (\d+) ~?(-?[\d.]+) ~?(-?[\d.]+) (\d+) (\S+) ([^(]+)\((.*)", re.S)
RUN = re.compile(r" repeat=(\d+) busy=([\d.]+)$")


def ns(text):
    whole, part = text.split(".")
    return (-1 if whole.startswith("-") else 1) * (abs(int(whole)) * 10**9 + int(part))


def of_line(line):
    """What a line says, as columns of the database say it."""
    world, rank, tid, start, end, level, layer, function, rest = LINE.match(line).groups()
    run = RUN.search(rest)
    if run:
        rest = rest[:run.start()]
    row = {"world": int(world or 0), "rank": int(rank), "tid": int(tid), "level": int(level), "layer": layer,
           "function": function, "tstart": ns(start), "tend": ns(end), "calls": int(run.group(1)) if run else 1}
    row["duration"] = ns(run.group(2)) if run else row["tend"] - row["tstart"]
    row["outcome"] = rest[rest.rindex(") = ") + 4:]
    return row


def nest(rows):
    """Adds to each row the number of the one around it, and its own time."""
    threads = {}
    for number, row in enumerate(rows, 1):
        levels = threads.setdefault((row["world"], row["rank"], row["tid"]), {})
        row["parent"] = None
        row["self"] = row["duration"]
        for level in range(row["level"] - 1, -1, -1):
            outer = levels.get(level)
            if outer and outer[1]["tend"] >= row["tend"]:
                row["parent"] = outer[0]
                outer[1]["self"] -= row["duration"]
                break
        levels[row["level"]] = (number, row)


def differences(rows, base):
    base.row_factory = sqlite3.Row
    silent = set(map(tuple, base.execute("SELECT layer, name FROM functions WHERE result = 'none'")))
    stored = [*base.execute("SELECT * FROM records"), *base.execute("SELECT *, NULL AS self, NULL AS calls FROM in_flight")]
    if len(stored) != len(rows):
        yield f"{len(stored)} rows for {len(rows)} lines"
        return
    # numbers count by stream, and in each by time as far as a damaged trace has one: lines are by time
    stored.sort(key=lambda row: row["id"])
    if stored != sorted(stored, key=lambda row: row["stream"]):
        yield "numbers are not in the order of streams"
    if len({row["stream"] for row in stored}) > 1:
        stored.sort(key=lambda row: (row["tstart"], row["stream"], row["id"]))
    numbers = {row["id"]: number for number, row in enumerate(stored, 1)}
    for number, row in enumerate(rows, 1):
        found = dict(stored[number - 1])
        found["parent"] = numbers.get(found["parent"])
        open_ = row["outcome"].endswith("in_flight")
        for key in row.keys() - {"outcome"}:
            if not (open_ and key in ("self", "calls")) and found[key] != row[key]:
                yield f"row {number}, {key}: {found[key]} for {row[key]}: {row}"
        if open_ != ("ret" not in found.keys()):
            yield f"row {number}: in the wrong table"
        if open_:
            continue
        words = row["outcome"].split(" ")
        if (row["layer"], row["function"]) in silent:
            continue
        if re.fullmatch(r"-?\d+", words[0]) and found["ret"] != int(words[0]):
            yield f"row {number}: ret {found['ret']}: {row}"
        if len(words) == 2 and words[1].startswith("E") and found["errno"] != words[1]:
            yield f"row {number}: errno {found['errno']}: {row}"
        if len(words) == 1 and words[0].isdigit() and found["layer"] in ("posix", "stdio") and found["errno"]:
            yield f"row {number}: errno {found['errno']}, and it did not fail: {row}"


def complaints(rows, base, part):
    """What is wrong with the database of these rows, a line each."""
    yield from differences(rows, base)
    if base.execute("PRAGMA integrity_check").fetchall()[0][0] != "ok":
        yield "the database is damaged"
    bad = base.execute("SELECT count(*) FROM records WHERE args IS NOT NULL AND NOT json_valid(args)").fetchone()[0]
    if bad:
        yield f"{bad} rows with arguments that are no JSON"
    said = dict(base.execute("SELECT name, value FROM trace"))
    if said["rows"] != base.execute("SELECT count(*) FROM records").fetchone()[0]:
        yield "trace.rows is wrong"
    if not part and said["records"] != base.execute("SELECT sum(calls) FROM records").fetchone()[0]:
        yield f"{said['records']} calls in the trace"
    for name, in base.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
        base.execute(f"SELECT * FROM {name}").fetchall()


def check(text, database, part):
    """(rows, complaints)"""
    with open(text, encoding="utf-8", newline="\n") as file:
        rows = [of_line(line[:-1]) for line in file]
    nest(rows)
    with contextlib.closing(sqlite3.connect(database)) as base:
        return len(rows), list(complaints(rows, base, part))


def main():
    count, wrong = check(sys.argv[1], sys.argv[2], "--part" in sys.argv)
    print(f"{count} rows")
    for text in wrong[:10]:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
