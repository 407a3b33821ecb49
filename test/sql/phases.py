#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tags of regions hold for all calls in them, in every table of records; and the view phases adds them up."""
import csv
import io
import os
import subprocess
import sys
import tempfile

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
SOURCES = os.environ.get("TOP_SRCDIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

# of rank 0's main thread, by time, and of rank 1's other one; see test/analysis/phases.py
TAGGED = [("fetch", 0, 0), ("write", 0, 0), ("step", 0, 0), ("fetch", 0, 1), ("write", 0, 1), ("step", 0, 1), ("epoch", 0, None),
          ("fetch", 1, 0), ("write", 1, 0), ("step", 1, 0), ("fetch", 1, 1), ("write", 1, 1), ("step", 1, 1), ("epoch", 1, None),
          ("write", -5, 9), ("whole", -5, 9)]


def say(*command):
    return list(csv.DictReader(io.StringIO(subprocess.run([os.path.join(TOOLS, command[0]), *command[1:]], capture_output=True, check=True, text=True).stdout)))


def same(what, want, got):
    if want != got:
        sys.exit(f"phases.py: {what}: {got}, not {want}")


def number(text):
    return int(text) if text else None


def tagged(rows):
    return sorted((row["function"].replace("step.", "").replace("pwrite", "write"), number(row["epoch"]), number(row["step"]))
                  for row in rows if row["epoch"] or row["step"])


def order(rows):
    return sorted(rows, key=str)


def check_tables(trace, folder):
    query = "SELECT function, epoch, step, sample FROM records"
    same("SQL", order(TAGGED), order(tagged(say("recorder", "sql", "-q", "--csv", trace, query))))
    same("SQL of system calls alone", order(row for row in TAGGED if row[0] == "write"),
         order(tagged(say("recorder", "sql", "-q", "--csv", "--layers", "posix", trace, query))))
    subprocess.run([os.path.join(TOOLS, "recorder2csv"), "-q", "-o", os.path.join(folder, "t.csv"), trace], check=True)
    with open(os.path.join(folder, "t.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    same("CSV", order(TAGGED), order(tagged(rows)))
    same("samples", {""}, {row["sample"] for row in rows})


def check_view(trace):
    rows = say("recorder", "sql", "-q", "--csv", trace, "SELECT * FROM phases")
    got = [(number(row["epoch"]), number(row["step"]), int(row["rank"]), int(row["calls"]), round(float(row["io_s"]) * 1e6), round(float(row["loading_s"]) * 1e6),
            number(row["bytes_written"])) for row in rows]
    same("view", [(-5, 9, 1, 2, 200, 0, 7), (0, None, 0, 1, 0, 0, None), (0, 0, 0, 3, 100, 400, 10), (0, 1, 0, 3, 100, 400, 11),
                  (1, None, 0, 1, 0, 0, None), (1, 0, 0, 3, 100, 400, 10), (1, 1, 0, 3, 100, 400, 11)], got)


def main():
    if not os.path.exists(os.path.join(TOOLS, "recorder2sqlite")):
        print("built without SQLite")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "job.trace")
        subprocess.run([sys.executable, os.path.join(SOURCES, "test", "analysis", "phases.py"), trace], check=True)
        check_tables(trace, folder)
        check_view(trace)


main()
