# SPDX-License-Identifier: MIT
"""DATA chunks of encodings 2 and 3, signatures (doc/format.md, 5)."""
import collections

from columns import Head, running_sums
from parts import (ABSENT, ARRAY, DOUBLE, INT, MAX_RAW, MAX_RECORD_SIZE, PAIR, STRING, U16, U32, U64, UNKNOWN,
                   UNREADABLE, Array, Buffer, Damage, Pair, Record, Text, inflate_front, limited,
                   scalar, signed, unzigzag, used_up)
from records import as_far_as_known
from sequences import Bits, sequence
from summed import Times

CONSTANT, RELATIVE, EQUAL, ADD, ASIDE = range(5)
SUMMED = 3      # encoding
RESULT = 3      # the first field that depends on the function
MAX_SIGNATURES, MAX_CHAINS, MAX_NUMBERS = 65534, 65535, 20 << 20
MAX_ELEMENTS = MAX_RECORD_SIZE // 8
PLACES = 16384
DIGITS, MAX_DIGITS = b"0123456789", 18


# ---- lists ------------------------------------------------------------------------------


def counted_on(text, step):
    """The string whose last number is `step` larger."""
    end = len(text)
    while end and text[end - 1] not in DIGITS:
        end -= 1
    first = end
    while first and end - first < MAX_DIGITS and text[first - 1] in DIGITS:
        first -= 1
    digits = b"%0*d" % (end - first, int(text[first:end] or b"0") + step)
    if not end or len(digits) > end - first:
        raise Damage(f"string whose last number, of {end - first} digits, is {step} larger")
    return text[:first] + digits + text[end:]


def read_string(b, strings):
    back, how = b.uvarint(), b.uvarint()
    if back > len(strings) or back == how == 0:
        raise Damage(f"a string like the one {back} before string {len(strings)}")
    other = strings[-back] if back else Text(b"", 0)
    if how == 0:
        return Text(counted_on(other.bytes, b.uvarint()), other.original)
    common, stored, cut = how - 1, b.uvarint(), b.uvarint()
    if common > min(stored, len(other.bytes)):
        raise Damage(f"a string of {stored} bytes with {common} of one of {len(other.bytes)}")
    if stored + cut > U32:
        raise Damage(f"a string of {stored + cut} bytes")
    return Text(other.bytes[:common] + b.take(stored - common), stored + cut)


def read_strings(b):
    strings, total = [], 0
    for _ in range(limited(b, b.uvarint(), 3)):
        strings.append(read_string(b, strings))
        total += len(strings[-1].bytes)
        if total > MAX_RAW or len(strings[-1].bytes) > MAX_RECORD_SIZE:
            raise Damage(f"string of {len(strings[-1].bytes)} bytes, {total} in all")
    return strings


def stepped_array(b, other):
    step = b.svarint()
    if step:
        steps, rest = [step] * len(other.elements), step * (other.original - len(other.elements))
    else:
        count, rest = b.uvarint(), 0
        if count != len(other.elements):
            raise Damage(f"{count} steps for an array of {len(other.elements)} elements")
        steps = [unzigzag(difference) for difference in b.uvarints(limited(b, count, 1))]
    return Array(tuple(signed(element + step) for element, step in zip(other.elements, steps)),
                 other.original, signed(other.sum + sum(steps) + rest))


def read_array(b, arrays):
    stored = b.uvarint()
    if stored > MAX_ELEMENTS:
        back = stored - MAX_ELEMENTS
        if back > len(arrays):
            raise Damage(f"an array like the one {back} before array {len(arrays)}")
        return stepped_array(b, arrays[-back])
    cut = b.uvarint()
    if stored + cut > U32:
        raise Damage(f"array of {stored + cut} elements")
    total = b.svarint() if cut else None
    differences = b.uvarints(limited(b, stored, 1))
    elements = tuple(running_sums(map(unzigzag, differences)))
    return Array(elements, stored + cut, signed(sum(elements)) if total is None else total)


def read_arrays(b):
    arrays, size = [], 0
    for _ in range(limited(b, b.uvarint(), 2)):
        arrays.append(read_array(b, arrays))
        size += 8 * len(arrays[-1].elements)
        if size > MAX_RAW:
            raise Damage(f"arrays of {size} bytes in all")
    return arrays


# ---- signatures ---------------------------------------------------------------------------


def at_most(value, limit, what):
    if value > limit:
        raise Damage(f"{what} {value} of up to {limit}")
    return value


class Lists:
    """What the fields of a chunk refer to."""

    def __init__(self, b, head):
        self.sites, self.self = head.sites, b.uvarint()
        self.blocks = {STRING: [ABSENT, UNREADABLE] + read_strings(b),
                       ARRAY: [ABSENT, UNREADABLE] + read_arrays(b)}

    def limits(self, class_):
        """For each field of a class: (what is added to it, what it is at most then)."""
        if class_ == PAIR:
            return [(1 << 31, U32), (0, U32)]
        return [(0, len(self.blocks[class_]) - 1 if class_ in self.blocks else U64)]

    def value(self, class_, words, at):
        """The value of a class whose first field is `at`."""
        word = words[at]
        if class_ == INT:
            return word - (1 << 64) if word >> 63 else word
        if class_ == PAIR:
            return Pair(signed(word), words[at + 1])
        if class_ == DOUBLE:
            return scalar(DOUBLE, word)
        return self.blocks[class_][word] if class_ in self.blocks else UNKNOWN


