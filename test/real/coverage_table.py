#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds what the recorder records of programs against strace(1), by families of system calls.

    coverage_table.py [--stacks] [--page] PROGRAM...   of programs.py, or "all"

Each program runs twice in a fresh folder: under strace alone, and recorded under strace. Each system
call of the recorded run that is not the recorder's own must be a record, be made inside a recorded
call, or be libc's or the loader's own work, and that not on the program's files; each record of a
function that is one system call must be found as one; and the run without the recorder must have
made the same calls on the same files. The table goes to stdout, what is not explained to stderr;
then the exit status is 1. With --stacks, which take long, it is known what in libc calls for itself.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from explain import (Explained, INSIDE, LOADED, NAMED, OURS, RECORDED, UNEXPLAINED,  # noqa: E402
                     names_of_wrappers)
from families import FAMILIES, OF_CALL, OF_FUNCTION, by_time, family_of  # noqa: E402
from programs import PROGRAMS  # noqa: E402
from strace_log import read_log  # noqa: E402

HEAD = """| program | system calls | without the recorder | records | made inside recorded calls | libc's and the loader's own | rest |
|---|---|---:|---:|---|---|---:|"""

PAGE = """# What is recorded of the system calls of real programs

<!-- Made by `make check TESTS=test/real/large_coverage.sh`; do not edit. -->

Each program ran twice: under strace(1) alone, and recorded under strace. Its work is small: `test/real/programs.py`.
A row has the calls of one family (`test/real/families.py`) that strace saw without the recorder, and what they are:

* **records**: of functions that are one such system call each. Each has exactly one call of strace in its time and thread.
* **made inside recorded calls**: by libc on behalf of another recorded function, as the read inside `fgets`.
* **libc's and the loader's own**: no recorded function was called, and the file is none of the program's. Calls that a program has in
  its own code, as fio's of io_uring, are counted with the loader's. `--stacks` tells which function of libc it was.
* **rest**: calls without an explanation, records without a call, and differences between the two runs, file by file.

The last column must be 0. On the program's own files, in the folder where it runs, libc's own calls count as rest: a function
would be missing in the catalogue. Where it says "varies", how often the program asks depends on the time that others take; each
call is explained all the same. Calls of the recorder itself, and the loader's on its library, are left out. Not looked at: memory
without a file, signals, threads, clocks, identities.

"""

# read by sysconf() in libc, for the recorder as well
COUNT_OF_CPUS = "^/sys/devices/system/cpu/online$"

RANK = """
rank()
{
	mpirun --allow-run-as-root --oversubscribe -np %d \\
		sh -c 'exec $WITNESS -o "$WITNESS_LOG.$OMPI_COMM_WORLD_RANK" "$@"' rank "$@"
}
"""


def strace(log, library, trace, stacks):
    """The command of strace, with the recorder if there is a library."""
    command = ["strace", "-f", "-y", "-s", "300", "--absolute-timestamps=unix,ns", "-e", "signal=none",
               "-e", "trace=" + ",".join(sorted("?" + call for call in OF_CALL))]
    if library:
        layers = os.environ.get("RECORDER_LAYERS", "default,net")
        command += ["-k" if stacks else "-i", "-E", "LD_PRELOAD=" + library, "-E", "RECORDER_TRACES_DIR=" + trace,
                    "-E", "RECORDER_EXCLUDE=/no-such-folder", "-E", "RECORDER_QUIET=1", "-E", "RECORDER_LAYERS=" + layers]
    return command + (["-o", log] if log else [])


def run(name, folder, library, stacks=False):
    """Runs a program in a new folder, which goes; returns the calls of its logs."""
    program = PROGRAMS[name]
    work, log = os.path.join(folder, "work"), os.path.join(folder, "log")
    trace = os.path.join(folder, "trace")
    os.mkdir(work)
    environment = dict(os.environ, PYTHONHASHSEED="0", LC_ALL="C", TZ="UTC")
    environment.pop("RECORDER_LAYERS", None)
    if program.ranks:
        environment |= {"WITNESS": " ".join(strace(None, library, trace, stacks)), "WITNESS_LOG": log}
        command = ["sh", "-c", RANK % program.ranks + program.script]
    else:
        command = strace(log, library, trace, stacks) + ["sh", "-c", program.script]
    done = subprocess.run(command, cwd=work, env=environment, stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=1500, check=False)
    if done.returncode:
        sys.exit(f"coverage: {name}: status {done.returncode}: {done.stderr[-2000:]}")
    shutil.rmtree(work)
    logs = sorted(file for file in os.listdir(folder) if file.startswith("log"))
    calls = [call for file in logs for call in read_log(os.path.join(folder, file))]
    for file in logs:
        os.rename(os.path.join(folder, file), os.path.join(folder, ("traced." if library else "plain.") + file))
    return sorted(calls, key=lambda call: call.time)


def by_file(calls):
    """{(family, file): calls}"""
    return collections.Counter((family_of(call), re.sub(r"^/proc/\d+", "/proc/N", call.file)) for call in calls)


