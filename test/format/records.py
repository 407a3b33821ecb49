# SPDX-License-Identifier: MIT
"""The records of a DATA chunk in both encodings (doc/format.md, 5)."""
import collections
import struct

from parts import (ABSENT, ARRAY, DOUBLE, INT, LEFT, MAX_RAW, MAX_RECORD_SIZE, NORETURN, PAIR,
                   RAW_HEADER, STRING, U16, U32, U64, UNKNOWN, UNREADABLE, UNSET, Array, Buffer,
                   Damage, Pair, Parameter, Record, Text, inflate, limited, scalar, signed,
                   unknown_function, unzigzag, used_up)

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


def unsigned_column(b, count, limit):
    """A column of `count` unsigned values that are at most `limit`."""
    data = b.column(count)
    if len(data) == count and (not count or max(data) < 128):
        values = list(data)
    else:
        values = uvarints(data, count)
    if values and max(values) > limit:
        raise Damage(f"{max(values)} in a column of values up to {limit}")
    return values


def uvarints(data, count):
    b = Buffer(data)
    values = []
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte >= 128 and shift < 70:
            continue
        if byte >= 128 or value > U64:
            raise Damage("varint of more than 64 bits")
        values.append(value)
        value = shift = 0
    b.position = len(data)
    if shift or len(values) != count:
        raise Damage(f"column of {len(values)} values for {count}")
    return values


def signed_column(b, count, values=1):
    data = b.column(count, values)
    return [unzigzag(value) for value in uvarints(data, count * values)]


def running_sums(differences, bits=64):
    value, sums = 0, []
    for difference in differences:
        value = signed(value + difference, bits)
        sums.append(value)
    return sums


def int_column(b, count):
    return running_sums(signed_column(b, count))


def pair_column(b, count):
    both = signed_column(b, count, 2)
    ids = [number & U32 for number in running_sums(both[1::2], 32)]
    return [Pair(*both) for both in zip(running_sums(both[0::2], 32), ids)]


def double_column(b, count):
    return [scalar(DOUBLE, bits & U64) for bits in int_column(b, count)]


def string_column(b, count):
    column = Buffer(b.column(count))
    values, previous = [], None
    for _ in range(count):
        tag = column.uvarint()
        if tag < 2:
            values.append((ABSENT, UNREADABLE)[tag])
            continue
        if tag > 2:
            original = tag - 3 + column.uvarint()
            previous = Text(column.take(tag - 3), original)
        elif previous is None:
            raise Damage("the same string as none")
        values.append(previous)
    return used_up(column, values)


def array_column(b, count):
    column = Buffer(b.column(count))
    values = []
    for _ in range(count):
        tag = column.uvarint()
        if tag < 2:
            values.append((ABSENT, UNREADABLE)[tag])
            continue
        cut = column.uvarint()
        total = column.svarint() if cut else None
        elements = running_sums(column.svarint() for _ in range(limited(column, tag - 2, 1)))
        total = signed(sum(elements)) if total is None else total
        values.append(Array(tuple(elements), tag - 2 + cut, total))
    return used_up(column, values)


def unknown_column(b, count):
    head = b.uvarint()
    if not head & 1:
        b.take(head >> 1)
    return [UNKNOWN] * count


COLUMNS = {INT: int_column, PAIR: pair_column, DOUBLE: double_column, STRING: string_column,
           ARRAY: array_column}


def class_column(b, class_, count):
    return COLUMNS.get(class_, unknown_column)(b, count)


def function_columns(b, function, count):
    """Results and arguments of the records of one function."""
    counts = unsigned_column(b, count, len(function.args))
    results = class_column(b, function.result.class_, count)
    columns = []
    for index, parameter in enumerate(function.args):
        present = sum(1 for n in counts if n > index)
        columns.append(iter(class_column(b, parameter.class_, present)))
    return iter(results), (tuple(next(column) for column in columns[:n]) for n in counts)


def column_records(header, body, functions):
    """The records of a DATA chunk of encoding 1, and its list of carried ones."""
    b, n = Buffer(body), header.count
    if n * RAW_HEADER > MAX_RAW:
        raise Damage(f"{n} records take more than {MAX_RAW} bytes")
    unit, phase = b.uvarint(), b.uvarint()
    if not phase < unit:
        raise Damage(f"phase {phase}, unit {unit}")
    if header.t_base < phase or (header.t_base - phase) % unit:
        raise Damage(f"t_base {header.t_base} is no multiple of unit {unit}")
    ids = [b.uvarint() for _ in range(limited(b, b.uvarint(), 1))]
    if len(set(ids)) != len(ids):
        raise Damage("a function is there twice")
    undefined = [number for number in ids if number not in functions]
    if undefined:
        raise Damage(f"function {undefined[0]} is not defined")
    used = [functions[number] for number in ids]
    sites = [(b.uvarint(), b.uvarint()) for _ in range(limited(b, b.uvarint(), 2))]
    carried = [(b.uvarint(), b.uvarint()) for _ in range(limited(b, header.carried, 2))]
    which = unsigned_column(b, n, len(used) - 1)
    levels = unsigned_column(b, n, U16)
    gaps = unsigned_column(b, n, U64)
    durations = unsigned_column(b, n, U64)
    where = unsigned_column(b, n, len(sites) - 1)
    flags = b.column(n)
    if len(flags) != n:
        raise Damage(f"{len(flags)} flags for {n} records")
    errs = signed_column(b, n)
    if any(err != signed(err, 32) for err in errs):
        raise Damage("an errno of more than 32 bits")
    repeats = unsigned_column(b, n, U32 - 1)
    stacks = unsigned_column(b, n, U32)
    counts = collections.Counter(which)
    values = [function_columns(b, function, counts[i]) for i, function in enumerate(used)]
    used_up(b, None)

    end, records = (header.t_base - phase) // unit, []
    for i in range(n):
        end += gaps[i]
        start, last = (end - durations[i]) * unit + phase, end * unit + phase
        if start < 0 or last > U64:
            raise Damage(f"record {i} at time {start} to {last}")
        results, args = values[which[i]]
        records.append(as_far_as_known(
            Record(header.sequence + i, used[which[i]], levels[i], start, last, next(results),
                   errs[i], sites[where[i]], flags[i], repeats[i] + 1, stacks[i], next(args))))
    check_sizes(records)
    check_carried(header, carried, records, unit)
    return records, (unit, phase)


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


def check_carried(header, carried, records, unit):
    """The list in front of the columns says what the columns say."""
    true = [(i, (header.t_base - record.tstart) // unit)
            for i, record in enumerate(records) if record.tstart < header.t_base]
    if true != carried:
        raise Damage(f"carried records {carried[:4]}... instead of {true[:4]}...")


def data_records(header, body, functions):
    """(records, (unit, phase)) of a DATA chunk."""
    if header.encoding == 0:
        records, step = all_defined(raw_records(body, functions, header.sequence)), (1, 0)
        numbers = [record.sequence for record in records]
        if numbers != list(range(header.sequence, header.sequence + len(records))):
            raise Damage("sequence numbers of raw records are not consecutive")
    else:
        records, step = column_records(header, inflate(body, header.plain_size), functions)
    if len(records) != header.count:
        raise Damage(f"{len(records)} records instead of {header.count}")
    return records, step
