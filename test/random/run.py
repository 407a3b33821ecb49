#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs: test/random/random does what its seed tells, under the recorder, and the trace must say what its own
journal says: check.py. RANDOM_SEEDS=25 says how many, RANDOM_FIRST=1 from which on.

    run.py [SEED]    one alone; TEST_KEEP=1 keeps its files
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from check import Different, check, check_counts  # noqa: E402

BUILD = os.path.abspath(os.environ.get("TOP_BUILDDIR", "."))
LIBRARY = os.environ.get("RANDOM_LIBRARY", os.path.join(BUILD, ".libs", "librecorder.so"))
PROGRAM = os.path.join(BUILD, "test", "random", "random")


def trace(seed, where, fold):
    """Runs the program in a new folder; returns its trace and journals."""
    tree, journals, made = (os.path.join(where, name + fold) for name in ("tree", "journals", "trace"))
    os.mkdir(tree)
    os.mkdir(journals)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("RECORDER_")}
    environment |= {"LD_PRELOAD": LIBRARY, "RECORDER_TRACES_DIR": made, "RECORDER_PROGRAMS": "random",
                    "RECORDER_LAYERS": "posix,stdio", "RECORDER_TIME_RESOLUTION": "1ns", "RECORDER_FOLD": fold}
    done = subprocess.run([PROGRAM, str(seed), tree, journals], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    if done.returncode or done.stdout:
        raise Different(f"status {done.returncode}, it says {done.stdout}")
    return made, journals


def run(seed, where):
    """What check() found; raises Different."""
    check_counts(*trace(seed, where, "1"))
    return check(*trace(seed, where, "0"))


def try_seed(seed):
    where = tempfile.mkdtemp(prefix="recorder-test-random.")
    try:
        return run(seed, where)
    except (Different, subprocess.TimeoutExpired) as failure:
        print(f"seed {seed}: {failure}\nagain: TEST_KEEP=1 TOP_BUILDDIR={BUILD} {sys.executable} "
              f"{os.path.abspath(__file__)} {seed}")
        return None
    finally:
        if os.environ.get("TEST_KEEP"):
            print("kept:", where)
        else:
            shutil.rmtree(where)


def main():
    if "thread" in os.environ.get("SANITIZERS", ""):
        print("skip: librecorder.so built with ThreadSanitizer cannot be preloaded")
        return 77
    first, count = int(os.environ.get("RANDOM_FIRST", 1)), int(os.environ.get("RANDOM_SEEDS", 25))
    seeds = [int(sys.argv[1])] if len(sys.argv) == 2 else range(first, first + count)
    sums, failed = [0, 0, 0], 0
    for seed in seeds:
        numbers = try_seed(seed)
        if numbers is None:
            failed += 1
        else:
            sums = [a + b for a, b in zip(sums, numbers)]
    calls, offsets, told = sums
    print(f"{len(seeds)} seeds, {failed} failed: {calls} calls, {offsets} of them moved bytes, where is in the trace for {told}")
    # no test if the programs do little, or the trace does not tell more often than where text and passed descriptors are used
    return 1 if failed or not calls or told < offsets * 0.7 else 0


if __name__ == "__main__":
    sys.exit(main())
