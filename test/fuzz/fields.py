#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 600
"""Every field of doc/format.md, set to 0, to its maximum, to one more and one less, and cut off
there, with checksums made right again: libreader and the second reader agree on what can be read
and on whether something is wrong.

fields.py [NAME...]: only fields whose name has one of these in it.
"""
import os
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "format")]

import decode  # noqa: E402
import live_trace  # noqa: E402
import turns  # noqa: E402
from parts import Refused  # noqa: E402
from write_trace import DATA, DEFS, END, LOST, META, OPEN, file_header, meta  # noqa: E402

JUDGE = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "test", "fuzz", "judge")

# name and size of the fields of each structure, in order; "*" skips bytes
FILE_HEADER = "magic:8 major:2 minor:2 reserved:4 identity:8 reserved:4 crc:4"
CHUNK_HEADER = ("magic:4 type:1 encoding:1 flags:2 body_size:4 plain_size:4 thread:4 count:4 "
                "sequence:8 t_base:8 t_min:8 t_max:8 ticks:8 mono:8 real:8 carried:4 lost:4 "
                "body_crc:4 header_crc:4")
DEFINITION = "size:4 type:2 complete:2 "
DEFINITIONS = {
    "FUNCTION": "id:2 arg_count:1 class:1 layer:2 *:5 name:2 *:4 kind:2 *:2 class:1 name:2",
    "FILE": "id:4 type:4 device:8 inode:8 size:8 magic:8 path:2",
    "THREAD": "index:4 tid:4 flags:4 reserved:4 start:8 name:2",
    "MODULE": "id:4 reserved:4 first:8 after:8 offset:8 path:2",
    "NAME": "id:4 kind:2 *:8 text:2",
    "COMM": "id:4 parent:4 identity:8 rank:4 size:4 remote:4 kind:4 name:2 *:5 n:4 first:4 "
            "count:4 stride:4 m:4",
    "DATATYPE": "id:4 combiner:4 size:8 extent:8 name:2",
    "STRING": "id:4 text:2",
    "STACK": "id:4 n:2 flags:2 reserved:4 module:4 flags:4 offset:8",
    "MPIFILE": "id:4 comm:4 file:4 amode:4 path:2",
    "OBJECT": "id:4 file:4 kind:2 *:7 name:2",
    "WIN": "id:4 comm:4 flavor:4 unit:4 size:8",
    "DIRECTORY": "thread:4 file:4 ticks:8",
    "SOURCE": "function:4 flags:4 line:4 stack:4 module:2",
}
DEFINITION_TYPES = {"FUNCTION": 1, "FILE": 2, "THREAD": 3, "MODULE": 4, "NAME": 5, "COMM": 6,
                    "DATATYPE": 7, "STRING": 8, "STACK": 9, "MPIFILE": 10, "OBJECT": 11, "WIN": 12,
                    "DIRECTORY": 13, "SOURCE": 14}
RECORD = ("size:4 function:2 level:2 sequence:4 arg_count:1 flags:1 reserved:2 tstart:8 tend:8 "
          "result:8 site:8 err:4 repeat:4 stack:4 reserved:4 argument:8 argument:8 argument:8")
ENTRY_OF_META = "type:1 reserved:1 key:2"
ENTRY_OF_LOST = "lost:8 reason:2"
ENTRY_OF_END = "offset:8 t_min:8 t_max:8 count:4 thread:4 type:1"
HEAD_OF_END = "records:8 lost:8 entries:4 reserved:4"
ARENA = ("magic:8 identity:8 pid:4 size:4 start:8 head:8 flushed:8 ticks:8 mono:8 real:8 lost:8 "
         "records:8 bytes:8 rings:4 reserved:4 boot_id:2 *:78 reason:4 *:4 pid_ns:8 *:56 directory:2 *:3070 name:2")
RING = ("magic:8 identity:8 thread:4 tid:4 open_offset:4 open_size:4 data_offset:4 data_size:4 "
        "t_base:8 sequence:8 lost:8 published:8 open_top:8 reason:4 reserved:4 even_tend:8 even_busy:8 odd_tend:8 "
        "odd_busy:8 held_offset:4 held_size:4 in_place:8")

# Where the readers may differ, each with the reason.
EXCUSED = {
    # 0 is what a reader knows of an identity that it could not read
    "header.identity 0",
    # calls in flight are shown as far as they can be; nothing counts them
    "a.rec record6.function -1",
    # no count of arguments or numbers in a ring that a writer could have made
    "ring record.sequence", "ring record.arg_count",
    # behind a header without its magic the readers find the same chunks in another order
    "header.magic",
}


