#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each command of doc/cookbook.md prints what stands below it. --refresh writes what they print into it, for review.

Each of the questions that people ask of a trace (QUESTIONS) has a heading, and a command below it.

Commands are lines that begin with "$ ", which go on in lines that begin with "> ". The trace is heat.rtrace, of a run of examples/heat.c on 4 ranks; train is that of the tour.
"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.environ.get("TOP_SRCDIR", os.path.join(HERE, "..", ".."))
TOOLS = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
BOOK = os.path.join(TOP, "doc", "cookbook.md")

QUESTIONS = {
    1: "Where does the time go, by layer?", 2: "How much of the run is I/O?", 3: "What bandwidth, second by second and by file system?",
    4: "Small, unaligned or random accesses?", 5: "Which ranks conflict on a file?", 6: "Is that correct on file systems that relax consistency?",
    7: "Which ranks keep the others waiting?", 8: "How long does MPI take, by communicator?", 9: "Late senders: who waited for whom?",
    10: "What is the critical path?", 11: "Who sends how much to whom?", 12: "Which files have the most bytes, time, opens?",
    13: "One file shared by all, or a file for each process?", 14: "Does collective buffering work? Is more moved than was asked for?",
    15: "Too many opens and stats: by whom, and where?", 16: "Which calls fail, and why?",
    17: "How long do checkpoints take, how large are they, how often do they come?",
    18: "Do I wait for workers that load data? Which ones are slow?", 19: "What has changed between two runs?", 20: "Is the trace whole?",
    21: "What does the kernel do in the calls on a file?"}


def unanswered(lines):
    """Questions without a heading, or without a command below it."""
    sections, heading = {}, None
    for line in lines:
        if line.startswith("## "):
            heading = line[3:]
        elif line.startswith("$ "):
            sections[heading] = True
    return [f"question {number} has no answer: {text}" for number, text in QUESTIONS.items() if text not in sections]


def parts(lines):
    """(text before, command, output) for each command; at the end one without a command."""
    before, command, output, inside = [], [], [], False
    for line in lines:
        if line.startswith("```"):
            if inside and command:
                yield before, command, output
                before, command, output = [], [], []
            inside = not inside and line.startswith("```console")
            before.append(line)
        elif not inside:
            before.append(line)
        elif line.startswith("$ "):
            if command:
                yield before, command, output
                before, output = [], []
            command = [line]
        elif line.startswith("> ") and command and not output:
            command.append(line)
        else:
            output.append(line)
    yield before, [], []


def run(command, folder):
    text = "\n".join(line[2:] for line in command)
    done = subprocess.run(["sh", "-c", text], cwd=folder, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60, env=dict(os.environ, LC_ALL="C.UTF-8"))
    return done.stdout.decode().splitlines(), done.returncode


def main():
    if not os.access(os.path.join(TOOLS, "recorder2sqlite"), os.X_OK) or not shutil.which("sqlite3"):
        print("skip: no SQLite")
        return 77
    os.environ["PATH"] = os.path.abspath(TOOLS) + ":" + os.environ["PATH"]
    with open(BOOK, encoding="utf-8") as file:
        lines = file.read().splitlines()
    missing = unanswered(lines)
    print("\n".join(missing) or f"{len(QUESTIONS)} questions")
    written, wrong, count = [], len(missing), 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(HERE, "heat.rtrace"), os.path.join(folder, "trace"))
        shutil.copy(os.path.join(HERE, "..", "tour", "train.rtrace"), os.path.join(folder, "train"))
        for before, command, output in parts(lines):
            written += before
            if not command:
                continue
            count += 1
            got, status = run(command, folder)
            got = [line.rstrip() for line in got]
            written += command + got
            if status or (got != output and "--refresh" not in sys.argv):
                wrong += 1
                print("\n".join([*command, f"status {status}, printed:", *got, "and the book says:", *output]))
    if "--refresh" in sys.argv:
        with open(BOOK, "w", encoding="utf-8") as file:
            file.write("\n".join(written) + "\n")
    print(f"{count} commands, {wrong} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
