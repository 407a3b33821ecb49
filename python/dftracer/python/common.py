# SPDX-License-Identifier: MIT
"""dftracer and dft_fn: events, decorators, blocks and loops.

A decorated function is a region of the layer `user` with the category of its dft_fn, whose arguments are those of the dft_fn, and `epoch`, `step`, `image_idx` and `image_size`
of the call itself - or, in a method, of its object. Where DFTracer logs something else, the trace has what was so: an exception is told and its call
is there; a generator has a region each time that it runs; each call and each thread has arguments of its own; values that are given come before defaults, under their own names and
with their types.
"""
import inspect
import os
import sys
import time
from enum import Enum

from recorder.regions import _Profile, _event, note

from .env import DFTRACER_ENABLE

__all__ = ["DFTRACER_ENABLE", "NoOpProfiler", "TagDType", "TagType", "TagValue", "dft_fn", "dftracer", "finalize", "get_time", "get_time_scale", "initialize"]

_TAKEN = ("epoch", "step", "image_idx", "image_size")


class TagType(Enum):
    KEY = 0
    VALUE = 1
    IGNORE = 2

    def __int__(self):
        return self.value


class TagDType(Enum):
    INT = 0
    FLOAT = 1
    STRING = 2

    def __int__(self):
        return self.value


_TYPES = {TagDType.INT: int, TagDType.FLOAT: float, TagDType.STRING: str}


class TagValue:
    """A value of a given type. What its tag is for, summing events up, is no matter here."""

    def __init__(self, value, dtype=TagDType.STRING, tag_type=TagType.KEY):
        self._dtype = dtype
        self._tag_type = tag_type
        self._value = _TYPES[dtype](value)

    def value(self):
        return int(self._tag_type), self._value


def _plain(value):
    """Of a TagValue, or of the pair (tag, value) that its value() gives."""
    if isinstance(value, TagValue):
        return value._value
    if isinstance(value, tuple) and len(value) == 2 and value[0] in (0, 1, 2):
        return value[1]
    return value


def _arguments(epoch=None, step=None, image_idx=None, image_size=None, args=None):
    given = {}
    if epoch is not None:
        given["epoch"] = epoch
    if step is not None:
        given["step"] = step
    if image_idx is not None:
        given["image_idx"] = image_idx
    if image_size is not None:
        given["image_size"] = image_size
    if args:
        for key, value in args.items():
            given[str(key)] = _plain(value)
    return given


class NoOpProfiler:
    """What there is where nothing is recorded."""

    def initialize(self, log_file=None, data_dirs=None, process_id=-1):
        pass

    def get_time(self):
        return 0

    def get_config(self, key):
        return ""

    def enter_event(self):
        pass

    def exit_event(self):
        pass

    def log_event(self, name, cat, start_time, duration, int_args=None, float_args=None, string_args=None):
        pass

    def log_metadata_event(self, key, value):
        pass

    def finalize(self):
        pass


class dftracer:
    """The process's log, of which there is one."""
    __instance = None

    def __init__(self):
        self.logger = None
        dftracer.__instance = self

    @classmethod
    def get_instance(cls):
        if dftracer.__instance is None:
            dftracer()
        return dftracer.__instance

    @staticmethod
    def initialize_log(logfile=None, data_dir=None, process_id=-1, log_file=None):
        """The instance. The recorder begins and ends with the process, and where traces go is said by its settings, so that the arguments change nothing."""
        return dftracer.get_instance()

    def get_time(self):
        """Microseconds since 1970; 0 where nothing is recorded."""
        return time.time_ns() // 1000 if DFTRACER_ENABLE else 0

    def get_config(self, key):
        return os.environ.get(key, "") if DFTRACER_ENABLE else ""

    def enter_event(self):
        """Levels are those of the thread's regions."""

    def exit_event(self):
        """As enter_event()."""

    def log_event(self, name, cat, start_time, duration, int_args=None, float_args=None, string_args=None):
        """Something that is over, by get_time()."""
        if not DFTRACER_ENABLE:
            return
        arguments = {}
        for some in (int_args, float_args, string_args):
            for key, value in (some or {}).items():
                arguments[str(key)] = _plain(value)
        begin = int(start_time) * 1000
        _event(str(name), str(cat), begin, begin + int(duration) * 1000, arguments)

    def log_metadata_event(self, key, value):
        if DFTRACER_ENABLE:
            note(str(key), str(value))

    def finalize(self):
        """What is recorded stays, and what comes is recorded, too."""


