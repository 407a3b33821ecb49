#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the trace of an MPI program against what others say of it; reads it with the second reader.

    check.py text TRACE RANK       a line "level layer call" for each of its calls of mpi and mpiio
    check.py same GOT WANT         the lines are those expected, where "status=*" is any status and "= *" any number
    check.py lines TRACE GOT WANT RANKS   the same of the files GOT.0 WANT.0 ... of ranks, and of "text"
    check.py counts TRACE DIR      the counts of the witness in DIR (witness.py), of all ranks together
    check.py once DIR              of what was called in Fortran nothing came to C, by the witnesses
    check.py comms TRACE           communicators are the same ones on all their ranks
    check.py identities TRACE N    and those of different names, N at least, are different ones
    check.py requests TRACE        each request that was made was completed once
    check.py failures TRACE RANK   a line "function error-class" for each of its calls that failed
"""
import collections
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import decode  # noqa: E402
from parts import UNSET  # noqa: E402

HANDLES = {"comm", "group", "datatype", "op", "win", "info", "errhandler", "session"}
UNDEFINED, CANCELLED = -32766, -2  # words of a status
UNDEFINED_NAME = {UNDEFINED: "MPI_UNDEFINED"}
# The names of Open MPI; what another MPI has in their place its traces tell.
NAMES = {
    "rank": {-1: "MPI_ANY_SOURCE", -2: "MPI_PROC_NULL"},
    "tag": {-1: "MPI_ANY_TAG"},
    "color": UNDEFINED_NAME, "index": UNDEFINED_NAME, "mpi_count": UNDEFINED_NAME,
    "in_place": {0: "buffer", 1: "MPI_IN_PLACE"},
    "mpi_comparison": dict(enumerate(["MPI_IDENT", "MPI_CONGRUENT", "MPI_SIMILAR", "MPI_UNEQUAL"])),
    "mpi_assert": {1 << bit: f"MPI_MODE_{name}" for bit, name in
                   enumerate(["NOCHECK", "NOPRECEDE", "NOPUT", "NOSTORE", "NOSUCCEED"])},
    "mpi_whence": {600: "MPI_SEEK_SET", 602: "MPI_SEEK_CUR", 604: "MPI_SEEK_END"},
    "amode": {1 << bit: f"MPI_MODE_{name}" for bit, name in
              enumerate(["CREATE", "RDONLY", "WRONLY", "RDWR", "DELETE_ON_CLOSE", "UNIQUE_OPEN",
                         "EXCL", "APPEND", "SEQUENTIAL"])},
    "mpi_error": {0: "MPI_SUCCESS", 2: "MPI_ERR_COUNT", 6: "MPI_ERR_RANK", 13: "MPI_ERR_ARG",
                  15: "MPI_ERR_TRUNCATE", 16: "MPI_ERR_OTHER",
                  18: "MPI_ERR_IN_STATUS"},
    "thread_level": {1: "MPI_THREAD_FUNNELED", 3: "MPI_THREAD_MULTIPLE"},
    "keyval": {0: "MPI_TAG_UB"},
    "mpi_typeclass": {1: "MPI_TYPECLASS_INTEGER", 2: "MPI_TYPECLASS_REAL"},
    "mpi_combiner": {3: "MPI_COMBINER_VECTOR"},
}


def fail(what):
    sys.exit(f"check.py: {what}")


# ---- text ----

def named(stream, kind, value):
    """A value by the name that it has in the stream's MPI."""
    return str(stream.names_of(kind, NAMES[kind]).get(value, value))


def flags(stream, kind, value):
    order = list(NAMES[kind].values())
    bits = sorted((order.index(name), name) for bit, name in
                  stream.names_of(kind, NAMES[kind]).items() if value & bit)
    return "|".join(name for _, name in bits) or "0"


def status(stream, source, tag, count, error):
    """What MPI defines of a status."""
    parts = []
    if source != UNDEFINED:
        parts.append(f"source={named(stream, 'rank', source)}")
    if tag != UNDEFINED:
        parts.append(f"tag={named(stream, 'tag', tag)}")
    if count != UNDEFINED:
        parts.append("cancelled" if count == CANCELLED else f"bytes={'?' if count < 0 else count}")
    if error:
        parts.append(f"error={named(stream, 'mpi_error', error)}")
    return "{%s}" % ", ".join(parts)


def statuses(stream, words):
    return [status(stream, *four) for four in zip(*[iter(words)] * 4)]


