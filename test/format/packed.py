# SPDX-License-Identifier: MIT
"""Packed traces (doc/format.md, 10): the files in them, made again."""
import os
import re
import struct
import zlib

from chunks import HEADER
from parts import (CHUNK_HEADER, END, FILE_HEADER, MAJOR, MAX_BODY, MAX_CARRIED, MAX_PLAIN,
                   MAX_RECORDS, U16, U32, U64, Buffer, Damage, Refused, inflate, unzigzag)

TRAILER = struct.Struct("<QIIII8s")
MAX_INDEX, MAX_BLOCK, MAX_RAW_PIECE, MAX_DEPTH, MAX_CUTS = 1 << 30, 64 << 20, 64 << 10, 8, 64
AREA_DATA, WORDS, SHAPES, PARTS = range(4)
FILE, RAW, FILE_HEAD, PLAIN, DEFLATED, RELATIVE, BLOB, RECORDS = range(1, 9)
NAME = re.compile(rb"recorder\.gm|[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}\.(lm|rec)")


def copies(b, base, size):
    """A blob made from another one."""
    out = bytearray(base)
    end = len(base) + size
    while True:
        n = b.uvarint()
        if n > end - len(out):
            raise Damage("a blob of more bytes than it says")
        out += b.take(n)
        if len(out) == end:
            break
        length, distance = b.uvarint(), b.uvarint()
        if not 0 < length <= end - len(out) or not 0 < distance <= len(out):
            raise Damage(f"a copy of {length} bytes from {distance} before")
        whole, rest = divmod(length, distance)
        piece = bytes(out[len(out) - distance:][:length])
        out += piece * whole + piece[:rest] if whole else piece
        if len(out) == end:
            break
    if b.left():
        raise Damage(f"{b.left()} bytes behind a blob")
    return bytes(out[len(base):])


def differences(data, count):
    b, out, last, before = Buffer(data), [], 0, 0
    while b.left():
        code = b.uvarint()
        if code == 0:
            zeros = b.uvarint() + 1
            if zeros > count - len(out):
                raise Damage("more differences than numbers")
            out += [0] * zeros
            continue
        difference = (last if code == 1 else before if code == 2 else b.one("Q") if code == 3
                      else unzigzag(code - 4) & U64)
        if difference != last:
            last, before = difference, last
        out.append(difference)
    if len(out) > count:
        raise Damage("more differences than numbers")
    return out + [0] * (count - len(out))


class Shape:
    def __init__(self, blob):
        b = Buffer(blob)
        self.ops = b.take(b.uvarint())
        self.numbers = [b.uvarint() for _ in range(b.uvarint())]
        self.times = [(b.one("B"), b.uvarint()) for _ in range(b.uvarint())]
        if b.left() or any(clock > 3 for clock, _ in self.times):
            raise Damage("a shape is malformed")


