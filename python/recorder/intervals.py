# SPDX-License-Identifier: MIT
"""Where in its file each read and write lay.

Reads and writes without an offset are followed: a descriptor has a position from when it was opened, which calls move, which duplicates share,
and which a child process shares with its parent. Calls that tell their position (lseek, ftell, MPI's transfers) are believed. How far fgets(), fscanf()
and fputs() move is not recorded, nor whether a stream follows a call on its descriptor, which has its number: until a call says where it stands, `offset` is None.
"""
from collections import namedtuple

# `sessions`: numbers of the openings of the file at that time, that of the rank itself first
Interval = namedtuple("Interval", "rank file function layer is_read offset size tstart tend sessions")

READS = ("read", "fget", "getc", "getw", "getline", "getdelim", "scanf", "recv")
WRITES = ("write", "fput", "putc", "putw", "printf", "send")
DUPLICATES = ("dup", "dup2", "dup3", "F_DUPFD", "F_DUPFD_CLOEXEC")
O_APPEND = 0o2000
SET, CURRENT, END = 0, 1, 2
PASSES = ("sendfile", "copy_file_range", "splice")
NOT_FILES = ("/proc/", "/sys/", "/dev/", "/etc/")


class Position:
    """What an open file description is: shared by the descriptors that were made of it."""

    def __init__(self, append=False, at=0):
        self.at = at  # None: not known
        self.append = append
        self.users = 0


class Sessions:
    """Openings of a file: a close or sync of one rank begins a new one for each other that has it open."""

    def __init__(self):
        self._last = 0
        self._open = {}  # by rank

    def begin(self, rank):
        self._open.setdefault(rank, []).append(self._last)
        self._last += 1

    def end(self, rank, closed):
        """After a close, or a sync."""
        if closed:
            self._open[rank] = self._open.get(rank, [])[:-1]
        for other, numbers in self._open.items():
            if numbers:
                self._open[other] = [self._last] * len(numbers)
                self._last += 1

    def now(self, rank):
        mine = self._open.get(rank, [])[::-1]
        return mine + [number for other, numbers in self._open.items() if other != rank
                       for number in numbers]


