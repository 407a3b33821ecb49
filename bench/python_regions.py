# SPDX-License-Identifier: MIT
"""What it costs a program in Python to say what it is doing: "NAME VALUE", ns of thread CPU time beside the same without, medians of rounds in turn."""
import statistics
import time

from dftracer.logger import dft_fn
from recorder.regions import counter, region

CALLS, ROUNDS = 1000, 401


def bare(value):
    return value


@region
def decorated(value):
    return value


profile = dft_fn("bench")


@profile.log
def logged(value):
    return value


def call_logged():
    for i in range(CALLS):
        logged(i)


def enter_profile():
    for _ in range(CALLS):
        with profile:
            pass


def loop_profile():
    for _ in profile.iter(range(CALLS)):
        pass


def call_bare():
    for i in range(CALLS):
        bare(i)


def call_decorated():
    for i in range(CALLS):
        decorated(i)


def enter_nothing():
    for _ in range(CALLS):
        pass


def enter():
    for _ in range(CALLS):
        with region("block"):
            pass


def enter_with_number():
    for i in range(CALLS):
        with region("step", step=i):
            pass


def count():
    for i in range(CALLS):
        counter("counter", i)


VARIANTS = {"bare": call_bare, "decorator": call_decorated, "nothing": enter_nothing, "block": enter, "number": enter_with_number, "counter": count,
            "dft_decorator": call_logged, "dft_block": enter_profile, "dft_loop": loop_profile}
BASE = {"decorator": "bare", "block": "nothing", "number": "nothing", "counter": "nothing",
        "dft_decorator": "bare", "dft_block": "nothing", "dft_loop": "nothing"}


def main():
    taken = {name: [] for name in VARIANTS}
    for _ in range(ROUNDS):
        for name, function in VARIANTS.items():
            begin = time.thread_time_ns()
            function()
            taken[name].append((time.thread_time_ns() - begin) / CALLS)
    for name, base in BASE.items():
        print(name, statistics.median(taken[name]) - statistics.median(taken[base]))


main()
