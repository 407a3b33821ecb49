# SPDX-License-Identifier: MIT
"""Arguments as scripts made for recorder-viz expect them: bytes, by the position that they have in C."""
from os import fsencode

from .prototypes_gen import POSITIONS

NOT_RECORDED = b"%p"  # what Recorder writes for pointers
RESULT = -1
# Recorder has the bytes in place of the format.
FORMATTED = {f"{begin}{end}": ("stream", "=") for begin in ("f", "vf") for end in ("printf", "scanf", "wprintf", "wscanf")}
PREDEFINED = {"world": b"MPI_COMM_WORLD", "self": b"MPI_COMM_SELF"}

plans = {}


def plan_of(func, names):
    """For each position the index of the recorded argument, None or RESULT."""
    words = FORMATTED.get(func) or POSITIONS.get(func, "").split()
    if not words or not {word for word in words if word not in ("-", "=")} <= set(names):
        return range(len(names))  # another version's, or nothing to change
    return [None if word == "-" else RESULT if word == "=" else names.index(word) for word in words]


def file_text(record, index, value):
    path = record.arg_file(index)
    return str(value).encode() if path is None else fsencode(path)


def path_text(record, index, value):
    path = record.arg_file(index)
    return value if path is None else fsencode(path)


def mpi_file_text(record, index, value):
    """The path: handles of one file are equal on all ranks."""
    file = record.object("mpi_file", record.raw(index)[2])
    return fsencode(file["path"]) if file and file["path"] else str(value).encode()


def comm_text(record, index, value):
    comm = record.object("comm", value) if 0 < value < 2**32 else None
    if not comm:
        return record.arg_text(index).encode()
    return PREDEFINED.get(comm["kind"]) or b"%016x" % comm["identity"]


def name_text(record, index, _):
    return fsencode(record.arg_text(index))


def status_text(_, __, value):
    """[source_tag,...]"""
    pairs = [f"{value[i]}_{value[i + 1]}" for i in range(0, len(value) - 1, 3)]
    return f"[{','.join(pairs)}]".encode()


def strings_text(_, __, value):
    return b" ".join(value.rstrip(b"\0").split(b"\0"))


BY_KIND = {
    "fd": file_text, "dirfd": file_text, "stream": file_text, "dir": file_text, "path": path_text,
    "mpi_file": mpi_file_text, "comm": comm_text, "datatype": name_text, "op": name_text,
    "mpi_status": status_text, "strings": strings_text,
}


def arg_text(record, index, kind):
    value, state, _, _, total = record.raw(index)
    if value is None:
        return b"NULL" if state == "absent" else b"?"
    if kind == "parts":
        return str(total).encode()
    if kind in BY_KIND:
        return BY_KIND[kind](record, index, value)
    if isinstance(value, list):
        return f"[{','.join(map(str, value))}]".encode()
    return value if isinstance(value, bytes) else str(value).encode()


def args_of(record):
    """The arguments of a record."""
    names = record.names
    key = (record.func, names)
    plan = plans.get(key)
    if plan is None:
        plan = plans[key] = plan_of(*key)
    kinds = record.kinds
    return [NOT_RECORDED if index is None
            else str(record.ret).encode() if index == RESULT
            else arg_text(record, index, kinds[index]) for index in plan]
