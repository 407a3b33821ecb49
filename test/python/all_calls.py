# SPDX-License-Identifier: MIT
"""Functions of all kinds, for byname.sh, which says what is to be recorded of them."""
import asyncio
import sys
import threading


def recurse(n):
    return 0 if n == 0 else 1 + recurse(n - 1)


def runs_out(n):
    for i in range(n):
        yield i


def thrown_into():
    while True:
        try:
            yield 1
        except KeyError:
            yield 2


def closed():
    yield 1
    yield 2


def cleaned():
    try:
        yield 1
    finally:
        plain()


def delegates():
    yield from runs_out(2)
    return 3


def plain():
    return 1


class Kinds:
    value = 1

    def method(self):
        return self.value

    @staticmethod
    def static():
        return 1

    @classmethod
    def of_class(cls):
        return cls.value

    @property
    def as_property(self):
        return 1

    def __call__(self):
        return 1


def outer(n):
    def inner():
        return n
    return inner()


def fails():
    raise ValueError("of purpose")


def passes_on():
    fails()


def catches():
    try:
        passes_on()
    except ValueError:
        return 1


async def coroutine(n):
    for _ in range(n):
        await asyncio.sleep(0)
    return n


async def agenerator():
    yield 1
    await asyncio.sleep(0)
    yield 2


async def together():
    await coroutine(2)
    async for _ in agenerator():
        pass


def threads():
    started = [threading.Thread(target=recurse, args=(20,)) for _ in range(4)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


def generators():
    list(runs_out(2))
    thrown = thrown_into()
    next(thrown)
    thrown.throw(KeyError)
    try:
        thrown.throw(IndexError)
    except IndexError:
        pass
    generator = cleaned()
    next(generator)
    generator.close()
    generator = cleaned()
    next(generator)
    del generator
    if sys.version_info >= (3, 9):  # 3.8 does not tell these from others
        runs_out(1)
        closed().close()
    list(delegates())


def main():
    assert recurse(9) == 9
    generators()
    kinds = Kinds()
    kinds.method() + Kinds.static() + Kinds.of_class() + kinds.as_property + kinds()
    outer(3)
    catches()
    for _ in (lambda: 1, lambda: 2):
        _()
    asyncio.run(together())
    threads()
    print("done")


main()
