# SPDX-License-Identifier: MIT
"""Files and chunks (doc/format.md, 2 and 3) and the metadata in them (8)."""
import collections
import mmap
import os
import stat
import struct
import zlib

from parts import (CHUNK_HEADER, DATA, FILE_HEADER, LOOPS, MAJOR, MAX_BODY, MAX_CARRIED, MAX_LOOP, MAX_PLAIN,
                   MAX_RECORDS, Buffer, Damage, Refused, text, used_up)

Header = collections.namedtuple(
    "Header", "magic type encoding flags body_size plain_size thread count sequence t_base t_min "
    "t_max ticks mono real carried lost body_crc header_crc")
HEADER = struct.Struct("<IBBHIIIIQQQQQqqIIII")


def header_at(data, offset):
    """The chunk header at `offset`, None if there is none."""
    raw = data[offset:offset + CHUNK_HEADER]
    if len(raw) < CHUNK_HEADER or raw[:4] != b"RCHK":
        return None
    header = Header(*HEADER.unpack(raw))
    if zlib.crc32(raw[:92]) != header.header_crc:
        return None
    if (header.body_size > MAX_BODY or header.plain_size > MAX_PLAIN or
            header.count > (MAX_LOOP if header.encoding in LOOPS and header.type == DATA
                            else MAX_RECORDS) or header.carried > MAX_CARRIED):
        return None
    return header


def next_header(data, offset):
    """Offset of the next good chunk header, the size of the file if there is none."""
    while True:
        offset = data.find(b"RCHK", offset)
        if offset < 0:
            return len(data)
        if header_at(data, offset):
            return offset
        offset += 1


class File:
    """A file of the trace directory: its header, then its chunks. `data`: of one that would have
    been there."""

    def __init__(self, path, kind, report, data=None):
        self.name, self.report, self.torn = os.path.basename(path), report, []
        self.whole = True
        self.data = self.map(path) if data is None else data
        self.identity = self.read_header(kind)

    def map(self, path):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            state = os.fstat(descriptor)
            if not stat.S_ISREG(state.st_mode):
                raise Damage(f"{self.name}: not a regular file")
            return mmap.mmap(descriptor, 0, prot=mmap.PROT_READ) if state.st_size else b""
        finally:
            os.close(descriptor)

    def problem(self, offset, what):
        self.report(f"{self.name}: offset {offset}: {what}")

    def finish(self, running=False):
        """To be called after the last chunk."""
        for offset, what in () if running else self.torn:
            self.problem(offset, what)

    def read_header(self, kind):
        head = self.data[:FILE_HEADER]
        if len(head) < FILE_HEADER:
            self.problem(0, f"file header of {len(head)} bytes")
            return None
        major, _, _, identity, _, crc = struct.unpack("<HHIQII", head[8:])
        if head[:7] != b"\x93Record" or zlib.crc32(head[:28]) != crc:
            self.problem(0, "file header is damaged")
            return None
        if major != MAJOR:
            raise Refused(f"{self.name}: format version {major}, this reader knows {MAJOR}")
        if head[7:8] != kind:
            raise Damage(f"{self.name}: a file of kind {head[7:8]} instead of {kind}")
        return identity

    def gap(self, offset, what, after):
        """Reports bytes that are no chunk; those at the end wait in `torn`: perhaps the file is
        still being written."""
        self.whole = False
        if after == len(self.data):
            self.torn.append((offset, what))
        else:
            self.problem(offset, what)

    def chunks(self):
        """Yields (offset, header, body); body None: the chunk is not whole."""
        offset, size = min(FILE_HEADER, len(self.data)), len(self.data)
        while offset < size:
            header = header_at(self.data, offset)
            if not header:
                after = next_header(self.data, offset + 1)
                self.gap(offset, f"{after - offset} bytes are no chunk", after)
                offset = after
                continue
            end = offset + CHUNK_HEADER + header.body_size
            body = self.data[offset + CHUNK_HEADER:end]
            if len(body) == header.body_size and zlib.crc32(body) == header.body_crc:
                yield offset, header, body
                offset = end
                continue
            after = next_header(self.data, offset + CHUNK_HEADER)
            self.gap(offset, f"damaged body of a chunk of type {header.type} with {header.count} "
                     f"entries, {after - offset} bytes", after)
            yield offset, header, None
            offset = after


def read_meta(file, offset, header, body, into):
    """Adds the entries of a META chunk; True if it is the final one."""
    b = Buffer(body)
    try:
        if header.encoding:
            raise Damage(f"metadata of encoding {header.encoding}")
        for _ in range(header.count):
            type_, _, key = b.one("B"), b.one("B"), text(b.str())
            if type_ == 1:
                value = b.one("Q")
            elif type_ == 2:
                value = b.one("q")
            elif type_ == 3:
                value = b.one("d")
            elif type_ == 4:
                value = b.take(b.one("I"))
            else:
                raise Damage(f"value of type {type_} for '{key}'")
            into[key] = value
        used_up(b, None)
    except Damage as damage:
        file.problem(offset, damage)
        return False
    return bool(header.flags & 1)
