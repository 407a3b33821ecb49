# SPDX-License-Identifier: MIT
"""Functions of Python by name: what a call of one costs, and one of any other, beside the ways that Python itself has, by each Python of this machine."""
import glob
import os
import subprocess

from rows import missing, row
from running import guarded

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "python_calls.py")
ADDED = {11: 8.0, 12: 1.0, 13: 1.0}  # ns of a call that no target means; 0, but for what the clock can tell
TARGETED = {11: 45.0, 12: 80.0, 13: 80.0}  # ns of a call of a target, with the call itself
RUNS = 3


def interpreters():
    """(minor version, path), one of each version."""
    found = {}
    for python in ["/usr/bin/python3", *sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3")))]:
        tried = subprocess.run([python, "-c", "import sys; print(sys.version_info[1])"], capture_output=True, text=True, check=False) \
            if os.path.exists(python) else None
        if tried and tried.returncode == 0 and int(tried.stdout) >= 8:
            found.setdefault(int(tried.stdout), python)
    return sorted(found.items())


def least(results, name):
    return min(values[name] for values in results)


def measure_one(bench, minor, python):
    argv = [python, "-S", "-E", PROGRAM]
    plain, traced = [], []
    for i in range(RUNS):
        plain.append(bench.values(argv))
        traced.append(bench.traced(f"python{minor}.{i}", argv, RECORDER_TARGETS="called"))
    base = least(plain, "called")
    yield row(f"python3{minor}_base", f"Python 3.{minor}: a call, not recorded", base, "ns")
    yield row(f"python3{minor}_other", "    added to a call that no target means", least(traced, "other") - least(plain, "other"), "ns", ADDED.get(minor))
    yield row(f"python3{minor}_target", "    a call of a target, with the call itself: record path", least(traced, "called"), "ns", TARGETED.get(minor))
    yield row(f"python3{minor}_target_all", "        all in: encoded, compressed, written", least(traced, "called_all"), "ns")
    for way in ("setprofile", "settrace"):
        values = bench.values([*argv, way])
        yield row(f"python3{minor}_{way}", f"    sys.{way}: a call of a target", values["called"], "ns")
        yield row(f"python3{minor}_{way}_other", "        one of another function", values["other"], "ns")


def measure(bench):
    found = interpreters()
    if not found:
        yield missing("python_names", "functions of Python by name", "no Python")
    for minor, python in found:
        yield from guarded(measure_one, bench, minor, python)
