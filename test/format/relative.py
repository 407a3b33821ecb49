# SPDX-License-Identifier: MIT
"""DEFS chunks of encoding 2, entries relative to each other (doc/format.md, 4)."""
import struct

from parts import Buffer, Damage

MAX_SIZE = 64 << 20
TYPES = 32


def payload_after(b, size, before):
    """A payload of `size` bytes by what is different from the one before of its type."""
    payload = bytearray()
    while len(payload) < size:
        at = len(payload)
        equal = b.uvarint()
        if equal > size - at or equal and at + equal > len(before):
            raise Damage(f"{equal} bytes as before at {at} of {size}, after {len(before)}")
        payload += before[at:at + equal]
        at += equal
        if at == size:
            break
        others = b.uvarint()
        plain = not others
        if plain:
            others = b.uvarint()
        if not 0 < others <= size - at:
            raise Damage(f"{others} other bytes at {at} of {size}")
        old = (b"" if plain else before[at:at + others]).ljust(others, b"\0")
        payload += bytes((a + c) & 255 for a, c in zip(b.take(others), old))
    return bytes(payload)


def entries(words):
    """The entries as encoding 0 has them."""
    b, out, last = Buffer(words), [], {}
    size = b.uvarint()
    if size > MAX_SIZE or size % 8:
        raise Damage(f"entries of {size} bytes")
    while size:
        type_, length = b.uvarint(), b.uvarint()
        whole = 8 + length + -length % 8
        if type_ > 65535 or whole > size:
            raise Damage(f"an entry of type {type_} and {length} bytes where {size} are left")
        payload = payload_after(b, length, last.get(type_, b""))
        if type_ < TYPES:
            last[type_] = payload
        out.append(struct.pack("<IHH", length, type_, 0) + payload + bytes(-length % 8))
        size -= whole
    if b.left():
        raise Damage(f"{b.left()} bytes behind the entries")
    return b"".join(out)
