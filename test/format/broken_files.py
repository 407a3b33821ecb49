# SPDX-License-Identifier: MIT
"""Broken traces: the files of the directory."""
import os

from spoiling import case
from write_trace import MARK, META, chunk, definition, file_header, function_definition, string


@case("nothing wrong", damaged=False, file=None)
def sound(t):
    t.whole()


@case("an empty directory", 0, None, refused=True)
def empty(t):
    pass


@case("a directory with files, none of a trace", 0, None, refused=True)
def other_files(t):
    with open(t.path("notes.txt"), "w", encoding="ascii") as file:
        file.write("RCHK\n")


@case("a text file with the name of a stream, nothing else", 0, None, refused=True)
def text_as_stream(t):
    with open(t.path(), "w", encoding="ascii") as file:
        file.write("This is not a trace.\n" * 10)


@case("no recorder.gm", file="recorder.gm")
def gm_missing(t):
    t.whole()
    os.unlink(t.path("recorder.gm"))


@case("recorder.gm has no byte", file="recorder.gm")
def gm_empty(t):
    t.cut(0, "recorder.gm")


@case("a flipped bit in the header of recorder.gm", file="recorder.gm", at=0)
def gm_header_flipped(t):
    t.flip(9, "recorder.gm")


@case("a flipped bit in the chunk of recorder.gm", file="recorder.gm", at=32)
def gm_chunk_flipped(t):
    t.flip(140, "recorder.gm")


@case("recorder.gm of major version 2", 0, "recorder.gm", refused=True)
def gm_major(t):
    t.whole()
    t.edit(lambda data: file_header(b"G", 0, 2) + data[32:], "recorder.gm")


@case("no .lm", file="rank-0.lm")
def lm_missing(t):
    t.whole()
    os.unlink(t.path("rank-0.lm"))


@case("the .lm has no byte", file="rank-0.lm")
def lm_empty(t):
    t.cut(0, "rank-0.lm")


@case("the .lm ends in the middle of its first chunk", file="rank-0.lm", at=32)
def lm_truncated(t):
    t.cut(300, "rank-0.lm")


@case("a flipped bit in the final chunk of the .lm", file="rank-0.lm", at="lm")
def lm_flipped(t):
    t.whole()
    t.edit(lambda data: data[:t.at["lm"] + 120] + b"\xff" + data[t.at["lm"] + 121:], "rank-0.lm")


@case("a value of an unknown type in the .lm", file="rank-0.lm")
def lm_value_type(t):
    t.whole()
    t.edit(lambda data: data + chunk(META, bytes([9, 0]) + string("x"), count=1), "rank-0.lm")


@case("the .lm counts more records than there are", file="rank-0")
def lm_records(t):
    t.begin()
    t.stream.records += 7
    t.end()
    t.save()


def ended(t, **said):
    """A trace whose final metadata says this too."""
    t.begin()
    t.end(**said)
    t.save()


@case("the .lm counts other calls than there are", file="rank-0.lm")
def lm_calls(t):
    ended(t, calls="2=34")


@case("the .lm counts calls of a function that is not defined", file="rank-0.lm")
def lm_calls_undefined(t):
    ended(t, calls="77=1")


@case("the .lm counts calls in another way than it is said", damaged=False)
def lm_calls_unread(t):
    ended(t, calls="2 = 34")


@case("the .lm counts other calls than there are, by names as in 1.0", file="rank-0.lm")
def lm_named_calls(t):
    ended(t, **{"calls.posix.pwrite": 34})


@case("no .rec, though records are counted", 0, "rank-0")
def rec_missing(t):
    t.whole()
    os.unlink(t.path())


@case("the .rec has no byte", 0)
def rec_empty(t):
    t.cut(0)


@case("the .rec ends in its file header", 0)
def rec_header_short(t):
    t.cut(20)


@case("a flipped bit in the magic of the .rec", at=0)
def rec_magic(t):
    t.flip(2)


@case("a flipped bit in the identity of the .rec", at=0)
def rec_header_crc(t):
    t.flip(17)


@case("the .rec is of major version 2", 0)
def rec_major(t):
    t.whole()
    t.edit(lambda data: file_header(b"S", 0xABCD, 2) + data[32:])


@case("the .rec is of minor version 9, with chunks and definitions of its own", damaged=False)
def rec_minor(t):
    t.between(lambda: (t.stream.add(99, b"?" * 40, count=3),
                       t.stream.defs(definition(999, b"x"), function_definition(MARK) + bytes(0))))
    t.edit(lambda data: file_header(b"S", 0xABCD, 1, 9) + data[32:])


@case("the .rec has the header of an .lm", 0)
def rec_kind(t):
    t.whole()
    t.edit(lambda data: file_header(b"L", 0xABCD) + data[32:])


@case("the .rec has another identity than the .lm")
def rec_identity(t):
    t.whole()
    t.edit(lambda data: file_header(b"S", 0xBBBB) + data[32:])


@case("a symbolic link in place of the .rec", 0)
def rec_symlink(t):
    t.whole()
    os.rename(t.path(), t.path("elsewhere"))
    os.symlink("elsewhere", t.path())


@case("a FIFO in place of the .rec", 0)
def rec_fifo(t):
    t.whole()
    os.unlink(t.path())
    os.mkfifo(t.path())


@case("a directory beside the streams", file="rank-1.rec")
def rec_directory(t):
    t.whole()
    os.mkdir(t.path("rank-1.rec"))


@case("a stream with a blank in its name", file="rank 1.rec")
def stream_name(t):
    t.whole()
    with open(t.path("rank 1.rec"), "wb") as file:
        file.write(t.stream.rec)
