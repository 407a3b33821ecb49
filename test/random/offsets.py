# SPDX-License-Identifier: MIT
"""Where calls read and wrote, derived from a trace alone: what open descriptions, their positions and the sizes of files
must have been, in the order of time. libreader does not do that; this shows that traces say enough for it."""
import collections
import os

AT_FDCWD = -100
O_CREAT, O_TRUNC, O_APPEND = os.O_CREAT, os.O_TRUNC, os.O_APPEND
O_CLOEXEC, O_PATH, O_TMPFILE = os.O_CLOEXEC, os.O_PATH, os.O_TMPFILE
F_DUPFD, F_SETFD, F_SETFL, F_DUPFD_CLOEXEC, RWF_APPEND = 0, 2, 4, 1030, 16
RENAME_EXCHANGE, KEEP_SIZE = 2, 1

# A call with what it takes to follow it.
Call = collections.namedtuple("Call", "name result err arguments process start end")
# PAIR: a descriptor and its FILE definition, or None
Pair = collections.namedtuple("Pair", "fd file")


class Description:
    """What open() makes and dup() and fork() share."""

    def __init__(self, append, file):
        self.position, self.append = 0, append
        self.who = file and (file["device"], file["inode"])


class Process:
    def __init__(self, cwd):
        self.table = {}      # fd: Description
        self.cloexec = set()
        self.cwd = cwd
        self.forking = []    # children that are being made just now
        self.began = False   # has made a call

    def copy(self, execs=False):
        other = Process(self.cwd)
        other.table = {fd: d for fd, d in self.table.items() if not execs or fd not in self.cloexec}
        other.cloexec = set() if execs else set(self.cloexec)
        return other

    def closes(self, fd):
        """Another thread may do so before the child is there: then a number that it gets anew is another file."""
        for process in [self] + [child for child in self.forking if not child.began]:
            process.table.pop(fd, None)


class Names:
    """What names stand for: (device, inode) of a file, or the text of a symbolic link."""

    def __init__(self):
        self.entries = {}

    def resolve(self, path):
        for _ in range(20):
            target = self.entries.get(path)
            if not isinstance(target, bytes):
                return path, target
            path = os.path.normpath(os.path.join(os.path.dirname(path), target))
        return path, None

    def opened(self, path, who):
        self.entries[self.resolve(path)[0]] = who

    def rename(self, old, new, exchange):
        a, b = self.entries.get(old), self.entries.get(new)
        if exchange:
            self.entries[old], self.entries[new] = b, a
        elif a is None or a != b or isinstance(a, bytes):
            self.entries[new] = self.entries.pop(old, None)