def handle(stream, kind, number):
    if kind == "comm" and number:
        name = stream.defs["COMM"][number]["name"]
    elif kind == "datatype" and number:
        name = stream.defs["DATATYPE"][number]["name"]
    else:
        name = stream.defs["NAME"].get((kind.encode(), number))
    if not name:
        return f"{kind}#{number}"
    text = decode.text(name)
    return text if re.fullmatch(r"[\w.:,+*/-]+", text, re.ASCII) else decode.quote(name)


def shown(stream, kind, value):
    """A value as recorder2text shows it."""
    if value is UNSET:
        return "?"
    if kind == "mpi_status":
        if not isinstance(value, decode.Array):
            return "NULL"
        words = statuses(stream, value.elements)
        return words[0] if value.original == 4 else f"[{', '.join(words)}]"
    if kind == "request" and value == 0:
        return "MPI_REQUEST_NULL"
    if kind in HANDLES:
        return handle(stream, kind, value)
    if kind == "datatypes" and isinstance(value, decode.Array):
        return "[%s]" % ", ".join(handle(stream, "datatype", number) for number in value.elements)
    if kind in ("mpi_assert", "amode"):
        return flags(stream, kind, value)
    if kind in NAMES:
        return named(stream, kind, value)
    if kind == "datatypes" and isinstance(value, decode.Array):
        return "[%s]" % ", ".join(handle(stream, "datatype", number) for number in value.elements)
    if kind == "hints" and isinstance(value, decode.Text):
        return "[%s]" % ", ".join(decode.quote(hint) for hint in value.bytes.split(b"\0")[:-1])
    if isinstance(value, decode.Pair):
        file = stream.defs["FILE"].get(value.id)
        return f"{value.value} {decode.quote(file['path'])}" if file else f"{value.value} ?"
    if isinstance(value, (int, float, decode.Text, decode.Array)):
        return decode.plain(value)
    return "NULL"


def texts(where):
    """The lines of each rank, "level layer call", a list for each that has any."""
    kept = collections.defaultdict(list)

    def take(stream, thread, records):
        kept[stream.number("rank")].extend((stream, record) for record in records
                                           if record.function.layer in ("mpi", "mpiio"))

    decode.read_whole(where, take)
    return {rank: list(lines_of(calls)) for rank, calls in kept.items()}


def lines_of(calls):
    for stream, record in sorted(calls, key=lambda item: item[1].tstart):
        function = record.function
        args = ", ".join(f"{parameter.name}={shown(stream, parameter.kind, value)}"
                         for parameter, value in zip(function.args, record.args))
        result = shown(stream, function.result.kind, record.result)
        line = f"{record.level} {function.layer} {function.name}({args}) = {result}"
        yield from [line] * record.repeat


def print_text(where, rank):
    for line in texts(where).get(int(rank), []):
        print(line)


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def of_program(lines):
    """Without what an MPI calls inside its own functions: only the program's calls are expected. Each call of a run."""
    for line in lines:
        call, repeat = re.fullmatch(r"(.*?)(?: repeat=(\d+) busy=\S+)?", line).groups()
        if line.startswith("0 "):
            yield from [call] * int(repeat or 1)


def check_same(got, want):
    compare(read_lines(got), read_lines(want))


def check_lines(where, got, want, ranks):
    second = texts(where)
    for rank in range(int(ranks)):
        expected = read_lines(f"{want}.{rank}")
        compare(read_lines(f"{got}.{rank}"), expected)
        compare(second.get(rank, []), expected)


def compare(got, want):
    got, want = list(of_program(got)), list(of_program(want))
    for number, (found, expected) in enumerate(zip(got, want), 1):
        pattern = re.escape(expected).replace(r"status=\*", r"status=\{[^}]*\}")
        pattern = pattern.replace(r"=\ \*", r"=\ [0-9.e+-]+")
        if not re.fullmatch(pattern, found):
            fail(f"line {number} is\n{found}\nnot\n{expected}")
    if len(got) != len(want):
        fail(f"{len(got)} lines, not {len(want)}")


def print_failures(where, rank):
    kept = []

    def take(stream, thread, records):
        kept.extend(record for record in records if stream.number("rank") == int(rank)
                    and record.function.result.kind == "mpi_error" and record.result != 0)

    decode.read_whole(where, take)
    for record in sorted(kept, key=lambda record: record.tstart):
        print(record.function.name, record.result)


# ---- counts ----

