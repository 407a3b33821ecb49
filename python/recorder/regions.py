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
    _set_finish, counter, flush, instant, is_recording, note, pause, region, resume, set, span_begin, span_end)

__all__ = ["counter", "flush", "instant", "is_recording", "iterate", "note", "pause", "region", "resume", "set", "span_begin", "span_end"]

_ids = itertools.count(1)


def iterate(iterable, name="step", category=None, first=0):
    """Its items. Getting one is a region NAME.fetch, what is done with it until the next one is asked for is a region NAME; both have the argument `step`."""
    iterator = iter(iterable)
    for step in itertools.count(first):
        with region(name + ".fetch", category, step=step):
            try:
                item = next(iterator)
            except StopIteration:
                return
        with region(name, category, step=step):
            try:
                yield item
            except GeneratorExit:  # the loop has been left, which is no failure of it
                return


@types.coroutine
def _slices(running, name, category):
    """Runs what yields to its end, each time in a region. That it has ended, which is an exception to Python, is none to those who read the trace."""
    resume_by, value = running.send, None
    while True:
        ended = None
        with region(name, category):
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
def _span(name, category):
    number = next(_ids)
    span_begin(name, number, category)
    try:
        yield
    finally:
        span_end(name, number, category)


def _of_generator(function, name, category):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        with _span(name, category):
            return (yield from _slices(function(*args, **kwargs), name, category))
    return wrapper


def _of_coroutine(function, name, category):
    @functools.wraps(function)
    async def wrapper(*args, **kwargs):
        with _span(name, category):
            return await _slices(function(*args, **kwargs), name, category)
    return wrapper


def _of_async_generator(function, name, category):
    @functools.wraps(function)
    async def wrapper(*args, **kwargs):
        items = function(*args, **kwargs)
        step, value = items.asend, None
        with _span(name, category):
            while True:
                try:
                    item = await _slices(step(value).__await__(), name, category)
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


def _finish(traced, name, category):
    """What takes the place of a function: itself in a region, or what gives its slices one each."""
    function = traced.__wrapped__
    if inspect.iscoroutinefunction(function):
        return _of_coroutine(function, name, category)
    if inspect.isasyncgenfunction(function):
        return _of_async_generator(function, name, category)
    if inspect.isgeneratorfunction(function):
        return _of_generator(function, name, category)
    for attribute in functools.WRAPPER_ASSIGNMENTS:
        if hasattr(function, attribute):
            setattr(traced, attribute, getattr(function, attribute))
    traced.__dict__.update(getattr(function, "__dict__", {}))
    return traced


_set_finish(_finish)
