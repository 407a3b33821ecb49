# SPDX-License-Identifier: MIT
"""Spoiling DATA chunks of encoding 2: their signatures, numbers and strings."""
from spoiling import four_opens, part
from write_signatures import ASIDE, CONSTANT, EQUAL, RELATIVE, plain_sequence
from write_trace import PWRITE, svarint, uvarint

OFFSET = (PWRITE.name, 7)
RUNS, IDS = [0, 0, 0, 0, 6], [0, 0, 0, 0]   # of ten records of one signature


def in_one(_, field):
    """Ten writes have one signature: their offsets stand aside."""
    return {3: RELATIVE, 6: EQUAL, 7: ASIDE}.get(field, CONSTANT)


def constant(value):
    return uvarint(CONSTANT) + svarint(value)


# fields of the writes: repeat - 1, call site, stack, result, descriptor, its id, bytes, offset
FIELDS = {0: constant(0), 1: constant(0), 2: constant(0), 3: uvarint(RELATIVE) + svarint(6),
          4: constant(5), 5: constant(1), 6: uvarint(EQUAL) + uvarint(3), 7: uvarint(ASIDE) + b"\1"}


def one(fields=None, function=0, level=0, times=0, err=0, args=3):
    """The signature of the writes, with some fields otherwise."""
    head = uvarint(function) + uvarint(level) + b"\0" + uvarint(times) + svarint(err)
    return head + uvarint(args) + b"".join((FIELDS | (fields or {})).values())


def spoiled(t, *spoils, records=None, **more):
    """Ten records in encoding 2, some parts of which are spoiled."""
    def spoil(parts):
        for change in spoils:
            change(parts)
    t.columns(spoil, records, encoding=2, coding={"own": 2, "choose": in_one}, **more)


def signed_by(t, *signatures):
    spoiled(t, part("signatures", uvarint(len(signatures)) + b"".join(signatures)))


def numbers(t, name, *values, factor=b""):
    spoiled(t, part(name, factor + plain_sequence(values)))


def path(t, *strings, index=2, records=1, **more):
    """Calls of open() with string `index` - 2 of a list."""
    words = b"".join([uvarint(0), uvarint(0), b"\0", uvarint(0), svarint(0), uvarint(2)] +
                     [constant(value) for value in (0, 0, 0, 5, 1, index, 0)])
    spoiled(t, part("strings", uvarint(len(strings)) + b"".join(strings)),
            part("signatures", uvarint(1) + words), *more.pop("spoils", ()),
            records=lambda now: four_opens(now)[:records], **more)


def string(text, back=0, same=0, length=None, cut=0):
    return (uvarint(back) + uvarint(same + 1) + uvarint(len(text) + same if length is None else length) +
            uvarint(cut) + text)
