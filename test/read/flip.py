#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 600
"""A small trace is spoilt in every place: libreader notices what changes its records, and never
crashes, not even where the checksums were made right again."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "format"))

import broken  # noqa: E402

FLIP = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "test", "read", "flip")


def flip(where, *options):
    files = [os.path.join(where, name) for name in sorted(os.listdir(where))]
    done = subprocess.run([FLIP, *options, where, *files], check=False)
    if done.returncode:
        sys.exit(f"flip {' '.join(options)}: exit status {done.returncode}")


def flip_packed(trace, packed):
    """One file; it is its own place."""
    recorder = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools", "recorder")
    subprocess.run([recorder, "pack", "-q", "-o", packed, trace], check=True)
    for options in ([], ["-p"]):
        done = subprocess.run([FLIP, *options, packed, packed], check=False)
        if done.returncode:
            sys.exit(f"flip {' '.join(options)} of a packed trace: exit status {done.returncode}")


with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, "trace")
    broken.write("sound", trace)
    flip(trace)
    flip(trace, "-s")
    flip_packed(trace, os.path.join(folder, "trace.rtrace"))
