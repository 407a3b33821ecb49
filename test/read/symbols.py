#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of error numbers and flags are those of the machine where a trace was recorded."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "format")]

import readers  # noqa: E402
from write_trace import (  # noqa: E402
    FIRST_TICK, FUNCTIONS, OPEN_FILE, REAL, Pair, Record, StreamWriter, file_definition,
    function_definition, instant, local, save_global, thread_definition)

TEXT = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools", "recorder2text")
ARM = {"symbols.open_flags": "O_DIRECT=65536 O_DIRECTORY=16384 O_NOFOLLOW=32768",
       "symbols.errnum": "ENAMETOOLONG=78 EOWN_1=36 ELOOP=90"}
# (metadata, flags, errno, what is shown)
CASES = [
    ({}, 0o200000, 36, "O_RDONLY|O_DIRECTORY", "ENAMETOOLONG"),
    (ARM, 0o200000, 36, "O_RDONLY|O_DIRECT", "EOWN_1"),
    (ARM, 0o40101, 78, "O_WRONLY|O_CREAT|O_DIRECTORY", "ENAMETOOLONG"),
    (ARM, 0o100000, 2, "O_RDONLY|O_NOFOLLOW", "ENOENT"),
    (ARM, 0, 40, "O_RDONLY", "40"),
    # what cannot be read ends the list, and is nothing that could be shown
    ({"symbols.errnum": "EIO=6 e\n\"=2 EPERM=5"}, 0, 6, "O_RDONLY", "EIO"),
    ({"symbols.errnum": "EIO=6 e\n\"=2 EPERM=5"}, 0, 2, "O_RDONLY", "ENOENT"),
    ({"symbols.errnum": "E" * 65 + "=2 EIO=6"}, 0, 2, "O_RDONLY", "ENOENT"),
    ({"symbols.errnum": "=2"}, 0, 2, "O_RDONLY", "ENOENT"),
    ({"symbols.errnum": 7}, 0, 2, "O_RDONLY", "ENOENT"),
    ({"symbols.errnum": " ".join(f"E{i}={i}" for i in range(1000, 9000))}, 0, 1001, "O_RDONLY", "E1001"),
    ({"symbols.errnum": " ".join(f"E{i}={i}" for i in range(1000, 9000))}, 0, 8999, "O_RDONLY", "8999"),
]


def write(where, metadata, flags, err):
    stream = StreamWriter(0xABCD, None, local(0, 1, 100, **metadata))
    now = FIRST_TICK + 5000
    stream.defs(*map(function_definition, FUNCTIONS), file_definition(1, b"/tmp/a"),
                thread_definition(0, 100, 1, now), anchor=instant(FIRST_TICK + 2500))
    stream.data(0, [Record(OPEN_FILE, now, now + 10, [b"/tmp/a", flags], Pair(-1, 0), err=err)])
    stream.finish()
    os.makedirs(where)
    save_global(where, {"run.id": "symbols", "format": "1.0", "created": REAL})
    stream.save(where, "rank-0")


failed = 0
with tempfile.TemporaryDirectory() as base:
    for number, (metadata, flags, err, flags_text, error_text) in enumerate(CASES):
        trace = os.path.join(base, str(number))
        write(trace, metadata, flags, err)
        status, out, said = readers.run(TEXT, trace)
        if status or f", flags={flags_text}) = -1 {error_text}\n" not in out:
            failed += 1
            print(f"case {number}: {status} {out}{said}")
print(f"{len(CASES)} cases, {failed} failed")
sys.exit(1 if failed else 0)
