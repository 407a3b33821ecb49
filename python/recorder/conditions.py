# SPDX-License-Identifier: MIT
"""Conditions on records, as Python says them, for libreader, which checks them.

All must hold. A list is a string in the syntax of the command line ("0,4-7", "MPI_*,-MPI_Wait*"), or a number, or several of either:

ranks, worlds, tids, streams, levels    numbers
layers, functions                       names, globs; a comma in a name is "\\,", and glob_of(name) is the glob of that name alone
files                                   a glob on the path of the file
time                                    (begin, end) in seconds, either may be None: records that touch this time
min_duration                            seconds
in_flight                               True: also calls that had not ended; "only": these alone
order                                   "time", or "end": thread by thread in the order of ends, which costs least
"""
from ._reader import FilterError

LISTS = ("ranks", "worlds", "tids", "streams", "levels", "layers", "functions", "files")
ORDERS = {"time": 0, "end": 1}
IN_FLIGHT = {False: 0, True: 1, "only": 2}


def glob_of(name):
    """The glob that has this name alone, whatever is in it: functions of C++ have commas, brackets and stars."""
    return "".join("\\" + one if one in "\\*?[,-" else one for one in name)


def as_list(value):
    """A list as the text that libreader takes."""
    if value is None or isinstance(value, (str, bytes)):
        return value
    if isinstance(value, int):
        return str(value)
    try:
        return ",".join(str(one) for one in value)
    except TypeError:
        raise FilterError(f"{value!r} is no list") from None


def nanoseconds(seconds):
    """Seconds as a whole number of nanoseconds."""
    try:
        return int(seconds) * 10**9 + round((seconds - int(seconds)) * 10**9)
    except (TypeError, ValueError, OverflowError):
        raise FilterError(f"{seconds!r} are no seconds") from None


def put_time(made, time):
    try:
        begin, end = time
    except (TypeError, ValueError):
        raise FilterError("time: (begin, end) in seconds") from None
    made["after"] = None if begin is None else nanoseconds(begin)
    if end is not None:
        made["before"] = nanoseconds(end)
        if made["before"] <= 0:  # to libreader 0 means no limit
            raise FilterError("time: must end after 0")


def look_up(name, table, value):
    try:
        return table[value]
    except (KeyError, TypeError):
        raise FilterError(f"{name}: one of {', '.join(map(repr, table))}") from None


def conditions(order="time", time=None, min_duration=None, in_flight=False, **lists):
    """Keywords for the C half."""
    made = {"by_end": look_up("order", ORDERS, order),
            "in_flight": look_up("in_flight", IN_FLIGHT, in_flight)}
    if time is not None:
        put_time(made, time)
    if min_duration is not None:
        made["min_duration"] = nanoseconds(min_duration)
    for name, value in lists.items():
        if name not in LISTS:
            raise FilterError(f"'{name}' is no condition")
        made[name] = as_list(value)
    return made