def fields(text):
    """(name, offset, width)"""
    offset = 0
    for word in text.split():
        name, width = word.split(":")
        if name != "*":
            yield name, offset, int(width)
        offset += int(width)


class Chunk:
    """A chunk of a file, its body inflated."""

    def __init__(self, data, offset):
        self.offset = offset
        self.header = bytearray(data[offset:offset + 96])
        self.type, self.encoding = self.header[4], self.header[5]
        size, = struct.unpack_from("<I", self.header, 8)
        self.stored = data[offset + 96:offset + 96 + size]
        self.deflated = (self.type, self.encoding) in ((DEFS, 1), (DEFS, 2), (DATA, 1), (DATA, 2))
        self.body, self.bits = self.stored, b""     # the bits are those of encoding 2
        if self.deflated:
            machine = zlib.decompressobj()
            self.body, self.bits = machine.decompress(self.stored), machine.unused_data
        self.end = offset + 96 + size

    def with_body(self, body, bits=None):
        stored = zlib.compress(body) if self.deflated else body
        stored += self.bits if bits is None else bits
        head = bytearray(self.header)
        struct.pack_into("<II", head, 8, len(stored), len(body))
        return seal(head, stored)


def seal(head, body):
    struct.pack_into("<I", head, 88, zlib.crc32(body))
    return bytes(head[:92]) + struct.pack("<I", zlib.crc32(head[:92])) + body


def chunks(data):
    offset = 32
    while offset < len(data):
        chunk = Chunk(data, offset)
        yield chunk
        offset = chunk.end


def values(data, offset, width):
    """The bytes with the field at 0, its maximum, one more, one less."""
    highest = (1 << 8 * width) - 1
    was = int.from_bytes(data[offset:offset + width], "little")
    for word, value in (("0", 0), ("max", highest), ("+1", was + 1 & highest),
                        ("-1", was - 1 & highest)):
        if value != was:
            yield word, data[:offset] + value.to_bytes(width, "little") + data[offset + width:]


def of_file_header(name, data):
    for field, offset, width in fields(FILE_HEADER):
        for word, changed in values(data, offset, width):
            head = changed[:28]
            crc = changed[28:32] if field == "crc" else struct.pack("<I", zlib.crc32(head))
            yield f"{name} header.{field} {word}", head + crc + data[32:]
        yield f"{name} header.{field} cut", data[:offset]


def of_headers(name, data):
    for chunk in chunks(data):
        label = f"{name} {chunk.type}@{chunk.offset}"
        for field, offset, width in fields(CHUNK_HEADER):
            for word, changed in values(bytes(chunk.header), offset, width):
                whole = changed + chunk.stored
                if field not in ("header_crc", "body_crc", "magic"):
                    whole = seal(bytearray(changed), chunk.stored)
                yield (f"{label} header.{field} {word}",
                       data[:chunk.offset] + whole + data[chunk.end:])
            yield f"{label} header.{field} cut", data[:chunk.offset + offset]


def of_body(name, data, chunk, at, text, label):
    """The fields of a structure at `at` in the body of a chunk."""
    for field, offset, width in fields(text):
        if at + offset + width > len(chunk.body):
            break
        for word, changed in values(chunk.body, at + offset, width):
            yield (f"{name} {label}.{field} {word}",
                   data[:chunk.offset] + chunk.with_body(changed) + data[chunk.end:])
        cut = chunk.with_body(chunk.body[:at + offset])
        yield f"{name} {label}.{field} cut", data[:chunk.offset] + cut + data[chunk.end:]


def of_definitions(name, data, chunk):
    names, seen, at = {number: key for key, number in DEFINITION_TYPES.items()}, set(), 0
    while at < len(chunk.body):
        size, type_, _ = struct.unpack_from("<IHH", chunk.body, at)
        if type_ not in seen:
            seen.add(type_)
            yield from of_body(name, data, chunk, at, DEFINITION + DEFINITIONS[names[type_]],
                               names[type_])
        at += 8 + size + -size % 8


def of_numbers(name, data, chunk):
    """Every byte of the plain body of columns, signatures and relative definitions: its numbers
    have as many bytes as they need."""
    label = f"{name} {'defs' if chunk.type == DEFS else 'body'}{chunk.encoding}"
    for at in range(len(chunk.body)):
        for word, changed in values(chunk.body, at, 1):
            yield (f"{label}@{at} {word}",
                   data[:chunk.offset] + chunk.with_body(changed) + data[chunk.end:])
        cut = chunk.with_body(chunk.body[:at])
        yield f"{label}@{at} cut", data[:chunk.offset] + cut + data[chunk.end:]
    for at in range(len(chunk.bits)):
        for word, changed in values(chunk.bits, at, 1):
            yield (f"{label} bits@{at} {word}",
                   data[:chunk.offset] + chunk.with_body(chunk.body, changed) + data[chunk.end:])
        cut = chunk.with_body(chunk.body, chunk.bits[:at])
        yield f"{label} bits@{at} cut", data[:chunk.offset] + cut + data[chunk.end:]


