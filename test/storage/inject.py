#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 300
"""Every system call of the recorder fails once: the first, the second ... to the last, with changing errors. Whatever it is, the
program's output, status and files are as without the recorder, no tool stumbles over what is left, and no record is missing
without being counted, or without the stream being said not to be complete.

INJECT_ERRORS=EIO,ENOSPC... tries each of these for every call; INJECT_CASE=N:ERROR that one case, and keeps its files."""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROTATION = ["EIO", "ENOSPC", "EINTR", "EMFILE", "ENOMEM", "EDQUOT", "EACCES"]
WRITES = 3000

TOP = os.environ["TOP_BUILDDIR"]
HOOKED = f"{TOP}/test/.libs/librecorder_hooked.so"
STEPS = f"{TOP}/test/storage/steps"


class Fault(Exception):
    """What must not be."""


def environment(where=None, fail=None):
    env = {k: v for k, v in os.environ.items() if not k.startswith("RECORDER_") and k != "LD_PRELOAD"}
    if fail is not None:
        env.update(LD_PRELOAD=HOOKED, RECORDER_TEST_FAIL=fail, RECORDER_TEST_FAIL_LOG=f"{where}/log",
                   RECORDER_TRACES_DIR=f"{where}/trace", RECORDER_LIVE_DIR=f"{where}/live",
                   RECORDER_BUFFER_SIZE="32k", RECORDER_QUIET="1")
        env.update(setting.split("=", 1) for setting in os.environ.get("TEST_SETTINGS", "").split())
    return env


def run_program(where, fail=None):
    """How it ended, what it said and what its files hold."""
    for name in ("data", "live"):
        os.makedirs(f"{where}/{name}")
    done = subprocess.run([STEPS, str(WRITES)], cwd=f"{where}/data", env=environment(where, fail), timeout=30,
                          capture_output=True)
    files = {}
    for name in sorted(os.listdir(f"{where}/data")):
        with open(f"{where}/data/{name}", "rb") as file:
            files[name] = file.read()
    return done.returncode, done.stdout, done.stderr, files


def read_with(tool, *args):
    done = subprocess.run([f"{TOP}/tools/{tool}", *args], timeout=30, capture_output=True, text=True, errors="replace",
                          env=environment())
    if done.returncode not in (0, 1):
        raise Fault(f"{tool} ended with {done.returncode}: {done.stderr}")
    return done


def read_trace(where):
    """What info says of each stream; nothing where there is no trace."""
    info = read_with("recorder", "info", "--json", f"{where}/trace")
    check = read_with("recorder", "check", f"{where}/trace")
    text = read_with("recorder2text", f"{where}/trace")
    if not info.stdout:
        return []
    info = json.loads(info.stdout)
    lines = [line for line in text.stdout.splitlines() if not line.endswith("= ? in_flight")]
    if len(lines) != info["records"]:
        raise Fault(f"{info['records']} records says info, {len(lines)} are given: {check.stdout}")
    if info["complete"] and "incomplete" in check.stdout:
        raise Fault(f"info and check are of two minds: {check.stdout}")
    return info["streams"]


def accounted(stream):
    return stream["records"] + stream["lost"] + stream["unreadable"]


def judge(streams, made):
    """`made`: calls of the program's process, of its child, and of the child that becomes another program."""
    for stream in streams:
        if stream["state"] == "running":
            raise Fault(f"{stream['name']} is said to be running")
        possible = [made[0]] if stream["main"] else made[1:] if stream["pid"] else made
        counted = accounted(stream)
        # where not even the first metadata could be written nothing was recorded, and the stream says so
        silent = counted == 0 and stream["state"] == "died"
        # complete at an exec that then failed, and nothing could be written any more
        ended = "exec" in stream["reason"] and counted < min(possible)
        if counted not in possible and not silent and not ended:
            raise Fault(f"{stream['name']}: made {possible}, {stream['records']} records, {stream['lost']} lost, "
                        f"{stream['unreadable']} unreadable, {stream['state']}")


def run_case(base, plain, made, fail):
    """None, or what is wrong."""
    where = f"{base}/{fail.replace(':', '-')}"
    os.makedirs(where)
    try:
        if run_program(where, fail) != plain:
            raise Fault("the program is not as it is without the recorder")
        judge(read_trace(where), made)
    except (Fault, subprocess.TimeoutExpired) as error:
        try:
            with open(f"{where}/log") as log:
                which = ", ".join(sorted({line.split()[1] for line in log}))
        except FileNotFoundError:
            which = "none"
        return f"{fail} ({which}): {error}"
    finally:
        if "INJECT_CASE" not in os.environ:
            shutil.rmtree(where)
    return None


def count_calls(base, plain):
    """System calls of the recorder in the longest process image, and calls that the three processes made."""
    if run_program(f"{base}/all", "0:EIO") != plain:
        sys.exit("the program is not as it is without the recorder")
    streams = read_trace(f"{base}/all")
    if len(streams) != 3 or any(s["state"] != "clean" or s["lost"] for s in streams):
        sys.exit(f"without a fault: {streams}")
    with open(f"{base}/all/log") as log:
        calls = max(int(line.split()[0]) for line in log)
    streams.sort(key=lambda stream: -accounted(stream))
    if not streams[0]["main"]:
        sys.exit("the first process made the most calls")
    return calls, [accounted(stream) for stream in streams]


def main():
    if "thread" in os.environ.get("SANITIZERS", ""):
        print("skip: inject.py: librecorder.so built with ThreadSanitizer cannot be preloaded")
        sys.exit(77)
    base = tempfile.mkdtemp(prefix="recorder-test-inject.", dir="/dev/shm")
    try:
        plain = run_program(f"{base}/plain")
        calls, made = count_calls(base, plain)
        cases = [f"{n}:{ROTATION[n % len(ROTATION)]}" for n in range(1, calls + 1)]
        if os.environ.get("INJECT_ERRORS"):
            cases = [f"{n}:{e}" for n in range(1, calls + 1) for e in os.environ["INJECT_ERRORS"].split(",")]
        cases += [f"{way}:{n}:short" for way in ("writev", "write") for n in range(1, 40)]
        # torn chunk upon torn chunk, two threads writing among each other
        cases += [f"writev:{n}+:short" for n in range(1, 40)]
        cases += [f"{what}+:{error}" for what in ("writev:3", "writev:9", "writev:17", "openat:1", "openat:20", "mmap_file:1")
                  for error in ("EIO", "ENOSPC", "EDQUOT")]
        cases += ["writev:1+:slow", "mmap_file:1+:ENODEV", "fallocate:1+:ENOSPC", "fstat:1+:ESTALE", "mkdirat:1+:EROFS"]
        if "INJECT_CASE" in os.environ:
            cases = [os.environ["INJECT_CASE"]]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            faults = [said for said in pool.map(lambda case: run_case(base, plain, made, case), cases) if said]
        print("\n".join(faults[:30]))
        print(f"{len(cases)} cases of {calls} system calls, {len(faults)} faults")
    finally:
        if "INJECT_CASE" in os.environ:
            print(f"kept: {base}")
        else:
            shutil.rmtree(base)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
