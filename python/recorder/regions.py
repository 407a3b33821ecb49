# SPDX-License-Identifier: MIT
"""A program says what it is doing: recorder.h for Python.

    from recorder.regions import counter, iterate, region

    @region                                    # or @region("train", category="ai"): a function in a region, by its name
    def train(epochs):
        for epoch in range(epochs):
            with region("epoch", epoch=epoch):
                for batch in iterate(loader, "step"):      # step.fetch: the time to get each; step: what is done with it
                    counter("loss", step(batch))

In a trace these are calls of the layer `user`, around the calls of MPI and files made in them. Where the recorder is not loaded nothing happens.

Functions that yield - generators, coroutines, both - have a region for each time that they run, and a span with an id from their begin to their end: what
other functions do meanwhile in the same thread is not in them. An exception that leaves a region is its argument `exception`.
"""
import contextlib
import functools
import inspect
import itertools
import types

from ._regions import (  # noqa: F401
    _event, _Profile, _set_finish, counter, flush, instant, is_recording, note, pause, region, resume, set, span_begin, span_end)

__all__ = ["counter", "flush", "instant", "is_recording", "iterate", "note", "pause", "region", "resume", "set", "span_begin", "span_end"]

_ids = itertools.count(1)


def iterate(iterable, name="step", category=None, first=0):
    """Its items. Getting one is a region NAME.fetch, what is done with it until the next one is asked for is a region NAME; both have the argument `step`.

    The fetch that finds no more has none: there are as many steps as items."""
    iterator = iter(iterable)
    for step in itertools.count(first):
        with region(name + ".fetch", category):
            try:
                item = next(iterator)
            except StopIteration:
                return
            set("step", step)
        with region(name, category, step=step):
            try:
                yield item
            except GeneratorExit:  # the loop has been left, which is no failure of it
                return


@types.coroutine
def _slices(running, context):
    """Runs what yields to its end, each time in a region. That it has ended, which is an exception to Python, is none to those who read the trace."""
    resume_by, value = running.send, None
    while True:
        ended = None
        with context:
            try:
                item = resume_by(value)
            except (StopIteration, StopAsyncIteration) as end:
                ended = end
        if isinstance(ended, StopIteration):
            return ended.value
        if ended:
            raise ended
        try:
            value = yield item
            resume_by = running.send
        except GeneratorExit:
            running.close()
            raise
        except BaseException as error:  # pylint: disable=broad-except
            resume_by, value = running.throw, error


@contextlib.contextmanager
def _span(context):
    number = next(_ids)
    context._span(number, False)
    try:
        yield
    finally:
        context._span(number, True)


def _of_generator(function, context_of):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        context = context_of(args, kwargs)
        with _span(context):
            return (yield from _slices(function(*args, **kwargs), context))
    return wrapper


def _of_coroutine(function, context_of):
    @functools.wraps(function)
    async def wrapper(*args, **kwargs):
        context = context_of(args, kwargs)
        with _span(context):
            return await _slices(function(*args, **kwargs), context)
    return wrapper


def _of_async_generator(function, context_of):
    @functools.wraps(function)
    async def wrapper(*args, **kwargs):
        context = context_of(args, kwargs)
        items = function(*args, **kwargs)
        step, value = items.asend, None
        with _span(context):
            while True:
                try:
                    item = await _slices(step(value).__await__(), context)
                except StopAsyncIteration:
                    return
                try:
                    value = yield item
                    step = items.asend
                except GeneratorExit:
                    await items.aclose()
                    raise
                except BaseException as error:  # pylint: disable=broad-except
                    step, value = items.athrow, error
    return wrapper


_YIELDING = ((inspect.iscoroutinefunction, _of_coroutine), (inspect.isasyncgenfunction, _of_async_generator), (inspect.isgeneratorfunction, _of_generator))


def _take(taken, args, kwargs):
    """As pytaken_set() of C has it."""
    values = {}
    for name, position, default in taken[1:]:
        value = default
        if 0 <= position < len(args):
            value = args[position]
        elif position != -1 and name in kwargs:
            value = kwargs[name]
        elif position == -1 and taken[0] and args:
            value = inspect.getattr_static(args[0], name, None)
        if value is not None:
            values[name] = value
    return values


def _finish(traced, context, taken):
    """What takes the place of a function: itself in a region, or what gives its slices one each. `taken`: which of its arguments are the region's."""
    function = traced.__wrapped__
    for is_such, wrap in _YIELDING:
        if is_such(function):
            return wrap(function, lambda args, kwargs: context if taken is None else context._with(_take(taken, args, kwargs)))
    for attribute in functools.WRAPPER_ASSIGNMENTS:
        if hasattr(function, attribute):
            setattr(traced, attribute, getattr(function, attribute))
    traced.__dict__.update(getattr(function, "__dict__", {}))
    return traced


_set_finish(_finish)
