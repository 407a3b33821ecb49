#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A reader of Parquet files as recorder2parquet writes them, from the format's description: read_parquet.py FILE DATABASE compares with what recorder2sqlite
made of the same trace; read_parquet.py FILE prints the number of rows."""
import gzip
import sqlite3
import struct
import sys

COMMON = ("id", "parent", "stream", "world", "rank", "tid", "thread", "level", "layer", "function", "operation", "tstart", "tend",
          "duration", "self", "calls", "errno", "bytes", "offset", "peer", "peer_world", "tag", "comm", "sent", "received", "epoch", "step", "sample", "note",
          "args", "path", "class", "comm_name", "place")


class Thrift:
    """The compact protocol: structures as {number of the field: value}."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind in (4, 5, 6):
            number = self.varint()
            return number >> 1 ^ -(number & 1)
        if kind == 8:
            size = self.varint()
            self.at += size
            return bytes(self.data[self.at - size:self.at])
        if kind == 9:
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(count)]
        if kind == 12:
            return self.structure()
        raise ValueError(f"type {kind}")

    def structure(self):
        fields, number = {}, 0
        while True:
            head = self.byte()
            if head == 0:
                return fields
            number += head >> 4
            fields[number] = self.value(head & 15)


def levels(data, count):
    """Runs of a bit, as RLE has them."""
    reader, found = Thrift(data), []
    while reader.at < len(data):
        head = reader.varint()
        assert head & 1 == 0
        found += [reader.byte()] * (head >> 1)
    assert len(found) == count, (len(found), count)
    return found


def plain(kind, data, count):
    if kind in (1, 2, 5):
        code, size = {1: ("i", 4), 2: ("q", 8), 5: ("d", 8)}[kind]
        assert len(data) == size * count
        return list(struct.unpack(f"<{count}{code}", data))
    found, at = [], 0
    for _ in range(count):
        size = struct.unpack_from("<I", data, at)[0]
        found.append(data[at + 4:at + 4 + size].decode("utf-8"))
        at += 4 + size
    assert at == len(data)
    return found


def read(path):
    """(columns by name, notes)"""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:4] == data[-4:] == b"PAR1"
    size = struct.unpack("<I", data[-8:-4])[0]
    footer = Thrift(data, len(data) - 8 - size)
    meta = footer.structure()
    assert footer.at == len(data) - 8
    schema = meta[2][1:]
    assert meta[2][0][5] == len(schema)
    columns = {column[4].decode(): [] for column in schema}
    for group in meta[4]:
        assert len(group[1]) == len(schema)
        for column, chunk in zip(schema, group[1]):
            about = chunk[3]
            assert about[3] == [column[4]] and about[1] == column[1] and about[5] == group[3]
            page = Thrift(data, about[9])
            header = page.structure()
            body = gzip.decompress(data[page.at:page.at + header[3]])
            assert page.at + header[3] - about[9] == about[7] and len(body) == header[2] and header[5][1] == group[3]
            there = [1] * group[3]
            if column[3]:
                length = struct.unpack_from("<I", body)[0]
                there = levels(body[4:4 + length], group[3])
                body = body[4 + length:]
            values = iter(plain(column[1], body, sum(there)))
            columns[column[4].decode()] += [next(values) if one else None for one in there]
    assert all(len(values) == meta[3] for values in columns.values())
    return columns, {note[1].decode(): note[2].decode() for note in meta.get(5, [])}


def compare(columns, notes, database):
    base = sqlite3.connect(database)
    names = ", ".join(f'"{name}"' for name in COMMON)
    want = base.execute(f"SELECT {names}, ret FROM calls ORDER BY id").fetchall()
    rows = sorted(zip(*(columns[name] for name in (*COMMON, "ret", "ret_real"))))
    said = dict(base.execute("SELECT name, value FROM trace"))
    assert len(rows) == len(want), (len(rows), len(want))
    for row, other in zip(rows, want):
        ret = row[-2] if row[-1] is None or row[-1] != row[-1] else row[-1]
        assert (*row[:-2], ret) == other, (row, other)
    for key in ("run_id", "start", "duration", "ranks", "records", "lost", "complete"):
        assert notes["recorder." + key] == str(said[key]), key


def main():
    columns, notes = read(sys.argv[1])
    if len(sys.argv) > 2:
        compare(columns, notes, sys.argv[2])
    print(len(columns["id"]))


if __name__ == "__main__":
    main()