def of_bodies(name, data):
    done = set()
    for chunk in chunks(data):
        kind = chunk.type, chunk.encoding
        if kind in done:
            continue
        done.add(kind)
        if kind == (DEFS, 2):
            yield from of_numbers(name, data, chunk)
        elif chunk.type == DEFS:
            yield from of_definitions(name, data, chunk)
        elif kind == (DATA, 0) or chunk.type == OPEN:
            yield from of_body(name, data, chunk, 0, RECORD, f"record{chunk.type}")
        elif chunk.type == DATA:
            yield from of_numbers(name, data, chunk)
        elif chunk.type == LOST:
            yield from of_body(name, data, chunk, 0, ENTRY_OF_LOST, "LOST")
        elif chunk.type == META:
            yield from of_body(name, data, chunk, 0, ENTRY_OF_META, "META")
        elif chunk.type == END:
            yield from of_body(name, data, chunk, 0, HEAD_OF_END, "END")
            yield from of_body(name, data, chunk, 24, ENTRY_OF_END, "END.entry")
            yield from of_body(name, data, chunk, len(chunk.body) - 16, "offset:8 magic:8",
                               "END.tail")


def of_live(name, data, text, label):
    for field, offset, width in fields(text):
        for word, changed in values(data, offset, width):
            yield f"{name} {label}.{field} {word}", changed
        yield f"{name} {label}.{field} cut", data[:offset]


def sound():
    stream = live_trace.small()
    files = {"recorder.gm": file_header(b"G", 0) + meta({"run.id": "fields", "format": "1.0"}),
             "a.lm": stream.lm, "a.rec": stream.rec}
    return files


def with_definitions():
    files = sound()
    files["a.rec"] = live_trace.definitions()
    files["a.lm"] = live_trace.local_meta(live="/nowhere")
    return files


def all_cases(folder):
    """Yields (name, files of the trace, changed)."""
    files = sound()
    for name, data in files.items():
        for make in (of_file_header, of_headers, of_bodies):
            for label, changed in make(name, data):
                yield label, {**files, name: changed}
    more = with_definitions()
    for label, changed in of_bodies("a.rec", more["a.rec"]):
        if " body1@" not in label:
            yield "defs " + label, {**more, "a.rec": changed}
    live = {name.replace("trace/", ""): data
            for name, data in live_trace.files(live=os.path.join(folder, "live")).items()}
    for name, text in (("live/a.defs", ARENA), ("live/a.0.ring", RING)):
        for label, changed in of_live(name, live[name], text, name[7:].replace("0.", "")):
            yield label, {**live, name: changed}
    ring = live["live/a.0.ring"]
    at = 4096 + live_trace.OPEN_SIZE
    for label, changed in of_live("live/a.0.ring", ring[at:], RECORD, "ring record"):
        if not label.endswith("cut"):
            yield label, {**live, "live/a.0.ring": ring[:at] + changed}


def second(where):
    """(refused, damaged, stored) of decode.py"""
    try:
        trace = decode.Trace(where)
    except Refused:
        return True, True, 0
    return False, bool(trace.problems), sum(stream.records for stream in trace.streams)


def first(judge, where):
    judge.stdin.write(where + "\n")
    judge.stdin.flush()
    answer = judge.stdout.readline().split()
    if not answer:
        sys.exit(f"libreader ended at {where}: exit status {judge.wait()}")
    refused, found, stored = map(int, answer[:3])
    return bool(refused), bool(refused or found), stored


def excused(label):
    return any(words in label for words in EXCUSED)


def main():
    wanted = sys.argv[1:]
    count = differ = passed = 0
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
            [JUDGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as judge:
        where = os.path.join(folder, "trace")
        os.makedirs(os.path.join(where, "live"))
        for number, (label, files) in enumerate(all_cases(where)):
            if not (any(word in label for word in wanted) if wanted else turns.mine(number)):
                continue
            for name, data in files.items():
                with open(os.path.join(where, name), "wb") as file:
                    file.write(data)
            count += 1
            ours, theirs = first(judge, where), second(where)
            if ours == theirs:
                continue
            if excused(label):
                passed += 1
                continue
            differ += 1
            print(f"{label}: libreader {ours}, decode.py {theirs} (refused, damaged, stored)")
        judge.stdin.close()
    print(f"{count} changed fields, read differently: {differ} (and {passed} that may be)")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
