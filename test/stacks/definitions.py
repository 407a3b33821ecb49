#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stacks as a trace may define them: of modules that are not known, twice, very deep, cut short, not at all. Tools show what is there, say what
is damaged, and read the rest."""
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format"))

from write_trace import (  # noqa: E402
    FIRST_TICK, PWRITE, REAL, Pair, Record, StreamWriter, definition, function_definition, local,
    module_definition, save_global, stack_definition, thread_definition)

TOOLS = os.path.join(os.environ["TOP_BUILDDIR"], "tools")
DEEP = 60_000
FRAMES = [(1, 0, 0x10), (9, 0, 0x20), (0, 0, 0x7000), (1, 1, 0x10)]
EXPECTED = {  # by stack: what recorder2text --stacks shows
    0: None,
    1: '["gone+0x10", "0x20", "0x7000", "gone+0x10", ...]',
    2: '["gone+0x30"]',
    3: "?",
    4: "[" + ", ".join(['"gone+0x40"'] * DEEP) + "]",
    5: "?",
    6: "?",
    0xFFFFFFFF: '["gone+0x50"]',
}


def write(where):
    """One call for each stack."""
    save_global(where, {"run.id": "stacks", "format": "1.0", "created": REAL, "ranks": 1})
    stream = StreamWriter(7, None, local(0, 1, 100))
    stream.defs(function_definition(PWRITE), thread_definition(0, 100, 1, FIRST_TICK),
                module_definition(1, 0x400000, 0x500000, "/nowhere/gone"),
                stack_definition(1, FRAMES, 1), stack_definition(2, [(1, 0, 0x20)] * 5),
                stack_definition(2, [(1, 0, 0x30)]), stack_definition(4, [(1, 0, 0x40)] * DEEP),
                definition(9, struct.pack("<IHHI", 5, 100, 0, 0) + bytes(32)),
                stack_definition(6, []), stack_definition(0xFFFFFFFF, [(1, 0, 0x50)]))
    stream.data(0, [Record(PWRITE, FIRST_TICK + 100 * i, FIRST_TICK + 100 * i + 50,
                           [Pair(1, 0), 8, i], 8, site=(1, 0x10), stack=stack)
                    for i, stack in enumerate(EXPECTED)])
    stream.finish()
    stream.save(where, "rank-0")


def run(*command):
    """(status, stdout, stderr)"""
    done = subprocess.run([os.path.join(TOOLS, command[0]), *command[1:]], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, timeout=40, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def check(where):
    """Yields what is wrong."""
    status, out, err = run("recorder2text", "--stacks", where)
    lines = out.splitlines()
    if status or len(lines) != len(EXPECTED) or "malformed definition of type 9" not in err:
        yield f"recorder2text: status {status}, {len(lines)} lines, {err}"
    for (stack, expected), line in zip(EXPECTED.items(), lines):
        shown = line.partition("{stack=")[2]
        if shown != (expected + "}" if expected else ""):
            yield f"stack {stack}: shown as {shown[:200]}"
    if run("recorder", "check", where)[0] != 1:
        yield "recorder check: no damage found"
    status, out, _ = run("recorder", "stacks", "--by", "stack", "--json", where)
    groups = json.loads(out)["groups"]
    # undefined, malformed and empty ones are one group
    depths = sorted(len(group["stack"]) for group in groups)
    if status or depths != [0, 0, 1, 1, 1, 4, DEEP]:
        yield f"recorder stacks: status {status}, depths {depths}"
    status, out, _ = run("recorder", "stacks", "--collapse", "--weight", "calls", where)
    if status or "[cut];gone+0x10;0x7000;0x20;gone+0x10;pwrite 1" not in out.splitlines():
        yield f"recorder stacks --collapse: status {status}, {out[:300]}"


def main():
    with tempfile.TemporaryDirectory() as where:
        write(where)
        problems = list(check(where))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
