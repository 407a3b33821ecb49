#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names that programs choose, of regions, of what they say with them, of files and of the trace itself: none drives a terminal, none breaks a row of CSV."""
import csv
import io
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "analysis"))
from job import (FIRST_TICK, FUNCTIONS, INT, REAL, TICKS_PER_US, Function, Pair, Record, StreamWriter, file_definition,  # noqa: E402
                 function_definition, instant, local, save_global, thread_definition)

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
NAMES = ["vec<int, 3>::push", 'a "quoted" one', "two\nlines", "back\rwards", "red\x1b[31m", "title\x1b]0;x\x07", "red\u009b31m", "del\x7f", "schön", "plain"]
PROGRAM = "step\x1b[1m\u009b1m"
# all that are for people to read; those for programs have rules of their own
SHOWN = [["recorder2text"], ["recorder2text", "--plain"], ["recorder2text", "--callsites"], ["recorder", "info"], ["recorder", "info", "-v"],
         ["recorder", "check"], ["recorder", "summary"], ["recorder", "stacks"], ["recorder", "stacks", "--collapse"], ["recorder", "functions"],
         ["recorder2collapsed", "-o", "-"]]


def write_stream(where, ends=True):
    regions = [Function(101 + i, "user", name, INT, "none", ((INT, name, "int"),)) for i, name in enumerate(NAMES)]
    stream = StreamWriter(1, None, local(0, 1, 4001, **{"program": PROGRAM, "argv": PROGRAM, "exe": "/bin/" + PROGRAM}))
    stream.defs(*map(function_definition, FUNCTIONS.values()), *map(function_definition, regions),
                *(file_definition(i + 1, b"/data/" + name.encode()) for i, name in enumerate(NAMES)),
                thread_definition(0, 5000, True, FIRST_TICK, "main\x1b[7m"), anchor=instant(FIRST_TICK))
    records = []
    for i, region in enumerate(regions):
        at = FIRST_TICK + 100 * i * TICKS_PER_US
        records += [Record(FUNCTIONS["pwrite"], at + 10, at + 20, [Pair(5, i + 1), 8, 0], 8, level=1), Record(region, at, at + 50, [7], 0)]
    stream.data(0, records)
    if ends:
        stream.finish(**dict(zip(("anchor.1.ticks", "anchor.1.mono", "anchor.1.real"), instant(FIRST_TICK + 10 ** 6))))
    stream.save(where, "0.vm.4001")


def output(*words):
    done = subprocess.run([os.path.join(TOOLS, words[0]), *words[1:]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8"}, timeout=120)
    return done.returncode, done.stdout, done.stderr


def controls(text):
    return sorted({hex(ord(letter)) for letter in text.decode("utf-8", "replace") if letter != "\n" and (ord(letter) < 32 or 0x7f <= ord(letter) < 0xa0)})


def check_shown(where, lines):
    for words in SHOWN:
        status, out, err = output(*words, where)
        assert status in (0, 1) and out, (words, status, err)
        assert not controls(out) and not controls(err), (words, controls(out), controls(err))
        if words[0] == "recorder2text":
            assert sum(line[:1] != b"#" for line in out.splitlines()) == lines, (words, out)


def check_functions(where):
    """A function is chosen by its name, whatever is in it."""
    for name in NAMES:
        glob = "".join("\\" + letter if letter in "\\*?[," else letter for letter in name)
        status, out, err = output("recorder2text", "-q", "--functions", "none," + glob, where)
        assert status in (0, 1) and sum(line[:1] != b"#" for line in out.splitlines()) == 1, (name, status, out, err)


def check_query(where):
    status, out, err = output("recorder", "sql", where, "select function, path from records join files on files.id = file")
    assert status == 0 and not controls(out), (status, err, controls(out))
    assert b"two\\nlines" in out and b"red??31m" in out, out


def check_csv(where):
    status, out, err = output("recorder2csv", "-o", "-", where)
    assert status == 0, err
    rows = list(csv.reader(io.StringIO(out.decode(), newline="")))
    at = {name: column for column, name in enumerate(rows[0])}
    assert {len(row) for row in rows} == {len(rows[0])}, [len(row) for row in rows]
    assert [row[at["function"]] for row in rows[1:] if row[at["layer"]] == "user"] == NAMES, [row[at["function"]] for row in rows]
    assert [row[at["path"]] for row in rows[1:] if row[at["path"]]] == ["/data/" + name for name in NAMES], rows


def main():
    with tempfile.TemporaryDirectory() as room:
        where = os.path.join(room, "trace\x1b[2J\u009b2J\n")
        os.makedirs(where)
        save_global(where, {"run.id": "sample", "format": "1.0", "created": REAL, "recorder.version": "0.1.0", "ranks": 1})
        write_stream(where)
        check_shown(where, 2 * len(NAMES))
        check_query(where)
        check_csv(where)
        check_functions(where)
        cut = os.path.join(room, "cut\x1b[2J")
        os.makedirs(cut)
        write_stream(cut, ends=False)
        for words in (["recorder", "check"], ["recorder", "info"]):
            _, out, err = output(*words, cut)
            assert out and not controls(out + err), (words, controls(out), controls(err))


main()