class Part:
    """The values of a part, as its ops take them."""

    def __init__(self, packed, number):
        b = Buffer(packed.blob(PARTS, number))
        shape = Shape(packed.blob(SHAPES, b.uvarint()))
        times_size = b.uvarint()
        data = packed.data(number)
        if times_size + 4 > len(data):
            raise Damage("a data area is too small for its times")
        begin = len(data) - 4 - times_size
        times = data[begin:-4]
        if zlib.crc32(times) != struct.unpack("<I", data[-4:])[0]:
            raise Damage("times with a wrong checksum")
        self.address = 0  # the last one of the body at work
        self.was = self.now = 0  # bytes of the file so far, before it was packed and now
        self.packed, self.ops, self.data = packed, Buffer(shape.ops), Buffer(data[:begin])
        off = differences(b.take(b.left()), len(shape.numbers))
        self.numbers = iter([(n + d) & U64 for n, d in zip(shape.numbers, off)])
        self.times = iter(self.values(shape.times, differences(times, len(shape.times))))

    @staticmethod
    def values(times, off):
        before = [0, 0, 0]
        for (clock, value), difference in zip(times, off):
            if clock < 3:
                before[clock] = difference = (before[clock] + difference) & U64
            yield (value + difference) & U64

    def number(self, most=U32):
        return self.limited(next(self.numbers, None), most)

    def time(self, most=U64):
        return self.limited(next(self.times, None), most)

    @staticmethod
    def limited(value, most):
        if value is None or value > most:
            raise Damage("a shape takes a number that is not there, or too large")
        return value

    def group(self):
        count = self.ops.uvarint()
        order = [self.number(count - 1) for _ in range(count)] if 0 < count <= 256 else []
        if sorted(order) != list(range(count)) or not order:
            raise Damage(f"a group of {count} lists")
        places = {which: place for place, which in enumerate(order)}
        lists = [self.tokens(places[i]) for i in range(count)]
        return b"".join(lists[which] for which in order)

    def tokens(self, place=None):
        out = bytearray()
        if place is None:
            self.address = 0
        while token := self.ops.one("B"):
            if token == 1:
                out += self.ops.take(self.ops.uvarint())
            elif token in (2, 3, 4):
                size = 1 << token - 1
                out += self.number((1 << 8 * size) - 1).to_bytes(size, "little")
            elif token == 5:
                out += b"%d" % self.number(10 ** 18 - 1)
            elif token == 6:
                out += struct.pack("<Q", self.time())
            elif token == 7:
                out += bytes(-len(out) % 8)
            elif token == 8 and place is None:
                out += self.group()
            elif token == 9 and place is not None:
                out += self.limited(self.number() + place, U32).to_bytes(4, "little")
            elif token == 10:
                self.address = (self.address + (self.number(U64) << 12)) & U64
                out += struct.pack("<Q", self.address)
            else:
                raise Damage(f"token {token}")
        return bytes(out)

    def stored(self, plain, stored):
        """Bytes of the data area that are deflated if that is shorter."""
        if stored > plain:
            raise Damage("stored bytes are more than they stand for")
        data = self.data.take(stored)
        return data if stored == plain else inflate(data, plain)

    def raw(self):
        plain, stored = self.number(MAX_RAW_PIECE), self.number(MAX_RAW_PIECE)
        crc, data = self.data.one("I"), self.stored(plain, stored)
        if zlib.crc32(data) != crc:
            raise Damage("raw bytes with a wrong checksum")
        return data

    def file_header(self):
        head = b"\x93Record" + struct.pack(
            "<BHHIQI", self.number(255), self.number(U16), self.number(U16), self.number(),
            self.number(U64), self.number())
        return head + struct.pack("<I", zlib.crc32(head))

    def chunk(self, op):
        head = {"type": self.number(255), "encoding": self.number(255), "flags": self.number(U16),
                "thread": self.number(), "count": self.number(MAX_RECORDS), "lost": self.number(),
                "sequence": self.number(U64)}
        head |= {"carried": self.time(MAX_CARRIED)}
        head |= {key: self.time() for key in ("t_base", "t_min", "t_max", "ticks", "mono", "real")}
        if op == PLAIN:
            return self.plain(head, self.tokens())
        if op == RECORDS:
            return self.records(head)
        self.was += CHUNK_HEADER + self.number(MAX_BODY)
        size = None if op == DEFLATED else self.number(MAX_PLAIN)
        plain = self.packed.blob(WORDS, self.number()) if op == BLOB else self.tokens()
        if op == BLOB and len(plain) != size:
            raise Damage("a body of another size than its header says")
        if op == RELATIVE:  # the same definitions in encoding 0
            return seal(head | {"encoding": 0}, plain, len(plain))
        return seal(head, deflate(plain), len(plain))

    def plain(self, head, body):
        if head["type"] == END and body[-16:] == struct.pack("<Q", self.was) + b"RECINDEX":
            body = body[:-16] + struct.pack("<Q", self.now) + body[-8:]  # where it lies itself
        self.was += CHUNK_HEADER + len(body)
        return seal(head, body, len(body))

    def records(self, head):
        blobs = [self.packed.blob(WORDS, self.number()) for _ in range(2)]
        body_size, plain_size = self.time(MAX_BODY), self.time(MAX_PLAIN)
        plain, stored, bits = self.time(MAX_PLAIN), self.time(MAX_BODY), self.time(body_size)
        self.was += CHUNK_HEADER + body_size
        crc = self.data.one("I")
        pieces = Buffer(self.stored(plain, stored))
        cuts = Buffer(pieces.take(pieces.uvarint()))
        sources = [Buffer(blobs[0]), pieces, Buffer(blobs[1])]
        words = self.joined(cuts, sources)
        if pieces.left() or len(words) != plain_size:
            raise Damage("words that do not fit together")
        sources[1] = Buffer(self.data.take(bits))
        behind = self.joined(cuts, sources)
        if any(source.left() for source in sources + [cuts]):
            raise Damage("bits that do not fit together")
        if zlib.crc32(behind, zlib.crc32(words)) != crc:
            raise Damage("a chunk with a wrong checksum")
        return seal(head, deflate(words) + behind, len(words))

    @staticmethod
    def joined(cuts, sources):
        count = cuts.uvarint()
        if count > MAX_CUTS:
            raise Damage(f"{count} cuts")
        return b"".join(source.take(cuts.uvarint()) for _ in range(count) for source in sources)

    def files(self):
        """{name: bytes}"""
        files, name = {}, None
        while self.ops.left():
            op = self.ops.one("B")
            if op == FILE:
                name = self.tokens()
                if not NAME.fullmatch(name) or name in files:
                    raise Damage(f"a file of the name {name}")
                files[name], self.was, self.now = bytearray(), 0, 0
                continue
            if name is None or not FILE < op <= RECORDS:
                raise Damage(f"op {op}")
            self.now = len(files[name])
            if op in (RAW, FILE_HEAD):
                files[name] += self.raw() if op == RAW else self.file_header()
                self.was += len(files[name]) - self.now
            else:
                files[name] += self.chunk(op)
        if self.data.left():
            raise Damage(f"{self.data.left()} bytes of data are not used")
        return files


