# SPDX-License-Identifier: MIT
"""Live files: what a process that runs on, or that died, has not written yet (doc/format.md, 9)."""
import collections
import os
import re
import stat
import struct
import zlib

from chunks import header_at
from parts import CHUNK_HEADER, DATA, HELD_HEADER, LIVE_HEADER, RING_FREE, U32, Buffer, Damage, text
from records import all_defined, outermost_first, raw_record_size, raw_records, settled_run, whole_record


class LiveFiles:
    """The rings and the definitions of one process image, which belong to its stream."""

    def __init__(self, stream):
        self.stream, self.report = stream, stream.report
        self.rings, self.arena = [], None

    def copy(self):
        """Copies the rings, then the arena; the .rec is to be read after them."""
        where = self.stream.meta.get("live.dir")
        if not where or not self.stream.trace.live or not os.path.isdir(where):
            return
        name = os.fsencode(self.stream.live_name)
        for entry in sorted(os.listdir(where)):
            if entry.startswith(name + b".") and re.fullmatch(rb"\d+\.ring", entry[len(name) + 1:]):
                ring = self.copy_ring(os.path.join(where, entry))
                if ring:
                    self.rings.append(ring)
        path = os.path.join(where, name + b".defs")
        data = self.whole(path) if os.path.lexists(path) else None
        if data is not None:
            self.arena = self.own(path, data, b"RecDefs1")

    def whole(self, path):
        """The bytes of a regular file, None if it is none or is gone."""
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        except OSError as error:
            self.report(f"{text(path)}: {error.strerror}")
            return None
        with open(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return file.read()
        self.report(f"{text(path)}: not a regular file")
        return None

    def own(self, path, data, magic):
        """The data of a live file, None if it is not one of this stream."""
        path = text(path)
        if not any(data[:8]):
            return None     # it was just being made
        if len(data) < LIVE_HEADER or data[:7] != magic[:7]:
            self.report(f"{path}: not a live file")
        elif data[:8] != magic:
            self.report(f"{path}: live file of version {text(data[7:8])}")
        elif struct.unpack_from("<Q", data, 8)[0] == self.stream.identity:
            return data
        return None

    def copy_ring(self, path):
        def published(data):
            return struct.unpack_from("<Q", data, 64)[0] >> 32

        for _ in range(100):
            data, after = self.whole(path), self.whole(path)
            if data is None or after is None:
                return None
            if len(data) < LIVE_HEADER or published(data) == published(after):
                data = self.own(path, data, b"RecRing1")
                return data and (text(path), data)
        self.report(f"{text(path)}: no quiet moment to copy it")
        return None

    def read(self):
        if self.arena:
            self.read_arena(self.arena)
        for path, data in self.rings:
            try:
                self.read_ring(path, data)
            except Damage as damage:
                self.report(f"{path}: {damage}")

    def read_arena(self, data):
        size, = struct.unpack_from("<I", data, 20)
        head, flushed, ticks, mono, real, lost = struct.unpack_from("<QQQqqQ", data, 32)
        self.stream.add_anchor(ticks, mono, real)
        self.stream.lost += lost
        area = data[LIVE_HEADER:LIVE_HEADER + size]
        if head % 8 or flushed % 8 or not size or size & (size - 1) or len(area) != size or not 0 <= head - flushed <= size:
            self.report(f"{self.stream.name}: damaged header of the definitions arena")
            return
        while flushed < head:
            b = Buffer(area, flushed % size)
            length, type_, complete = b.unpack("IHH")
            if not length and not complete and self.stream.state == "running":
                break
            flushed += 8 + length + -length % 8
            if complete != 1:
                continue
            try:
                self.stream.define(type_, b.take(length))
            except Damage as damage:
                self.report(f"{self.stream.name}: definitions arena: {damage}")
                break

    def read_ring(self, path, data):
        (index, tid, open_offset, open_size, data_offset, data_size, _, sequence, lost, published,
         open_top) = struct.unpack_from("<IIIIIIQQQQQ", data, 16)
        if index == RING_FREE:
            return
        used = published & U32
        if (used > data_size or open_top > open_size or data_offset % 8 or open_offset % 8 or open_top % 8 or
                max(data_offset + data_size, open_offset + open_size) > len(data)):
            raise Damage(f"ring of {data_size} bytes with {used} in use, open-call stack of "
                         f"{open_size} with {open_top}")
        thread = self.stream.threads[index]
        self.stream.defs["THREAD"].setdefault(index, {"tid": tid})
        self.stream.begin_thread(thread, sequence)
        self.read_held(path, data, *struct.unpack_from("<II", data, 120))
        records, after = [], thread.next
        raw = settled_run(data[data_offset:data_offset + used], struct.unpack_from("<QQQQ", data, 88))
        for record in self.ring_records(path, raw, thread.next):
            if record.sequence >= after:
                records.append(record)
                after = record.sequence + 1
        if records and records[0].sequence > thread.next + lost + thread.excused:
            self.stream.missing += records[0].sequence - thread.next - lost - thread.excused
            self.report(f"{path}: records of thread {index} before it are missing")
        self.stream.lost += lost
        thread.lost += lost
        self.stream.keep(index, records)
        stack = data[open_offset:open_offset + open_top]
        if struct.unpack_from("<Q", data, 128)[0] == published + 1:
            stack += whole_record(data[data_offset + used:data_offset + data_size])
        self.stream.open[index] = outermost_first(self.sound_records(stack, 0)[0])

    def read_held(self, path, data, offset, size):
        """The chunks of the place that counts."""
        if offset % 8 or offset + size > len(data):
            raise Damage(f"{size} bytes at {offset} of {len(data)} for what is held")
        found = [held_chunks(data[offset + i * (size // 2):offset + (i + 1) * (size // 2)])
                 for i in (0, 1)]
        index, = struct.unpack_from("<I", data, 16)
        file = collections.namedtuple("Held", "problem")(
            lambda where, what: self.report(f"{path}: held, offset {where}: {what}"))
        for where, header, body in max(found, key=lambda place: place[0])[1]:
            if header.thread == index:
                self.stream.read_data(file, where, header, body)

    def sound_records(self, data, base):
        """The records that are sound, and what is wrong with others: behind one whose size is
        false nothing can be found."""
        records, wrong, position = [], [], 0
        while position < len(data):
            try:
                size = raw_record_size(data, position)
            except Damage as damage:
                return records, wrong + [damage]
            try:
                records += all_defined(
                    raw_records(data[position:position + size], self.stream.defs["FUNCTION"], base))
            except Damage as damage:
                wrong.append(damage)
            position += size
        return records, wrong

    def ring_records(self, path, data, base):
        records, wrong = self.sound_records(data, base)
        for damage in wrong:
            self.report(f"{path}: {damage}")
        self.stream.unreadable += len(wrong)
        return records


def held_chunks(place):
    """(number, [(offset, header, body)]) of a place for what is held; number 0: none."""
    if len(place) < HELD_HEADER:
        return 0, []
    magic, size, number, _, crc = struct.unpack_from("<IIQII", place)
    if magic != 0x444C4548 or size > len(place) - HELD_HEADER or zlib.crc32(place[:20]) != crc:
        return 0, []
    chunks, at, end = [], HELD_HEADER, HELD_HEADER + size
    while at < end:
        header = header_at(place[:end], at)
        body = place[at + CHUNK_HEADER:end][:header.body_size] if header else b""
        if not header or header.type != DATA or len(body) < header.body_size or (
                zlib.crc32(body) != header.body_crc):
            return 0, []
        chunks.append((at, header, body))
        at += CHUNK_HEADER + header.body_size
    return number, chunks
