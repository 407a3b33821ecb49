#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the seeds of the fuzz targets: seeds.py DIR makes DIR/TARGET/NAME.

Sound traces of test/format, cut down to what teaches a fuzzer the framing, and the broken ones.
What a fuzzer found lies in test/data/fuzz, for good.
"""
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "format"))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "functions"))

import broken  # noqa: E402
import broken_looped  # noqa: E402
import broken_nodes  # noqa: E402
import live_trace  # noqa: E402
from catalogue import check_catalogue, read_catalogue, read_kinds  # noqa: E402
from packed import AREA_DATA, PARTS, Packed  # noqa: E402
from parts import Buffer  # noqa: E402
from write_trace import (  # noqa: E402
    FIRST_TICK, Function, Pair, Record, StreamWriter, file_header, function_definition, local, meta,
    readings)

LIVE = "recorder-0-0123456789abcdef"     # as scratch.h has it
NAMES = ("trace/recorder.gm", "trace/a.lm", "trace/a.rec", "live/a.defs", "live/a.0.ring",
         "live/a.1.ring", "trace/b.lm", "trace/b.rec", "live/b.defs", "live/b.10.ring",
         "trace/n.node", "trace/a-s1.lm", "trace/a-s1.rec", "trace/a-s2.lm", "trace/a-s2.rec")
HEADER = 256    # bytes kept of the 4096 of a live file's header


def put(top, target, name, data):
    where = os.path.join(top, target)
    os.makedirs(where, exist_ok=True)
    with open(os.path.join(where, name), "wb") as file:
        file.write(data)


def packed(files):
    """`files`: contents by the names of NAMES."""
    data = b""
    for name, contents in files.items():
        if name.startswith("live/"):
            contents = contents[:HEADER] + contents[4096:]
        data += struct.pack("<II", NAMES.index(name), len(contents)) + contents
    return data


def sound():
    """The files of a sound trace of two ranks."""
    files = {"trace/recorder.gm": file_header(b"G", 0) + meta({"run.id": "s", "format": "1.0"})}
    for rank, name in enumerate("ab"):
        stream = live_trace.small(rank, 2)
        files[f"trace/{name}.lm"], files[f"trace/{name}.rec"] = stream.lm, stream.rec
    return files


CLASSES = {"INT": 1, "PAIR": 2, "DOUBLE": 3, "STRING": 4, "ARRAY": 5}
VALUES = {1: (1, 3), 2: (Pair(5, 1), Pair(1, 2)), 3: (1.5, -0.0), 4: (b"/tmp/a", b"../a//./b"), 5: ([1, 1, 1], [2, 3, 1, 0])}


def whole_catalogue():
    """A trace of one rank with two calls of each function that has arguments: readers know many by their names and kinds. What makes
    requests comes before what completes them."""
    kinds = read_kinds()
    paths = [os.path.join(os.path.dirname(os.path.dirname(HERE)), "functions", f"{layer}.api")
             for layer in ("posix", "stdio", "mpi", "mpiio", "hdf5")]
    functions = read_catalogue(paths)
    check_catalogue(functions, kinds)
    known = [Function(number, function.layer.name, function.name, CLASSES[kinds[function.result]], function.result,
                      tuple((CLASSES[kinds[param.kind]], param.name, param.kind) for param in function.recorded()),
                      sum(param.is_output << at for at, param in enumerate(function.recorded())))
             for number, function in enumerate((f for f in functions if f.recorded() and not f.record_as), 1)]
    stream = StreamWriter(live_trace.IDENTITY, None, local(0, 1, 100))
    stream.defs(*live_trace.all_definitions())
    stream.defs(*map(function_definition, known))
    now, made = FIRST_TICK, []
    for turn in range(2):
        for function in sorted(known, key=lambda function: "Wait" in function.name or "Test" in function.name):
            now += 10
            made.append(Record(function, now, now + 5, [VALUES[arg[0]][turn] for arg in function.args],
                               VALUES[function.result][turn] if turn or function.result == 2 else 0))
    for at in range(0, len(made), 200):     # as many functions as fit into a chunk
        stream.data(0, made[at:at + 200])
    stream.finish()
    return {"trace/recorder.gm": file_header(b"G", 0) + meta({"run.id": "s", "format": "1.0"}),
            "trace/a.lm": stream.lm, "trace/a.rec": stream.rec}


def numbers(*values):
    """As signatures.c takes them."""
    data = b""
    for value in values:
        data += bytes([value]) if value < 64 else (
            b"\xe0" + struct.pack("<H", value) if value < 1 << 16 else
            b"\xf8" + struct.pack("<Q", value))
    return data


def call(function, *args, gap=5, duration=3, flags=0, loop=b"\0"):
    """A record for signatures.c; a bytes argument is a string."""
    data = numbers(function, 0) + bytes([flags]) + numbers(gap, duration, 8, 0x4001, 0, 1, 0)
    data += b"\0"
    for arg in args:
        if isinstance(arg, bytes):
            data += numbers(2, len(arg)) + arg + b"\0"
        elif isinstance(arg, list):
            data += numbers(2) + bytes([len(arg), 0]) + numbers(*arg)
        else:
            data += numbers(arg)
    return data + loop


def loop(first, second, step, times=60, spread=50):
    """Four times `times` records like the one before, with arguments that change as vary() in
    signatures.c says."""
    return bytes([127 + times, first, second]) + numbers(step, spread)


def vary(argument, how, result=False):
    return argument | how << 3 | result << 7


STEP, NOISE, RESULT, FILES, TURNS = range(5)


def texts():
    """Lines of events whose numbers have more digits now and then, and bytes that repeat what was before, as textdeflate.c says."""
    line = '{"id":%d,"name":"%s","ts":%d,"dur":%d,"args":{"level":0,"ret":%d}}\n'
    return {"lines": "".join(line % (i, ("write", "lseek")[i % 2], 10**15 + i * 377, i * i % 1200, 8 << i % 13)
                             for i in range(95, 130)).encode(),
            "runs": b"ab\xff\xff\x00\x00c\xd0\x11\x00\x01" * 20,
            "far": bytes(range(0xc0)) * 3 + b"\xff\xff\x00\x01" * 3 + bytes(range(200, 256)) + b"\xf0\xff\x7f\xff\xff\xff\x80\x00",
            "empty": b""}


def signatures():
    calls = [call(1, 5, 4096, 4096 * i, gap=100) for i in range(20)]
    calls += [call(2, b"/tmp/a", 0, 420), call(2, b"/tmp/a", 0, 420), call(3, 7, 9)]
    calls += [call(4, [1, 2, 3], b"x" * 40, [], b""), call(5, 1, 2, 3, 4, 5, 6, duration=5000)]
    loops = {
        "steps": call(1, 5, 4096, 0, loop=loop(vary(2, STEP), vary(0, FILES), 4096)),
        "noise": call(1, 5, 4096, 0, loop=loop(vary(2, NOISE), vary(1, RESULT), 512, spread=4000)),
        "names": call(2, b"/tmp/part.0000", 0, 420, loop=loop(vary(0, STEP), vary(1, 7), 1)),
        "arrays": call(4, [1, 2, 3], b"x.0000", [], b"", loop=loop(vary(0, STEP), vary(1, STEP), 3)),
        "ranks": call(5, 1, 2, 3, 4, 5, 6, loop=loop(vary(0, TURNS), vary(3, NOISE, True), 1)),
        "doubles": call(3, 7, 9, loop=loop(vary(0, STEP), vary(1, NOISE), 1 << 40, 120)),
    }
    heads = {"plain": numbers(1, 0, 1 << 40, 0, 0), "units": numbers(7, 3, 100_000, 5, 2, 9, 1 << 33)}
    seeds = {"small": numbers(1, 0, 0, 0, 0) + call(0), "all": heads["units"] + b"".join(loops.values())}
    seeds |= {name: head + b"".join(calls * 3) for name, head in heads.items()}
    return seeds | {name: heads["units"] + data for name, data in loops.items()}


def times_size(packed, number):
    b = Buffer(packed.blob(PARTS, number))
    b.uvarint()
    return b.uvarint()


def areas(path):
    """A packed trace as rtrace.c takes it."""
    trace, data = Packed(path, print), b""
    order = sorted((area[0], kind, place) for kind, rows in trace.areas.items() for place, area in enumerate(rows))
    for _, kind, place in order:
        offset, size = trace.areas[kind][place][:2]
        plain = trace.bytes[offset:offset + size]
        if kind == AREA_DATA:
            plain = bytes([times_size(trace, place)]) + plain[:-4]
        else:
            plain = zlib.decompress(plain)
        data += struct.pack("<BH", kind, len(plain)) + plain
    return data


def packed_traces(top):
    recorder = os.path.join(os.environ["TOP_BUILDDIR"], "tools", "recorder")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("sound", "signatures-sound", "summed-sound-around", "looped-sound-around",
                     "nested-sound", "nested-sound-around", "nested-sound-arrays", "relative-sound"):
            place, file = os.path.join(folder, name), os.path.join(folder, name + ".rtrace")
            broken.write(name, place)
            subprocess.run([recorder, "pack", "-q", "-o", file, place], check=True, capture_output=True)
            put(top, "rtrace", name, areas(file))


def in_segments():
    """A trace of one process that closed two segments."""
    stream = live_trace.small(0, 2, segments=True)
    files = {"trace/recorder.gm": file_header(b"G", 0) + meta({"run.id": "s", "format": "1.0"}),
             "trace/a.lm": stream.lm, "trace/a.rec": stream.rec}
    for number, (rec, lm) in enumerate(stream.closed, 1):
        files |= {f"trace/a-s{number}.lm": lm, f"trace/a-s{number}.rec": rec}
    return files


def in_node(files):
    """The same streams in the file of a node."""
    parts = {name: data for name, data in files.items() if not name.endswith((".lm", ".rec"))}
    node = file_header(b"N", 0)
    for name, identity in (("a", live_trace.IDENTITY), ("b", live_trace.IDENTITY + 1)):
        if f"trace/{name}.lm" in files:
            for one in (*broken_nodes.named(files[f"trace/{name}.lm"], name),
                        *broken_nodes.chunks(files[f"trace/{name}.rec"])):
                node += broken_nodes.frame(identity, one)
    return {**parts, "trace/n.node": node}


def node_seeds(top):
    with tempfile.TemporaryDirectory() as folder:
        for name in broken.CASES:
            if not name.startswith("node-"):
                continue
            broken.write(name, os.path.join(folder, name))
            path = os.path.join(folder, name, broken_nodes.NODE)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    put(top, "node", name, file.read())


def main():
    top = sys.argv[1]
    packed_traces(top)
    files, live = sound(), live_trace.files(live=LIVE)
    put(top, "gm", "sound", files["trace/recorder.gm"])
    put(top, "lm", "sound", files["trace/a.lm"])
    put(top, "lm", "readings", files["trace/a.lm"] + meta(readings(random.Random(1), 6)))
    put(top, "rec", "sound", files["trace/a.rec"])
    put(top, "rec", "definitions", live_trace.definitions())
    put(top, "rec", "kinds", live_trace.kinds())
    for target in ("dir", "repair"):
        put(top, target, "sound", packed(files))
        put(top, target, "live", packed(live))
        put(top, target, "held", packed({**live, broken_looped.RING: broken_looped.holding()}))
        put(top, target, "node", packed(in_node(files)))
        put(top, target, "live-node", packed(in_node(live)))
    node_seeds(top)
    put(top, "dir", "segments", packed(in_segments()))
    put(top, "dir", "catalogue", packed(whole_catalogue()))
    for name, data in signatures().items():
        put(top, "signatures", name, data)
    for name, data in texts().items():
        put(top, "textdeflate", name, data)


if __name__ == "__main__":
    main()
