# SPDX-License-Identifier: MIT
"""The tree of what deep-learning programs do: each node is a decorator with and without arguments, a block, a loop, and a begin and an end."""
from enum import Enum

from recorder.regions import note

from .common import DFTRACER_ENABLE, _arguments, _Fetched, _Profile, _wrapped, get_time

ITER_COUNT_NAME = "count"
INIT_NAME = "init"
BLOCK_NAME = "block"
ITER_NAME = "iter"
CTX_SEPARATOR = "."
ROOT_NAME = ROOT_CAT = "ai_root"


class StringEnum(str, Enum):
    """A text; by default the name in lower case."""

    def __str__(self):
        return str(self.value)


def _words(name, *words):
    return StringEnum(name, {word.upper(): word for word in words}, module=__name__)


ProfileCategory = _words("ProfileCategory", "compute", "data", "dataloader", "comm", "device", "checkpoint", "pipeline", "other")
ComputeEvent = _words("ComputeEvent", "forward", "backward", "step")
DataEvent = _words("DataEvent", "preprocess", "item", "io")
DataLoaderEvent = _words("DataLoaderEvent", "fetch")
CommunicationEvent = _words("CommunicationEvent", "send", "receive", "barrier", "bcast", "reduce", "all_reduce", "gather", "all_gather", "scatter",
                            "reduce_scatter", "all_to_all")
DeviceEvent = _words("DeviceEvent", "transfer")
CheckpointEvent = _words("CheckpointEvent", "capture", "restart", "io")
PipelineEvent = _words("PipelineEvent", "epoch", "train", "evaluate", "test")
OtherEvent = _words("OtherEvent", "io", "log")
IOEvent = _words("IOEvent", "open", "read", "write", "close")

# What is counted inside of a node is no argument of it: a training has many epochs, an epoch many steps. All that is called in a region has its epoch and step.
_COUNTED_INSIDE = {ROOT_NAME: ("epoch", "step"), "pipeline": ("epoch", "step"), "train": ("epoch", "step"), "evaluate": ("epoch", "step"),
                   "test": ("epoch", "step"), "epoch": ("step",)}
# And where an item of a loop is over, so are these.
_COUNTED_BY = {"epoch": ("epoch", "step"), "fetch": ("step",)}

_BRANCHES = (("compute", ComputeEvent), ("data", DataEvent), ("dataloader", DataLoaderEvent), ("comm", CommunicationEvent), ("device", DeviceEvent),
             ("checkpoint", CheckpointEvent), ("pipeline", PipelineEvent), ("other", OtherEvent))


def _with_suffix(name, suffix):
    ending = CTX_SEPARATOR + suffix
    return name if name.endswith(ending) else name + ending


def get_iter_block_name(name):
    return _with_suffix(name, BLOCK_NAME)


def get_iter_handle_name(name):
    return _with_suffix(name, ITER_NAME)