class Signature:
    """What records have in common. `values` of the fields are written anew by each of them."""

    def __init__(self, b, index, function, lists, chains, groups):
        self.index, self.function, self.lists = index, function, lists
        self.level, self.flags = at_most(b.uvarint(), U16, "level"), b.one("B")
        self.group, self.after = divmod(b.uvarint(), 2)
        at_most(self.group, groups - 1, "group")
        self.err = b.svarint()
        if self.err != signed(self.err, 32):
            raise Damage(f"an errno of {self.err}")
        count = at_most(b.uvarint(), len(function.args), f"arguments of {function.name}:")
        classes = [parameter.class_ for parameter in (function.result, *function.args[:count])]
        self.limits = [(0, U32 - 1), (0, len(lists.sites) - 1), (0, U32)]
        first = []
        for class_ in classes:
            first.append(len(self.limits))
            self.limits += lists.limits(class_)
        self.values, self.moving = [], {}
        for field in range(len(self.limits)):
            self.values.append(self.read_field(b, field, chains))
        # Values of the result and the arguments, and those that differ from record to record.
        self.shown = [lists.value(class_, self.values, at) for class_, at in zip(classes, first)]
        self.changing = [(i, class_, at) for i, (class_, at) in enumerate(zip(classes, first))
                         if at in self.moving or class_ == PAIR and at + 1 in self.moving]

    def fitting(self, field, value):
        add, limit = self.limits[field]
        if (value + add & U64) > limit:
            raise Damage(f"{value} in field {field} of {self.function.name}")
        return value

    def read_field(self, b, field, chains):
        """The value of a constant field; of others 0, and it is put into `moving`."""
        operation = b.uvarint()
        if operation == CONSTANT:
            return self.fitting(field, b.svarint() & U64)
        if operation == RELATIVE:
            return self.fitting(field, b.svarint() + self.lists.self & U64)
        if operation == EQUAL:
            other = at_most(b.uvarint(), field - 1, "field")
            if other not in self.moving:
                return self.fitting(field, self.values[other])
            self.moving[field] = EQUAL, other, 0
        elif operation in (ADD, ASIDE):
            chain = at_most(b.uvarint(), chains - 1, "chain")
            self.moving[field] = operation, chain, b.svarint() if operation == ADD else 0
        else:
            raise Damage(f"operation {operation}")
        return 0

    def aside(self):
        """The fields whose values lie in sequences."""
        return [field for field, (operation, _, _) in self.moving.items() if operation == ASIDE]

    def next_values(self, chains, asides):
        """Sets the fields of the next record that change; the values of its result and arguments."""
        values, shown = self.values, self.shown
        for field, (operation, what, add) in self.moving.items():
            if operation == EQUAL:
                value = values[what]
            else:
                if operation == ASIDE:
                    add = next(asides[field][what])
                value = chains[what] = chains[what] + add & U64
            values[field] = self.fitting(field, value)
        for i, class_, at in self.changing:
            shown[i] = self.lists.value(class_, values, at)
        return shown


def signature_numbers(runs, ids, count, signatures):
    """The number of each record's signature."""
    if len(runs) != len(ids) + 1 or sum(runs) + len(ids) != count:
        raise Damage(f"{len(runs)} runs of {sum(runs)} and {len(ids)} others for {count} records")
    if ids:
        at_most(max(ids), signatures - 1, "signature")
    places, numbers = [-1] * PLACES, []
    last = before = third = 0
    for i, run in enumerate(runs):
        for _ in range(run):
            number = places[(last * 0x9E3779B1 + before * 0x85EBCA6B + third * 0xC2B2AE35 &
                             U32) >> 18]
            if number < 0:
                raise Damage(f"nothing is known of record {len(numbers)}")
            numbers.append(number)
            last, before, third = number + 1, last, before
        if i < len(ids):
            place = (last * 0x9E3779B1 + before * 0x85EBCA6B + third * 0xC2B2AE35 & U32) >> 18
            places[place] = ids[i]
            numbers.append(ids[i])
            last, before, third = ids[i] + 1, last, before
    return numbers


# ---- the body -------------------------------------------------------------------------------


