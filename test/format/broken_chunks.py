# SPDX-License-Identifier: MIT
"""Broken traces: chunks, their framing and what their headers claim."""
import struct
import zlib

from spoiling import case, writes
from write_trace import DATA, chunk


@case("a flipped bit in the magic of a chunk", 25, at="B")
def chunk_magic(t):
    t.whole()
    t.edit(lambda d: d[:t.at["B"]] + b"X" + d[t.at["B"] + 1:])


@case("a flipped bit in the header of a chunk", 25, at="B")
def chunk_header(t):
    t.whole()
    t.edit(lambda d: d[:t.at["B"] + 9] + b"\xff" + d[t.at["B"] + 10:])


@case("a flipped bit in the body of a chunk", 25, at="B")
def chunk_body(t):
    t.whole()
    t.edit(lambda d: d[:t.at["B"] + 100] + b"\xff" + d[t.at["B"] + 101:])


@case("the .rec ends in the header of a chunk", 20, at="C")
def truncated_header(t):
    t.whole()
    t.edit(lambda d: d[:t.at["C"] + 50])


@case("the .rec ends in the body of a chunk", 20, at="C")
def truncated_body(t):
    t.whole()
    t.edit(lambda d: d[:t.at["C"] + 110])


@case("the .rec ends between two chunks", 20, file="rank-0")
def truncated_between(t):
    t.whole()
    t.edit(lambda d: d[:t.at["C"]])


@case("bytes of something else between two chunks", at="x")
def garbage_between(t):
    t.insert("x", lambda data: b"RCHK garbage" * 20)


@case("bytes of something else at the end", at="size")
def garbage_at_end(t):
    t.insert("size", lambda data: bytes(1000))


@case("a chunk cut short, then written again whole", at="B")
def torn_body(t):
    t.insert("B", lambda data: data[t.at["B"]:t.at["B"] + 130])


@case("a chunk cut short in its header, then written again whole", at="B")
def torn_header(t):
    t.insert("B", lambda data: data[t.at["B"]:t.at["B"] + 40])


@case("a chunk cut short whose whole form is shorter than what its header promised", at="end")
def torn_last(t):
    t.whole()
    long = chunk(DATA, bytes(5000), count=1, thread=0, sequence=10)[:200]
    t.edit(lambda d: d[:t.at["end"]] + long + d[t.at["end"]:])


def full(t):
    """C and E cannot be written whole: the .rec ends within C, and the .lm tells of the loss."""
    t.begin()
    t.ten("C")
    t.stream.records -= 10
    del t.stream.expected[-10:]
    t.stream.rec = t.stream.rec[:t.at["C"] + 130]


@case("a chunk cut short by a full disk, which the .lm counts as lost", 20, at="C", lost=15,
      unreadable=0)
def torn_by_full_disk(t):
    full(t)
    t.stream.lm_end(lost=15)
    t.save()


@case("a chunk cut short by a full disk, after one that was damaged later", 10, at="B", lost=15,
      unreadable=10)
def torn_and_damaged(t):
    full(t)
    t.stream.lm_end(lost=15)
    t.save()
    t.edit(lambda d: d[:t.at["B"] + 100] + b"\xff" + d[t.at["B"] + 101:])


@case("the last chunk was damaged later, and others were never written", 20, at="C", lost=5,
      unreadable=10)
def damaged_beside_loss(t):
    t.begin()
    t.ten("C")
    t.stream.lm_end(lost=5)
    t.save()
    t.edit(lambda d: d[:t.at["C"] + 130])


@case("the same chunk twice", damaged=False, file=None)
def twice(t):
    t.begin()
    t.stream.rec += t.stream.rec[t.at["B"]:t.at["x"]]
    t.end()
    t.save()


@case("a chunk that repeats half of the one before it", 40, at="x")
def overlap(t):
    t.between(lambda: t.stream.data(0, writes(10, t.now), skip=-5))


@case("records are missing between two chunks", at="x")
def jump(t):
    t.begin()
    t.stream.next[0] += 12
    t.end()
    t.save()


@case("a chunk lost as its header says", 30, damaged=False, file=None)
def jump_told(t):
    t.begin()
    t.stream.next[0] += 12
    t.ten("C", lost=12)
    t.stream.finish()
    t.save()


def limit(**header):
    """A chunk whose header is whole and asks too much."""
    return lambda t: t.insert("x", lambda data: chunk(DATA, b"body", **{"count": 1, **header}))


@case("a chunk of 17 Mi records", at="x")
def limit_count(t):
    limit(count=17 << 20)(t)


@case("a chunk that is 1 GiB when inflated", at="x")
def limit_plain(t):
    limit(plain=1 << 30, encoding=1)(t)


@case("a chunk with 70,000 carried records", at="x")
def limit_carried(t):
    limit(carried=70_000)(t)


@case("a chunk of 65 MiB", at="x")
def limit_body(t):
    def huge(_):
        head = chunk(DATA, b"", count=1)[:8] + struct.pack("<I", 65 << 20)
        head += chunk(DATA, b"", count=1)[12:92]
        return head + struct.pack("<I", zlib.crc32(head)) + b"body"
    t.insert("x", huge)


def claim(t, **more):
    """A whole chunk of ten whose header says something false."""
    base = t.stream.base[0] if 0 in t.stream.base else 0
    times = [base, t.now, t.now + 9500]
    for i, name in enumerate(("t_base", "t_min", "t_max")):
        times[i] += more.pop(name, 0)
    t.stream.data(0, writes(10, t.now), encoding=0, times=tuple(times), **more)


def claims(**more):
    def build(t):
        t.between(lambda: claim(t, **more))
    return build


@case("t_base is not the end of the record before", 45, at="x")
def claim_base(t):
    claims(t_base=-3)(t)


@case("t_min is not the earliest tstart", 45, at="x")
def claim_min(t):
    claims(t_min=1)(t)


@case("t_max is not the latest tend", 45, at="x")
def claim_max(t):
    claims(t_max=-1)(t)


@case("the header counts carried records where there are none", 45, at="x")
def claim_carried(t):
    claims(carried=2)(t)