class Follower:
    """Takes calls as events in the order of time; offsets() says where a call moved bytes."""

    def __init__(self):
        self.sizes, self.names = {}, Names()

    # ---- files ----

    def path(self, process, call, which="path", folder="dirfd"):
        base = process.cwd
        pair = call.arguments.get(folder)
        if pair and pair.file:
            base = pair.file["path"]
        return os.path.normpath(os.path.join(base, call.arguments[which]))

    def size(self, file):
        return self.sizes.setdefault((file["device"], file["inode"]), file["size"])

    def grow(self, file, end):
        """`end` None: nobody knows."""
        size = self.size(file)
        self.sizes[file["device"], file["inode"]] = None if None in (size, end) else max(size, end)

    # ---- what changes before a call, so that others may be given its number, and after it ----

    def before(self, process, call):
        name, arguments = call.name, call.arguments
        if name in ("close", "closedir", "fclose", "pclose"):
            process.closes(next(iter(arguments.values())).fd)
        elif name == "close_range":
            for fd in range(arguments["first"], arguments["last"] + 1):
                process.closes(fd)
        elif name in ("dup2", "dup3") and not call.err and arguments["fd"].fd != arguments["fd2"].fd:
            process.closes(arguments["fd2"].fd)

    def after(self, process, call):
        if not call.err:
            getattr(self, "do_" + call.name, lambda *_: None)(process, call)

    # ---- descriptors ----

    def made(self, process, call, flags=0):
        """A descriptor of its own. A file that is new to us has the size that its definition says."""
        pair = call.result
        process.table[pair.fd] = Description(flags & O_APPEND, pair.file)
        (process.cloexec.add if flags & O_CLOEXEC else process.cloexec.discard)(pair.fd)
        if pair.file is None:
            return
        who = pair.file["device"], pair.file["inode"]
        path = os.path.normpath(pair.file["path"])
        anew = flags & O_TRUNC or flags & O_CREAT and self.names.resolve(path)[1] != who
        if anew and not flags & O_PATH or flags & O_TMPFILE == O_TMPFILE:
            self.sizes[who] = 0     # perhaps with number and name of one that is gone
        self.size(pair.file)
        if path.startswith(b"/"):
            self.names.opened(path, who)

    def do_open(self, process, call):
        self.made(process, call, call.arguments["flags"])

    do_openat = do_open

    def do_creat(self, process, call):
        self.made(process, call, O_TRUNC | O_CREAT)

    do_mkstemp = do_memfd_create = do_creat

    def do_fopen(self, process, call):
        mode = call.arguments.get("mode", b"w+")
        self.made(process, call, {b"r": 0, b"w": O_TRUNC | O_CREAT, b"a": O_APPEND | O_CREAT}[mode[:1]])

    do_freopen = do_tmpfile = do_fopen

    def do_opendir(self, process, call):
        self.made(process, call, O_CLOEXEC)

    def duplicate(self, process, source, fd, cloexec):
        description = process.table.get(source)
        process.table.pop(fd, None)
        if description:
            process.table[fd] = description
        (process.cloexec.add if cloexec else process.cloexec.discard)(fd)

    def do_dup(self, process, call):
        self.duplicate(process, call.arguments["fd"].fd, call.result.fd, False)

    def do_dup2(self, process, call):
        if call.arguments["fd"].fd != call.result.fd:
            self.do_dup(process, call)

    def do_dup3(self, process, call):
        flags = call.arguments["flags"]
        self.duplicate(process, call.arguments["fd"].fd, call.result.fd, flags & O_CLOEXEC)

    def do_fcntl(self, process, call):
        fd, command, argument = (call.arguments[key] for key in ("fd", "command", "argument"))
        if command in (F_DUPFD, F_DUPFD_CLOEXEC):
            self.duplicate(process, fd.fd, call.result.fd, command == F_DUPFD_CLOEXEC)
        elif command == F_SETFD:
            (process.cloexec.add if argument & 1 else process.cloexec.discard)(fd.fd)
        elif command == F_SETFL and fd.fd in process.table:
            process.table[fd.fd].append = argument & O_APPEND

    # ---- positions and sizes ----

    def do_lseek(self, process, call):
        description = process.table.get(call.arguments["fd"].fd)
        if description:
            description.position = call.result

    def do_ftruncate(self, _, call):
        file = call.arguments["fd"].file
        self.sizes[file["device"], file["inode"]] = call.arguments["length"]

    def do_truncate(self, process, call):
        _, who = self.names.resolve(self.path(process, call))
        self.sizes[who] = call.arguments["length"]

    def do_fallocate(self, _, call):
        if not call.arguments["mode"] & KEEP_SIZE:
            self.grow(call.arguments["fd"].file, call.arguments["offset"] + call.arguments["length"])

    def do_posix_fallocate(self, _, call):
        if call.result == 0:
            self.grow(call.arguments["fd"].file, call.arguments["offset"] + call.arguments["length"])

    # ---- names ----

    def do_rename(self, process, call):
        exchange = call.arguments.get("flags", 0) & RENAME_EXCHANGE
        self.names.rename(self.path(process, call, "from", "from_dirfd"),
                          self.path(process, call, "to", "to_dirfd"), exchange)

    do_renameat = do_renameat2 = do_rename

    def do_unlink(self, process, call):
        self.names.entries.pop(self.path(process, call), None)

    do_unlinkat = do_remove = do_unlink

    def do_link(self, process, call):
        old = self.path(process, call, "from", "from_dirfd")
        who = self.names.entries.get(old)
        if old.startswith(b"/proc/self/fd/"):   # a file that had no name
            who = process.table[int(old[14:])].who
        self.names.entries[self.path(process, call, "to", "to_dirfd")] = who

    do_linkat = do_link

    def do_symlink(self, process, call):
        self.names.entries[self.path(process, call)] = call.arguments["target"]

    def do_chdir(self, process, call):
        process.cwd = self.path(process, call)

    def do_fchdir(self, process, call):
        process.cwd = call.arguments["fd"].file["path"]

    # ---- bytes ----

    def position(self, process, pair):
        description = process.table.get(pair.fd)
        return description and description.position

    def reads(self, process, argument, call, offset, size):
        """`offset` None: at the position."""
        pair = call.arguments[argument]
        at = self.position(process, pair) if offset is None else offset
        if offset is None and at is not None:
            process.table[pair.fd].position = at + size
        return {argument: at}

    def writes(self, process, argument, call, offset, size, append=False):
        pair = call.arguments[argument]
        description = process.table.get(pair.fd)
        at = self.position(process, pair) if offset is None else offset
        if append or description and description.append:
            at = self.size(pair.file)
        elif description is None:
            at = None   # perhaps it appends
        if size:
            self.grow(pair.file, None if at is None else at + size)
        if offset is None and description and (size or not description.append):
            description.position = at + size
        return {argument: at}

    def offsets(self, process, call):
        """{argument: offset} of a call that moved bytes on regular files."""
        def regular(argument):
            pair = call.arguments[argument]
            return bool(pair.file) and pair.file["type"] == 0o100000

        name, size = call.name, call.result
        if name in ("read", "readv", "pread", "preadv", "preadv2") and regular("fd"):
            offset = call.arguments.get("offset")
            return self.reads(process, "fd", call, None if name == "preadv2" and offset == -1 else offset, size)
        if name in ("write", "writev", "pwrite", "pwritev", "pwritev2") and regular("fd"):
            offset = call.arguments.get("offset")
            return self.writes(process, "fd", call, None if name == "pwritev2" and offset == -1 else offset,
                               size, call.arguments.get("flags", 0) & RWF_APPEND)
        if name in ("sendfile", "copy_file_range", "splice"):
            found = {}
            for argument, move in (("in", self.reads), ("out", self.writes)):
                key = "offset" if name == "sendfile" and argument == "in" else argument + "_offset"
                offset = call.arguments.get(key, -1)
                if regular(argument):
                    found |= move(process, argument, call, None if offset == -1 else offset, size)
            return found
        return {}


