# SPDX-License-Identifier: MIT
"""The package for Python: records a second into columns of numpy, beside what libreader's own decoding costs in C."""
import os
import subprocess
import sys

from rows import missing, row

CALLS, ROUNDS, TURNS = 1000000, 3, 5
GOAL = 20  # million records a second
SHOWN = (("by_end", "8 columns, in the order of ends", GOAL), ("by_time", "8 columns, in the order of time", None),
         ("few", "4 columns, in the order of ends", None), ("files", "5 columns, bytes and file among them", None),
         ("each", "record by record", None))


def interpreter(package):
    """One that has the package and numpy; None: there is none."""
    for python in (sys.executable, "/usr/bin/python3"):
        tried = subprocess.run([python, "-c", "import recorder, numpy"], stderr=subprocess.DEVNULL,
                               env={**os.environ, "PYTHONPATH": package}, check=False)
        if tried.returncode == 0:
            return python
    return None


def million_a_second(ns):
    return 1000 / ns


def measure(bench):
    package = bench.program("python/lib")
    python = interpreter(package) if os.path.isdir(package) else None
    if not python:
        yield missing("python", "Python: columns of numpy", "no package, or no numpy")
        return
    for name, what in (("writes", "small writes"), ("random", "random blocks")):
        trace = f"python_{name}"
        bench.workload(name, trace, CALLS // ROUNDS, ROUNDS)
        native = bench.values([bench.program("bench/decode"), bench.trace(trace), str(TURNS)])
        values = bench.values([python, os.path.join(os.path.dirname(os.path.abspath(__file__)), "python_columns.py"),
                               package, bench.trace(trace), str(TURNS)])
        yield row(f"python_{name}_c", f"Python, {what}: libreader in C, nothing kept",
                  million_a_second(native["by_end"]), "M records/s", higher=True)
        for key, shown, goal in SHOWN:
            yield row(f"python_{name}_{key}", f"    {shown}", million_a_second(values[key]), "M records/s", goal, higher=True)
