# SPDX-License-Identifier: MIT
"""Broken traces: files of nodes (doc/format.md, 11)."""
import os
import struct
import zlib

from chunks import header_at
from nodes import FRAME, TAG
from parts import CHUNK_HEADER, DATA, META
from spoiling import FIRST_TICK, MAIN, case, four_opens, function_definition, writes
from write_trace import (
    FUNCTIONS, REAL, StreamWriter, chunk, file_header, instant, local, meta, save_global)

NODE, ID, OTHER, BACK = "n.node", 0xABCD, 0xABCE, 7


def frame(identity, one):
    """A chunk with what says whose it is."""
    tag = struct.pack("<Q", identity)
    return tag + struct.pack("<I", zlib.crc32(tag + one[:CHUNK_HEADER])) + one


def chunks(data):
    """The chunks behind the file header."""
    place = 32
    while place < len(data):
        end = place + CHUNK_HEADER + header_at(data, place).body_size
        yield data[place:end]
        place = end


def named(lm, name):
    """The chunks of an LM, the first with the stream's name."""
    first, *rest = chunks(lm)
    more = meta({"stream.name": name})[CHUNK_HEADER:]
    count = header_at(first, 0).count
    return [chunk(META, first[CHUNK_HEADER:] + more, count=count + 1), *rest]


def second():
    """A stream of four records beside that of the cases."""
    stream = StreamWriter(OTHER, None, local(1, 2, 101))
    stream.defs(*map(function_definition, FUNCTIONS), anchor=instant(FIRST_TICK + 2500))
    stream.data(0, four_opens(FIRST_TICK + 50_000))
    stream.finish()
    return stream


def beside(t):
    """A stream with files of its own, 35 records."""
    own = StreamWriter(0xBEEF, None, local(2, 3, 102))
    own.defs(*map(function_definition, FUNCTIONS))
    own.data(0, writes(35, FIRST_TICK + 90_000))
    own.finish()
    own.save(t.where, "rank-0")


def frames_of(t, names=("rank-0", "rank-1")):
    """What both streams appended: a frame of one, a frame of the other. 39 records."""
    t.begin()
    t.end()
    other = second()
    own = [frame(ID, one) for one in (*named(t.stream.lm, names[0])[:1], *chunks(t.stream.rec),
                                      *named(t.stream.lm, names[0])[1:])]
    others = [frame(OTHER, one) for one in (*named(other.lm, names[1])[:1], *chunks(other.rec),
                                            *named(other.lm, names[1])[1:])]
    mixed = []
    for i in range(max(len(own), len(others))):
        mixed += own[i:i + 1] + others[i:i + 1]
    return mixed


def save(t, frames, head=None):
    save_global(t.where, {"run.id": "broken", "format": "1.0", "created": REAL})
    with open(t.path(NODE), "wb") as file:
        file.write(file_header(b"N", 0) if head is None else head)
        file.write(b"".join(frames))


def place_of(t, frames, number):
    """Marks where frame `number` begins."""
    t.at["frame"] = 32 + sum(map(len, frames[:number]))


def chunk_b(t, frames):
    """The number of the frame with chunk B of the first stream; t.at["B"] is its place in the .rec."""
    return next(i for i, one in enumerate(frames)
                if one[:8] == struct.pack("<Q", ID) and header_at(one, TAG).type == DATA and
                header_at(one, TAG).sequence == 10)


def whole(t, change=lambda t, frames: None, **more):
    frames = frames_of(t, **more)
    change(t, frames)
    save(t, frames)


def flip(frames, number, offset):
    one = bytearray(frames[number])
    one[offset] ^= 0x40
    frames[number] = bytes(one)


@case("the file of a node with two streams", 39, damaged=False, file=None)
def node_sound(t):
    whole(t)


@case("a flipped bit in what says whose a chunk is", 29, NODE, at="frame")
def node_tag_flipped(t):
    def change(t, frames):
        b = chunk_b(t, frames)
        place_of(t, frames, b)
        flip(frames, b, 3)
    whole(t, change)


@case("a flipped bit in the header of a chunk in the file of a node", 29, NODE, at="frame")
def node_header_flipped(t):
    def change(t, frames):
        b = chunk_b(t, frames)
        place_of(t, frames, b)
        flip(frames, b, TAG + 20)
    whole(t, change)


@case("a flipped bit in the body of a chunk in the file of a node", 29, at="B")
def node_body_flipped(t):
    whole(t, lambda t, frames: flip(frames, chunk_b(t, frames), FRAME + 9))


@case("a chunk cut short in the file of a node, those of others behind it", 29, at="B")
def node_torn(t):
    def change(t, frames):
        b = chunk_b(t, frames)
        frames[b] = frames[b][:FRAME + 11]
    whole(t, change)


@case("a chunk cut short in the file of a node, then written again whole", 39, at="B")
def node_torn_again(t):
    def change(t, frames):
        b = chunk_b(t, frames)
        frames.insert(b, frames[b][:FRAME + 11])
    whole(t, change)


@case("a chunk cut short in its header, in the file of a node: nothing is lost", 39, damaged=False,
      file=None)
def node_torn_header(t):
    def change(t, frames):
        b = chunk_b(t, frames)
        frames.insert(b, frames[b][:FRAME - 1])
    whole(t, change)


@case("something else in the file of a node", 39, NODE, at="frame")
def node_garbage(t):
    def change(t, frames):
        place_of(t, frames, 4)
        frames.insert(4, b"RCHK and what follows it " * 20)
    whole(t, change)


@case("something else at the end of the file of a node", 39, NODE, at="frame")
def node_garbage_end(t):
    def change(t, frames):
        place_of(t, frames, len(frames))
        frames.append(bytes(500))
    whole(t, change)


