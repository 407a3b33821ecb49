# SPDX-License-Identifier: MIT
"""Sequences of numbers, plain and entropy-coded (doc/format.md, 5, "Sequences")."""
from parts import Damage, limited

LAST_SYMBOL = 1039
FIRST_LOG, LAST_LOG = 5, 11
REFILL = 64     # bytes


class Bits:
    """The bits behind the words of a body: each packed sequence takes some bytes of them."""

    def __init__(self, data):
        self.data, self.position = data, 0

    def take(self, count):
        """The bytes of the next `count` bits."""
        size = (count + 7) // 8
        if size > len(self.data) - self.position:
            raise Damage(f"{count} bits wanted, {len(self.data) - self.position} bytes left")
        self.position += size
        return self.data[self.position - size:self.position]

    def used_up(self):
        if self.position != len(self.data):
            raise Damage(f"{len(self.data) - self.position} bytes after the bits")


def frequencies(b, count, total):
    """[(symbol, frequency)] of `count` symbols in rising order."""
    found, symbol, left = [], 0, total
    for i in range(limited(b, count, 2)):
        distance, frequency = b.uvarint(), b.uvarint() + 1
        if i and not distance:
            raise Damage(f"symbol {symbol} is there twice")
        symbol += distance
        left -= frequency
        if symbol > LAST_SYMBOL or left < 0:
            raise Damage(f"symbol {symbol} of frequency {frequency}")
        found.append((symbol, frequency))
    if left:
        raise Damage(f"frequencies with a sum of {total - left}, not {total}")
    return found


def symbol_range(symbol):
    """The lowest number of a symbol, and how many bits of the number follow raw."""
    if symbol < 128:
        return symbol, 0
    octave, top = divmod(symbol - 128, 16)
    return (16 + top) << (octave + 3), octave + 3


def spread(symbols, total):
    """The symbol at each state."""
    at, place, step = [0] * total, 0, total // 2 + total // 8 + 3
    for symbol, frequency in symbols:
        for _ in range(frequency):
            at[place] = symbol
            place = (place + step) % total
    return at


def states(symbols, log):
    """For each state: (lowest number of its symbol, bits to read, how many of them, the low ones,
    are for the next state, what is added to those)."""
    total = 1 << log
    following = dict(symbols)
    ranges = {symbol: symbol_range(symbol) for symbol, _ in symbols}
    table = []
    for symbol in spread(symbols, total):
        y = following[symbol]
        following[symbol] += 1
        lowest, raw = ranges[symbol]
        bits = log + 1 - y.bit_length()
        table.append((lowest, raw + bits, bits, (y << bits) - total))
    return table


def packed_numbers(b, bits, count):
    """`count` numbers of a packed sequence: read from the last bit back."""
    symbols, log = b.uvarint(), b.one("B")
    if not FIRST_LOG <= log <= LAST_LOG:
        raise Damage(f"packed with a log of {log}")
    if count < 1 << (log + 2):
        raise Damage(f"{count} numbers packed with a log of {log}")
    table = states(frequencies(b, symbols, 1 << log), log)
    left = b.uvarint()
    data = bits.take(left)
    masks = [(1 << n) - 1 for n in range(72)]
    # `have` bits in `window`, and before them `behind` bytes of data.
    behind = max(len(data) - REFILL, 0)
    have = left - 8 * behind - 2 * log
    if have < 0:
        raise Damage(f"{left} bits for two states of {log}")
    window = int.from_bytes(data[behind:], "little")
    # What is to be read for the next number, and for the one after it. The last number is read in
    # the first state.
    turn, after = table[window >> have + log & masks[log]], table[window >> have & masks[log]]
    if not count & 1:
        turn, after = after, turn
    numbers = []
    for i in range(count):
        lowest, want, next_bits, base = turn
        if have < want:
            size = min(REFILL, behind)
            behind -= size
            window = (window & masks[have]) << 8 * size | int.from_bytes(data[behind:behind + size],
                                                                        "little")
            have += 8 * size
            if have < want:
                raise Damage(f"the bits end before number {i} of {count}")
        have -= want
        read = window >> have & masks[want]
        numbers.append(lowest + (read >> next_bits))
        turn, after = after, table[base + (read & masks[next_bits])]
    if turn is not table[0] or after is not table[0] or have or behind:
        raise Damage(f"{8 * behind + have} bits are left after the last number, or a state is")
    return numbers


def sequence(b, bits, check):
    """The numbers of a sequence, if check() does not object to their count."""
    head = b.uvarint()
    count = head >> 1
    check(count)
    if head & 1:
        return packed_numbers(b, bits, count)
    return b.uvarints(limited(b, count, 1))
