#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Three witnesses of one program: the preload, the kernel (recorder run --system) and strace -f.

    three.py NAME CMD...

Runs CMD in a fresh folder: recorded from inside and from the kernel at once, from the kernel alone, and under strace. Compared are
the calls on the program's own files, those in that folder, by family (families.py): in the first run each call that the kernel saw lies in a call
of the preload, in the same thread, and each call of the preload that is one system call has one; the others have as many of each family on
each file. Prints a table; what does not agree goes to stderr, and the exit status is 1 then.
"""
import bisect
import collections
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from families import FAMILIES, OF_CALL, OF_FUNCTION, PASSING  # noqa: E402
from strace_log import BY_PATH, read_log  # noqa: E402

HEAD = """| program | calls on its files | preload | of these inside others, as fwrite's | system | strace | differences |
|---|---|---:|---:|---:|---:|---:|"""
LINE = re.compile(r"\S+ (\d+) (\d+)\.(\d{9}) (\d+)\.(\d{9}) \d+ (\w+) (\w+)\((.*)", re.S)
PATH = re.compile(r'path="((?:[^"\\]|\\.)*)"')
OPENED = re.compile(r'(?:fd|stream)=\d+ "((?:[^"\\]|\\.)*)"')
BASE = re.compile(r'dirfd=\d+ (?:"((?:[^"\\]|\\.)*)"|\?)')
MADE = re.compile(r' = \d+ "((?:[^"\\]|\\.)*)"$')
# what stamps may be apart that were taken on one clock and kept in steps of 10 ns
SLACK = 30
# the recorder's own question at each open, in a process that has it inside
OWN = re.compile(r'statx\(dirfd=\d+ .*path="", flags=AT_EMPTY_PATH, mask=STATX_BASIC_STATS\|STATX_MNT_ID\) ')
# calls that others than their caller decide the number of
VARYING = {"waiting", "processes", "sockets", "asynchronous", "mappings of files", "descriptors"}


def file_of(text, folder):
    """What the call made, else its path, else its descriptor; of a path below a folder that is not known: nothing."""
    made, path, base, opened = (form.search(text) for form in (MADE, PATH, BASE, OPENED))
    if made:
        return made[1]
    if path and path[1]:
        return os.path.normpath(os.path.join((base[1] or "/?") if base else folder, path[1]))
    return opened[1] if opened else base[1] or "" if base else ""


class Call:
    """A call of one of both views; times in ns."""

    def __init__(self, match, folder):
        self.tid = int(match[1])
        self.begin, self.end = (int(match[i]) * 10 ** 9 + int(match[i + 1]) for i in (2, 4))
        self.layer, self.name, text = match[6], match[7], match[8]
        self.file = file_of(text, folder)
        self.text, self.inside = match[0], []


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    return os.path.realpath(folder)


def start(command, folder):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        sys.exit(f"three: {command[0]}: status {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def recorded(command, folder, *how):
    """(calls of the preload, calls in the kernel)"""
    start(["recorder", *how, "-q", "-o", folder + ".trace", "--", *command], folder)
    start(["recorder", "check", "-q", "--strict", folder + ".trace"], folder)
    matches = map(LINE.match, start(["recorder2text", "-q", folder + ".trace"], folder).splitlines())
    calls = [Call(match, folder) for match in matches if match]
    return ([call for call in calls if call.layer != "kernel"],
            [call for call in calls if call.layer == "kernel" and family_of(call.name, call.file, folder, OF_CALL)])


def family_of(name, file, folder, families):
    family = families.get(name)
    return family if family and family not in VARYING and file.startswith(folder + "/") else None


def put_inside(calls, kernel):
    """Gives each call of the preload the kernel's that lie in it, but in none that is inside of it; returns those that lie in none."""
    of_thread, none = collections.defaultdict(list), []
    for call in calls:
        of_thread[call.tid].append(call)
    for of in of_thread.values():
        of.sort(key=lambda call: (call.begin, -call.end))
    for below in kernel:
        of = of_thread[below.tid]
        at = bisect.bisect_right(of, below.begin + SLACK, key=lambda call: call.begin) - 1
        # calls are nested: the last one that has begun before and is not over, but for the few inside of it that are
        while at >= 0 and of[at].end < below.end - SLACK:
            at -= 1
        if at < 0:
            none.append(below)
        else:
            of[at].inside.append(below)
    return none


def of_preload(folder, command, problems):
    """({(family, file): calls that are one system call}, {the same: system calls inside other calls})"""
    single, inside = collections.Counter(), collections.Counter()
    calls, kernel = recorded(command, folder, "run", "--system")
    for below in put_inside(calls, kernel):
        if not OWN.search(below.text):
            problems.append(f"in no call of the preload: {below.text}")
    for call in calls:
        family = family_of(call.name, call.file, folder, OF_FUNCTION) if call.layer == "posix" else None
        for below in call.inside:
            counts = single if family == OF_CALL[below.name] else inside
            counts[OF_CALL[below.name], below.file[len(folder):]] += 1
        if family and len(call.inside) != 1:
            problems.append(f"{len(call.inside)} calls in the kernel: {call.text}")
    return single, inside


def of_kernel(folder, command):
    return collections.Counter((OF_CALL[call.name], call.file[len(folder):])
                               for call in recorded(command, folder, "system")[1])


def of_strace(folder, command):
    start(["strace", "-f", "-y", "-s", "300", "--absolute-timestamps=unix,ns", "-e", "signal=none", "-o", folder + ".log", *command],
          folder)
    files = ((call.name, os.path.join(folder, call.file) if call.name in BY_PATH else call.file)
             for call in read_log(folder + ".log")
             if call.file and call.file not in PASSING)
    return collections.Counter((OF_CALL[name], file[len(folder):]) for name, file in files
                               if family_of(name, file, folder, OF_CALL))


def compare(name, command):
    """The table's lines and what does not agree."""
    problems = []
    single, inside = of_preload(fresh("inside"), command, problems)
    system, straced = of_kernel(fresh("outside"), command), of_strace(fresh("straced"), command)
    for key in sorted(set(system) | set(straced) | set(single) | set(inside)):
        if not single[key] + inside[key] == system[key] == straced[key]:
            problems.append(f"{key[0]}: {key[1]}: preload {single[key]} + {inside[key]}, system {system[key]}, strace {straced[key]}")
    return list(rows(name, single, inside, system, straced)), problems


def rows(name, *counts):
    for family in FAMILIES:
        single, inside, system, straced = (sum(count[key] for key in count if key[0] == family) for count in counts)
        if system or straced:
            apart = max(single + inside, system, straced) - min(single + inside, system, straced)
            yield f"| {name} | {family} | {single + inside} | {inside} | {system} | {straced} | {apart} |"


def main():
    lines, problems = compare(sys.argv[1], sys.argv[2:])
    print("\n".join([HEAD] + lines))
    print("".join(problem + "\n" for problem in problems[:40]), end="", file=sys.stderr)
    if not lines:
        print("no calls on the program's files", file=sys.stderr)
    return 1 if problems or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
