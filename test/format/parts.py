# SPDX-License-Identifier: MIT
"""The smallest parts of a trace: numbers, values, definitions (doc/format.md, 1 and 4)."""
import collections
import struct
import zlib

MAJOR = 1
MAX_BODY, MAX_PLAIN, MAX_RECORDS, MAX_CARRIED = 64 << 20, 256 << 20, 16 << 20, 65535
MAX_RECORD_SIZE, MAX_RAW = 32 << 10, 64 << 20
NESTED, LOOPS, MAX_LOOP = 5, (4, 5), 1 << 31     # encodings of DATA, and how many records they may have
MAX_ARGS = 64
FILE_HEADER, CHUNK_HEADER, RAW_HEADER, LIVE_HEADER, HELD_HEADER = 32, 96, 64, 4096, 24
DEFS, DATA, LOST, END, META, OPEN = 1, 2, 3, 4, 5, 6
INT, PAIR, DOUBLE, STRING, ARRAY = 1, 2, 3, 4, 5
LEFT, NORETURN, SIGNAL = 1, 2, 4
FINAL, REPEATS = 1, 2
RING_FREE = 0xFFFFFFFF
U16, U32, U64 = 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
STREAM_NAME = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
NAMES = {0: "padding", 1: "FUNCTION", 2: "FILE", 3: "THREAD", 4: "MODULE", 5: "NAME", 6: "COMM",
         7: "DATATYPE", 8: "STRING", 9: "STACK", 10: "MPIFILE", 11: "OBJECT", 12: "WIN",
         13: "DIRECTORY", 14: "SOURCE"}


class Damage(Exception):
    """Bytes that the page does not allow."""


class Refused(Exception):
    """Not a trace, or one of another major version."""


# ---- bytes -------------------------------------------------------------------