class DFTracerAI(_Profile):
    """A node. update(), enable() and disable() are for all below it, too."""

    def __init__(self, cat, name=None, epoch=None, step=None, image_idx=None, image_size=None, enable=True):
        super().__init__(str(cat), str(name or cat), _arguments(epoch, step, image_idx, image_size), None, 1 if enable and DFTRACER_ENABLE else 0)
        self._children = {}
        self._root = self

    def _variant(self, enable, arguments):
        """The same node with arguments of its own, or which is always on or off."""
        made = _Variant.__new__(_Variant)
        _Profile.__init__(made, self._cat, self._name, arguments, self, -1 if enable is None else 1 if enable and DFTRACER_ENABLE else 0)
        made._children = {}
        made._root = self._root
        return made

    def __call__(self, fn=None, *, enable=None, epoch=None, step=None, image_idx=None, image_size=None, args=None):
        arguments = _arguments(epoch, step, image_idx, image_size, args)
        node = self if enable is None and not arguments else self._variant(enable, arguments)
        return node if fn is None else _wrapped(node, fn, node._name, False)

    def start(self, metadata=False):
        """A begin that stop() ends, in the same thread. metadata: no region, but the time as a note of the process, at once."""
        self._mark("start") if metadata else self.__enter__()

    def stop(self, metadata=False):
        self._mark("end") if metadata else self.__exit__(None, None, None)

    def _mark(self, what):
        if self._on:
            note(f"{self._name}{CTX_SEPARATOR}{what}", str(get_time()))

    def update(self, epoch=None, step=None, image_idx=None, image_size=None, args=None):
        self._update(_arguments(epoch, step, image_idx, image_size, args))
        return self

    def _update(self, arguments):
        inside = _COUNTED_INSIDE.get(self._name, ())
        own = {key: value for key, value in arguments.items() if key not in inside} if inside else arguments
        if self._on:
            self._arguments.update(own)
            self._set(own)
        for child in self._children.values():
            child._update(arguments)

    def _forget(self, keys):
        for key in keys:
            self._arguments.pop(key, None)
        for child in self._children.values():
            child._forget(keys)

    def enable(self):
        self._switch(DFTRACER_ENABLE)

    def disable(self):
        self._switch(False)

    def _switch(self, on):
        self._on = on
        for child in self._children.values():
            child._switch(on)

    def reset(self):
        """Its block begins now."""
        if self._on:
            self._again()

    def get_time(self):
        return get_time()

    @property
    def cat(self):
        return self._cat

    @property
    def name(self):
        return self._name

    def iter(self, iterator, *, include_block=True, include_iter=True, iter_name=None, block_name=None):
        """Its items; NAME.iter is the time to get each, NAME.block what is done with it. Both have the argument `count`, from 1."""
        if not self._on:
            return (item for item in iterator)
        fetch = (iter_name or get_iter_handle_name(self._name)) if include_iter else None
        block = (block_name or get_iter_block_name(self._name)) if include_block else None
        items = _Fetched(self, fetch, block, ITER_COUNT_NAME)
        if self._name in _COUNTED_BY:
            items.behind = lambda: self._root._forget(_COUNTED_BY[self._name])
        return items.over(iterator)

    def _child(self, key, name, cat=None):
        child = self._children.get(key)
        if child is None:
            child = DFTracerAI(cat=cat or self._cat, name=name)
            child._arguments.update(self._arguments)
            child._on = self._on
            child._root = self._root
            self._children[key] = child
        return child

    def create_children(self, names):
        """names: {attribute: name of the event}"""
        for attribute, name in names.items():
            setattr(self, attribute, self._child(attribute, str(name)))

    def derive(self, name):
        """The node NAME.name below this one."""
        name = f"{self._name}{CTX_SEPARATOR}{name}"
        return self._child(name, name)

    @property
    def init(self):
        """For constructors, by a decorator or a block: the node NAME.init below this one."""
        return self.derive(INIT_NAME)


class _Variant(DFTracerAI):
    """Made by _variant() alone."""


def _branch(parent, name, events):
    branch = parent._child(name, name, name)
    branch.create_children({event.value: event for event in events})
    setattr(parent, name, branch)
    return branch


def _io_below(node, prefix):
    """open, read, write and close below a node `io`."""
    for event in IOEvent:
        setattr(node, event.value, node._child(event.value, f"{prefix}{CTX_SEPARATOR}{event.value}"))


class AI(DFTracerAI):
    """The root and all that is below it."""

    def __init__(self, epoch=None, step=None, image_idx=None, image_size=None, enable=True):
        super().__init__(ROOT_CAT, ROOT_NAME, epoch, step, image_idx, image_size, enable)
        for name, events in _BRANCHES:
            branch = _branch(self, name, events)
            if hasattr(branch, "io"):
                _io_below(branch.io, f"{name}{CTX_SEPARATOR}io")
