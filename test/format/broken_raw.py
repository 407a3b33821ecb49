# SPDX-License-Identifier: MIT
"""Broken traces: raw bodies."""
import struct

from spoiling import case, four_opens, four_waits
from write_trace import FIRST_TICK, MARK


def patched(at, form, value):
    """A spoil function that writes into the fourth raw record."""
    def spoil(parts):
        data = bytearray(parts[3])
        struct.pack_into("<" + form, data, at, value)
        parts[3] = bytes(data)
    return spoil


@case("a raw record of size 0", at="x")
def raw_size_zero(t):
    t.raws(patched(0, "I", 0))


@case("a raw record smaller than its header", at="x")
def raw_size_small(t):
    t.raws(patched(0, "I", 56))


@case("a raw record that ends beyond the body", at="x")
def raw_size_beyond(t):
    t.raws(patched(0, "I", 8192))


@case("a raw record of odd size", at="x")
def raw_size_odd(t):
    t.raws(patched(0, "I", 91))


@case("a raw record with more arguments than it has room for", at="x")
def raw_args_room(t):
    t.raws(patched(12, "B", 60))


@case("a raw record with more arguments than its function", at="x")
def raw_args_many(t):
    t.raws(patched(4, "H", MARK.id))


@case("raw records out of sequence", at="x")
def raw_sequence(t):
    t.raws(patched(8, "I", 99))


@case("a raw record that ends before it begins", 45, at="x")
def raw_time_back(t):
    t.raws(patched(16, "Q", FIRST_TICK * 2))


@case("a raw record that stands for no call", 45, at="x")
def raw_repeat(t):
    t.raws(patched(52, "I", 0))


def raw_path(t, form, value, at):
    """A raw open() whose path is spoilt."""
    t.raws(patched(at, form, value), four_opens)


@case("a string outside of its record", at="x")
def raw_block_outside(t):
    raw_path(t, "Q", 4096, 64)


@case("a string inside of the record's header", at="x")
def raw_block_header(t):
    raw_path(t, "Q", 16, 64)


@case("a string at an odd offset", at="x")
def raw_block_odd(t):
    raw_path(t, "Q", 81, 64)


@case("a string offset near 2^64", at="x")
def raw_block_wraps(t):
    raw_path(t, "Q", (1 << 64) - 8, 64)


@case("a string longer than its record", at="x")
def raw_string_long(t):
    raw_path(t, "Q", 5000 << 32 | 5000, 80)


@case("a string with more bytes stored than it had", at="x")
def raw_string_cut(t):
    raw_path(t, "I", 2, 84)


@case("an array longer than its record", at="x")
def raw_array_long(t):
    t.raws(patched(88, "Q", 0x40000000 << 32 | 0x40000000), four_waits)
