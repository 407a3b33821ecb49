#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cases of test/life/life, each run and its trace held against what it did. Prints TAP.

    cases.py [CASE...]     by TOP_SRCDIR, TOP_BUILDDIR and RECORDER_SO; in an empty directory

A case makes marks (life.h): the size of each file is the number of records of write() for it. For
each case a row says which streams there are to be with which marks, and how it ends. Cases that end
in order run with a bare preload and once more under `recorder run`; who is killed needs the latter.
"""
import collections
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
TOP = os.environ["TOP_SRCDIR"]
BUILD = os.environ["TOP_BUILDDIR"]
LIBRARY = os.environ["RECORDER_SO"]
sys.path.insert(0, os.path.join(TOP, "test"))

import decode  # noqa: E402
from parts import LEFT  # noqa: E402

LIFE = os.path.join(BUILD, "test/life/life")
PLUG = os.path.join(BUILD, "test/life/.libs/plug.so")
SECONDS = 20


class Failed(Exception):
    pass


class Case:
    """streams: for each stream, what it marked. status: as of subprocess. killed: not in order.

    slack: marks of threads that are cut off by the end of the process may be missing or too many,
    that many. left: calls left without a return. unrecorded: files that nobody can record.
    in_place: the streams are images of one process.
    """

    def __init__(self, *streams, status=0, killed=False, slack=0, left=None, unrecorded=(),
                 preload="{}", environment=None, argument=None, free=(), in_place=False):
        self.streams, self.status, self.killed, self.slack = streams, status, killed, slack
        self.left, self.unrecorded, self.preload = left, unrecorded, preload
        self.environment, self.argument = environment or {}, argument
        self.free = free  # marks of which there may be any number
        self.in_place = in_place


def fork_case(status=0, **child):
    return Case({"before": 2, "parent": 5, "after": 1}, dict({"child": 3}, **child), status=status)


KILL, SEGV, BUS, TERM, ABRT = (-signal.SIGKILL, -signal.SIGSEGV, -signal.SIGBUS, -signal.SIGTERM,
                               -signal.SIGABRT)
PLUGGED = {"before": 2, "between": 3, "plug-comes": 3, "plug-works": 9, "plug-goes": 6}
CLONED = ({"before": 2, "after": 1}, {"child": 3})
SHARED = ({"before": 2, "child": 3, "after": 1},)
SPAWNED = ({"before": 2, "after": 1}, {"image": 4})
DAEMON = {"daemon": 8, "over": 1}

CASES = {
    # ---- births ----
    "fork_exit": fork_case(),
    "fork__exit": fork_case(),
    "fork_raw_exit": fork_case(),
    "fork_exec": Case({"before": 2, "parent": 5, "after": 1}, {"child": 3}, {"image": 4}),
    "fork_killed": fork_case(),
    "fork_return": Case({"after": 1}, {"child": 3}),
    "fork_before_any_record": Case({"child": 3}),
    "fork_handlers": Case({"before": 2, "parent": 5, "after": 1, "prepare": 1, "at-parent": 1},
                          {"at-child": 1, "child": 3}),
    "fork_threads": Case({}, *[{"child": 3}] * 10, free=("t0", "t1", "t2")),
    "fork_generations": Case({"g0": 1}, {"g1": 2}, {"g2": 3}, {"g3": 4}),
    "vfork_exec": Case(*SPAWNED),
    "vfork_shell": Case({"before": 2, "redirected": 1, "after": 1}, {"image": 4}),
    "vfork__exit": Case({"in-vfork": 2, "after": 1}),
    "spawned": Case(*SPAWNED),
    "spawned_by_path": Case(*SPAWNED),
    "by_system": Case(*SPAWNED),
    "by_popen": Case(*SPAWNED),
    "by_shell": Case({"before": 2}, {"image": 4}, {"child": 3}, {"after": 1}),
    "clone_copied": Case(*CLONED),
    "clone_shared": Case(*SHARED),
    "clone_shared_waiting": Case(*SHARED),
    "clone_raw": Case({"before": 2, "parent": 5}, {"child": 3}),
    "clone_namespace": Case({"before": 2, "after": 1}, {"child": 3}, {"child": 3}),
    "double_fork": Case({"before": 2}, {"middle": 3}, DAEMON),
    "by_daemon": Case({"before": 2}, DAEMON),
    "exec_in_place": Case({"before": 2}, {"image": 4}, in_place=True),
    "exec_twice": Case({"before": 2}, {"image": 4}, in_place=True),
    "exec_failing": Case({"before": 2, "after": 1}, {"image": 4}, in_place=True),
    "exec_full_ring": Case({"before": 600}, {"image": 4}, in_place=True),
    "daemon_full_ring": Case({"before": 600}, DAEMON),
    "exec_failing_late": Case({"before": 2, "between": 5, "script": 1}, {"image": 4},
                              unrecorded=("script",), in_place=True),
    "exec_failing_interrupted": Case({"script": 1}, {"image": 4}, unrecorded=("script",),
                                     in_place=True),
    "exec_from_thread": Case({"before": 2, "thread": 3}, {"image": 4}, in_place=True),
    "exec_threads_writing": Case({}, {"image": 4}, slack=3, free=("t0", "t1", "t2"),
                                 in_place=True),
    "many_marking": Case(*[{"child": 1}] * 30, environment={"LIFE_COUNT": "30"}),
    "many_images": Case(*[{"image": 4}] * 30, environment={"LIFE_COUNT": "30"}),
    # ---- ends ----
    "end_exit": Case({"before": 2, "at-end": 2}, status=11),
    "end_return": Case({"before": 2, "at-end": 2}, status=12),
    "end__exit": Case({"before": 2}, status=13),
    "end_raw_exit": Case({"before": 2}, status=14),
    "end_quick_exit": Case({"before": 2, "at-end": 2}, status=15),
    "end_abort": Case({"before": 2}, status=ABRT),
    "end_abort_handler": Case({"before": 2, "handler": 3}, status=ABRT),
    "end_abort_jump": Case({"before": 2, "handler": 3, "after": 4}, status=16),
    "thread_exits": Case({"before": 2, "thread": 3, "at-end": 2}, status=17),
    "return_with_threads": Case({"main": 2}, status=18, slack=3, free=("t0", "t1", "t2")),
    "_exit_with_threads": Case({"main": 2}, status=18, slack=3, free=("t0", "t1", "t2")),
    "main_pthread_exit": Case({"before": 2, "thread": 3, "at-end": 2}),
    "thread_marks_in_exit": Case({"at-end": 2}, status=19, slack=1, free=("t0",)),
    "thread_cancelled": Case({"thread": 15, "cleanup": 15, "specific": 15, "after": 1},
                             left={"read": 5}),
    "thread_cancelled_busy": Case({"after": 1}, free=("t0",)),
    "thread_raw_exit": Case({"thread": 3, "after": 1}),
    "plug_lazy": Case(PLUGGED),
    "plug_deep": Case({"before": 2, "between": 3},
                      unrecorded=("plug-comes", "plug-works", "plug-goes")),
    "plug_kept": Case({"before": 2, "plug-comes": 1, "plug-goes": 2}),
    "plug_preloaded": Case({"before": 2, "plug-comes": 1, "plug-goes": 2}, preload=PLUG + ":{}"),
    "plug_preloaded behind": Case({"before": 2, "plug-comes": 1, "plug-goes": 2},
                                  preload="{}:" + PLUG),
    "bracket": Case({"constructor": 2, "before": 2, "on-exit": 1, "destructor": 3}, status=20),
    "fork_in_atexit": Case({"before": 2, "at-end": 2}, {"child": 3}),
    # ---- faults ----
    "default_segv": Case({"before": 2}, status=SEGV, killed=True),
    "default_bus": Case({"before": 2}, status=BUS, killed=True),
    "default_term": Case({"before": 2}, status=TERM, killed=True),
    "default_kill": Case({"before": 2}, status=KILL, killed=True),
    "default_segv_threads": Case({"before": 2}, status=SEGV, killed=True, slack=3,
                                 free=("t0", "t1", "t2")),
    "handled_segv": Case({"before": 2, "handler": 3}, status=42),
    "handled_bus": Case({"before": 2, "handler": 3}, status=42),
    "handled_segv_mended": Case({"handler": 5, "after": 5}),
    "handled_segv_reraised": Case({"before": 2, "handler": 3}, status=SEGV, killed=True),
    "handled_term": Case({"before": 2, "handler": 3}, status=43),
    "handled_overflow": Case({"before": 2, "handler": 3}, status=11),
    "jumped_out_of_read": Case({"handler": 5, "after": 5}, left={"read": 5}),
}

# what an orderly parent has beside it that is not
NEEDS_FOLDING = ("fork_killed", "clone_copied", "clone_namespace")


def expect(want, got, what):
    if want != got:
        raise Failed(f"{what}: wanted {want}, got {got}")


# ---- one run ----

def environment(case, where, live):
    result = {name: value for name, value in os.environ.items()
              if not name.startswith("RECORDER_") and name != "LD_PRELOAD"}
    result.update(case.environment, RECORDER_LIVE_DIR=live, RECORDER_TRACES_DIR=where + "/trace",
                  LIFE_DIR=where + "/work", LIFE_PLUG=PLUG)
    return result


def command(name, case, runner):
    preload = case.preload.format(LIBRARY)
    if runner == "preload":
        return ["env", "LD_PRELOAD=" + preload, LIFE, name]
    plug = ["env", "LD_PRELOAD=" + preload] if preload != LIBRARY else []
    return [os.path.join(BUILD, "tools/recorder"), "run", "-q", "--"] + plug + [LIFE, name]


def start(name, case, runner, where, live):
    """Runs the case to its end; nobody of its processes is left afterwards."""
    with open(where + "/output", "wb") as output:
        process = subprocess.Popen(command(name, case, runner), cwd=where + "/work",
                                   env=environment(case, where, live), stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=output, start_new_session=True)
        try:
            return process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            raise Failed(f"still runs after {SECONDS} s") from None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def await_end(case, where, live):
    """A daemon, or a grandchild, outlives what was started: until its mark, if it makes one, and the end of its stream."""
    daemon = any("over" in stream for stream in case.streams)
    for _ in range(SECONDS * 20):
        if (not daemon or os.path.exists(where + "/work/over")) and not os.listdir(live):
            return
        time.sleep(0.05)
    raise Failed(f"it has not ended: {os.listdir(live)}")


# ---- what the trace says ----

class Marks:
    """Counts records of write() by stream and file; and calls that were left."""

    def __init__(self, work):
        self.work = work + "/"
        self.by_stream = collections.defaultdict(collections.Counter)
        self.left = collections.Counter()
        self.cut_off = collections.Counter()  # writes that were left or are in flight

    def name(self, stream, value):
        file = stream.defs["FILE"].get(value.id)
        path = os.fsdecode(file["path"]) if file else "?"
        return path[len(self.work):] if path.startswith(self.work) else None

    def __call__(self, stream, _, records):
        for record in records:
            if record.flags & LEFT:
                self.left[record.function.name] += 1
            name = record.function.name == "write" and self.name(stream, record.args[0])
            if not name:
                continue
            if record.flags & LEFT:
                self.cut_off[name] += 1
            else:
                self.by_stream[stream][name] += 1


def read(where, live):
    marks = Marks(os.path.realpath(where + "/work"))
    trace = decode.Trace(where + "/trace", marks)
    if trace.problems or trace.notes:
        raise Failed("; ".join(trace.problems + trace.notes))
    if not trace.complete():
        states = [f"{s.name}: {s.state} {s.word('end.reason')} lost {s.lost}" for s in trace.streams]
        raise Failed(f"the trace is not complete: {states}")
    for stream in trace.streams:
        for _, record in stream.in_flight():
            if record.function.name == "write":
                marks.cut_off[marks.name(stream, record.args[0])] += 1
    expect([], os.listdir(live), "live files")
    return marks


def judge(case, marks, where):
    files = {entry.name: entry.stat().st_size for entry in os.scandir(where + "/work")}
    total = sum(marks.by_stream.values(), collections.Counter())
    for name, size in files.items():
        if name in case.unrecorded:
            continue
        if name in case.free:
            low, high = total[name], total[name] + marks.cut_off[name]
            if not low - case.slack <= size <= high + case.slack:
                raise Failed(f"{name}: {size} bytes and {low} to {high} records")
        else:
            expect(size, total[name], f"records of {name}, by its size")
    wanted = sorted(sorted(stream.items()) for stream in case.streams if stream)
    got = []
    for counter in marks.by_stream.values():
        rest = sorted((name, count) for name, count in counter.items() if name not in case.free)
        if rest:
            got.append(rest)
    expect(wanted, sorted(got), "marks by stream")
    if case.left is not None:
        expect(case.left, dict(marks.left), "calls left")
    processes = {stream.number("pid") for stream in marks.by_stream}
    if case.in_place:
        expect((1, 2), (len(processes), len(marks.by_stream)), "processes and streams")


def try_case(name, case, runner):
    where = tempfile.mkdtemp(prefix=name.split()[0] + ".", dir=os.getcwd())
    live = tempfile.mkdtemp(prefix="recorder-test.", dir="/dev/shm")
    try:
        os.mkdir(where + "/work")
        status = start(name.split()[0], case, runner, where, live)
        with open(where + "/output", encoding="utf-8", errors="replace") as output:
            said = output.read()
        if status == 77:
            return "SKIP this system does not allow it"
        expect(case.status, status, f"exit status ({said.strip()})")
        await_end(case, where, live)
        judge(case, read(where, live), where)
        expect("", said, "output")
        subprocess.run([os.path.join(BUILD, "tools/recorder"), "check", "-q", "--strict",
                        where + "/trace"], check=True, stdout=subprocess.DEVNULL)
        return ""
    finally:
        shutil.rmtree(live)
        if not os.environ.get("TEST_KEEP"):
            shutil.rmtree(where)


def runners(name, case):
    if name == "fork_before_any_record" and "address" in os.environ.get("SANITIZERS", ""):
        return ()  # m4/link.m4: the constructor comes before libc's, too early to start
    if case.killed or name in NEEDS_FOLDING:
        return ("run",)
    return ("preload", "run")


def main():
    chosen = sys.argv[1:] or list(CASES)
    runs = [(name, runner) for name in chosen for runner in runners(name, CASES[name])]
    failures = 0
    print(f"1..{len(runs)}")
    for number, (name, runner) in enumerate(runs, 1):
        try:
            note = try_case(name, CASES[name], runner)
            print(f"ok {number} - {name}, {runner}" + (f" # {note}" if note else ""), flush=True)
        except (Failed, subprocess.CalledProcessError, decode.Refused, OSError) as problem:
            failures += 1
            print(f"not ok {number} - {name}, {runner}\n# {problem}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
