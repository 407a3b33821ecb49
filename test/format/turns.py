# SPDX-License-Identifier: MIT
"""Who takes which turn, in tests that do much to each of very many damaged traces.

script/test runs such tests twice, without sanitizers and with them. What both would do is done in one of them, by turns, so that
together they do all of it; of what several tools do to each trace, each tool has its share of the traces and each trace one tool at least.
DAMAGED_ALL=1 (make check-damaged): everything, in both.
"""
import os

ALL = bool(os.environ.get("DAMAGED_ALL"))
SANITIZED = os.environ.get("SANITIZERS", "").strip() not in ("", "none")


def mine(number, of=2):
    """Whether this build has the turn of what has this number; every of-th one is its own."""
    return ALL or (number + SANITIZED) % of == 0


def taking_part(number, things, of=2):
    """Those of the things that have their turn at the trace with this number."""
    return [thing for at, thing in enumerate(things) if mine(number + at, of)]