def initialize(log_file=None, data_dirs=None, process_id=-1):
    dftracer.initialize_log(log_file, data_dirs, process_id)


def get_time():
    return dftracer.get_instance().get_time()


def get_time_scale():
    """Units of get_time() in a second."""
    return 1e6


def finalize():
    dftracer.get_instance().finalize()


def _taken_of(function):
    """Which arguments of a call are its region's, as pytaken_set() of pyvalues.h has it; None: none can be."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    places = {name: place for place, name in enumerate(parameters)}
    method = next(iter(parameters), None) == "self"
    entries = []
    for name in _TAKEN:
        parameter = parameters.get(name)
        if parameter is not None and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            default = None if parameter.default is parameter.empty else parameter.default
            entries.append((name, -2 if parameter.kind is parameter.KEYWORD_ONLY else places[name], default))
        elif method:
            entries.append((name, -1, None))
    return (method, *entries) if entries else None


def _wrapped(profile, function, name, taken):
    """function in a region each time; classmethod and staticmethod objects stay what they are."""
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(_wrapped(profile, function.__func__, name, taken))
    if not DFTRACER_ENABLE:
        return function
    return profile._around(function, name or getattr(function, "__qualname__", None), _taken_of(function) if taken else None)


class _Fetched:
    """The items of a loop: getting one is a region, what is done with it until the next one is asked for is another."""

    def __init__(self, profile, fetch, block, count_name):
        self.profile, self.fetch, self.block, self.count_name = profile, fetch, block, count_name
        self.behind = lambda: None  # what is to be done behind each item

    def region(self, name, count):
        return self.profile._region(name, {self.count_name: count}) if name else _NOTHING

    def over(self, iterable):
        iterator = iter(iterable)
        count = 1
        while True:
            with self.region(self.fetch, count) as fetching:
                try:
                    item = next(iterator)
                except StopIteration:
                    fetching.cancel()
                    return
            with self.region(self.block, count):
                try:
                    yield item
                except GeneratorExit:  # the loop has been left, which is no failure of it
                    return
            self.behind()
            count += 1


class _Nothing:
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False

    def cancel(self):
        pass


_NOTHING = _Nothing()


class dft_fn(_Profile):
    """Events of one category: a decorator, a block, a loop. The name is that of the function that makes it, if it is given none."""

    def __init__(self, cat, name=None, epoch=None, step=None, image_idx=None, image_size=None, enable=True):
        if not name:
            name = sys._getframe(1).f_code.co_name
        super().__init__(str(cat), str(name), _arguments(epoch, step, image_idx, image_size), None, 1 if enable and DFTRACER_ENABLE else 0)
        self._since = time.time_ns() if self._on else 0

    @property
    def _enable(self):
        return self._on

    def update(self, epoch=None, step=None, image_idx=None, image_size=None, args=None):
        """Arguments of its innermost region that is open; if none is, of those that come."""
        if self._on:
            given = _arguments(epoch, step, image_idx, image_size, args)
            if not self._set(given):
                self._arguments.update(given)
        return self

    def flush(self):
        """Its block is over; without one it is that since it was made or reset."""
        if not self._on:
            return self
        if not self._end():
            _event(self._name, self._cat, self._since, time.time_ns(), self._arguments)
        return self

    def reset(self):
        """It begins now."""
        if self._on:
            self._since = time.time_ns()
            self._again()
        return self

    def log(self, func=None, name=None):
        """A decorator, with or without arguments."""
        if func is None:
            return lambda function: self.log(function, name)
        return _wrapped(self, func, name, True)

    def log_init(self, init=None, name=None):
        return self.log(init, name)

    def log_static(self, func=None, name=None):
        return self.log(func, name)

    def log_metadata(self, key, value):
        if self._on:
            note(str(key), str(value))

    def iter(self, func, name="loop", iter_name="step"):
        """Its items; NAME.iter is the time to get each, NAME.yield what is done with it. Both count from 1."""
        if not self._on:
            return (item for item in func)
        return _Fetched(self, f"{name}.iter", f"{name}.yield", iter_name).over(func)
