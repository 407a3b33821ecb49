# SPDX-License-Identifier: MIT
"""Broken traces: strings and arrays of encoding 2."""
from spoiling import case, four_waits, part
from spoiling_signatures import IDS, constant, path, spoiled, string
from write_signatures import plain_sequence
from write_trace import svarint, uvarint


def next_string(back, step):
    return uvarint(back) + uvarint(0) + uvarint(step)


@case("strings like others, as they should be", 36, damaged=False)
def strings_sound(t):
    path(t, string(b"a.098"), next_string(1, 1), next_string(2, 901), string(b"b", 1, 2), index=5)


@case("an index beyond the list of strings", at="x")
def string_index(t):
    path(t, string(b"/tmp/a"), index=3)


@case("a string like one before the first", at="x")
def string_back(t):
    path(t, string(b"/tmp/a", back=1))


@case("a string that counts on from none", at="x")
def string_count_none(t):
    path(t, next_string(0, 1))


@case("a string that counts on from one without a number", at="x")
def string_count_letters(t):
    path(t, string(b"/tmp/a"), next_string(1, 1), index=3)


@case("a string that counts on beyond its digits", at="x")
def string_count_beyond(t):
    path(t, string(b"part.999"), next_string(1, 1), index=3)


@case("a string that counts on around 2^64", at="x")
def string_count_around(t):
    path(t, string(b"part.999"), next_string(1, (1 << 64) - 1), index=3)


@case("a string with more bytes in common with another than that has", at="x")
def string_prefix_long(t):
    path(t, string(b"/tmp"), string(b"a", back=1, same=5), index=3)


@case("a string with more bytes in common with another than it has", at="x")
def string_prefix_short(t):
    path(t, string(b"/tmp"), string(b"", back=1, same=4, length=3), index=3)


@case("a string of 2^33 bytes", at="x")
def string_original(t):
    path(t, string(b"/tmp/a", cut=1 << 33))


@case("a string that goes on beyond the words", at="x")
def string_beyond(t):
    path(t, string(b"/tmp/a", length=30_000))


@case("a string of 40 KB that no record has", at="x")
def string_unused(t):
    path(t, string(b"/tmp/a"), string(b"/" * 40_000))


@case("100 MB of strings in some bytes", at="x")
def strings_bomb(t):
    path(t, string(b"/" * 30_000 + b"9"), *[next_string(1, 0)] * 3400)


@case("a record of encoding 2 of more than 32 KiB", at="x")
def signature_large(t):
    path(t, string(b"/" * 32_700))


@case("70 MB of records that are all the same", at="x")
def signatures_bomb(t):
    spoils = (part("runs", plain_sequence([0, 0, 0, 0, 3496])), part("ids", plain_sequence(IDS)),
              part(("idle", 0), plain_sequence([0] * 3500)),
              part(("duration", 0), plain_sequence([0] * 3500)))
    path(t, string(b"/" * 20_000), count=3500, spoils=spoils)


def waits(t, *arrays, index=2):
    words = b"".join([uvarint(0), uvarint(0), b"\0", uvarint(0), svarint(0), uvarint(2)] +
                     [constant(value) for value in (0, 0, 0, 0, 1, index)])
    spoiled(t, part("arrays", uvarint(len(arrays)) + b"".join(arrays)),
            part("signatures", uvarint(1) + words), records=lambda now: four_waits(now)[:1])


def array(*differences, count=None, cut=0):
    return uvarint(len(differences) if count is None else count) + uvarint(cut) + (
        svarint(-9) if cut else b"") + b"".join(map(svarint, differences))


@case("arrays as they should be", 36, damaged=False)
def arrays_sound(t):
    waits(t, array(1, 2, 3), array(5, cut=3), index=3)


def like(back, step):
    return uvarint(4096 + back) + svarint(step)


@case("arrays like others, one of them cut", 36, damaged=False)
def arrays_stepped(t):
    waits(t, array(1, 2, 3), like(1, 5), array(5, cut=3), like(1, -7), like(3, 1 << 62), index=5)


def unlike(back, *steps, count=None):
    return like(back, 0) + uvarint(len(steps) if count is None else count) + b"".join(map(svarint, steps))


@case("arrays whose elements have steps of their own, one of them cut", 36, damaged=False)
def arrays_unlike(t):
    waits(t, array(1, 2, 3), unlike(1, 0, -5, 1 << 62), array(5, cut=3), unlike(1, -7), array(),
          unlike(1), unlike(5, 0, 0, 0), index=6)


@case("an array with fewer steps than the other one has elements", at="x")
def array_fewer_steps(t):
    waits(t, array(1, 2, 3), unlike(1, 4, 5), index=3)


@case("an array with more steps than the other one has elements", at="x")
def array_more_steps(t):
    waits(t, array(1, 2, 3), unlike(1, 4, 5, 6, 7), index=3)


@case("an array with 2^40 steps", at="x")
def array_many_steps(t):
    waits(t, array(1, 2, 3), unlike(1, 4, 5, 6, count=1 << 40), index=3)


@case("an array like one before the first", at="x")
def array_like_none(t):
    waits(t, array(1), like(2, 1), index=3)


@case("an array of 4,096 elements that are not there", at="x")
def array_missing(t):
    waits(t, array(1), like(0, 1), index=3)


@case("an index beyond the list of arrays", at="x")
def array_index(t):
    waits(t, array(1), index=3)


@case("an array of 2^40 elements in encoding 2", at="x")
def array_beyond(t):
    waits(t, array(1, count=1 << 40))


@case("an array of 2^33 elements of which one is stored", at="x")
def array_original(t):
    waits(t, array(1, cut=1 << 33))


@case("an array of 5,000 elements that no record has", at="x")
def array_unused(t):
    waits(t, array(1), array(*[1] * 5000))  # 5,000 is the one that is 904 before
