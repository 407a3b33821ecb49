#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 300
"""A trace may be anybody's. Whatever it says and whatever lies in its directory, no tool writes,
removes or opens a file that is not of the trace; repairing says what it did, and a second repair
changes nothing; reading changes nothing at all."""
import hashlib
import os
import stat
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "format"))

import broken  # noqa: E402
import live_trace  # noqa: E402
import turns  # noqa: E402

TOOLS = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
LIVE = "recorder-0-0123456789abcdef"
READERS = (["recorder", "info"], ["recorder", "info", "--json"], ["recorder", "check"],
           ["recorder", "where"], ["recorder2text"], ["recorder2text", "--plain"],
           ["recorder2pfw", "-o", "/dev/null"], ["recorder2parquet", "-o", "/dev/null"],
           ["recorder2csv", "-o", "/dev/null"], ["recorder2collapsed", "-j", "1", "-o", "/dev/null"])
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def run(words, *more):
    """(exit status, all that it says)"""
    done = subprocess.run([os.path.join(TOOLS, words[0]), *words[1:], *more], check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=30)
    return done.returncode, done.stdout.decode(errors="replace")


def snapshot(top):
    """All there is below `top`, with contents and times."""
    found = {}
    for folder, folders, names in os.walk(top):
        for name in folders + names:
            path = os.path.join(folder, name)
            state = os.lstat(path)
            kind = stat.S_IFMT(state.st_mode)
            digest = b""
            if kind == stat.S_IFREG and state.st_size < 1 << 22:
                with open(path, "rb") as file:
                    digest = hashlib.sha256(file.read()).digest()
            found[os.path.relpath(path, top)] = (
                state.st_mode, state.st_size, state.st_mtime_ns if kind == stat.S_IFREG else 0,
                digest)
    return found


def boot_id():
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()


def killed(top, live=None, name="a", **changed):
    """A trace of a process of this machine that was killed; its live directory. `changed`:
    contents of live files, None for none of them."""
    live = live or os.path.join(top, LIVE)
    trace = os.path.join(top, "trace")
    os.makedirs(trace, exist_ok=True)
    os.makedirs(live, mode=0o700, exist_ok=True)
    files = live_trace.files(live=live)
    files["trace/a.lm"] = live_trace.local_meta(live=live, pid=4194303,
                                                  host=os.uname().nodename,
                                                  **{"boot.id": boot_id()})
    for key, value in changed.items():
        files[f"live/a.{key.replace('ring', '.ring').lstrip('_')}"] = value
    for path, data in files.items():
        folder, _, file_name = path.partition("/")
        file_name = file_name.replace("a.", name + ".", 1)
        where = live if folder == "live" else trace
        if data is not None:
            with open(os.path.join(where, file_name), "wb") as file:
                file.write(data)
    return trace, live


# ---- reading changes nothing -----------------------------------------------------------------


def reading(top):
    trace, _ = killed(top)
    cases = [trace]
    for name in ("sound", "chunk-body", "truncated-body", "gm-missing", "lm-empty", "rec-fifo",
                 "live-sound", "ring-record-zero", "overlap"):
        broken.write(name, os.path.join(top, name))
        cases.append(os.path.join(top, name))
    before = snapshot(top)
    for case in cases:
        for words in READERS:
            status, said = run(words, case)
            expect(status in (0, 1), f"{words} of {os.path.basename(case)}: {status}: {said}")
            expect(snapshot(top) == before, f"{words} changes {os.path.basename(case)}")


# ---- repairing -------------------------------------------------------------------------------


def repairing(top):
    trace, live = killed(top)
    status, said = run(["recorder", "repair"], trace)
    expect(status == 0, f"repair: {said}")
    expect("1 streams completed" in said and "8 records rescued" in said and
           "1 calls in flight" in said, f"repair says what it did: {said}")
    expect(not os.path.exists(live), "the live files are gone after a repair")
    once = snapshot(trace)
    status, said = run(["recorder", "repair"], trace)
    expect(status == 0 and "1 needed nothing" in said, f"a second repair: {said}")
    expect(snapshot(trace) == once, "a second repair changes nothing")
    status, said = run(["recorder", "check"], trace)
    expect(status == 0, f"a repaired trace is sound: {said}")
    for word in ("14 records", "4 lost", "0 unreadable", "1 in flight", "repaired"):
        expect(word in said, f"check says '{word}': {said}")
    status, said = run(["recorder", "info"], trace)
    expect("4" in said and "lost" in said, f"info says what was lost: {said}")


def repairing_broken(top):
    """A second repair of any broken trace changes nothing."""
    for number, name in enumerate(broken.CASES):
        if not turns.mine(number):
            continue
        where = os.path.join(top, name)
        broken.write(name, where)
        run(["recorder", "repair"], where)
        once = snapshot(where)
        run(["recorder", "repair"], where)
        expect(snapshot(where) == once, f"a second repair changes {name}")


# ---- what a trace says of others' files ------------------------------------------------------