def deflate(plain):
    return zlib.compress(plain, 1)


def seal(head, body, plain_size):
    fields = head | {"magic": 0x4B484352, "body_size": len(body), "plain_size": plain_size,
                     "body_crc": zlib.crc32(body), "header_crc": 0}
    raw = HEADER.pack(*(fields[key] if key not in ("mono", "real") else
                        fields[key] - (fields[key] >> 63 << 64)
                        for key in ("magic type encoding flags body_size plain_size thread count "
                                    "sequence t_base t_min t_max ticks mono real carried lost "
                                    "body_crc header_crc").split()))
    return raw[:92] + struct.pack("<I", zlib.crc32(raw[:92])) + body


class Packed:
    """A packed trace; `files` is {name: bytes}. Damage of a part goes to `report`."""

    def __init__(self, path, report):
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.areas = {kind: [] for kind in range(4)}  # (offset, size, plain size, crc, blobs)
        self.blobs = {kind: [] for kind in range(4)}  # (place of the block, index in it)
        self.blocks = {}
        self.read_frame()
        self.files = {}
        for number in range(len(self.areas[AREA_DATA])):
            try:
                files = Part(self, number).files()
                if set(files) & set(self.files):
                    raise Damage("a file is there twice")
                self.files |= files
            except Damage as damage:
                report(f"part {number}: {damage}")

    def read_frame(self):
        head, trailer = self.bytes[:FILE_HEADER], self.bytes[-TRAILER.size:]
        if len(self.bytes) < FILE_HEADER + TRAILER.size or head[:8] != b"\x93RecordP":
            raise Refused("not a packed trace")
        if zlib.crc32(head[:28]) != struct.unpack("<I", head[28:])[0]:
            raise Refused("a damaged file header")
        if struct.unpack("<H", head[8:10])[0] != MAJOR:
            raise Refused("another major version")
        offset, size, plain, index_crc, crc, magic = TRAILER.unpack(trailer)
        if magic != b"RECPACK1" or zlib.crc32(trailer[:20]) != crc:
            raise Refused("a damaged trailer")
        index = self.bytes[offset:offset + size]
        if plain > MAX_INDEX or offset + size + TRAILER.size != len(self.bytes):
            raise Refused("an impossible trailer")
        if zlib.crc32(index) != index_crc:
            raise Refused("a damaged index")
        try:
            self.read_index(Buffer(inflate(index, plain)), offset)
        except Damage as damage:
            raise Refused(str(damage)) from None

    def read_index(self, b, end):
        offset = FILE_HEADER
        for _ in range(b.uvarint()):
            head = b.uvarint()
            kind, size = head & 3, head >> 2
            plain, crc, blobs = (0, 0, 0) if kind == AREA_DATA else (
                b.uvarint(), b.uvarint(), b.uvarint())
            if plain > MAX_BLOCK or blobs > plain or crc > U32 or size > end - offset:
                raise Damage("an impossible area")
            place = len(self.areas[kind])
            self.areas[kind].append((offset, size, plain, crc, blobs))
            self.blobs[kind] += [(place, i) for i in range(blobs)]
            offset += size
        if b.left() or offset != end:
            raise Damage("the index does not account for all of the file")
        if len(self.areas[AREA_DATA]) != len(self.blobs[PARTS]):
            raise Damage("parts and data areas are not as many")

    def data(self, number):
        offset, size = self.areas[AREA_DATA][number][:2]
        return self.bytes[offset:offset + size]

    def block(self, kind, place):
        if (kind, place) not in self.blocks:
            offset, size, plain, crc, blobs = self.areas[kind][place]
            data = inflate(self.bytes[offset:offset + size], plain)
            if zlib.crc32(data) != crc:
                raise Damage("a block with a wrong checksum")
            b = Buffer(data)
            lengths = [b.uvarint() for _ in range(blobs)]
            if sum(lengths) != b.left():
                raise Damage("a block of other blobs than it says")
            self.blocks[kind, place] = [b.take(length) for length in lengths]
        return self.blocks[kind, place]

    def blob(self, kind, number, depth=0):
        if number >= len(self.blobs[kind]) or depth > MAX_DEPTH:
            raise Damage(f"blob {number} of {len(self.blobs[kind])}")
        place, index = self.blobs[kind][number]
        b = Buffer(self.block(kind, place)[index])
        size, back = b.uvarint(), b.uvarint()
        if size > MAX_BLOCK or back > number:
            raise Damage("a blob that is malformed")
        return copies(b, self.blob(kind, number - back, depth + 1) if back else b"", size)


def unpack(path, into, report):
    """Writes the files of a packed trace to a directory."""
    for name, data in Packed(path, report).files.items():
        with open(os.path.join(into, name.decode()), "wb") as file:
            file.write(data)