class Follower:
    """The positions of all descriptors of a trace, record by record in the order of time."""

    def __init__(self, reader):
        numbers = {stream["id"]: number for number, stream in enumerate(reader.streams) if stream["id"]}
        self._parents = [numbers.get(stream["parent"]) for stream in reader.streams]
        self._positions = {}  # by (stream, kind of handle, number)
        self._sizes = {}
        self._sessions = {}

    def _position(self, stream, kind, number):
        """That of a descriptor; of one that nobody opened its parent's, or a new one."""
        key = (stream, kind, number)
        if key not in self._positions:
            parent, seen = self._parents[stream], {stream}
            while parent is not None and parent not in seen and (parent, kind, number) not in self._positions:
                seen.add(parent)
                parent = self._parents[parent]
            self._share(key, self._positions.get((parent, kind, number)) or Position())
        return self._positions[key]

    def _share(self, key, position):
        position.users += 1
        self._positions[key] = position

    def _opened(self, record, kind, append, at=0):
        if record.err or record.ret < 0:
            return
        self._share((record.stream, kind, record.ret), Position(append, at))
        if record.file:
            self._sessions.setdefault(record.file, Sessions()).begin(record.rank)

    def _open(self, record, args):
        if "mode" in args and isinstance(args["mode"], bytes):
            at = self._position(record.stream, "fd", args["fd"]).at if record.func == "fdopen" else 0
            self._opened(record, "stream", args["mode"].startswith(b"a"), at)
        elif "flags" in args:
            self._opened(record, "fd", bool(args["flags"] & O_APPEND))
        elif record.func == "creat":
            self._opened(record, "fd", False)

    def _closed(self, record, kind, number):
        closed = "close" in record.func
        if closed:
            position = self._position(record.stream, kind, number)
            del self._positions[record.stream, kind, number]
            self._positions.pop((record.stream, "fd" if kind == "stream" else "stream", number), None)
            position.users -= 1
            if position.users:
                return
        if record.file in self._sessions:
            self._sessions[record.file].end(record.rank, closed)

    def _seek(self, record, args, kind, position):
        if record.err:
            return
        if kind == "fd" and record.ret >= 0:
            position.at = record.ret
        elif kind == "stream":
            start = {SET: 0, CURRENT: position.at, END: self._sizes.get(record.file, 0)}.get(args.get("whence"), 0)
            position.at = None if start is None else start + (args.get("offset") or 0)

    def _disturb(self, record, kind, number):
        """After a call on a stream or a descriptor: where the other one of its number stands is not known."""
        other = self._positions.get((record.stream, "fd" if kind == "stream" else "stream", number))
        if other:
            other.at = None

    def _pass(self, record, args):
        """A copy moves each of its descriptors for which it says no offset."""
        offsets = {"out": args.get("out_offset"), "in": args.get("in_offset", args.get("offset"))}
        for name, offset in offsets.items():
            position = self._position(record.stream, "fd", args[name])
            if (offset is None or offset < 0) and position.at is not None:
                position.at += (record.bytes or 0) * record.repeat

    def _transfer(self, record, args, position, is_read):
        size = (record.bytes or 0) * record.repeat
        offset = args.get("position") if args.get("position") is not None else args.get("offset")
        if offset is None or offset < 0:  # preadv2() at -1
            offset = position.at
            if position.append and not is_read:
                offset = max(offset or 0, self._sizes.get(record.file, 0))
            position.at = None if offset is None else offset + size
        if not is_read and offset is not None:
            self._sizes[record.file] = max(self._sizes.get(record.file, 0), offset + size)
        sessions = self._sessions.get(record.file)
        return Interval(record.rank, record.file, record.func, record.layer, is_read, offset, size, record.tstart,
                        record.tend, sessions.now(record.rank) if sessions else [])

    def take(self, record):
        """The next record; gives its Interval, or None."""
        func, args = record.func, record.arguments
        kind = "stream" if "stream" in args else "fd" if "fd" in args else "fh" if "fh" in args else None
        if func in PASSES and "in" in args and not record.err:
            self._pass(record, args)
            return None
        if kind is None or "open" in func:
            self._open(record, args)
            return None
        number = args[kind]
        if func in DUPLICATES[:3] or (func == "fcntl" and record.arg_text("command") in DUPLICATES):
            if record.ret >= 0:
                self._share((record.stream, "fd", record.ret), self._position(record.stream, "fd", number))
        elif "close" in func or "sync" in func:
            self._closed(record, kind, number)
        elif "seek" in func or func == "rewind":
            self._seek(record, args, kind, self._position(record.stream, kind, number))
            if args.get("whence") != CURRENT or args.get("offset"):
                self._disturb(record, kind, number)
        elif func in ("ftell", "ftello") and record.ret >= 0:
            self._position(record.stream, kind, number).at = record.ret
        else:
            return self._moved(record, args, kind, number)
        return None

    def _moved(self, record, args, kind, number):
        """A call that may transfer bytes, or move its stream in another way; gives its Interval, or None."""
        func, size = record.func, (record.bytes or 0) * record.repeat
        is_read = any(word in func for word in READS)
        position = self._position(record.stream, kind, number)
        if func == "ungetc" and record.ret >= 0:
            position.at = position.at - record.repeat if position.at is not None and position.at >= record.repeat else None
        elif func == "fsetpos" or (kind == "stream" and record.bytes is None and (is_read or any(word in func for word in WRITES))):
            position.at = None
            self._disturb(record, kind, number)
        elif record.file and size > 0 and (is_read or any(word in func for word in WRITES)):
            if (args.get("offset") or 0) <= 0 and "pread" not in func and "pwrite" not in func:
                self._disturb(record, kind, number)
            return self._transfer(record, args, position, is_read)
        return None


def is_data(path):
    """Whether it may be a file of the program's data."""
    return path.startswith("/") and not path.startswith(NOT_FILES)


def offset_intervals(reader, layers="posix,stdio"):
    """An Interval for each read and write of a file, in order of time; `offset` is None where it is not known. `rank` is the number in reader.records."""
    follower = Follower(reader)
    number_of = reader.numbers_of_streams()
    for record in reader.iter(layers=layers):
        record.rank = number_of[record.stream]
        interval = follower.take(record)
        if interval and is_data(interval.file):
            yield interval
