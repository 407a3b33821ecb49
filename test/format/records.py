# SPDX-License-Identifier: MIT
"""Records: raw ones, and what holds for those of every encoding (doc/format.md, 5)."""
import struct

from parts import (ABSENT, ARRAY, INT, LEFT, MAX_ARGS, MAX_RAW, MAX_RECORD_SIZE, NORETURN, PAIR, RAW_HEADER,
                   STRING, UNREADABLE, UNSET, Array, Buffer, Damage, Pair, Parameter, Record, Text,
                   limited, scalar, signed, unknown_function)

MPI_ERROR = Parameter(INT, "", "mpi_error")
NC_ERROR = Parameter(INT, "", "nc_error")


def object_failed(function, result):
    """Whether the call of HDF5 or netCDF says that it failed."""
    if function.result == NC_ERROR:
        return result != 0
    if function.result == Parameter(PAIR, "", "hid"):
        return result.value < 0
    return function.result == Parameter(INT, "", "herr") and signed32(result) < 0


def signed32(value):
    return (int(value) + (1 << 31)) % (1 << 32) - (1 << 31)


def unset_outputs(record, numbers=True):
    """The record of a call that has not returned or failed: what it would have set is not known."""
    def unset(index, value):
        if record.function.args[index].class_ == INT and not numbers:
            return False
        zero = value == Pair(0, 0) or value == 0 and str(value) in ("0", "0.0")
        return record.function.outputs >> index & 1 and (value is ABSENT or zero)

    return record._replace(args=tuple(UNSET if unset(index, value) else value
                                      for index, value in enumerate(record.args)))


def as_far_as_known(record):
    if record.err or record.flags & (LEFT | NORETURN):
        return unset_outputs(record)
    if object_failed(record.function, record.result):
        return unset_outputs(record)
    if record.function.result == MPI_ERROR and record.result:
        return unset_outputs(record, numbers=False)
    return record


def raw_block(record, offset, first, class_):
    """The STRING or ARRAY whose argument word is `offset`."""
    if offset == 0:
        return ABSENT
    if offset == 1:
        return UNREADABLE
    if offset % 8 or offset < first or offset > len(record) - 8:
        raise Damage(f"block at {offset} in a record of {len(record)} bytes")
    b = Buffer(record, offset)
    stored, original = b.unpack("II")
    if stored > original:
        raise Damage(f"block of {stored} of {original}")
    if class_ == STRING:
        return Text(b.take(stored), original)
    total = b.one("q")
    elements = b.unpack(f"{limited(b, stored, 8)}q")
    return whole_array(elements, original, total)


def whole_array(elements, original, total):
    if len(elements) == original and signed(sum(elements)) != total:
        raise Damage(f"array whose sum is {signed(sum(elements))}, not {total}")
    return Array(elements, original, total)


def raw_record(data, functions, base):
    """One raw record; `base`: the sequence number of a record not far before it."""
    (_, number, level, low, arg_count, flags, _, tstart, tend, result, site, err, repeat, stack,
     _) = struct.unpack_from("<IHHIBBHQQQQiIII", data)
    first = RAW_HEADER + 8 * arg_count
    if first > len(data):
        raise Damage(f"{arg_count} arguments in a record of {len(data)} bytes")
    function = functions.get(number) or unknown_function(number, arg_count)
    if arg_count > len(function.args):
        raise Damage(f"{arg_count} arguments of {function.name}, which has {len(function.args)}")
    words = struct.unpack_from(f"<{arg_count}Q", data, RAW_HEADER)
    args = tuple(raw_block(data, word, first, parameter.class_)
                 if parameter.class_ in (STRING, ARRAY) else scalar(parameter.class_, word)
                 for word, parameter in zip(words, function.args))
    return as_far_as_known(
        Record(base + signed(low - base, 32), function, level, tstart, tend,
               scalar(function.result.class_, result), err, (0, site), flags, repeat, stack, args))


def raw_record_size(body, position):
    """The size of the record at `position`."""
    size = Buffer(body, position).one("I")
    if size % 8 or not RAW_HEADER <= size <= MAX_RECORD_SIZE or position + size > len(body):
        raise Damage(f"record of {size} bytes at {position} of {len(body)}")
    return size


def whole_record(data):
    """The record that the data begin with, if one does."""
    try:
        size = raw_record_size(data, 0)
    except Damage:
        return b""
    count = data[12] if size else 0
    return data[:size] if count <= MAX_ARGS and size >= RAW_HEADER + 8 * count else b""


def without_busy(record):
    """The record without the last argument of a run, which is none: it is the time in its calls."""
    args, span = record.function.args, record.tend - record.tstart
    if not args or args[-1].kind != "busy" or len(record.args) < len(args):
        return record._replace(busy=span)
    ticks = record.args[-1] % (1 << 64) if record.repeat > 1 else span
    most = min(record.tend, (1 << 64) - 1 - record.tstart) if record.summed else span
    return record._replace(args=record.args[:-1], busy=ticks if ticks <= most else span)


def settled_run(data, pairs):
    """The records of a ring; if the last one is a run, it stands where the ring's header says (section 9)."""
    position, last = 0, None
    while position < len(data):
        last = position
        try:
            position += raw_record_size(data, position)
        except Damage:
            return data
        if data[last + 12] > 64 or position - last < RAW_HEADER + 8 * data[last + 12]:
            return data
    if last is None:
        return data
    args, (tend,), (repeat,) = data[last + 12], *(struct.unpack_from(form, data, last + at)
                                                  for form, at in (("<Q", 24), ("<I", 52)))
    now = pairs[2 * (repeat & 1)]
    if repeat < 2 or not args or now < tend:
        return data
    settled = bytearray(data)
    struct.pack_into("<Q", settled, last + 24, now)
    struct.pack_into("<Q", settled, last + RAW_HEADER + 8 * (args - 1), pairs[2 * (repeat & 1) + 1])
    return bytes(settled)


def raw_records(body, functions, base):
    """All raw records of a body, a ring or an open-call stack."""
    records, position = [], 0
    while position < len(body):
        size = raw_record_size(body, position)
        records.append(raw_record(body[position:position + size], functions, base))
        position += size
    return records


def all_defined(records):
    """The records, all of functions that are defined."""
    for record in records:
        if record.function.layer == "?":
            raise Damage(f"function {record.function.id} is not defined")
    return records


def raw_size(record):
    """Bytes of a record in raw form."""
    size = RAW_HEADER + 8 * len(record.args)
    for value in record.args:
        if isinstance(value, Text):
            size += 8 + len(value.bytes) + -len(value.bytes) % 8
        elif isinstance(value, Array):
            size += 16 + 8 * len(value.elements)
    return size


def check_sizes(records):
    sizes = [raw_size(record) for record in records]
    if max(sizes, default=0) > MAX_RECORD_SIZE or sum(sizes) > MAX_RAW:
        raise Damage(f"records of up to {max(sizes)} bytes, {sum(sizes)} together")


def check_carried(t_base, carried, records, unit):
    """The list in front of the records says what they say."""
    true = [(i, (t_base - record.tstart) // unit)
            for i, record in enumerate(records) if record.tstart < t_base]
    if true != carried:
        raise Damage(f"carried records {carried[:4]}... instead of {true[:4]}...")


def outermost_first(calls):
    """As many of the calls as can enclose each other in that order."""
    count = 0
    while count < len(calls) and calls[count].level >= count:
        count += 1
    return calls[:count]
