#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 600
"""Every bit of every file of a small trace is flipped: at least 99 % of the flips are noticed by
what recorder check does. Prints the ratio, and what is not noticed."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "format"))

import live_trace  # noqa: E402
from write_trace import save_global  # noqa: E402

JUDGE = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "test", "fuzz", "judge")


def flips(where, name):
    """(bits, [(offset, bit) not noticed])"""
    done = subprocess.run([JUDGE, "--flip", where, os.path.join(where, name)], check=True,
                          stdout=subprocess.PIPE)
    *missed, last = done.stdout.decode().splitlines()
    return int(last.split()[1]), [tuple(map(int, line.split())) for line in missed]


def main():
    total = missed = 0
    with tempfile.TemporaryDirectory() as where:
        save_global(where, {"run.id": "flips", "format": "1.0"})
        live_trace.small().save(where, "a")
        for name in sorted(os.listdir(where)):
            bits, unseen = flips(where, name)
            total += bits
            missed += len(unseen)
            print(f"{name}: {bits - len(unseen)} of {bits} flipped bits noticed")
            for offset, bit in unseen[:20]:
                print(f"  not noticed: bit {bit} at {offset}")
    print(f"{100 * (total - missed) / total:.3f} % of {total} flipped bits are noticed")
    return 0 if missed * 100 <= total else 1


if __name__ == "__main__":
    sys.exit(main())
