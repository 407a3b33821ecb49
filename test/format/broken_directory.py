# SPDX-License-Identifier: MIT
"""Broken traces: files that are missing, swapped or no files, and what metadata claim."""
import os
import socket
import struct

from spoiling import MAIN, case
from write_trace import (
    DEFS, FIRST_TICK, META, StreamWriter, chunk, definition, file_header, local, meta, string)

LM = "rank-0.lm"


def other_stream(t, name="rank-1", identity=0xEEEE):
    """A second stream of no records."""
    stream = StreamWriter(identity, None, local(1, 2, 101))
    stream.finish()
    stream.save(t.where, name)
    return stream


def swap(t, one, other):
    os.rename(t.path(one), t.path("swapped"))
    os.rename(t.path(other), t.path(one))
    os.rename(t.path("swapped"), t.path(other))


def add_meta(entries, **more):
    """The trace with one more chunk in its .lm."""
    def build(t):
        t.whole()
        t.edit(lambda data: data + meta(entries, **more), LM)
    return build


def add_body(body, count=1, **more):
    def build(t):
        t.whole()
        t.edit(lambda data: data + chunk(META, body, count=count, **more), LM)
    return build


# ---- what stands in the directory ------------------------------------------------------------


@case("the .lm of two streams are swapped", file=MAIN, at=16)
def swapped_lm(t):
    t.whole()
    other_stream(t)
    swap(t, LM, "rank-1.lm")


@case("the .rec of two streams are swapped", file=MAIN, at=16)
def swapped_rec(t):
    t.whole()
    other_stream(t)
    swap(t, MAIN, "rank-1.rec")


@case("recorder.gm and an .lm are swapped", file="recorder.gm")
def swapped_gm(t):
    t.whole()
    swap(t, "recorder.gm", LM)


@case("the .lm and the .rec of a stream are swapped", 0, file=LM)
def swapped_within(t):
    t.whole()
    swap(t, LM, MAIN)


@case("the files of a stream have another name than it says", damaged=False, file=None)
def renamed(t):
    t.whole()
    os.rename(t.path(LM), t.path("x.lm"))
    os.rename(t.path(), t.path("x.rec"))


@case("two streams of one identity, a copy", file="rank-0.copy")
def copied(t):
    t.whole()
    t.stream.save(t.where, "rank-0.copy")


@case("recorder.gm is a directory", file="recorder.gm")
def gm_directory(t):
    t.whole()
    os.unlink(t.path("recorder.gm"))
    os.mkdir(t.path("recorder.gm"))


@case("recorder.gm is a symbolic link", file="recorder.gm")
def gm_symlink(t):
    t.whole()
    os.rename(t.path("recorder.gm"), t.path("elsewhere"))
    os.symlink("elsewhere", t.path("recorder.gm"))


@case("recorder.gm is a FIFO", file="recorder.gm")
def gm_fifo(t):
    t.whole()
    os.unlink(t.path("recorder.gm"))
    os.mkfifo(t.path("recorder.gm"))


@case("the .lm is a symbolic link", file=LM)
def lm_symlink(t):
    t.whole()
    os.rename(t.path(LM), t.path("elsewhere"))
    os.symlink("elsewhere", t.path(LM))


@case("the .lm is a FIFO", file=LM)
def lm_fifo(t):
    t.whole()
    os.unlink(t.path(LM))
    os.mkfifo(t.path(LM))


@case("the .rec is a socket", 0)
def rec_socket(t):
    t.whole()
    os.unlink(t.path())
    with socket.socket(socket.AF_UNIX) as end:
        here = os.open(".", os.O_RDONLY)
        os.chdir(t.where)       # names of sockets are short
        end.bind(MAIN)
        os.fchdir(here)
        os.close(here)


@case("the .rec is a device, or a link to one where none can be made", 0)
def rec_device(t):
    t.whole()
    os.unlink(t.path())
    try:
        os.mknod(t.path(), 0o020600, os.makedev(1, 5))
    except OSError:
        os.symlink("/dev/zero", t.path())


@case("a link to itself", file="rank-1.rec")
def rec_loop(t):
    t.whole()
    os.symlink("rank-1.rec", t.path("rank-1.rec"))


@case("a stream with the longest name", damaged=False, file=None)
def name_longest(t):
    t.whole()
    other_stream(t, "n" * 200)


@case("a stream with a name of 201 bytes", file="n" * 201)
def name_too_long(t):
    t.whole()
    other_stream(t, "n" * 201)


@case("a stream whose name begins with a dot", file=".hidden.rec")
def name_hidden(t):
    t.whole()
    other_stream(t, ".hidden")


@case("streams named .lm and .rec", file=".lm")
def name_none(t):
    t.whole()
    other_stream(t, "")


@case("a .rec that ends in a hole of 16 MiB", file=MAIN)
def rec_hole(t):
    t.whole()
    os.truncate(t.path(), 1 << 24)


# ---- metadata --------------------------------------------------------------------------------


@case("metadata of an unknown encoding", file=LM)
def meta_encoding(t):
    add_body(b"whatever", encoding=7)(t)


