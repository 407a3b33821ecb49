# SPDX-License-Identifier: MIT
"""Records for write_trace.py: numbers, raw records (encoding 0) and columns (encoding 1)."""
import collections
import struct

INT, PAIR, DOUBLE, STRING, ARRAY = 1, 2, 3, 4, 5
MASK = (1 << 64) - 1

Pair = collections.namedtuple("Pair", "value id")
Cut = collections.namedtuple("Cut", "stored original sum")  # of bytes (no sum) or a list
NULL, BAD = "NULL", "BAD"
Function = collections.namedtuple("Function", "id layer name result kind args outputs",
                                  defaults=(None,))  # None: written without them


class Record:
    """A call; times in ticks."""

    def __init__(self, function, tstart, tend, args, result=0, **more):
        self.function, self.tstart, self.tend = function, tstart, tend
        self.args, self.result = args, result
        self.level, self.err, self.site, self.flags, self.repeat, self.stack = 0, 0, (0, 0), 0, 1, 0
        self.__dict__.update(more)


# ---- numbers ---------------------------------------------------------------------


def uvarint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def svarint(value):
    """Of the i64 that is congruent to `value`."""
    value &= MASK
    return uvarint((value << 1 & MASK) ^ (MASK if value >> 63 else 0))


def string(value):
    value = value.encode() if isinstance(value, str) else value
    return struct.pack("<H", len(value)) + value


def padded(data):
    return data + bytes(-len(data) % 8)


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def whole(value):
    """(stored, original, sum) of a string or array."""
    if isinstance(value, Cut):
        return value
    return Cut(value, len(value), 0 if isinstance(value, bytes) else sum(value))


# ---- raw records -------------------------------------------------------------------


def word(class_, value):
    """Result, or argument other than a block, as 64 bits."""
    if class_ == PAIR:
        return (value.id << 32) | (value.value & 0xFFFFFFFF)
    return bits(value) if class_ == DOUBLE else value & MASK


def block(class_, value):
    stored, original, total = whole(value)
    head = struct.pack("<II", len(stored), original)
    if class_ == STRING:
        return padded(head + stored)
    return head + struct.pack(f"<Q{len(stored)}q", total & MASK, *stored)


def raw(record, sequence):
    words, blocks = [], b""
    first = 64 + 8 * len(record.args)
    for (class_, _, _), value in zip(record.function.args, record.args):
        if class_ not in (STRING, ARRAY):
            words.append(word(class_, value))
        elif value in (NULL, BAD):
            words.append(0 if value == NULL else 1)
        else:
            words.append(first + len(blocks))
            blocks += block(class_, value)
    return struct.pack(
        f"<IHHIBBHQQQQiIII{len(words)}Q", first + len(blocks), record.function.id, record.level,
        sequence & 0xFFFFFFFF, len(words), record.flags, 0, record.tstart, record.tend,
        word(record.function.result, record.result), record.site[1], record.err, record.repeat,
        record.stack, 0, *words) + blocks


# ---- columns -----------------------------------------------------------------------


def column(parts):
    data = b"".join(parts)
    if data and not any(data):
        return uvarint(len(data) << 1 | 1)
    return uvarint(len(data) << 1) + data


def differences(values, coded=svarint):
    return column(coded(b - a) for a, b in zip([0] + values, values))


def strings(values):
    parts, previous = [], None
    for value in values:
        if value in (NULL, BAD):
            parts.append(uvarint(0 if value == NULL else 1))
            continue
        stored, original, _ = whole(value)
        if (stored, original) == previous:
            parts.append(uvarint(2))
        else:
            parts += [uvarint(len(stored) + 3), uvarint(original - len(stored)), stored]
        previous = (stored, original)
    return column(parts)


def arrays(values):
    parts = []
    for value in values:
        if value in (NULL, BAD):
            parts.append(uvarint(0 if value == NULL else 1))
            continue
        stored, original, total = whole(value)
        parts += [uvarint(len(stored) + 2), uvarint(original - len(stored))]
        if original > len(stored):
            parts.append(svarint(total))
        parts += [svarint(b - a) for a, b in zip([0] + stored, stored)]
    return column(parts)


def pairs(values):
    last, parts = Pair(0, 0), []
    for value in values:
        parts += [svarint(value.value - last.value), svarint(value.id - last.id)]
        last = value
    return column(parts)


def by_class(class_, values):
    if class_ == INT:
        return differences(values)
    if class_ == DOUBLE:
        return differences([bits(value) for value in values])
    return {PAIR: pairs, STRING: strings, ARRAY: arrays}[class_](values)


def head_parts(records, t_base, unit, phase):
    """What encodings 1 and 2 begin with: functions, call sites, the parts by name, how many records
    are carried."""
    functions = list(dict.fromkeys(record.function for record in records))
    sites = list(dict.fromkeys(record.site for record in records))
    base, starts = (t_base - phase) // unit, [(r.tstart - phase) // unit for r in records]
    early = [(i, base - start) for i, start in enumerate(starts) if start < base]
    return functions, sites, {
        "unit": uvarint(unit),
        "phase": uvarint(phase),
        "functions": uvarint(len(functions)) + b"".join(uvarint(f.id) for f in functions),
        "sites": uvarint(len(sites)) + b"".join(uvarint(m) + uvarint(o) for m, o in sites),
        "carried": b"".join(uvarint(i) + uvarint(distance) for i, distance in early),
    }, len(early)


def columns(records, t_base, unit, phase):
    """The parts, by name, of the plain body of a DATA chunk of encoding 1; how many are carried."""
    def rounded(ticks):
        return (ticks - phase) // unit

    functions, sites, parts, carried = head_parts(records, t_base, unit, phase)
    ends = [rounded(t_base)] + [rounded(record.tend) for record in records]
    parts |= {
        "function": column(uvarint(functions.index(record.function)) for record in records),
        "level": column(uvarint(record.level) for record in records),
        "gap": column(uvarint(b - a) for a, b in zip(ends, ends[1:])),
        "duration": column(uvarint(rounded(r.tend) - rounded(r.tstart)) for r in records),
        "site": column(uvarint(sites.index(record.site)) for record in records),
        "flags": column(bytes([record.flags]) for record in records),
        "err": column(svarint(record.err) for record in records),
        "repeat": column(uvarint(record.repeat - 1) for record in records),
        "stack": column(uvarint(record.stack) for record in records),
    }
    for function in functions:
        own = [record for record in records if record.function == function]
        parts[function.name, "present"] = column(uvarint(len(record.args)) for record in own)
        parts[function.name, "result"] = by_class(function.result, [r.result for r in own])
        for i, (class_, name, _) in enumerate(function.args):
            parts[function.name, name] = by_class(
                class_, [record.args[i] for record in own if len(record.args) > i])
    return parts, carried


def symbol_of(number):
    """(symbol, raw bits, how many)"""
    if number < 128:
        return number, 0, 0
    highest = number.bit_length() - 1
    top = number >> highest - 4 & 15
    return 128 + (highest - 7) * 16 + top, number & (1 << highest - 4) - 1, highest - 4
