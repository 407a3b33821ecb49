# SPDX-License-Identifier: MIT
"""What both checkers of JSON events judge alike."""
import collections
import gzip
import sys
import zlib

EXACT = 1 << 53


def fail(text):
    print(f"{sys.argv[1]}: {text}")
    sys.exit(1)


def read(path):
    """The bytes of a file; of a .gz, which must be one member and no more."""
    with open(path, "rb") as file:
        data = file.read()
    if not path.endswith(".gz"):
        return data
    member = zlib.decompressobj(zlib.MAX_WBITS | 16)
    plain = member.decompress(data)
    if not member.eof or member.unused_data:
        fail("not exactly one gzip member")
    if gzip.decompress(data) != plain:
        fail("gzip reads something else")
    return plain


def unique(pairs):
    """For json's object_pairs_hook: a key that comes twice would hide the first."""
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        fail(f"a key comes twice in {keys}")
    return dict(pairs)


def no_constant(name):
    fail(f"{name} is no JSON")


def check_numbers(value, where):
    if isinstance(value, dict):
        for key, inner in value.items():
            check_numbers(inner, f"{where}.{key}")
    elif isinstance(value, list):
        for inner in value:
            check_numbers(inner, where)
    elif isinstance(value, int) and abs(value) > EXACT:
        fail(f"{where}={value} is beyond doubles")


def check_nesting(events, scale):
    """Viewers drop events of one thread that overlap without one being inside the other."""
    threads = collections.defaultdict(list)
    for event in events:
        begin = round(event["ts"] * scale)
        threads[event["pid"], event["tid"]].append((begin, begin + round(event["dur"] * scale)))
    for thread, spans in threads.items():
        open_ends = []
        for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            if open_ends and end > open_ends[-1]:
                fail(f"events of thread {thread} overlap at {begin}")
            open_ends.append(end)


def check_count(events):
    if len(sys.argv) == 3 and sys.argv[2].isdigit() and len(events) != int(sys.argv[2]):
        fail(f"{len(events)} events, not {sys.argv[2]}")
    print(f"{len(events)} events")
