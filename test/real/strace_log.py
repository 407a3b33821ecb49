# SPDX-License-Identifier: MIT
"""Logs of strace -f -y -s 300 --absolute-timestamps=unix,ns, with -i or -k: every system call with thread, time
of entry, file, and where it was made."""
import collections
import os
import re

LINE = re.compile(r"(\d+) +(\d+)\.(\d{9}) (?:\[([0-9a-f?]+)\] )?(.*)")
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)", re.S)
FRAME = re.compile(r" > (.*?)(?:\(([^()+]*)(?:\(.*\))?(?:\+0x[0-9a-f]+)?\))? \[0x[0-9a-f]+\]$")
CALL = re.compile(r"(\w+)\((.*)", re.S)
OF_DESCRIPTOR = re.compile(r"(-?\d+|AT_FDCWD)<((?:[^<>\\]|\\.|<[^<>]*>)*)>")
PATH = re.compile(r'"((?:[^"\\]|\\.)*)"')
RESULT = re.compile(r".*\) += (0x[0-9a-f]+|-?\d+|\?)(.*)", re.S)
MADE = ("fork", "vfork", "clone", "clone3")

# Calls whose first string is a path, and not what is written or read
BY_PATH = frozenset(
    "open openat openat2 creat stat lstat newfstatat statx statfs access faccessat faccessat2 chmod "
    "fchmodat chown lchown fchownat utimensat utime utimes futimesat truncate link linkat symlink "
    "symlinkat readlink readlinkat rename renameat renameat2 unlink unlinkat mkdir mkdirat rmdir mknod "
    "mknodat chdir execve execveat getxattr lgetxattr setxattr inotify_add_watch".split())


class Call:
    """A system call. `stack`: [(object, symbol)], innermost first; of a log without -k the innermost object
    alone, and that only if the loader mapped it."""

    def __init__(self, tid, time, text, address):
        self.tid, self.time, self.text, self.stack = tid, time, text, []
        self.address = int(address, 16) if address and "?" not in address else None

    def finish(self):
        self.name = CALL.match(self.text)[1]
        found = RESULT.match(self.text)
        self.result = found[1] if found else "?"
        self.interrupted = bool(found) and found[1] == "?" and "ERESTART" in found[2]
        self.file = self.find_file()

    def find_file(self):
        """The path that the call is about, or what kind of thing: "pipe", "socket" ..., or ""."""
        arguments = CALL.match(self.text)[2]
        at = OF_DESCRIPTOR.search(arguments)
        string = PATH.search(arguments) if self.name in BY_PATH else None
        if string and string[1]:
            base = at[2] if at and at.start() < string.start() else ""
            return os.path.normpath(os.path.join(base, string[1]))
        if self.name == "mmap" and not re.search(r", -?\d+<", arguments):
            return ""
        if not at:
            return ""
        return at[2] if at[2].startswith("/") else re.split(r"[:<\[]", at[2])[0]


def read_log(path):
    """All calls of the log, by the time of their entry."""
    calls, pending, last = [], {}, None
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith(" > "):
                frame = FRAME.match(line)
                if last and frame:
                    last.stack.append((os.path.basename(frame[1]), frame[2] or ""))
                continue
            match = LINE.match(line)
            if not match:
                continue
            tid, time, text = int(match[1]), int(match[2]) * 10 ** 9 + int(match[3]), match[5]
            last = None
            if text.startswith(("+++", "---")):
                continue
            resumed = RESUMED.match(text)
            if resumed:
                last = pending.pop(tid, None)
                if last:
                    last.text += resumed[2]
            elif CALL.match(text):
                last = Call(tid, time, text, match[4])
                calls.append(last)
            if last and last.text.endswith("<unfinished ...>"):
                last.text = last.text[:-len("<unfinished ...>")].rstrip()
                pending[tid] = last
                last = None
    for call in calls:
        call.finish()
    calls.sort(key=lambda call: call.time)
    follow_mappings(calls)
    return calls


def follow_mappings(calls):
    """Gives munmap and mremap the file that was mapped there, if there was one, and calls the object that made them."""
    group, regions = {}, collections.defaultdict(dict)
    for call in calls:
        if call.name in MADE and call.result.isdigit():
            child, parent = int(call.result), group.get(call.tid, call.tid)
            if "CLONE_VM" in call.text or call.name == "vfork":
                group[child] = parent
            else:
                regions[child] = dict(regions[parent])
        process = group.get(call.tid, call.tid)
        there = regions[process]
        if call.address is not None and not call.stack:
            call.stack += [(os.path.basename(file), "") for begin, (size, file) in there.items()
                           if begin <= call.address < begin + size and file]
        if call.name.startswith("execve") and call.result == "0":
            group.pop(call.tid, None)
            regions[call.tid] = {}
        elif call.name in ("mmap", "munmap", "mremap") and call.result != "-1":
            follow_mapping(call, there)


def follow_mapping(call, there):
    """there: {address: (length, file)} of the process"""
    words = CALL.match(call.text)[2].split(", ")
    if call.name == "mmap":
        if "MAP_FIXED" not in call.text or not call.file: # what the loader lays over parts of its own is in there
            there[int(call.result, 16)] = (int(words[1]), call.file)
        return
    size, call.file = there.pop(int(words[0].rstrip(")"), 16), (0, ""))
    if call.name == "mremap":
        there[int(call.result, 16)] = (int(words[2]), call.file)


def borrowed(calls):
    """Children that run in their parent's memory up to their exec: [(child, from, to, parent)]."""
    begun, found = {}, []
    for call in calls:
        if call.name in MADE and call.result.isdigit():
            if call.name == "vfork" or "CLONE_VFORK" in call.text:
                begun[int(call.result)] = (call.time, call.tid)
        elif call.name in ("execve", "execveat") and call.result == "0" and call.tid in begun:
            found.append((call.tid, *begun.pop(call.tid), call.time))
    found += [(child, time, parent, None) for child, (time, parent) in begun.items()]
    spans = collections.defaultdict(list)
    for child, begin, parent, end in found:
        spans[child].append((begin, end, parent))
    return spans


def owner(spans, call):
    """The thread whose records the call's is among."""
    for begin, end, parent in spans.get(call.tid, ()):
        if begin <= call.time and (end is None or call.time <= end):
            return parent
    return call.tid
