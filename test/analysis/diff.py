#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""recorder diff: of two jobs that are made up, what has changed between them and nothing else."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from job import Job  # noqa: E402

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")


def before():
    job = Job(2, files=2)
    for rank in range(2):
        for i in range(10):
            job.pwrite(rank, 100, 1000, i * 1000, rank)
        job.call(rank, "MPI_Barrier", 500, 1)
    job.pread(0, 50, 100, 0)
    return job


def after():
    job = Job(2, length=1_500_000, files=3)
    for rank in range(2):
        for i in range(5):
            job.pwrite(rank, 400, 2000, i * 2000, rank)
        job.call(rank, "MPI_Barrier", 500, 1)
        job.sync(rank, 5000, rank)
    job.pwrite(1, 100, 10, 0, 2)
    return job


def run(*words, status=0):
    done = subprocess.run([os.path.join(TOOLS, "recorder"), "diff", *words], capture_output=True, check=False, timeout=120)
    if done.returncode != status:
        sys.exit(f"diff {words}: status {done.returncode}, not {status}: {done.stderr.decode()}")
    return done.stdout.decode()


def us(seconds):
    return round(seconds * 1_000_000, 3)


def numbers(side):
    return (side["calls"], us(side["time"]), side["bytes_read"], side["bytes_written"]) if side["there"] else None


def rows_of(found, table, key):
    return {row[key]: (numbers(row["before"]), numbers(row["after"])) for row in found[table]}


def check(one, other):
    found = json.loads(run("--json", one, other))
    functions = rows_of(found, "functions", "function")
    # and fstat, the last sign of life of each rank
    want = {"pwrite": ((20, 2000, 0, 20000), (11, 4100, 0, 20010)), "MPI_Barrier": ((2, 1000, 0, 0), (2, 1000, 0, 0)),
            "pread": ((1, 50, 100, 0), None), "fsync": (None, (2, 10000, 0, 0)), "fstat": ((2, 2, 0, 0), (2, 2, 0, 0))}
    if functions != want:
        return f"functions: {functions}"
    if [row["function"] for row in found["functions"]][:3] != ["fsync", "pwrite", "pread"]:
        return f"order: {found['functions']}"
    files = rows_of(found, "files", "path")
    if files["/data/2"] != (None, (1, 100, 0, 10)) or files["/data/1"] != ((10, 1000, 0, 10000), (6, 7000, 0, 10000)):
        return f"files: {files}"
    ranks = rows_of(found, "ranks", "rank")
    if {rank: (round(sides[0][1]), round(sides[1][1])) for rank, sides in ranks.items()} != {"0": (1_000_000, 1_500_000), "1": (1_000_000, 1_500_000)}:
        return f"ranks: {ranks}"
    if us(found["after"]["duration"]) < 1_400_000 or found["before"]["ranks"] != 2:
        return f"header: {found}"
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(run("--csv", one, other)))}
    if rows["pwrite"]["calls_before"] != "20" or us(float(rows["pwrite"]["time_after"])) != 4100 or set(rows) != set(want):
        return f"CSV: {rows}"
    text = run(one, other)
    if "posix fsync" not in text or "MPI_Barrier" in text or "+10.0 ms" not in text:
        return f"text: {text}"
    if run("--json", "-j", "3", one, other) != json_of(one, other):
        return "-j changes the result"
    return None


def json_of(one, other):
    return run("--json", "-j", "1", one, other)


def check_environment(one, folder):
    """Another program with other settings."""
    other = os.path.join(folder, "other")
    job = before()
    job.settings = {"argv": b"/bin/other\0--fast", "options.RECORDER_LAYERS": "posix", "pid.start": 77}
    job.save(other)
    run("--exit-code", one, other)  # calls are the same
    found = {row["name"]: (row["before"], row["after"]) for row in json.loads(run("--json", one, other))["environment"]}
    if found != {"argv": ("sample -v", "/bin/other --fast"), "options.RECORDER_LAYERS": ("", "posix")}:
        return f"environment: {found}"
    rows = list(csv.reader(io.StringIO(run("--csv", "--table", "environment", one, other))))
    return None if rows[1] == ["argv", "sample -v", "/bin/other --fast"] else f"CSV: {rows}"


def check_manners(one, other):
    run("--exit-code", one, other, status=1)
    run("--exit-code", one, one)
    run("--exit-code", "--layers", "mpi", one, other)
    if "nothing has changed" not in run(one, one) or "posix" in run("--layers", "mpi", one, other).split("environment")[0]:
        return "text of what is the same"
    run(one, status=2)
    run(one, other, one, status=2)
    run("--table", "nothing", one, other, status=2)
    run(one, "/nowhere", status=1)
    return None


def main():
    with tempfile.TemporaryDirectory() as folder:
        one, other = os.path.join(folder, "before"), os.path.join(folder, "after")
        before().save(one)
        after().save(other)
        failures = [text for text in (check(one, other), check_environment(one, folder), check_manners(one, other)) if text]
    print("\n".join(failures) or "two runs, told apart")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
