# SPDX-License-Identifier: MIT
"""A program instrumented for DFTracer 1 and 2, in every way that they document; it does the same with the recorder and without it."""
import asyncio
import inspect
import os
import threading
import time

import dftracer_dbg.logger
import pydftracer
from dftracer.logger import dft_fn, dftracer
from dftracer.python import TagDType, TagType, TagValue, ai, env
from dftracer.python.dynamo import Dynamo
from dftracer.python.torch import trace_handler

log = dftracer.initialize_log(logfile=None, data_dir=None, process_id=-1)
assert log is dftracer.get_instance()
compute = dft_fn("COMPUTE", epoch=3)
plain = dft_fn("PLAIN")


@plain.log
def nothing(value):
    """Stays."""
    return value


@compute.log
def given(index, step, image_size=7):
    return index, step, image_size


@compute.log(name="renamed")
def other_name(*, step=1):
    return step


class Loader:
    @plain.log_init
    def __init__(self, epoch=0):
        self.epoch = epoch
        self.step = None

    @plain.log
    def read(self, image_idx):
        plain.update(args={"size": 1.5, "tagged": TagValue("4", TagDType.INT, TagType.VALUE)})
        os.access("/in/read", os.F_OK)
        return image_idx

    @staticmethod
    @plain.log_static
    def static(value):
        return value

    @plain.log
    @classmethod
    def of_class(cls):
        return cls


@plain.log
def failing():
    raise KeyError("x")


@plain.log
def recursive(depth):
    return depth and 1 + recursive(depth - 1)


@plain.log
def items(step):
    for i in range(2):
        yield i + step


@plain.log
async def later():
    await asyncio.sleep(0)
    return 5


def blocks():
    with dft_fn("block") as block:  # its name is that of this function
        block.update(step=1, args={"text": "a \"b\"\n", "none": None})
        with dft_fn(cat="block", name="inner") as inner:
            block.update(epoch=2)
            inner.update(args={"of": "inner"})
    twice = dft_fn("block", name="twice", step=1)
    with twice:
        twice.update(step=2)
        twice.flush()
        os.access("/behind", os.F_OK)
        twice.reset()
    with twice:
        pass
    with dft_fn("block", name="off", enable=False) as off:
        off.update(step=1).flush()
    try:
        with dft_fn("block", name="left"):
            raise OSError()
    except OSError:
        pass


def loops():
    for item in dft_fn("LOOP").iter(range(2)):
        os.access(f"/turn/{item}", os.F_OK)
    for item in dft_fn("LOOP").iter(iter("abc"), name="cut", iter_name="i"):
        break
    assert list(dft_fn("LOOP", enable=False).iter("ab")) == ["a", "b"]


def past():
    begin = log.get_time()
    assert (begin > 1_500_000_000_000_000) == env.DFTRACER_ENABLE
    time.sleep(0.002)
    log.enter_event()
    log.log_event("custom", "cat2", begin, 2000, {"n": (0, 5), "text": "x"})
    log.exit_event()
    pydftracer.log_event("low", "cat3", pydftracer.get_time(), 0, {"n": 1}, {"text": "y"}, {"real": 0.5})
    log.log_metadata_event("model", "unet")
    plain.log_metadata("key", 7)


@ai.dataloader.fetch
def batches(count):
    yield from range(count)


@ai.compute.forward
def forward(value):
    with ai.comm.all_reduce(enable=False):
        pass
    with ai.comm.all_reduce(args={"bytes": 8}):
        pass
    return value


@ai.compute.backward(args={"scale": 0.5}, enable=True)
def backward():
    return None


@ai.data.preprocess.derive(name="collate")
def collate(batch):
    return batch


class Model:
    @ai.checkpoint.init
    def __init__(self):
        self.ready = True


@ai.pipeline.train
def train():
    Model()
    for epoch in ai.pipeline.epoch.iter(range(2), include_iter=False):
        for step, batch in ai.dataloader.fetch.iter(enumerate(batches(1))):
            ai.update(epoch=epoch, step=step)
            ai.compute.step.start()
            forward(collate(batch))
            ai.compute.step.stop()
    ai.compute.disable()
    forward(0)
    with ai.compute.forward:
        pass
    backward()
    ai.compute.enable()
    ai.pipeline.test.start(metadata=True)
    ai.pipeline.test.stop(metadata=True)
    with ai.data.io.open:
        pass


class Node:
    """As much of torch.fx as is needed."""
    op, target = "call_function", staticmethod(len)


class Graph:
    def __init__(self):
        self.nodes, self.calls, self.graph = [Node()], [], self

    def inserting_before(self, _):
        return dft_fn("unused", name="unused", enable=False)

    inserting_after = inserting_before

    def call_function(self, function, args):
        self.calls.append((function, args))

    def recompile(self):
        pass


def operations():
    tracer = Dynamo(name="model")
    for function, args in tracer.add_enhanced_timing_to_graph(Graph()).calls:
        if "_begin" in repr(function):
            tracer._region(args[0], {"grad_enabled": 1}).__enter__()  # there is no torch to ask
        else:
            function(*args)


class Measured:
    """As much of an event of torch.profiler as is needed."""
    device_type, cpu_memory_usage, is_remote, input_shapes = 0, 64, False, [[2, 3], []]

    def __init__(self, key, start, end):
        self.key, self.time_range = key, self
        self.start, self.end = start, end

    def elapsed_us(self):
        return self.end - self.start


class Profiler:
    """As much of a torch.profiler.profile."""

    def __init__(self):
        self.profiler = self.kineto_results = self
        self.began = time.time_ns()

    def trace_start_ns(self):
        return self.began

    def events(self):
        return [Measured("aten::outer", 100, 900), Measured("aten::inner", 200, 300)]


def profiled():
    profiler = Profiler()
    time.sleep(0.002)
    trace_handler(profiler)


def main():
    assert dftracer_dbg.logger.dft_fn is dft_fn
    assert nothing(4) == 4 and nothing.__doc__ == "Stays." and nothing.__name__ == "nothing"
    assert given(1, step=4) == (1, 4, 7) and given(2, 5, 6) == (2, 5, 6)
    assert other_name() == 1 and str(inspect.signature(other_name)) == "(*, step=1)"
    loader = Loader(epoch=5)
    assert loader.read(2) == 2 and loader.static(3) == 3 and Loader.of_class() is Loader
    try:
        failing()
    except KeyError:
        pass
    assert recursive(2) == 2
    assert list(items(1)) == [1, 2]
    assert asyncio.run(later()) == 5
    blocks()
    loops()
    past()
    train()
    operations()
    profiled()
    thread = threading.Thread(target=recursive, args=(1,))
    thread.start()
    thread.join()
    log.finalize()
    print("done")


main()
