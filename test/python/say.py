# SPDX-License-Identifier: MIT
"""A program that says what it is doing, by recorder.regions; it does the same with the recorder and without it."""
import asyncio
import inspect
import pickle
import threading

from recorder.regions import counter, instant, iterate, note, region, set as set_argument, span_begin, span_end


@region
def plain(one, two=2):
    """What it says of itself stays."""
    return one + two


@region("failing", "tried", level=3)
def failing():
    raise KeyError("x")


class Kinds:
    @region
    def method(self, value):
        return self, value

    @staticmethod
    @region
    def static(value):
        return value

    @classmethod
    @region
    def of_class(cls):
        return cls

    @property
    @region
    def property(self):
        return 7


@region
def recursive(depth):
    return depth and 1 + recursive(depth - 1)


@region
def generator(count):
    got = []
    for i in range(count):
        got.append((yield i))
    return got


@region
async def coroutine(number):
    await asyncio.sleep(0.001)
    return number


@region
async def async_generator(count):
    for i in range(count):
        await asyncio.sleep(0)
        yield i


def raised(kind, function, *args):
    try:
        function(*args)
    except kind as error:
        return error
    raise AssertionError(f"no {kind}")


def functions():
    assert (plain(1), plain(1, two=5)) == (3, 6)
    assert (plain.__name__, plain.__doc__, str(inspect.signature(plain))) == ("plain", "What it says of itself stays.", "(one, two=2)")
    assert pickle.loads(pickle.dumps(plain)) is plain
    raised(KeyError, failing)
    kinds = Kinds()
    assert kinds.method(4) == (kinds, 4) and Kinds.method(kinds, 5) == (kinds, 5)
    assert (Kinds.static(3), Kinds.of_class(), kinds.property) == (3, Kinds, 7)
    assert recursive(9) == 9


def generators():
    running = generator(2)
    assert (next(running), running.send("a")) == (0, 1)
    assert raised(StopIteration, running.send, "b").value == ["a", "b"]
    running = generator(2)
    next(running)
    running.close()
    running = generator(2)
    next(running)
    raised(ValueError, running.throw, ValueError("v"))
    assert list(generator(0)) == []


async def asynchronous():
    assert await asyncio.gather(*(coroutine(i) for i in range(3))) == [0, 1, 2]
    assert [item async for item in async_generator(2)] == [0, 1]


def blocks():
    with region("epoch", epoch=1, rate=0.5, name="x", big=1 << 70, none=None, on=True) as epoch:
        epoch.set("late", [1, 2])
        counter("loss", 0.25)
        instant("here", "there")
        note("model", "resnet")
    try:
        with region("block"):
            set_argument("key", "value")
            raise OSError("o")
    except OSError:
        pass
    assert list(iterate("ab", "step")) == ["a", "b"]
    for _ in iterate(range(9), "cut"):
        break
    span_begin("request", 7)
    span_end("request", 7)
    raised(TypeError, region, 3)
    raised(TypeError, lambda: region().__enter__())  # pylint: disable=unnecessary-dunder-call


def main():
    assert inspect.iscoroutinefunction(coroutine) and inspect.isgeneratorfunction(generator) and inspect.isasyncgenfunction(async_generator)
    functions()
    generators()
    asyncio.run(asynchronous())
    blocks()
    threads = [threading.Thread(target=recursive, args=(4,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("done")


if __name__ == "__main__":
    main()