def unnamed(counts, others):
    """The same, but names that the other run has not without what makes them unique."""
    same = collections.Counter()
    for (family, file), count in counts.items():
        if (family, file) not in others:
            file = re.sub(r"[0-9a-f]{4,}|\d+", "N", re.sub(r"[A-Za-z0-9_]{6,8}(?=/|$)", "X", file))
        same[family, file] += count
    return same


class Comparison:
    """A program's calls by family: how many there are without the recorder, and what they are."""

    def __init__(self, name, plain, traced, folder, wrappers):
        pattern = re.compile("|".join(filter(None, (PROGRAMS[name].by_time, COUNT_OF_CPUS))))
        self.name, self.problems = name, []
        self.plain = [call for call in plain if family_of(call)]
        self.explained = Explained(traced, os.path.join(folder, "trace"), os.path.join(folder, "work"), wrappers)
        known = {call.file for call in self.plain}
        self.calls = [call for call in self.explained.calls if call.how != OURS and
                      not (call.how == LOADED and call.file not in known)]
        for call in self.plain + self.calls:
            call.by_time = by_time(call, pattern)
        self.rows = {(family, varies): self.row(family, varies)
                     for family in FAMILIES for varies in (False, True)}
        self.find_idle()
        self.compare_runs()

    def row(self, family, varies):
        row = {how: collections.Counter() for how in (RECORDED, INSIDE, NAMED, LOADED, UNEXPLAINED)}
        for call in self.calls:
            if (family_of(call), call.by_time) == (family, varies):
                row[call.how][call.cause] += 1
                if call.how == UNEXPLAINED:
                    self.problems.append(f"{family}: {call.cause}: {call.text[:200]}")
        return row

    def find_idle(self):
        for record in self.explained.idle():
            family = OF_FUNCTION[record.name]
            self.rows[family, False][UNEXPLAINED]["records"] += 1
            self.problems.append(f"{family}: {record.name} is recorded, and strace has no call of it")

    def compare_runs(self):
        """Without the recorder as many calls are made on each file."""
        plain, traced = (by_file(call for call in calls if not call.by_time) for calls in (self.plain, self.calls))
        plain, traced = unnamed(plain, traced), unnamed(traced, plain)
        for family, file in sorted(set(plain) | set(traced)):
            before, after = plain[family, file], traced[family, file]
            if before != after:
                self.rows[family, False][UNEXPLAINED]["runs"] += abs(before - after)
                self.problems.append(f"{family}: {file or 'no file'}: {before} calls without the "
                                     f"recorder, {after} with it")

    def lines(self):
        """The rows of the table. What varies is not counted in it, but it is explained as well."""
        for (family, varies), row in self.rows.items():
            untraced = sum((family_of(call), call.by_time) == (family, varies) for call in self.plain)
            if not untraced and not any(row.values()):
                continue
            causes = [row[RECORDED], row[INSIDE], row[NAMED] + row[LOADED]]
            if varies:
                cells = ["varies"] + [", ".join(sorted(names)) for names in causes]
            else:
                cells = [untraced, sum(causes[0].values())] + [said(names) for names in causes[1:]]
            cells = [self.name, family, *cells, sum(row[UNEXPLAINED].values())]
            yield "| " + " | ".join(map(str, cells)) + " |"


def said(causes):
    most = sorted(causes.items(), key=lambda cause: (-cause[1], cause[0]))
    return ", ".join(f"{name} {count}" for name, count in most)


def compare(name, folder, stacks, wrappers):
    """Prints the rows of a program; returns what is not explained."""
    plain = run(name, folder, None)
    traced = run(name, folder, os.environ["RECORDER_SO"], stacks)
    comparison = Comparison(name, plain, traced, folder, wrappers)
    print("\n".join(comparison.lines()), flush=True)
    return comparison.problems


def there(name):
    """Is what the program needs installed? It has to be where tests may not be left out."""
    program = PROGRAMS[name]
    if shutil.which(program.needs) or os.path.exists(program.needs):
        return True
    if os.environ.get("CI"):
        sys.exit(f"coverage: {name}: '{program.needs}' is missing (package {program.package})")
    print(f"skip: {name}: '{program.needs}' is missing (package {program.package})", file=sys.stderr)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--stacks", action="store_true", help="tell what in libc makes calls")
    parser.add_argument("--page", action="store_true", help="with what doc/coverage.md says about the table")
    parser.add_argument("programs", nargs="+", help="names of programs.py, or all")
    options = parser.parse_args()
    names = list(PROGRAMS) if options.programs == ["all"] else options.programs
    wrappers, problems = names_of_wrappers(), []
    print(PAGE + HEAD if options.page else HEAD)
    for name in filter(there, names):
        folder = os.path.realpath(name.replace(" ", "_").replace(",", ""))
        os.mkdir(folder)
        problems += [f"{name}: {problem}" for problem in compare(name, folder, options.stacks, wrappers)]
        shutil.rmtree(folder)
    print("".join(problem + "\n" for problem in problems), end="", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
