# SPDX-License-Identifier: MIT
"""Files of nodes (doc/format.md, 11): the files that each stream would have had for itself."""
import collections
import os
import re
import struct
import zlib

from chunks import File, header_at, read_meta
from parts import CHUNK_HEADER, DATA, META, Damage, Refused, text

TAG, BACK, REACH, NAMING = 12, 7, 16, 1 << 20
FRAME = TAG + CHUNK_HEADER
NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")


class Split:
    """What of a NAME.node is a stream's: pieces of its two files."""

    def __init__(self):
        self.lm, self.rec = [], []      # (place of the frame, bytes, chunk header)


def frame_at(data, place):
    """(identity, chunk header) of the frame at `place`, None if there is none."""
    header = header_at(data, place + TAG) if place >= 0 else None
    if not header:
        return None
    identity, crc = struct.unpack_from("<QI", data, place)
    raw = data[place:place + 8] + data[place + TAG:place + FRAME]
    return (identity, header) if identity and zlib.crc32(raw) == crc else None


def next_frame(data, place):
    while True:
        hit = data.find(b"RCHK", place + TAG)
        if hit < 0:
            return len(data)
        if frame_at(data, hit - TAG):
            return hit - TAG
        place = hit - TAG + 1


class NodeFile:
    """One NAME.node, split. `streams` is in the order of the first frames."""

    def __init__(self, path, report):
        self.file = File(path, b"N", report)
        self.data = self.file.data
        self.streams, self.gaps, place = collections.OrderedDict(), [], 32
        while place < len(self.data):
            frame = frame_at(self.data, place)
            if not frame:
                after = next_frame(self.data, place + 1)
                if after - place >= FRAME:
                    self.gaps.append((place, f"{after - place} bytes are no chunk"))
                place = after
                continue
            end = self.frame_end(place, frame[1])
            self.take(place, frame, end)
            place = end

    def frame_end(self, place, header):
        begin = place + FRAME
        end = begin + header.body_size
        if end == len(self.data) or end < len(self.data) and (
                frame_at(self.data, end) or zlib.crc32(self.data[begin:end]) == header.body_crc):
            return end
        return min(next_frame(self.data, begin), end, len(self.data))

    def take(self, place, frame, end):
        identity, header = frame
        body = self.data[place + FRAME:end]
        if header.type == BACK:
            if len(body) == header.body_size and identity in self.streams:
                take_back(self.streams[identity], header, body)
        else:
            split = self.streams.setdefault(identity, Split())
            half = split.lm if header.type == META else split.rec
            half.append((place, self.data[place + TAG:end], header))

    def halves(self, identity):
        """The bytes of the .lm and the .rec; the first is None if there is no META chunk."""
        split, files = self.streams[identity], []
        for kind, half in ((b"L", split.lm), (b"S", split.rec)):
            head = b"\x93Record" + kind + struct.pack("<HHIQI", 1, 1, 0, identity, 0)
            files.append(head + struct.pack("<I", zlib.crc32(head)) +
                         b"".join(piece for _, piece, _ in half))
        return files[0] if split.lm else None, files[1]

    def told_name(self, identity):
        for _, piece, header in self.streams[identity].lm[:REACH]:
            body, meta = piece[CHUNK_HEADER:], {}
            if len(piece) > NAMING or len(body) != header.body_size or zlib.crc32(body) != header.body_crc:
                continue
            read_meta(Silent, 0, header, body, meta)
            name = text(meta.get("stream.name", b""))
            if NAME.fullmatch(name):
                return name
        return None


class Silent:
    """What is wrong is told when the stream is read."""

    @staticmethod
    def problem(offset, what):
        pass


def take_back(split, header, body):
    if len(body) == 8:
        place, = struct.unpack("<Q", body)
        for half in (split.lm, split.rec):
            if half and half[-1][0] == place and len(half[-1][1]) < CHUNK_HEADER + half[-1][2].body_size:
                half.pop()
    if body:
        return
    for back in range(1, min(REACH, len(split.rec)) + 1):
        other = split.rec[-back][2]
        if (other.type, other.thread, other.sequence) == (DATA, header.thread, header.sequence):
            del split.rec[-back:]
            return


class Nodes:
    """All of a directory: `places` says which file has a stream under its name here."""

    def __init__(self, where, taken, report):
        self.where, self.report = where, report
        self.places, self.live_names, self.files = {}, {}, {}
        for entry in sorted(os.listdir(where)):
            if entry.endswith(".node") and NAME.fullmatch(entry[:-5]):
                self.add(entry, set(taken))

    def add(self, entry, taken):
        try:
            node = NodeFile(os.path.join(self.where, entry), self.report)
        except (Damage, Refused, OSError) as error:
            self.report(str(error))
            return
        for place, what in node.gaps:
            node.file.problem(place, what)
        self.files[entry] = node
        for identity in node.streams:
            told = node.told_name(identity)
            name = told or f"stream-{identity:016x}"
            if name in taken or name in self.places:
                name = f"{(told or 'stream-')[:180]}{identity:016x}"
            if name not in taken and name not in self.places:
                self.places[name] = entry, identity
                self.live_names[name] = told or ""

    def halves(self, name, again=False):
        """(.lm, .rec) of a stream; `again`: with what was appended meanwhile."""
        entry, identity = self.places[name]
        if again:
            self.files[entry] = NodeFile(os.path.join(self.where, entry), self.report)
        return self.files[entry].halves(identity)
