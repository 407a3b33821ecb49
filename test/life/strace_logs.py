#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the system calls of a program with and without the recorder.

    strace_logs.py PLAIN TRACED LIBRARY     logs of strace -f -i; exit status 1 if they differ

From both logs the loader's work up to main() is taken out; from the traced one every call made by
an instruction of LIBRARY, and the processes that those start. What is left must be the same calls
with the same results in each process, but for addresses, times and process numbers. A few calls are
made by libc on the recorder's behalf: those may be too many.
"""
import collections
import re
import sys

LINE = re.compile(r"(\d+) +\[([0-9a-f?]+)\] (.*)")
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)")
MAPPED = re.compile(r"mmap\((0x[0-9a-f]+|NULL), (\d+), \S+, [^,]*MAP_\w*[^,]*, (-?\d+), \w+\) += (0x[0-9a-f]+)")
OURS_BY_LIBC = re.compile(r"(uname|geteuid|sched_getaffinity)\(|"
                          r'openat\(AT_FDCWD,"/sys/devices/system/cpu/online"')
# nobody's business: whether a lock was contended, how the heap begins and grows, when a child ends
LEFT_OUT = re.compile(r"--- SIGCHLD|.*ERESTART|(rt_sigreturn|futex|getrandom|sched_yield|restart_syscall|brk|rseq|set_robust_list)\(")
BEGINS = re.compile(r"(v?fork|clone3?)\(.* = (\d+)$")


class Process:
    def __init__(self, name):
        self.name, self.children = name, 0
        self.ours = None          # where LIBRARY lies: (from, to)
        self.library_fd = None
        self.starting = True      # in the loader, before main()
        self.pending = None       # a call that others interrupted: (address, text)


class Log:
    """The program's own calls, by the process's place in the family."""

    def __init__(self, path, library):
        self.library, self.calls = library, collections.defaultdict(list)
        self.processes, self.foreign = {}, set()
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [match.groups() for match in map(LINE.match, file) if match]
        self.parents(lines)
        for pid, address, text in lines:
            self.line(pid, address, text)

    def parents(self, lines):
        """Who started whom, in order: the child may be seen before the call has returned."""
        self.parent_of, self.children_of = {}, collections.defaultdict(list)
        pending = {}
        for pid, address, text in lines:
            resumed = RESUMED.match(text)
            if text.endswith("<unfinished ...>"):
                pending[pid] = (address, text[:-len("<unfinished ...>")].rstrip())
                continue
            if resumed:
                address, begin = pending.pop(pid, (address, resumed[1] + "("))
                text = begin + resumed[2].lstrip()
            made = BEGINS.match(text)
            if made:
                self.parent_of.setdefault(made[2], (pid, address, text))
                self.children_of[pid].append(made[2])

    def process(self, pid):
        if pid in self.processes:
            return self.processes[pid]
        if pid not in self.parent_of:
            process = Process("main")
        else:
            parent_pid, address, text = self.parent_of[pid]
            parent = self.process(parent_pid)
            if parent is None or (self.is_ours(parent, address) and not text.startswith("vfork")):
                self.processes[pid] = None
                return None
            for elder in self.children_of[parent_pid]:  # any of them may run first
                if elder == pid:
                    break
                self.process(elder)
            parent.children += 1
            process = Process(f"{parent.name}.{parent.children}")
            process.ours, process.starting = parent.ours, parent.starting
        self.processes[pid] = process
        return process

    def is_ours(self, process, address):
        return (process.ours is not None and "?" not in address
                and process.ours[0] <= int(address, 16) < process.ours[1])

    def line(self, pid, address, text):
        process = self.process(pid)
        if process is None:
            return
        resumed = RESUMED.match(text)
        if text.endswith("<unfinished ...>"):
            process.pending = (address, text[:-len("<unfinished ...>")].rstrip())
            return
        if resumed and process.pending:
            address, text = process.pending[0], process.pending[1] + resumed[2].lstrip()
            process.pending = None
        if text.startswith("execve(") and text.endswith("= 0"):
            self.calls[process.name].append(normal(text))
            process.ours, process.starting = None, True
            return
        if process.starting:
            self.startup(process, text)
        elif not text.startswith("vfork(") and self.is_ours(process, address):
            pass
        elif not LEFT_OUT.match(text):
            self.calls[process.name].append(normal(text))

    def startup(self, process, text):
        """The loader: finds LIBRARY, and unmaps its cache of names last."""
        if text.startswith("openat(") and f'"{self.library}"' in text:
            process.library_fd = text.rsplit("= ", 1)[1]
        mapped = MAPPED.match(text)
        if mapped and mapped[3] == process.library_fd and process.ours is None:
            begin = int(mapped[4], 16)
            process.ours = (begin, begin + int(mapped[2]))
        if text.startswith("munmap("):
            process.starting = False


def normal(text):
    text = re.sub(r"/\* \d+ vars \*/", "/* vars */", text)
    text = re.sub(r"0x[0-9a-f]{4,}", "ADDRESS", text)
    text = re.sub(r"\b(child_tidptr|parent_tid|child_tid|tls|stack)=[^,}]*", r"\1=?", text)
    text = re.sub(r"tv_n?u?sec=\d+", "TIME", text)
    text = re.sub(r"st_[amc]time\w*=[^,}]*|ru_\w+=[^,}]*|si_[us]time=\d+|[su]time=\d+", "TIME", text)
    text = re.sub(r"=> \{parent_tid=\[\d+\]\}", "", text)
    if BEGINS.match(text):
        text = re.sub(r"= \d+$", "= PID", text)
    text = re.sub(r"^(wait4|kill|tgkill|waitid|gettid|getpid|getppid|set_tid_address|setsid|getpgrp)\(.*",
                  lambda match: re.sub(r"\b\d{2,}\b", "PID", match[0]), text)
    text = re.sub(r"^sysinfo\(.*?\)", "sysinfo()", text)
    text = re.sub(r"(si_pid=|si_tid=)\d+", r"\1PID", text)
    return re.sub(r"(?<=[,(]) +| +(?=[),]|=>)", "", re.sub(r" +", " ", text))


def compare(name, plain, traced):
    at, of_file = 0, 0  # of_file: so many calls more work on a file that libc opened for us
    for number, call in enumerate(traced):
        if at < len(plain) and plain[at] == call:
            at += 1
        elif OURS_BY_LIBC.match(call):
            of_file = 2 if call.startswith("openat") else of_file
        elif of_file and call.startswith(("read(", "close(")):
            of_file -= 1
        else:
            want = plain[at] if at < len(plain) else "its end"
            return f"{name}: call {number}\n  traced: {call}\n  plain:  {want}"
    if at < len(plain):
        return f"{name}: the traced one has no\n  {plain[at]}"
    return None


def main():
    plain, traced = Log(sys.argv[1], None).calls, Log(sys.argv[2], sys.argv[3]).calls
    differences = [compare(name, plain.get(name, []), traced.get(name, []))
                   for name in sorted(set(plain) | set(traced))]
    differences = [each for each in differences if each]
    print("\n".join(differences) if differences else
          f"{sum(map(len, plain.values()))} calls of {len(plain)} processes are the same")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
