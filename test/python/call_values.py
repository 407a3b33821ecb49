# SPDX-License-Identifier: MIT
"""Functions with arguments and results of all sorts; prints the records that they are to have."""
import asyncio
import collections
import math
import threading

LINES = []


class Forbidden:
    """Whose code may not be run by who looks on."""
    def refuse(self, *_):
        raise SystemExit("code of the program was run")
    __repr__ = __str__ = __len__ = __index__ = __int__ = __float__ = __bool__ = __hash__ = __eq__ = __iter__ = __getattr__ = refuse


class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit("code of a metaclass was run")


class Named(metaclass=Meta):
    pass


class Int(int):
    __repr__ = __str__ = __index__ = __int__ = Forbidden.refuse


class Text(str):
    __len__ = __str__ = __getitem__ = Forbidden.refuse


class List(list):
    __len__ = Forbidden.refuse


def text_of(value):
    text, out = value[:256], ""
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = text.encode("utf-8", "surrogatepass")
    for byte in data:
        known = {10: "\\n", 9: "\\t", 13: "\\r", 34: '\\"', 92: "\\\\"}
        out += known.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}")
    return f'"{out}"' + ("..." if len(value) > 256 else "")


def shown(value, plain=(int, float, bool, type(None))):
    kind = type(value)
    if kind is int and not -2**63 <= value < 2**63:
        return str(value) if value.bit_length() <= 512 else f"int of {value.bit_length()} bits"
    if kind is float:
        return f"{value:.17g}" if float(f"{value:.15g}") != value else f"{value:.15g}"
    if kind in plain:
        return str(value)
    if kind is str:
        return text_of(value)
    name = type.__dict__["__name__"].__get__(kind)
    return f"{name}[{kind.__len__(value)}]" if kind in (list, tuple, dict, bytes, bytearray, set, frozenset) else name


def expect(name, values, result=(), ending="return"):
    """`result`: () or ("return", value)."""
    parts = [f"{key}={shown(value)}" for key, value in values] + [f"{key}={shown(value)}" for key, value in ([result] if result else [])]
    LINES.append(f"{name}({', '.join(parts)}) = {ending}")


VALUES = [0, 1, -5, 2**31, -2**63, 2**63 - 1, 2**63, -2**63 - 1, 2**64, 10**30, -10**30, 1 << 511, 1 << 5000, 1.5, -0.5, 1e300, float("inf"), True, False,
          None, "", "plain", 'q"uo\\te\n', "\xe9\u20ac\U0001f600", "\udc80", "\ud800", "nul\0nul", "x" * 256, "x" * 257, "\xe9" * 300, b"bytes", bytearray(3), [],
          [1, 2], (1,), {1: 2, 3: 4}, {5}, frozenset(), Forbidden(), Named(), Int(7), Text("abc"), List("ab"), len, asyncio, Forbidden, range(3), ...,
          collections.OrderedDict(), 1j]


def solve(n, name="default", *rest, key=None, **more):
    return n


def identity(value):
    return value


def captured(a, b):
    def inner():
        return a, b
    a = len(inner())
    return a


def generator(n, start="x"):
    while n:
        n -= 1
        yield n
    return "end"


def captured_generator(n):
    yield lambda: n
    n = None


async def awaits(x):
    await asyncio.sleep(0)
    return x * 2


async def agenerator(x):
    yield x


class C:
    def m(self, v):
        return self

    @staticmethod
    def s(v):
        return [v]

    @classmethod
    def k(cls, v):
        return None


def fails(x):
    raise ValueError(x)


def many(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r):
    return ()


def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)


def deletes(n):
    del n


def in_thread(n):
    return n


def some(a, b, c):
    return a + b + c


def values():
    for value in VALUES:
        solve(value, "a", 1, 2, key=value, other=value)
        expect("solve", [("n", value), ("name", "a"), ("key", value), ("rest", (1, 2)), ("more", {"other": 0})], ("return", value))
        identity(value)
        expect("identity", [("value", value)], ("return", value))
    solve(1)
    expect("solve", [("n", 1), ("name", "default"), ("key", None), ("rest", ()), ("more", {})], ("return", 1))


def kinds():
    captured("first", b=2)
    expect("captured", [("a", "first"), ("b", 2)], ("return", 2))
    some(1, 2, c=3)
    expect("some", [("c", 3), ("a", 1)])
    instance = C()
    instance.m(1)
    C.s("v")
    C.k(None)
    expect("C.m", [("self", instance), ("v", 1)], ("return", instance))
    expect("C.s", [("v", "v")], ("return", [0]))
    expect("C.k", [("cls", C), ("v", None)], ("return", None))
    try:
        fails("boom")
    except ValueError:
        expect("fails", [("x", "boom")], ending="exception")
    many(*range(18))
    expect("many", [(chr(97 + i), i) for i in range(15)], ("return", ()))
    factorial(21)
    for n in range(21, -1, -1):
        expect("factorial", [("n", n)], ("return", math.factorial(n)))
    deletes(1)
    expect("deletes", [("n", 1)], ("return", None))


def generators():
    list(generator(2))
    expect("generator", [("n", 2), ("start", "x")], ("yield", 1), "yield")
    expect("generator", [], ("yield", 0), "yield")
    expect("generator", [], ("return", "end"))
    for function in captured_generator("kept"):
        assert function() == "kept"
    expect("captured_generator", [("n", "kept")], ("yield", function), "yield")
    expect("captured_generator", [], ("return", None))

    async def main():
        return await awaits(4), [value async for value in agenerator(5)]
    asyncio.run(main())
    expect("awaits", [("x", 4)], ("yield", None), "yield")
    expect("awaits", [], ("return", 8))


def threads():
    for n in range(3):
        thread = threading.Thread(target=in_thread, args=(n,))
        thread.start()
        thread.join()
        expect("in_thread", [("n", n)], ("return", n))


for part in (values, kinds, generators, threads):
    part()
print("\n".join(LINES))