def check_counts(where, folder):
    wanted, found = collections.Counter(), collections.Counter()
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="ascii") as file:
            for line in file:
                function, count = line.split()
                wanted[function] += int(count)
    for stream in decode.read_whole(where).streams:
        for (layer, function), count in stream.functions.items():
            if layer in ("mpi", "mpiio"):
                found[function] += count
    for function in sorted(set(wanted) | set(found)):
        if wanted[function] != found[function]:
            fail(f"{function}: {found[function]} calls in the trace, {wanted[function]} were made")
    if not wanted:
        fail("the witness saw nothing")


def check_once(folder):
    """A Fortran function that calls MPI_X would be recorded twice, and the counts of both witnesses agree with that."""
    called = collections.defaultdict(set)
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="ascii") as file:
            called[name.endswith(".fortran")].update(line.split()[0] for line in file)
    twice = called[True] & called[False]
    if twice or not called[True]:
        fail(f"called in Fortran: {len(called[True])} functions, and in C, too: {sorted(twice)}")
    print(len(called[True]))


# ---- communicators ----

def members(stream, comm, group):
    """Processes by world and rank, in order."""
    found = []
    for (first, count, stride), world in zip(comm[group], comm[f"{group}_worlds"]):
        name = stream.defs["NAME"][b"world", world].decode() if world else stream.word("world")
        found += [(name, first + at * stride) for at in range(count)]
    return found


def views(where):
    """By identity: the group, the remote group and the definition of each process that has it."""
    by_identity = collections.defaultdict(list)
    for stream in decode.read_whole(where).streams:
        seen = set()
        for number, comm in stream.defs["COMM"].items():
            if comm["identity"] in seen:
                fail(f"{stream.name}: two communicators of identity {comm['identity']:x}")
            seen.add(comm["identity"])
            group, remote = members(stream, comm, "group"), members(stream, comm, "remote")
            if len(group) != comm["size"] or len(remote) != comm["remote_size"] or \
                    group[comm["rank"]] != (stream.word("world"), stream.number("rank")):
                fail(f"{stream.name}: communicator {number} {comm} has other members")
            by_identity[comm["identity"]].append((tuple(group), tuple(remote), comm))
    return by_identity


def check_comms(where):
    by_identity = views(where)
    for identity, seen in by_identity.items():
        groups = {frozenset((group, remote)) for group, remote, _ in seen}
        ranks = sorted((group, comm["rank"]) for group, _, comm in seen)
        everybody = sorted((group, at) for group in {v[0] for v in seen} for at in range(len(group)))
        sides = {group for group, _, _ in seen} | {remote for _, remote, _ in seen if remote}
        if len(groups) != 1 or ranks != everybody or len(sides) != len({v[0] for v in seen}):
            fail(f"identity {identity:x} is not the same everywhere: {seen}")
        if len({comm["name"] for _, _, comm in seen}) != 1:
            fail(f"identity {identity:x} has several names")
    print(len(by_identity))


def check_identities(where, least):
    """Programs that give names "id..." to communicators give each another one: so many at least."""
    named = collections.defaultdict(set)
    for identity, seen in views(where).items():
        for _, _, comm in seen:
            if comm["name"].startswith(b"id."):
                named[comm["name"]].add(identity)
    for name, identities in named.items():
        if len(identities) != 1:
            fail(f"{name} has identities {identities}")
    if len(named) < int(least):
        fail(f"{len(named)} communicators, not {least}")
    check_comms(where)


# ---- requests ----

def check_requests(where):
    made, done = collections.Counter(), collections.Counter()

    def take(stream, _, records):
        for record in records:
            name = record.function.name
            for parameter, value in zip(record.function.args, record.args):
                if parameter.kind == "request" and re.match("MPI_(I|File_i)", name):
                    made[stream.name, value] += 1
                elif parameter.kind == "request" and name == "MPI_Wait":
                    done[stream.name, value] += 1
                elif parameter.kind == "requests" and name == "MPI_Waitall":
                    if value.original != len(value.elements):
                        fail(f"{value.original} requests, but {len(value.elements)} are told")
                    done.update((stream.name, number) for number in value.elements)

    decode.read_whole(where, take)
    if made != done or set(made.values()) != {1}:
        odd = [key for key in set(made) | set(done) if (made[key], done[key]) != (1, 1)]
        fail(f"{len(odd)} requests were not made and completed once, as {sorted(odd)[:5]}")
    print(len(made))


def main():
    checks = {"text": print_text, "same": check_same, "lines": check_lines, "counts": check_counts, "once": check_once,
              "comms": check_comms,
              "identities": check_identities, "requests": check_requests, "failures": print_failures}
    if len(sys.argv) < 3 or sys.argv[1] not in checks:
        print(__doc__, file=sys.stderr)
        return 2
    checks[sys.argv[1]](*sys.argv[2:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
