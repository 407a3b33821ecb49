# SPDX-License-Identifier: MIT
"""Broken traces: the live files of a process that was killed (doc/format.md, 9).

Sound, such a trace has 12 records of 14 calls: 4 in its .rec, 5 in a ring that goes on after them and 3 in
the ring of a thread of its own. Its definitions arena has what the .rec lacks.
"""
import os
import struct

import live_trace
from spoiling import case
from write_trace import MARK, Record, definition, raw

RING, OTHER, ARENA = "live/a.0.ring", "live/a.1.ring", "live/a.defs"


def killed(t, changed=None, meta=None):
    """Writes the trace, its live files in a folder within it; `changed`: contents by name."""
    files = live_trace.files(live=os.path.join(t.where, "live"))
    files.update(changed or {})
    if meta:
        files["trace/a.lm"] = meta
    os.mkdir(t.path("live"))
    for name, data in files.items():
        if data is not None:
            with open(t.path(name.replace("trace/", "")), "wb") as file:
                file.write(data)


def live_case(text, stored=12, file="a.0.ring", damaged=True):
    return case(text, stored, file if damaged else None, damaged=damaged)


def ring(**more):
    return live_trace.ring(live_trace.calls(5, 10), first=more.pop("first", 4), **more)


def patched(data, at, form, value):
    data = bytearray(data)
    struct.pack_into("<" + form, data, at, value)
    return bytes(data)


def spoilt_record(at, form, value):
    """The ring with a change in its second record."""
    first = len(raw(live_trace.calls(5, 10)[0], 4))
    return patched(ring(), 4096 + live_trace.OPEN_SIZE + first + at, form, value)


@live_case("a killed process with all its live files", damaged=False)
def live_sound(t):
    killed(t)


# ---- rings -----------------------------------------------------------------------------------


@live_case("a ring that was just being made: it has no byte", 7, damaged=False)
def ring_empty(t):
    killed(t, {RING: b""})


@live_case("a ring that was just being made: it has no magic yet", 7, damaged=False)
def ring_unborn(t):
    killed(t, {RING: bytes(8) + ring()[8:]})


@live_case("a ring of 100 bytes", 7)
def ring_short(t):
    killed(t, {RING: ring()[:100]})


@live_case("a ring with another magic", 7)
def ring_magic(t):
    killed(t, {RING: b"RecRinG1" + ring()[8:]})


@live_case("a ring of version 2", 7)
def ring_version(t):
    killed(t, {RING: b"RecRing2" + ring()[8:]})


@live_case("a ring of another stream", 7, damaged=False)
def ring_other_stream(t):
    killed(t, {RING: ring(identity=0xBBBB)})


@live_case("a ring that nobody owns", 7, damaged=False)
def ring_free(t):
    killed(t, {RING: patched(ring(), 16, "I", 0xFFFFFFFF)})


@live_case("a ring whose data lie beyond its file", 7)
def ring_data_beyond(t):
    killed(t, {RING: ring(data_offset=1 << 31)})


@live_case("a ring whose data are larger than its file", 7)
def ring_data_large(t):
    killed(t, {RING: ring(data_size=0xFFFFFFF8)})


@live_case("a ring whose data begin at an odd offset", 7)
def ring_data_odd(t):
    killed(t, {RING: ring(data_offset=4097 + live_trace.OPEN_SIZE)})


@live_case("a ring with more bytes in use than it has", 7)
def ring_published_beyond(t):
    killed(t, {RING: ring(published=7 << 32 | 0xFFFFFFFF)})


@live_case("a ring whose stack of open calls lies beyond its file", 7)
def ring_open_beyond(t):
    killed(t, {RING: ring(open_offset=0xFFFFFFF8)})


@live_case("a ring with more open calls than room for them", 7)
def ring_open_top(t):
    killed(t, {RING: ring(open_top=1 << 63)})


@live_case("a ring that goes on 90 records later", 12, file="a")
def ring_gap(t):
    killed(t, {RING: ring(first=94)})


@live_case("a ring that goes on 90 records later, as many as it says are lost", damaged=False)
def ring_gap_told(t):
    killed(t, {RING: ring(first=94, lost=90)})


@live_case("a ring two of whose records are in the .rec", 10, damaged=False)
def ring_overlap(t):
    killed(t, {RING: ring(first=2)})


@live_case("a ring all of whose records are in the .rec", 7, damaged=False)
def ring_old(t):
    killed(t, {RING: live_trace.ring(live_trace.calls(4), first=0)})


@live_case("a record of size 0 in a ring", 8, file="a")
def ring_record_zero(t):
    killed(t, {RING: spoilt_record(0, "I", 0)})


@live_case("a record in a ring that ends beyond what is in use", 8, file="a")
def ring_record_long(t):
    killed(t, {RING: spoilt_record(0, "I", 4096)})


@live_case("a record in a ring with more arguments than its function", 11, file="a")
def ring_record_function(t):
    killed(t, {RING: spoilt_record(4, "H", MARK.id)})


@live_case("a string in a ring that lies outside of its record", 11, file="a")
def ring_record_string(t):
    killed(t, {RING: spoilt_record(64, "Q", 4096)})


@live_case("a symbolic link in place of a ring", 7, damaged=True)
def ring_symlink(t):
    killed(t, {RING: None})
    with open(t.path("elsewhere"), "wb") as file:
        file.write(ring())
    os.symlink("../elsewhere", t.path(RING))


@live_case("a FIFO in place of a ring", 7, damaged=True)
def ring_fifo(t):
    killed(t, {RING: None})
    os.mkfifo(t.path(RING))


@live_case("a ring with a name that is not quite one", 12, damaged=False)
def ring_name(t):
    killed(t, {"live/a.x.ring": b"no ring", "live/a..ring": b"", "live/aa.0.ring": ring()})