def victim(top):
    """A folder of somebody's with files that are called as live files are."""
    home = os.path.join(top, "home")
    os.makedirs(os.path.join(home, "empty"))
    for name, data in (("a.defs", b""), ("a.7.ring", bytes(5000)), ("a.8.ring", b"mine"),
                       ("notes", b"mine")):
        with open(os.path.join(home, name), "wb") as file:
            file.write(data)
    return home


def live_dir_of_somebody(top):
    home = victim(top)
    for live in (home, os.path.join(home, "empty"), home + "/.", "/", "/tmp", "home"):
        folder = tempfile.mkdtemp(dir=top)
        trace, _ = killed(folder)
        with open(os.path.join(trace, "a.lm"), "wb") as file:
            file.write(live_trace.local_meta(live=live, pid=4194303, **{"boot.id": boot_id()}))
        before = snapshot(home)
        status, said = run(["recorder", "repair"], trace)
        expect(snapshot(home) == before, f"repair with live.dir {live} touches it: {said}")
        expect(status == 1 or live == "home", f"repair with live.dir {live}: {said}")


def live_dir_by_link(top):
    """A link with the name of a live directory leads to somebody's folder."""
    home = victim(top)
    os.symlink(home, os.path.join(top, LIVE))
    trace, _ = killed(os.path.join(top, "t"))
    with open(os.path.join(trace, "a.lm"), "wb") as file:
        file.write(live_trace.local_meta(live=os.path.join(top, LIVE), pid=4194303,
                                         **{"boot.id": boot_id()}))
    before = snapshot(home)
    status, said = run(["recorder", "repair"], trace)
    expect(status == 1 and snapshot(home) == before, f"repair follows a link: {said}")


def live_dir_for_all(top):
    """Anybody could have put the files there."""
    trace, live = killed(top)
    os.chmod(live, 0o777)
    before = snapshot(live)
    status, said = run(["recorder", "repair"], trace)
    expect(status == 1 and snapshot(live) == before, f"repair of a directory for all: {said}")


def files_of_another(top):
    """In the right directory lie files of another stream, and what only has their name."""
    trace, live = killed(top)
    others = {"a.7.ring": live_trace.ring(live_trace.calls(3), identity=0xBBBB),
              "a.8.ring": b"mine", "b.0.ring": live_trace.ring(live_trace.calls(3)),
              "aa.0.ring": b"x", "a.x.ring": b"y", "a.defs.old": b"z"}
    for name, data in others.items():
        with open(os.path.join(live, name), "wb") as file:
            file.write(data)
    target = os.path.join(top, "target")
    with open(target, "wb") as file:
        file.write(live_trace.ring(live_trace.calls(3)))
    os.symlink(target, os.path.join(live, "a.9.ring"))
    before = snapshot(top)
    run(["recorder", "repair"], trace)
    after = snapshot(top)
    for name in [os.path.join(LIVE, name) for name in others] + ["target"]:
        expect(after.get(name) == before[name], f"repair touches {name}")


# ---- what lies in the directory --------------------------------------------------------------


def links_in_the_trace(top):
    """Links, FIFOs and directories in place of the files of a trace: nothing is written through."""
    target = os.path.join(top, "target")
    for name in ("recorder.gm", "a.lm", "a.rec"):
        for kind in ("link", "dangling", "fifo", "directory", "hard"):
            folder = tempfile.mkdtemp(dir=top)
            trace, _ = killed(folder)
            path = os.path.join(trace, name)
            os.rename(path, target)
            if kind == "link":
                os.symlink(target, path)
            elif kind == "dangling":
                os.symlink(os.path.join(top, "made-by-a-tool"), path)
            elif kind == "fifo":
                os.mkfifo(path)
            elif kind == "directory":
                os.mkdir(path)
            before = snapshot(top)["target"]
            for words in (["recorder", "repair"], *READERS):
                status, said = run(words, trace)
                expect(status in (0, 1), f"{words}, {name} as {kind}: {status} {said}")
            expect(snapshot(top)["target"] == before, f"{name} as {kind}: its target is touched")
            expect(not os.path.lexists(os.path.join(top, "made-by-a-tool")),
                   f"{name} as {kind}: a tool makes the target")


def names(top):
    """Names of files never become other paths; what a name says is shown without its bytes."""
    trace, live = killed(top, name="-o")
    odd = os.path.join(trace, "x\n\033[31m.lm")
    with open(odd, "wb") as file:
        file.write(live_trace.local_meta(live=live))
    before = set(os.listdir(top))
    for words in (*READERS, ["recorder", "repair"], ["recorder", "clean", "--dry-run"]):
        status, _ = run(words, trace)
        expect(status in (0, 1), f"{words}: {status}")
    expect(set(os.listdir(top)) <= before, f"new files: {set(os.listdir(top)) - before}")


def main():
    tests = (reading, repairing, repairing_broken, live_dir_of_somebody, live_dir_by_link,
             live_dir_for_all, files_of_another, links_in_the_trace, names)
    for test in tests:
        with tempfile.TemporaryDirectory() as top:
            here = os.getcwd()
            os.chdir(top)
            test(top)
            os.chdir(here)
    print(f"{len(tests)} tests, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
