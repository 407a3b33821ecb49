# SPDX-License-Identifier: MIT
"""Functions of all kinds, each of which counts its own calls and how they end, by no means of Python; the counts are written to the file that is named."""
import asyncio
import collections
import ctypes
import functools
import json
import re
import sys
import threading

COUNT = collections.Counter()
LOCK = threading.Lock()


def hit(name):
    with LOCK:
        COUNT[name] += 1


def depth(n):
    hit("depth return")
    if n:
        return depth(n - 1)
    return 0


def mutual_a(n):
    hit("mutual_a return")
    return mutual_b(n - 1) if n else 0


def mutual_b(n):
    hit("mutual_b return")
    return mutual_a(n - 1) if n else 0


def g_out():
    for i in range(3):
        hit("g_out yield")
        yield i
    hit("g_out return")


def g_thrown():
    try:
        hit("g_thrown yield")
        yield 1
    except KeyError:
        hit("g_thrown yield")
        yield 2
    hit("g_thrown return")


def g_thrown_out():
    hit("g_thrown_out yield")
    hit("g_thrown_out exception")
    try:
        yield 1
    finally:
        pass


def g_closed():
    try:
        hit("g_closed yield")
        yield 1
    finally:
        hit("g_closed exception")


def g_closed_returns():
    try:
        hit("g_closed_returns yield")
        yield 1
    except GeneratorExit:
        hit("g_closed_returns return")
        return


def g_dropped():
    try:
        hit("g_dropped yield")
        yield 1
    finally:
        hit("g_dropped exception")


def g_send():
    got = 0
    while got is not None:
        hit("g_send yield")
        got = (yield got)
    hit("g_send return")


def g_from():
    hit("g_from return")
    for _ in range(3):
        hit("g_from yield")
    yield from g_out()


def g_raises():
    hit("g_raises yield")
    hit("g_raises exception")
    yield 1
    raise LookupError


def g_unstarted():
    hit("g_unstarted")
    yield 1


def g_stopiter():
    hit("g_stopiter exception")
    raise StopIteration
    yield


class Base:

    def meth(self):
        hit("Base.meth return")
        return type(self)

    @staticmethod
    def stat():
        hit("Base.stat return")

    @classmethod
    def clas(cls):
        hit("Base.clas return")

    @property
    def prop(self):
        hit("Base.prop return")
        return 1

    @prop.setter
    def prop(self, v):
        hit("Base.prop2 return")

    @functools.cached_property
    def cach(self):
        hit("Base.cach return")
        return 1

    def __enter__(self):
        hit("Base.__enter__ return")
        return self

    def __exit__(self, *a):
        hit("Base.__exit__ return")
        return True

    def __getitem__(self, i):
        if i > 2:
            hit("Base.__getitem__ exception")
            raise IndexError
        hit("Base.__getitem__ return")
        return i

    def __lt__(self, other):
        hit("Base.__lt__ return")
        return False

    def __del__(self):
        hit("Base.__del__ return")

    def __init_subclass__(cls):
        hit("Base.__init_subclass__ return")


class Derived(Base):

    def meth(self):
        hit("Derived.meth return")
        return super().meth()


def closure(k):
    hit("closure return")

    def inner(x):
        hit("closure.<locals>.inner return")
        return x + k
    return inner


def deco(f):
    hit("deco return")

    @functools.wraps(f)
    def wrapper(*a):
        hit("deco.<locals>.wrapper return")
        return f(*a)
    return wrapper


@deco
def decorated(x):
    hit("decorated return")
    return x


@functools.lru_cache(None)
def cached(x):
    hit("cached return")
    return x


def raises(n):
    hit("raises exception")
    if n:
        raises(n - 1)
    raise RuntimeError(n)


def reraises():
    hit("reraises exception")
    try:
        raises(3)
    except RuntimeError as e:
        raise ValueError from e


def catches():
    hit("catches return")
    try:
        reraises()
    except ValueError:
        return 1


def fin():
    hit("fin return")
    try:
        raises(0)
    finally:
        return 2


def key(x):
    hit("key return")
    return -x


def bad_key(x):
    if x == 2:
        hit("bad_key exception")
        raise ArithmeticError
    hit("bad_key return")
    return x


def cb(a, b):
    hit("cb return")
    return ctypes.cast(a, ctypes.POINTER(ctypes.c_int))[0] - ctypes.cast(b, ctypes.POINTER(ctypes.c_int))[0]


def hook(d):
    hit("hook return")
    return d


def bad_hook(d):
    hit("bad_hook exception")
    raise OverflowError