class Numbers:
    """The sequences behind the signatures."""

    def __init__(self, b, bits, signatures, count):
        self.b, self.bits, self.total = b, bits, 0
        runs = sequence(b, bits, lambda runs: at_most(runs, count + 1, "runs:"))
        ids = sequence(b, bits, lambda ids: at_most(ids, count, "ids:"))
        self.which = signature_numbers(runs, ids, count, len(signatures))
        self.used = collections.Counter(self.which)

    def read(self, wanted):
        """The next sequence, of as many numbers as the records take."""
        def check(count):
            self.total += count
            at_most(self.total, MAX_NUMBERS, "numbers:")
            if count != wanted:
                raise Damage(f"a sequence of {count} numbers for {wanted}")
        return sequence(self.b, self.bits, check)

    def by_group(self, signatures, groups):
        """Idle times, durations: one sequence for each group."""
        wanted = [0] * groups
        for number, count in self.used.items():
            wanted[signatures[number].group] += count
        idle = [iter(self.read(count)) for count in wanted]
        return idle, [iter(self.read(count)) for count in wanted]

    def by_field(self, signatures, functions, chains):
        """For each function, {field: {chain: its numbers}}."""
        wanted = [collections.defaultdict(collections.Counter) for _ in functions]
        for number, signature in enumerate(signatures):
            for field in signature.aside():
                wanted[signature.index][field][signature.moving[field][1]] += self.used[number]
        return [{field: self.of_field(fields[field], chains) for field in sorted(fields)}
                for fields in wanted]

    def of_field(self, wanted, chains):
        """{chain: its numbers} of the field of so many records by chain. Most share one sequence."""
        factor = self.b.uvarint()
        if factor:
            return dict.fromkeys(wanted, self.factored(factor, sum(wanted.values())))
        numbers, chain = {}, 0
        for i in range(limited(self.b, self.b.uvarint(), 3)):
            distance = self.b.uvarint()
            if i and not distance:
                raise Damage(f"two sequences of chain {chain}")
            chain = at_most(chain + distance, chains - 1, "chain")
            numbers[chain] = self.factored(self.b.uvarint(), wanted.get(chain, 0))
        missing = set(wanted) - set(numbers)
        if missing:
            raise Damage(f"sequences of chains {sorted(numbers)[:9]}, not of {sorted(missing)[:9]}")
        return numbers

    def factored(self, factor, wanted):
        return iter([unzigzag(number) * factor for number in self.read(wanted)])


def read_signatures(b, head, lists, summed):
    """The signatures, how many chains there are and how many groups."""
    chains = at_most(b.uvarint(), MAX_CHAINS, "chains:")
    groups = at_most(b.uvarint(), MAX_CHAINS, "groups:")
    signatures = []
    for _ in range(at_most(b.uvarint(), MAX_SIGNATURES, "signatures:")):
        index = at_most(b.uvarint(), len(head.functions) - 1, "function")
        signatures.append(Signature(b, index, head.functions[index], lists, chains,
                                    1 if summed else groups))
        signatures[-1].index_in_chunk = len(signatures) - 1
    return signatures, chains, groups


def stamped_times(which, idle, durations, before):
    """(begin, end) of each record of these signatures, in time units."""
    for signature in which:
        idle_time, duration = next(idle[signature.group]), next(durations[signature.group])
        start = before + idle_time - (duration if signature.after else 0)
        before = start + duration
        yield start, before


def summed_times(which, times, head, header):
    unit, phase = head.step()
    first, last = header.t_base - phase, header.t_max - phase
    if last < first or last % unit:
        raise Damage(f"a chunk from {header.t_base} to {header.t_max} in units of {unit}")
    carried = {index: first // unit - before for index, before in head.carried}
    return times.deal(which, carried, first // unit, last // unit)


def signature_records(header, body, functions):
    """The records of a DATA chunk of encoding 2 or 3, and their unit of time."""
    summed = header.encoding == SUMMED
    words, bits = inflate_front(body, header.plain_size)
    b, bits = Buffer(words), Bits(bits)
    head = Head(b, header, functions)
    signatures, chains, groups = read_signatures(b, head, Lists(b, head), summed)
    numbers = Numbers(b, bits, signatures, header.count)
    which = [signatures[number] for number in numbers.which]
    unit, phase = head.step()
    if summed:
        times = Times(b, groups, header.count)
    else:
        times = stamped_times(which, *numbers.by_group(signatures, groups),
                              (header.t_base - phase) // unit)
    asides = numbers.by_field(signatures, head.functions, chains)
    used_up(b, None)
    bits.used_up()
    if summed:
        times = summed_times(which, times, head, header)

    chains, records = [0] * chains, []
    for i, (signature, (start, end)) in enumerate(zip(which, times)):
        shown = signature.next_values(chains, asides[signature.index])
        first, last = start * unit + phase, end * unit + phase
        if first < 0 or last > U64:
            raise Damage(f"record {i} at time {first} to {last}")
        repeat, site, stack = signature.values[:RESULT]
        records.append(as_far_as_known(
            Record(header.sequence + i, signature.function, signature.level, first, last, shown[0],
                   signature.err, head.sites[site], signature.flags, repeat + 1, stack,
                   tuple(shown[1:]), summed=summed)))
    return head.checked(records), head.step()