@case("metadata with one entry less than counted", file=LM)
def meta_count_more(t):
    add_body(b"\1\0" + string("x") + bytes(8), count=2)(t)


@case("metadata with one entry more than counted", file=LM)
def meta_count_less(t):
    add_body((b"\1\0" + string("x") + bytes(8)) * 2, count=1)(t)


@case("a key that ends beyond its chunk", file=LM)
def meta_key_long(t):
    add_body(b"\1\0\xff\xffkey")(t)


@case("a value that ends beyond its chunk", file=LM)
def meta_value_long(t):
    add_body(b"\4\0" + string("x") + struct.pack("<I", 0xFFFFFFFF) + b"abc")(t)


@case("a number that ends beyond its chunk", file=LM)
def meta_number_short(t):
    add_body(b"\1\0" + string("x") + b"abc")(t)


@case("a value of type 0", file=LM)
def meta_type_zero(t):
    add_body(b"\0\0" + string("x") + bytes(8))(t)


@case("an empty key, one with a zero byte, one of 60,000 bytes", damaged=False, file=None)
def meta_keys(t):
    add_meta({"": 1, "a\0b": 2, "k" * 60_000: 3})(t)


@case("definitions and an unknown chunk in the .lm", damaged=False, file=None)
def meta_others(t):
    t.whole()
    t.edit(lambda data: data + chunk(DEFS, definition(8, b"abc"), count=1) +
           chunk(99, b"later", count=1), LM)


@case("metadata in the .rec", damaged=False, file=None)
def meta_in_rec(t):
    t.between(lambda: t.stream.add(META, meta({"rank": 7})[96:], count=1))


@case("a rank of -5 in a world of 2^31 - 1", damaged=False, file=None)
def meta_rank(t):
    add_meta({"rank": -5, "size": (1 << 31) - 1})(t)


@case("numbers as text and texts as numbers", damaged=False, file=None)
def meta_types(t):
    add_meta({"pid": "12", "rank": "0", "host": 7, "exe": -1, "cwd": 1.5, "argv": 9,
              "boot.id": 1, "run.id": 3, "world": 5})(t)


@case("a process number of 2^64 - 1 and a start before all", damaged=False, file=None)
def meta_pid(t):
    add_meta({"pid": (1 << 64) - 1, "pid.start": (1 << 64) - 1, "end.time": -(1 << 63)})(t)


@case("anchors that go back in time", damaged=False, file=None)
def meta_anchors(t):
    add_meta({"anchor.1.ticks": FIRST_TICK + 50_000_000, "anchor.1.mono": -(1 << 63),
              "anchor.1.real": (1 << 63) - 1})(t)


@case("an anchor at the last tick there is", damaged=False, file=None)
def meta_anchor_far(t):
    add_meta({"anchor.1.ticks": (1 << 64) - 1, "anchor.1.mono": (1 << 63) - 1,
              "anchor.1.real": 0})(t)


@case("a counter of 0 Hz", damaged=False, file=None)
def meta_hz(t):
    add_meta({"clock.hz": 0})(t)


@case("arguments of nothing but zero bytes", damaged=False, file=None)
def meta_argv(t):
    add_meta({"argv": bytes(5000), "mounts": b"\xff" * 70_000})(t)


@case("the last count of records is made twice, the second one right", damaged=False, file=None)
def meta_final_twice(t):
    t.begin()
    t.ten("C")
    t.ten("E", thread=1, count=5, encoding=0)
    t.at["lm"] = len(t.stream.lm)
    t.stream.lm += meta({"records": 9, "end.reason": "exit"}, flags=1)
    t.stream.finish()
    t.save()


@case("all is there but the final metadata", damaged=False, file=None)
def meta_final_none(t):
    t.whole()
    t.edit(lambda data: data[:t.at["lm"]], LM)


@case("an end in the middle, and no final metadata", damaged=False, file=None)
def meta_final_none_and_more(t):
    t.begin()
    t.ten("C")
    t.stream.end()
    t.ten("E", thread=1, count=5, encoding=0)
    t.save()


@case("the final metadata stand before the first", damaged=False, file=None)
def meta_final_first(t):
    t.whole()
    t.edit(lambda data: data[:32] + data[t.at["lm"]:] + data[32:t.at["lm"]], LM)


@case("recorder.gm has a chunk that is cut short", file="recorder.gm", at=32)
def gm_cut(t):
    t.cut(140, "recorder.gm")


@case("recorder.gm has something behind its chunk", file="recorder.gm")
def gm_garbage(t):
    t.whole()
    t.edit(lambda data: data + b"RCHK and more", "recorder.gm")


@case("recorder.gm is all there is", 0, damaged=False, file=None)
def gm_alone(t):
    t.whole()
    os.unlink(t.path(LM))
    os.unlink(t.path())


@case("a file header, nothing else, in each file", 0, damaged=False, file=None)
def headers_only(t):
    t.whole()
    for name, kind in (("recorder.gm", b"G"), (LM, b"L"), (MAIN, b"S")):
        t.edit(lambda _, kind=kind: file_header(kind, 0xABCD), name)
