#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 600
"""What doc/tour.md shows is what its commands print. tour.py --refresh writes what they do not print into the page anew, for review.

Commands read the traces of a run that is kept here, slow.rtrace and mended.rtrace, and have to print all lines of the page, in this order; that they learn to
say more in between is no fault of the page. Blocks below <!-- anew --> are run
for good, the program is compiled and recorded; of what they print, numbers of records and times are not compared.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.environ.get("TOP_SRCDIR", os.path.join(HERE, "..", ".."))
BUILD = os.path.abspath(os.environ.get("TOP_BUILDDIR", "."))
PAGE = os.path.join(TOP, "doc", "tour.md")
KEPT = {"trace": "slow.rtrace", "mended": "mended.rtrace"}
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "sql"))

import cookbook  # noqa: E402


def run(command, folder, anew):
    env = dict(os.environ, LC_ALL="C.UTF-8", PATH=os.path.join(BUILD, "tools") + ":" + os.environ["PATH"])
    if anew:
        # root, and more ranks than processors
        env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                   OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    text = "\n".join(line[2:] for line in command)
    done = subprocess.run(["sh", "-c", text], cwd=folder, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300, env=env)
    # blanks at the end of a line are nothing that a page shows
    return [line.rstrip() for line in done.stdout.decode().splitlines()], done.returncode


def masked(line, anew):
    """Without what depends on the machine, and which of the findings it is."""
    line = re.sub(r"^ *\d+\. ", "- ", line)
    if not anew or not line.startswith("recorder: "):
        return line
    return re.sub(r"/\S*/(trace|mended)\b", r"\1", re.sub(r"^recorder: \d+", "recorder: N", line))


def blocks(lines):
    """(text before, command, output, whether it is run for good)"""
    anew = False
    for before, command, output in cookbook.parts(lines):
        if before:
            anew = len(before) > 1 and before[-2] == "<!-- anew -->"
        yield before, command, output, anew


def shown(got, output, anew):
    """Whether all lines of the page are there."""
    rest = iter([masked(line, anew) for line in got])
    return all(masked(line, anew) in rest for line in output) and bool(output) == bool(got)


def main():
    if not os.access(os.path.join(BUILD, "tools", "recorder2sqlite"), os.X_OK) or os.environ.get("MPI_KIND", "openmpi") != "openmpi" or \
            not shutil.which("mpicc") or os.environ.get("SANITIZERS"):
        print("skip: needs SQLite, Open MPI and no sanitizer")
        return 77
    with open(PAGE, encoding="utf-8") as file:
        lines = file.read().splitlines()
    written, wrong, count, refresh = [], 0, 0, sys.argv[1:] == ["--refresh"]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as fresh:
        for name, kept in KEPT.items():
            shutil.copy(os.path.join(HERE, kept), os.path.join(folder, name))
        shutil.copy(os.path.join(TOP, "examples", "particles.c"), fresh)
        for before, command, output, anew in blocks(lines):
            written += before
            if not command:
                continue
            got, status = run(command, fresh if anew else folder, anew)
            count += 1
            if status or not shown(got, output, anew):
                wrong += 1
                if refresh:
                    output = [re.sub(r"/\S*/(trace|mended)(?=[;'])", r"/home/you/\1", line) if anew else line for line in got]
                else:
                    print(f"exit status {status}: {command}\nexpected:", *output, "got:", *got, sep="\n")
            written += command + output
    if refresh:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write("\n".join(written) + "\n")
        return 0
    print(f"{count} commands, {wrong} print something else")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