# ---- the calls in flight of a ring -----------------------------------------------------------


@live_case("bytes that are no record on the stack of open calls", damaged=False)
def open_stack_garbage(t):
    data = ring(open_top=64)
    killed(t, {RING: data[:4096] + b"\xff" * 64 + data[4160:]})


@live_case("an open call of a function that is not defined", damaged=False)
def open_stack_function(t):
    unknown = raw(Record(MARK._replace(id=999), 1, 0, [1.5]), 0)
    data = ring(open_top=len(unknown))
    killed(t, {RING: data[:4096] + unknown + data[4096 + len(unknown):]})


def in_place(*at):
    """A ring with one call in place, of which bytes are changed: (at, form, value)."""
    data = ring(in_place=Record(live_trace.WAITALL, live_trace.FIRST_TICK + 400_000, 0, [0, [], []], level=1))
    begin = 4096 + live_trace.OPEN_SIZE + struct.unpack_from("<I", data, 64)[0]
    return patched(data, begin + at[0], *at[1:]) if at else data


@live_case("a call in place", damaged=False)
def in_place_sound(t):
    killed(t, {RING: in_place()})


@live_case("a call in place of size 0", damaged=False)
def in_place_zero(t):
    killed(t, {RING: in_place(0, "I", 0)})


@live_case("a call in place that ends beyond the ring", damaged=False)
def in_place_long(t):
    killed(t, {RING: in_place(0, "I", live_trace.DATA_SIZE)})


@live_case("a call in place with more arguments than it has room for", damaged=False)
def in_place_args(t):
    killed(t, {RING: in_place(12, "B", 65)})


@live_case("a call in place of an outer level: it was just being moved", damaged=False)
def in_place_outer(t):
    killed(t, {RING: in_place(6, "H", 0)})


@live_case("a call in place of an earlier generation", damaged=False)
def in_place_old(t):
    killed(t, {RING: patched(in_place(), 128, "Q", 1)})


# ---- the definitions arena -------------------------------------------------------------------


@live_case("no definitions arena", damaged=False)
def arena_missing(t):
    killed(t, {ARENA: None})


@live_case("a definitions arena that was just being made", damaged=False)
def arena_empty(t):
    killed(t, {ARENA: b""})


@live_case("a definitions arena with another magic", file="a.defs")
def arena_magic(t):
    killed(t, {ARENA: b"RecDefsX" + bytes(8192)})


@live_case("a definitions arena of version 2", file="a.defs")
def arena_version(t):
    killed(t, {ARENA: b"RecDefs2" + live_trace.arena([])[8:]})


@live_case("a definitions arena of another stream", damaged=False)
def arena_other_stream(t):
    killed(t, {ARENA: live_trace.arena([], identity=0xBBBB)})


def spoilt_arena(at, form, value):
    return {ARENA: patched(live_trace.arena(live_trace.all_definitions()[6:]), at, form, value)}


@live_case("a definitions arena of no size", file="a")
def arena_size_zero(t):
    killed(t, spoilt_arena(20, "I", 0))


@live_case("a definitions arena whose size is no power of two", file="a")
def arena_size_odd(t):
    killed(t, spoilt_arena(20, "I", 3000))


@live_case("a definitions arena of 2 GiB in a file of 8 KiB", file="a")
def arena_size_huge(t):
    killed(t, spoilt_arena(20, "I", 1 << 31))


@live_case("a definitions arena with more flushed than was ever reserved", file="a")
def arena_flushed(t):
    killed(t, spoilt_arena(40, "Q", 1 << 40))


@live_case("a definition in the arena that is longer than it", file="a")
def arena_entry_long(t):
    killed(t, spoilt_arena(4096, "I", 0x7FFFFFF0))


@live_case("a definition in the arena that is shorter than its fields", file="a")
def arena_entry_short(t):
    killed(t, {ARENA: live_trace.arena([definition(2, b"abc")])})


@live_case("a definition in the arena that is not complete", damaged=False)
def arena_incomplete(t):
    killed(t, spoilt_arena(4102, "H", 0))


@live_case("definitions behind one in the arena that was not begun", damaged=False)
def arena_unbegun(t):
    entries = live_trace.all_definitions()[6:]
    killed(t, {ARENA: live_trace.arena([*entries[:1], bytes(48), *entries[1:]])})


@live_case("definitions that go around the end of the arena", damaged=False)
def arena_around(t):
    killed(t, {ARENA: live_trace.arena(live_trace.all_definitions()[6:], flushed=4096 * 5 - 64)})


@live_case("a string in the arena that ends beyond its definition", file="a")
def arena_string(t):
    killed(t, {ARENA: live_trace.arena([definition(8, struct.pack("<IH", 1, 999) + b"abc")])})


# ---- the live directory ----------------------------------------------------------------------


@live_case("the live directory is gone", 4, damaged=False)
def live_dir_gone(t):
    killed(t, meta=live_trace.local_meta(live="/nonexistent/recorder"))


@live_case("the live directory is a file", 4, damaged=False)
def live_dir_file(t):
    killed(t, meta=live_trace.local_meta(live=t.path("recorder.gm")))


@live_case("the name of the live directory has a zero byte", 4, damaged=False)
def live_dir_zero(t):
    killed(t, meta=live_trace.local_meta(live=b"\0" + t.path("live").encode()))


@live_case("the name of the live directory has 60,000 bytes", 4, damaged=False)
def live_dir_long(t):
    killed(t, meta=live_trace.local_meta(live="/a" * 30_000))


@live_case("the live directory is no text", 4, damaged=False)
def live_dir_number(t):
    killed(t, meta=live_trace.local_meta(live=77))