@case("the file of a node ends in the middle of its last frame", 39, "rank-0.lm")
def node_cut(t):
    def change(t, frames):
        frames[-1] = frames[-1][:-5]
    whole(t, change)


@case("a frame that claims all of the file", 39)
def node_greedy(t):
    def change(t, frames):
        long = chunk(DATA, bytes(100_000), count=1, thread=0, sequence=10)
        frames.insert(chunk_b(t, frames), frame(ID, long)[:FRAME + 50])
    whole(t, change)


@case("a frame of stream 0", 29, NODE, at="frame")
def node_nobody(t):
    def change(t, frames):
        b = chunk_b(t, frames)
        place_of(t, frames, b)
        frames[b] = frame(0, frames[b][TAG:])
    whole(t, change)


@case("a chunk of one stream as if it were another's", 39)
def node_mixed_up(t):
    def change(t, frames):
        b = chunk_b(t, frames)
        frames[b] = frame(OTHER, frames[b][TAG:])
    whole(t, change)


@case("the file of a node has no byte", 0, NODE, at=0)
def node_empty(t):
    save(t, [], b"")


@case("the file of a node ends in its file header", 0, NODE, at=0)
def node_header_short(t):
    save(t, [], file_header(b"N", 0)[:20])


@case("a flipped bit in the header of the file of a node", 39, NODE, at=0)
def node_magic(t):
    whole(t)
    t.edit(lambda data: data[:2] + b"?" + data[3:], NODE)


@case("the file of a node is of major version 2", 35, NODE)
def node_major(t):
    whole(t)
    t.edit(lambda data: file_header(b"N", 0, 2) + data[32:], NODE)
    beside(t)


@case("the file of a node has the header of a .rec", 0, NODE)
def node_kind(t):
    whole(t)
    t.edit(lambda data: file_header(b"S", 0) + data[32:], NODE)


@case("the file of a node is a symbolic link", 0, NODE)
def node_link(t):
    whole(t)
    os.rename(t.path(NODE), t.path("elsewhere"))
    os.symlink("elsewhere", t.path(NODE))


@case("a stream in the file of a node without metadata", 39, f"stream-{ID:016x}.lm")
def node_no_meta(t):
    def change(t, frames):
        frames[:] = [one for one in frames if one[:8] != struct.pack("<Q", ID) or
                     header_at(one, TAG).type != META]
    whole(t, change)


@case("the name of a stream in the file of a node is none", 39, damaged=False, file=None)
def node_name_bad(t):
    whole(t, names=("../../etc/passwd", ".rank-1"))


@case("the name of a stream in the file of a node has no end", 39, damaged=False, file=None)
def node_name_long(t):
    whole(t, names=("r" * 200, "r" * 201))


@case("two streams of one name in the file of a node", 39, damaged=False, file=None)
def node_name_twice(t):
    whole(t, names=("rank-0", "rank-0"))


@case("a stream in the file of a node with the name of one that has files of its own", 74, damaged=False,
      file=None)
def node_name_taken(t):
    whole(t)
    beside(t)


@case("the same stream in two files of nodes", 39, file="rank-1000000000000abce")
def node_twice(t):
    whole(t)
    other = second()
    with open(t.path("m.node"), "wb") as file:
        file.write(file_header(b"N", 0) + b"".join(
            frame(OTHER, one) for one in (*named(other.lm, "rank-1"), *chunks(other.rec))))


@case("a chunk that is taken back, and written otherwise", 39, damaged=False, file=None)
def node_back(t):
    def change(t, frames):
        b = chunk_b(t, frames)
        frames.insert(b + 1, frame(ID, chunk(BACK, b"", thread=0, sequence=10)))
        frames.insert(b + 2, frames[b])
    whole(t, change)


@case("a chunk that is taken back, and not written again", 29)
def node_back_lost(t):
    def change(t, frames):
        frames.insert(chunk_b(t, frames) + 1, frame(ID, chunk(BACK, b"", thread=0, sequence=10)))
    whole(t, change)


@case("chunks that were never there are taken back", 39, damaged=False, file=None)
def node_back_nothing(t):
    def change(t, frames):
        b = chunk_b(t, frames)
        frames[b:b] = [frame(identity, chunk(BACK, body, thread=thread, sequence=sequence))
                       for identity, body, thread, sequence in
                       ((ID, b"", 0, 11), (ID, b"", 3, 0), (OTHER, b"", 0, 1), (0x77, b"", 0, 0),
                        (ID, b"12345", 0, 0), (ID, bytes(8), 0, 0), (ID, b"\xff" * 8, 0, 0),
                        (ID, struct.pack("<Q", 32), 0, 0))]
    whole(t, change)


@case("a chunk cut short that is taken back by its place, and written again", 39, damaged=False, file=None)
def node_back_torn(t):
    def change(t, frames):
        b = chunk_b(t, frames)
        place_of(t, frames, b)
        frames.insert(b, frames[b][:FRAME + 11])
        frames.insert(b + 1, frame(ID, chunk(BACK, struct.pack("<Q", t.at["frame"]))))
    whole(t, change)


@case("a chunk that is taken back with more behind it than may be", 39, at="B")
def node_back_far(t):
    def change(t, frames):
        b = chunk_b(t, frames)
        empty = frame(ID, chunk(1, b""))
        frames[b + 1:b + 1] = [empty] * 16 + [
            frame(ID, chunk(BACK, b"", thread=0, sequence=10)), frames[b][:FRAME + 11]]
        t.at["B"] = t.at["x"] + 16 * CHUNK_HEADER
    whole(t, change)


@case("a BACK in a .rec", damaged=False, file=MAIN)
def node_back_in_rec(t):
    t.between(lambda: t.stream.add(BACK, b"", thread=0, sequence=10))
