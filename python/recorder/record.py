# SPDX-License-Identifier: MIT
"""One call, and its arguments."""
from collections import namedtuple

from . import _reader
from .positions import args_of

FLAGS = ("left", "noreturn", "in_signal", "in_flight", "before_main", "after_main", "times_summed")
BITS = tuple((name, getattr(_reader, name.upper())) for name in FLAGS)


class Argument(namedtuple("Argument", "name kind value state id original sum text")):
    """An argument with all that is recorded of it.

    `state` is "present", "absent" (a NULL pointer), "unreadable" or "unset"; `id` the object that a handle stands for, see
    RecorderReader.object(); `original` how many bytes or elements the program passed, if `value` was cut; `sum` that of all elements of an
    array; `text` the value as recorder2text shows it.
    """

    __slots__ = ()


class Record(_reader.Record):
    """One call: what it was, when, with which arguments and result.

    A record belongs to the program: it stays as it is when the cursor goes on or the reader is closed. Any other attribute may be set.
    """

    @property
    def call_depth(self):
        """The level, by the name it has in recorder-viz."""
        return self.level

    @property
    def res(self):
        """The result, by the name it had in recorder-viz."""
        return self.ret

    @property
    def args(self):
        """Arguments as recorder-viz has them: a list of bytes by the position that each has in C; "%p" for what is not recorded.

        Files and descriptors are paths, communicators, datatypes and files of MPI are names that are equal on all ranks, all else are numbers.
        """
        return args_of(self)

    def args_to_strs(self):
        """The same as strings."""
        return [arg.decode("utf-8", "surrogateescape") for arg in args_of(self)]

    @property
    def arg_count(self):
        """How many `args` there are."""
        return len(args_of(self))

    @property
    def arguments(self):
        """{name: value} of the recorded arguments."""
        return dict(zip(self.names, self.values))

    def argument(self, key):
        """All that is recorded of an argument, by its name or number."""
        value, state, number, original, total = self.raw(key)
        index = self.names.index(key) if isinstance(key, str) else key
        return Argument(self.names[index], self.kinds[index], value, state, number, original, total,
                        self.arg_text(index))

    @property
    def flag_names(self):
        """Which flags it has: "left", "in_flight" ..."""
        return tuple(name for name, bit in BITS if self.flags & bit)

    def _outcome(self):
        if self.in_flight:
            return "? in_flight"
        text = self.ret_text
        if self.flags & _reader.LEFT:
            text = "? left"
        elif self.flags & _reader.NORETURN:
            text = "?"
        return f"{text} {self.errno}" if self.err else text

    def __str__(self):
        """The line that recorder2text prints."""
        world = f"{self.world}:" if self.world > 0 else ""
        args = ", ".join(f"{name}={self.arg_text(i)}" for i, name in enumerate(self.names))
        times = "~" if self.flags & _reader.TIMES_SUMMED else ""
        text = (f"{world}{self.rank} {self.tid} {times}{seconds(self.tstart_ns)} "
                f"{times}{seconds(self.tend_ns)} {self.level} {self.layer} "
                f"{self.func}({args}) = {self._outcome()}")
        if self.repeat > 1:
            text += f" repeat={self.repeat} busy={seconds(self.busy_ns)}"
        return text

    def __repr__(self):
        return f"<Record {self}>"


def seconds(ns):
    """Exactly, with nine decimals."""
    sign = "-" if ns < 0 else ""
    return f"{sign}{abs(ns) // 10**9}.{abs(ns) % 10**9:09d}"
