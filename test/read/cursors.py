#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Filters, seeking and shares, on traces with carried records, gaps of the clock and calls in flight."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "format"))

import write_trace  # noqa: E402

CURSORS = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "test", "read", "cursors")

with tempfile.TemporaryDirectory() as folder:
    for seed in range(10):
        trace = os.path.join(folder, str(seed))
        write_trace.good(trace, seed)
        done = subprocess.run([CURSORS, trace], stdout=subprocess.PIPE, check=False)
        if done.returncode:
            sys.exit(f"seed {seed}: exit status {done.returncode}\n{done.stdout.decode()}")

    # one with many chunks
    trace = os.path.join(folder, "many")
    recorder = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools", "recorder")
    program = "import os; f = os.open('x', os.O_CREAT); [os.lseek(f, i, 0) for i in range(30000)]"
    subprocess.run([recorder, "run", "-q", "-o", trace, "--functions", "lseek", sys.executable,
                    "-c", program], check=True, cwd=folder,
                   env={**os.environ, "RECORDER_BUFFER_SIZE": "64k"})
    done = subprocess.run([CURSORS, trace, "30"], stdout=subprocess.PIPE, check=False)
    print(done.stdout.decode())
    if done.returncode:
        sys.exit("many chunks")
