#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 300
"""A packed trace says what the trace says that it was made from, be it whole, old or broken; unpacking gives
the same bytes, and packing again changes nothing. The second reader reads it from the page alone.

TOP_SRCDIR, TOP_BUILDDIR: the sources, and where the tools were built.
"""
import filecmp
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.environ["TOP_SRCDIR"]
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(TOP, "test", part) for part in ("format", "cli")]

import broken  # noqa: E402
import broken_nodes  # noqa: E402
import second_reader  # noqa: E402

TOOLS = os.path.join(os.environ["TOP_BUILDDIR"], "tools")
# One in so many of the broken ones is packed, unless all are asked for, and one in so many of these read by the second reader too.
PACKED = 1 if os.environ.get("PACKING_ALL") else 8
DECODED = 5


def digest(stream):
    """Of what may be gigabytes: some broken traces have as many records."""
    total = hashlib.sha256()
    while part := stream.read(1 << 20):
        total.update(part)
    return total.hexdigest()


def run(*words, whole=True):
    """(status, stdout, stderr) without the place of the trace; stdout as a digest if not `whole`."""
    place = words[-1]
    tool = [os.path.join(TOOLS, words[0]), *words[1:]]
    with tempfile.TemporaryFile() as errors, \
            subprocess.Popen(tool, stdout=subprocess.PIPE, stderr=errors) as process:
        out = process.stdout.read().decode(errors="replace") if whole else digest(process.stdout)
        status = process.wait(timeout=120)
        errors.seek(0)
        err = errors.read().decode(errors="replace")
    if not 0 <= status <= 2:
        sys.exit(f"{' '.join(words)}: status {status}: {err}")
    return status, out.replace(place, "TRACE"), err.replace(place, "TRACE")


def said(place):
    """What the tools say of a trace."""
    status, info, err = run("recorder", "info", "--json", place)
    info = status, re.sub(r'\n *"node_file": "[^"]*",', "", info), err
    text = run("recorder2text", "-v", place, whole=False)
    return {"info": info, "text": text, "check": run("recorder", "check", "-v", place)}


def same(left, right):
    """Whether two directories hold the same files."""
    names = sorted(os.listdir(left))
    return names == sorted(os.listdir(right)) and \
        not any(filecmp.cmpfiles(left, right, names, shallow=False)[1:])


def unpacks(name, place, packed):
    back, again = packed + ".back", packed + ".again"
    if run("recorder", "unpack", "-q", "-o", back, packed)[0]:
        return "cannot be unpacked"
    others = [entry for entry in os.listdir(place)
              if not re.fullmatch(r"recorder\.gm|[A-Za-z0-9_-][A-Za-z0-9._-]*\.(lm|rec)", entry)]
    if not others and not same(place, back):
        return "is not the same after unpacking"
    if run("recorder", "pack", "-q", "-o", again, packed)[0] or \
            not filecmp.cmp(packed, again, shallow=False):
        return "is another one when packed again"
    return None


def decoded(place):
    status, out, _ = second_reader.ask("--no-live", "--records", place)
    return status, out.replace(place.encode(), b"TRACE")


def wrong(name, place, packed, twice):
    """What is wrong with a packed trace, None if nothing."""
    before, after = said(place), said(packed)
    for what, (status, out, err) in before.items():
        if what == "info" and status == 0:
            out, out_after = json.loads(out), json.loads(after[what][1])
            if out != out_after:
                return f"info: {out}\n{out_after}"
        elif (status, out, err) != after[what]:
            return f"{what}: {(status, out, err)}\n{after[what]}"
    if twice and decoded(place) != decoded(packed):
        return "the second reader reads something else"
    return unpacks(name, place, packed)


def drop_odd(place):
    """What is no file is left out of a packed trace: it is to say what the trace says without it."""
    for entry in os.scandir(place):
        if entry.is_symlink() or not entry.is_file():
            (shutil.rmtree if entry.is_dir(follow_symlinks=False) else os.unlink)(entry.path)


def good_traces(folder):
    sample = os.path.join(folder, "sample")
    subprocess.run([sys.executable, "-B", os.path.join(TOP, "test/cli/sample.py"), sample],
                   check=True)
    yield "sample", sample
    for place in sorted(glob.glob(os.path.join(TOP, "test/data/traces/*/*/"))):
        yield os.path.relpath(place, TOP).replace("/", "-"), place.rstrip("/")


def broken_traces(folder):
    for name in list(broken.CASES)[::PACKED]:
        place = os.path.join(folder, "broken-" + name)
        if broken.write(name, place)["file"] != broken_nodes.NODE:  # what is no stream's is not packed
            yield name, place


def main():
    failed, packed_count, refused = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        cases = [(*case, True) for case in good_traces(folder)]
        cases += [(*case, i % DECODED == 0) for i, case in enumerate(broken_traces(folder))]
        for name, place, twice in cases:
            packed = os.path.join(folder, name + ".rtrace")
            status, _, err = run("recorder", "pack", "-q", "-o", packed, place)
            if status:
                refused.append(f"{name}: {err.splitlines()[-1]}")
                problem = os.path.exists(packed) and "is there though packing failed"
            else:
                drop_odd(place)
                problem = wrong(name, place, packed, twice)
                packed_count += 1
            if problem:
                failed += 1
                print(f"{name}: {problem}")
    print("\n".join(refused))
    print(f"{packed_count} traces packed, {len(refused)} refused, {failed} wrong")
    return 1 if failed or packed_count < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
