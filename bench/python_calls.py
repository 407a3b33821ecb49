# SPDX-License-Identifier: MIT
"""What a call of a function of Python costs, in the way that is named: "NAME VALUE", ns of thread CPU time, the least of rounds, and "NAME_all", their mean.

Rounds are short beside a ring of a thread, so the least of them knows nothing of what is done when one is full, and the mean does.

python_calls.py [settrace|setprofile]: with such a function in Python; without a word: as the interpreter is.
"""
import sys
import time

CALLS = 200
# those that have a tracer in Python take many times as long, and have no ring
ROUNDS = 501 if len(sys.argv) > 1 else 7501


def called():
    pass


def other():
    pass


def nothing():
    for _ in range(CALLS):
        pass


def call():
    for _ in range(CALLS):
        called()


def call_other():
    for _ in range(CALLS):
        other()


def measure(function):
    """ns of a call: the least of the rounds, and their mean."""
    taken = []
    for _ in range(ROUNDS):
        begin = time.thread_time_ns()
        function()
        taken.append(time.thread_time_ns() - begin)
    return min(taken) / CALLS, sum(taken) / len(taken) / CALLS


EVENTS = []


def at_event(frame, event, _):
    """As a tracer of one function by name does it."""
    if frame.f_code.co_name != "called":
        return None
    EVENTS.append((event, time.perf_counter_ns()))
    if len(EVENTS) > 10000:
        EVENTS.clear()
    return at_event


if len(sys.argv) > 1:
    getattr(sys, sys.argv[1])(at_event)
loop = measure(nothing)
for name, function in (("called", call), ("other", call_other)):
    of_round = measure(function)
    print(name, of_round[0] - loop[0])
    print(f"{name}_all", of_round[1] - loop[1])
