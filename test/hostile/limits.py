#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Limits that a shell may set (ulimit): programs end and write as they do without the recorder, and what trace there is can be read.

Each limit comes in steps, as what breaks lies between two of them: a live file that fits whose successor does not, descriptors
that are just enough for the program.
"""
import glob
import os
import resource
import shutil
import subprocess
import sys
import tempfile

TOP_BUILDDIR = os.environ.get("TOP_BUILDDIR", ".")
LIBRARY = os.path.abspath(os.path.join(TOP_BUILDDIR, ".libs", "librecorder.so"))
INFO = [os.path.abspath(os.path.join(TOP_BUILDDIR, "tools", "recorder")), "info", "--json"]
PATIENCE = 60  # s
K = 1024

LIMITS = {
    "FSIZE": [0, 1, 100, 4 * K, 20 * K, 50 * K, 70 * K, 100 * K, 200 * K, 270 * K, 300 * K, 600 * K],
    "NOFILE": [3, 4, 5, 6, 8, 10, 16, 32],
    "STACK": [96 * K, 128 * K, 200 * K, 512 * K],
    "SIGPENDING": [0, 1],
    "MEMLOCK": [0],
    "CORE": [0],
}
WRITES = """
import os
file = os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
for number in range(3000):
    os.write(file, b"0123456789")
    os.stat("out")
print(os.fstat(file).st_size)
"""
PROGRAMS = {
    "sort": ["/usr/bin/sort", "/etc/passwd"],
    "shell": ["/bin/sh", "-c", "for i in 1 2 3; do cat /etc/passwd | tr a-z A-Z; done; ls / | wc -l"],
    "python": ["/usr/bin/python3", "-c", WRITES],
}
WAYS = [{}, {"RECORDER_TIMING": "summary"}, {"RECORDER_LAYERS": "all", "RECORDER_STACKS": "8"}]


def run(argv, limit, folder, settings):
    """(how it ended, what it wrote) under a limit, (number, value)."""
    bare = {name: value for name, value in os.environ.items()
            if not name.startswith("RECORDER_") and name != "LD_PRELOAD"}
    ran = subprocess.run(argv, cwd=folder, env={**bare, **settings}, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False,
                         preexec_fn=lambda: resource.setrlimit(limit[0], (limit[1], limit[1])))
    return ran.returncode, ran.stdout


def unreadable(folder):
    """What is wrong with the traces in a folder; without the global metadata there is none."""
    for trace in glob.glob(os.path.join(folder, "trace*")):
        if not os.path.isfile(os.path.join(trace, "recorder.gm")):
            continue
        said = subprocess.run(INFO + [trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=PATIENCE, check=False)
        if said.returncode not in (0, 1):
            return f"recorder info ends with {said.returncode}: {said.stderr.decode()[-200:]}"
    return None


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)


def differs(name, limit, folder):
    """What the recorder changes; None: nothing."""
    empty(folder)
    bare = run(PROGRAMS[name], limit, folder, {})
    for way in WAYS:
        empty(folder)
        traced = run(PROGRAMS[name], limit, folder,
                     {"LD_PRELOAD": LIBRARY, "RECORDER_TRACES_DIR": os.path.join(folder, "trace"),
                      "RECORDER_LIVE_DIR": folder, **way})
        if traced != bare:
            return f"{way}: ends with {traced[0]}, not {bare[0]}; writes {traced[1][-60:]}, not {bare[1][-60:]}"
        wrong = unreadable(folder)
        if wrong:
            return f"{way}: {wrong}"
    return None


def main():
    if os.environ.get("SANITIZERS", "").strip() not in ("", "none"):
        print("skip: limits.py: a sanitizer needs more than these limits leave")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        for kind, values in LIMITS.items():
            for value in values:
                limit = getattr(resource, f"RLIMIT_{kind}"), value
                for name in PROGRAMS:
                    wrong = differs(name, limit, os.path.join(place, "work"))
                    if wrong:
                        failed += 1
                        print(f"{name}, {kind} {value}: {wrong}")
    print(f"{sum(map(len, LIMITS.values()))} limits, {len(PROGRAMS)} programs, {len(WAYS)} ways: {failed} differ")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