class Buffer:
    """A position in bytes; every access beyond the end is damage."""

    def __init__(self, data, position=0):
        self.data, self.position = data, position

    def left(self):
        return len(self.data) - self.position

    def take(self, size):
        if size > self.left():
            raise Damage(f"{size} bytes wanted, {self.left()} left")
        self.position += size
        return bytes(self.data[self.position - size:self.position])

    def unpack(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def one(self, form):
        return self.unpack(form)[0]

    def str(self):
        return self.take(self.one("H"))

    def uvarint(self):
        value = 0
        for shift in range(0, 70, 7):
            if self.position >= len(self.data):
                raise Damage("1 bytes wanted, 0 left")
            byte = self.data[self.position]
            self.position += 1
            value |= (byte & 127) << shift
            if byte < 128:
                if value > U64:
                    break
                return value
        raise Damage("varint of more than 64 bits")

    def uvarints(self, count):
        data, position = self.data, self.position
        values = list(data[position:position + count])
        if len(values) == count and max(values, default=0) < 128:
            self.position += count
            return values
        return [self.uvarint() for _ in range(count)]

    def svarint(self):
        return unzigzag(self.uvarint())

    def column(self, entries, values=1):
        """The bytes of one column; zeros that are not stored stand for one value each."""
        head = self.uvarint()
        if not head & 1:
            return self.take(head >> 1)
        if head >> 1 != entries * values:
            raise Damage(f"column of {head >> 1} zeros for {entries * values} values")
        return bytes(head >> 1)


def unzigzag(value):
    return (value >> 1) ^ -(value & 1)


def signed(value, bits=64):
    """The two's complement number in the low bits of value."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def inflate_front(body, size):
    """(A zlib stream that is `size` bytes when inflated, what follows it.)"""
    machine = zlib.decompressobj()
    try:
        plain = machine.decompress(body, size + 1)
    except zlib.error as error:
        raise Damage(f"inflate: {error}") from None
    if len(plain) != size or not machine.eof:
        raise Damage(f"inflated body is not {size} bytes")
    return plain, machine.unused_data


def inflate(body, size):
    """A zlib stream with nothing after it."""
    plain, after = inflate_front(body, size)
    if after:
        raise Damage(f"{len(after)} bytes after the zlib stream")
    return plain


# ---- values --------------------------------------------------------------------


class Absent:
    """A NULL pointer, one that could not be read, or what is not known yet."""

    def __init__(self, word):
        self.word = word

    def __repr__(self):
        return self.word


ABSENT, UNREADABLE, UNKNOWN = Absent("NULL"), Absent("unreadable"), Absent("?")
UNSET = Absent("unset")
Text = collections.namedtuple("Text", "bytes original")
Array = collections.namedtuple("Array", "elements original sum")
Pair = collections.namedtuple("Pair", "value id")
Parameter = collections.namedtuple("Parameter", "class_ name kind")
Function = collections.namedtuple("Function", "id layer name result args outputs category", defaults=("",))
Record = collections.namedtuple(
    "Record", "sequence function level tstart tend result err site flags repeat stack args busy summed",
    defaults=(0, False))


def pair(value):
    return Pair(signed(value, 32), value >> 32)


def scalar(class_, value):
    """A value of class INT, PAIR or DOUBLE from the 64 bits of a raw record."""
    if class_ == PAIR:
        return pair(value)
    if class_ == DOUBLE:
        return struct.unpack("<d", struct.pack("<Q", value))[0]
    return signed(value)


def unknown_function(number, arg_count):
    result = Parameter(INT, "", "none")
    return Function(number, "?", f"function_{number}", result,
                    tuple(Parameter(INT, f"arg{i}", "hex") for i in range(arg_count)), 0)


# ---- definitions (section 4) -----------------------------------------------------


def def_function(b):
    number, arg_count, class_ = b.unpack("HBB")
    layer, name, kind = text(b.str()), text(b.str()), text(b.str())
    if arg_count > MAX_ARGS:
        raise Damage(f"function {name} of {arg_count} arguments")
    if class_ in (STRING, ARRAY):
        raise Damage(f"function {name} with a result of class {class_}")
    args = tuple(Parameter(b.one("B"), text(b.str()), text(b.str())) for _ in range(arg_count))
    outputs = b.one("Q") if b.left() >= 8 else 0
    category = text(b.str()) if b.left() >= 2 and b.left() >= 2 + struct.unpack_from("<H", b.data, b.position)[0] else ""
    return number, Function(number, layer, name, Parameter(class_, "", kind), args, outputs, category)


def def_file(b):
    number, type_, device, inode, size, magic = b.unpack("IIQQQQ")
    path = b.str()
    if number == 0:
        raise Damage("file 0")
    block_size, mount, striping = (*b.unpack("II"), b.str()) if b.left() else (0, 0, b"")
    return number, {"path": path, "type": type_, "device": device, "inode": inode,
                    "size": size, "fs_magic": magic, "block_size": block_size, "mount": mount,
                    "striping": striping}


def def_thread(b):
    index, tid, flags, _, start = b.unpack("IIIIQ")
    name = b.str()
    module, offset = b.unpack("IQ") if b.left() else (0, 0)
    return index, {"tid": tid, "flags": flags, "start": start, "name": name, "module": module,
                   "offset": offset}


def def_module(b):
    number, _, first, after, offset = b.unpack("IIQQQ")
    if number == 0:
        raise Damage("module 0")
    return number, {"first": first, "after": after, "offset": offset, "path": b.str(),
                    "build_id": b.str()}


def def_name(b):
    number = b.one("I")
    return (b.str(), number), b.str()


def def_group(b):
    return [b.unpack("iii") for _ in range(limited(b, b.one("I"), 12))]


def def_comm(b):
    number, parent, identity, rank, size, remote, kind = b.unpack("IIQiiiI")
    comm = {"parent": parent, "identity": identity, "rank": rank, "size": size,
            "remote_size": remote, "kind": kind, "name": b.str(), "group": def_group(b),
            "remote": def_group(b)}
    comm["degrees"] = b.unpack("ii") if b.left() >= 8 else (-1, -1)
    ranges = len(comm["group"]) + len(comm["remote"])
    worlds = [b.one("I") if b.left() >= 4 else 0 for _ in range(ranges)]
    comm["group_worlds"] = worlds[:len(comm["group"])]
    comm["remote_worlds"] = worlds[len(comm["group"]):]
    return number, comm


def def_datatype(b):
    number, combiner, size, extent = b.unpack("IIqq")
    return number, {"combiner": combiner, "size": size, "extent": extent, "name": b.str()}


def def_string(b):
    return b.one("I"), b.str()


def def_stack(b):
    number, count, flags, _ = b.unpack("IHHI")
    frames = [b.unpack("IIQ") for _ in range(limited(b, count, 16))]
    return number, {"cut": bool(flags & 1),
                    "frames": [(module, offset, bool(more & 1)) for module, more, offset in frames]}


def def_mpifile(b):
    number, comm, file, amode = b.unpack("IIII")
    return number, {"comm": comm, "file": file, "amode": amode, "path": b.str()}


def def_object(b):
    number, file = b.unpack("II")
    return number, {"file": file, "kind": b.str(), "name": b.str()}


def def_win(b):
    number, comm, flavor, unit, size = b.unpack("IIIiq")
    return number, {"comm": comm, "flavor": flavor, "unit": unit, "size": size}


def def_directory(b):
    thread, file, ticks = b.unpack("IIQ")
    return (thread, ticks), {"file": file}


def def_source(b):
    number, flags, line, stack = b.unpack("IIII")
    return number, {"flags": flags, "line": line, "stack": stack, "module": b.str(),
                    "path": b.str(), "file": b.str(), "args": b.str(), "locals": b.str()}


DEFINITIONS = {1: def_function, 2: def_file, 3: def_thread, 4: def_module, 5: def_name,
               6: def_comm, 7: def_datatype, 8: def_string, 9: def_stack, 10: def_mpifile,
               11: def_object, 12: def_win, 13: def_directory, 14: def_source}


def limited(b, count, size):
    if count * size > b.left():
        raise Damage(f"{count} entries of {size} bytes in {b.left()} bytes")
    return count


def used_up(b, values):
    """`values`, if nothing is left of the bytes they were read from."""
    if b.left():
        raise Damage(f"{b.left()} bytes left over")
    return values


def text(data):
    return data.decode("utf-8", "surrogateescape")