class Streams:
    """The position of each FILE; what fgets() and fputs() moved, the trace does not say."""

    def __init__(self, follower):
        self.follower = follower
        self.open = {}      # (process, fd): [position, appends]

    def follow(self, call):
        """The offset of a call of layer stdio, None if not known."""
        where, name = call.arguments.get("stream"), call.name
        if name in ("fopen", "fdopen", "freopen", "tmpfile") and not call.err:
            appends = call.arguments.get("mode", b"w+")[:1] == b"a"
            self.open[call.process, call.result.fd] = [0, appends]
        state = where and self.open.get((call.process, where.fd))
        if not state or call.err:
            return None
        if name in ("fseek", "fseeko"):
            base = (0, state[0], self.follower.size(where.file))[call.arguments["whence"]]
            state[0] = None if base is None else base + call.arguments["offset"]
        elif name == "rewind":
            state[0] = 0
        elif name == "ungetc" and state[0] is not None:
            state[0] -= 1
        elif name == "fclose":
            del self.open[call.process, where.fd]
        elif name in MOVED:
            return self.moved(state, call)
        return None

    def moved(self, state, call):
        size = MOVED[call.name](call)
        file = call.arguments["stream"].file
        reads = call.name in ("fread", "fgetc", "fgets")
        at = self.follower.size(file) if state[1] and not reads else state[0]
        state[0] = None if None in (at, size) else at + size
        if not reads and size != 0:
            self.follower.grow(file, state[0])
        return at


# bytes that a call of layer stdio moved
MOVED = {"fread": lambda call: call.result * call.arguments["size"],
         "fgetc": lambda call: int(call.result >= 0), "fputc": lambda call: 1,
         "fprintf": lambda call: call.result, "fgets": lambda call: None,
         "fputs": lambda call: None}
MOVED["fwrite"] = MOVED["fread"]
