#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Events have the epoch and step of the regions around them: in .pfw of both kinds and Chrome JSON, made at once, in parts and in several files; and in text."""
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
SOURCES = os.environ.get("TOP_SRCDIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(SOURCES, "test", "analysis"))
import phases as job  # noqa: E402

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")

# (begin in us, function, epoch, step) of the job of test/analysis/phases.py
WANT = sorted([(at + more, name, epoch, step) for epoch in range(2) for step in range(2) for at in [1000 + 4000 * epoch + 2000 * step]
               for more, name in ((0, "step.fetch"), (500, "pwrite"), (400, "step"))]
              + [(1000, "epoch", 0, None), (5000, "epoch", 1, None), (2000, "whole", -5, 9), (2100, "pwrite", -5, 9)])


def same(what, want, got):
    if want != got:
        sys.exit(f"tags.py: {what}: {got}, not {want}")


def run(*command):
    subprocess.run([os.path.join(TOOLS, command[0]), "-q", *command[1:]], check=True)


def told(events):
    """Calls that have either; the trace begins with the earliest clock, so at 0."""
    return sorted((round(event["ts"]), event["name"], event["args"].get("epoch"), event["args"].get("step"))
                  for event in events if event.get("ph") in ("X", 1) and {"epoch", "step"} & set(event.get("args", ())))


def pfw_events(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file if line.startswith("{")]
    return lines


def from_zero(rows, start):
    return [(at - start, *rest) for at, *rest in rows]


def check(trace, folder):
    start = json.loads(subprocess.run([os.path.join(TOOLS, "recorder"), "summary", "--json", trace], capture_output=True, check=True).stdout)["start"]
    start = round(start * 1e6)
    for form in ("pfw", "pfw2"):
        for jobs in ("1", "2"):
            path = os.path.join(folder, f"{form}.{jobs}.pfw.gz")
            run("recorder2pfw", "--format", form, "-j", jobs, "-z", "-o", path, trace)
            same(f"{form} by {jobs}", WANT, from_zero(told(pfw_events(path)), start))
    run("recorder2pfw", "--format", "chrome", "-o", os.path.join(folder, "one.json"), trace)
    with open(os.path.join(folder, "one.json"), encoding="utf-8") as file:
        same("Chrome JSON", WANT, told(json.load(file)["traceEvents"]))
    os.mkdir(os.path.join(folder, "split"))
    run("recorder2pfw", "--format", "chrome", "--split", "4K", "-o", os.path.join(folder, "split", "t.json"), trace)
    events = []
    names = glob.glob(os.path.join(folder, "split", "*.json"))
    for name in names:
        with open(name, encoding="utf-8") as file:
            events += json.load(file)["traceEvents"]
    same("several files", True, len(names) > 1)
    same("Chrome JSON in several files", WANT, told(events))
    run("recorder2pfw", "--format", "chrome", "--layers", "posix", "-o", os.path.join(folder, "calls.json"), trace)
    with open(os.path.join(folder, "calls.json"), encoding="utf-8") as file:
        same("of system calls alone", [row for row in WANT if row[1] == "pwrite"], told(json.load(file)["traceEvents"]))


def check_text(trace):
    lines = subprocess.run([os.path.join(TOOLS, "recorder2text"), "-q", "--show", "tags", trace], capture_output=True, check=True, text=True).stdout.splitlines()
    got = sorted(re.sub(r"^.*pwrite\(.*\{(.*)\}$", r"\1", line) for line in lines if "pwrite" in line and line.endswith("}"))
    same("text", sorted(f"epoch={epoch}, step={step}" for _, name, epoch, step in WANT if name == "pwrite"), got)
    same("a region's own", True, any(line.endswith("= - {epoch=0}") and "step.fetch(step=0)" in line for line in lines))


def check_alike(trace, folder):
    """Calls that are alike, in a region without tags, in two epochs, and without tags again."""
    job.begin_job(trace)
    records = []
    for begin, name, args in ((0, "plain", ()), (1000, "epoch", (0,)), (2000, "epoch", (1,)), (3000, "plain", ())):
        records += [job.write(begin + at, begin + at + 10, 1, level=1) for at in range(100, 900, 50)]
        records.append(job.call(name, begin, begin + 1000, *args))
    job.write_stream(trace, "rank-0", 0, [records], 16)
    for form, conditions in (("pfw", ()), ("pfw2", ()), ("pfw", ("--layers", "posix")), ("pfw2", ("--layers", "posix"))):
        path = os.path.join(folder, "alike." + form)
        run("recorder2pfw", "--force", "--format", form, *conditions, "-o", path, trace)
        got = [event["args"].get("epoch") for event in pfw_events(path) if event["name"] == "pwrite"]
        same("calls that are alike, as " + form, [None] * 16 + [0] * 16 + [1] * 16 + [None] * 16, got)


def main():
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "job.trace")
        subprocess.run([sys.executable, os.path.join(SOURCES, "test", "analysis", "phases.py"), trace], check=True)
        check(trace, folder)
        check_text(trace)
        check_alike(os.path.join(folder, "alike.trace"), folder)


main()