def sub(m):
    hit("sub return")
    return m.group(0)


async def leaf(n):
    hit("leaf return")
    for _ in range(n):
        hit("leaf yield")
    for _ in range(n):
        await asyncio.sleep(0)
    return n


async def fails_async():
    hit("fails_async yield")
    hit("fails_async exception")
    await asyncio.sleep(0)
    raise ValueError


async def cancelled():
    hit("cancelled yield")
    hit("cancelled exception")
    await asyncio.sleep(1000)


async def agen(n):
    for i in range(n):
        hit("agen yield")
        hit("agen yield")
        await asyncio.sleep(0)
        yield i
    hit("agen return")


async def agen_closed():
    try:
        hit("agen_closed yield")
        yield 1
    finally:
        hit("agen_closed exception")


async def main():
    await asyncio.gather(leaf(0), leaf(1), leaf(2), leaf(3))
    r = await asyncio.gather(fails_async(), leaf(1), return_exceptions=True)
    assert isinstance(r[0], ValueError)
    t = asyncio.ensure_future(cancelled())
    await asyncio.sleep(0)
    t.cancel()
    try:
        await t
    except asyncio.CancelledError:
        pass
    assert [i async for i in agen(3)] == [0, 1, 2]
    a = agen_closed()
    await a.__anext__()
    await a.aclose()


def in_thread(n):
    hit("in_thread return")
    for i in range(50):
        depth(n)
        list(g_out())
        try:
            raises(1)
        except RuntimeError:
            pass


def run():
    depth(10)
    mutual_a(7)
    list(g_out())
    g = g_thrown()
    next(g)
    g.throw(KeyError())
    list(g)
    g = g_thrown_out()
    next(g)
    try:
        g.throw(ZeroDivisionError())
    except ZeroDivisionError:
        pass
    g = g_closed()
    next(g)
    g.close()
    g.close()
    g = g_closed_returns()
    next(g)
    g.close()
    g = g_dropped()
    next(g)
    del g
    g = g_send()
    next(g)
    g.send(1)
    g.send(2)
    try:
        g.send(None)
    except StopIteration:
        pass
    list(g_from())
    try:
        list(g_raises())
    except LookupError:
        pass
    g = g_unstarted()
    g.close()
    del g
    g = g_unstarted()
    try:
        g.throw(KeyError())
    except KeyError:
        pass
    try:
        next(g_stopiter())
    except RuntimeError:
        pass
    b, d = (Base(), Derived())
    b.meth()
    d.meth()
    Base.stat()
    d.stat()
    Base.clas()
    d.prop
    d.prop = 3
    b.cach
    b.cach
    with d:
        raise OSError
    list(b)
    sorted([b, b, b])
    del b, d
    f = closure(1)
    f(1)
    f(2)
    list(map(f, [1, 2, 3]))
    decorated(1)
    decorated(2)
    cached(1)
    cached(1)
    cached(2)
    catches()
    fin()
    sorted([3, 1, 2], key=key)
    try:
        sorted([1, 2, 3], key=bad_key)
    except ArithmeticError:
        pass
    arr = (ctypes.c_int * 4)(4, 2, 3, 1)
    lib = ctypes.CDLL(None)
    CB = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    lib.qsort(arr, 4, 4, CB(cb))
    json.loads('[{"a":1},{"b":2}]', object_hook=hook)
    try:
        json.loads('[{"a":1},{"b":2}]', object_hook=bad_hook)
    except OverflowError:
        pass
    re.sub("a", sub, "banana")
    asyncio.run(main())
    ts = [threading.Thread(target=in_thread, args=(10,)) for _ in range(4)]
    [t.start() for t in ts]
    [t.join() for t in ts]
    exec("def inner_exec():\n hit('inner_exec return')\ninner_exec()\ninner_exec()", {'hit': hit, '__name__': 'made'})
    try:
        import _interpreters as it
        go = it.exec
    except ImportError:
        import _xxsubinterpreters as it
        go = it.run_string
    for i in range(2):
        one = it.create()
        go(one, "def in_sub(n):\n  return in_sub(n-1) if n else 0\nin_sub(4)\ndef g_sub():\n  yield 1\nlist(g_sub())")
        it.destroy(one)
        COUNT["in_sub return"] += 5
        COUNT["g_sub yield"] += 1
        COUNT["g_sub return"] += 1


run()
COUNT["Base.prop return"] += COUNT.pop("Base.prop2 return")
with open(sys.argv[1], "w") as out:
    for k in sorted(COUNT):
        out.write(f"{k} {COUNT[k]}\n")
