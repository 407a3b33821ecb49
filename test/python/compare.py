# SPDX-License-Identifier: MIT
"""compare.py TRACE...: every record, in every way of getting at it, is the line that recorder2text prints."""
import os
import random
import subprocess
import sys

import recorder


def text(trace, *options):
    done = subprocess.run(["recorder2text", "-q", *options, trace], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return os.fsdecode(done.stdout).split("\n")[:-1]


def check(what, got, want):
    if got == want:
        return
    for number, (one, other) in enumerate(zip(got, want)):
        if one != other:
            sys.exit(f"{what}: line {number + 1}\n  is   {one}\n  not  {other}")
    sys.exit(f"{what}: {len(got)} lines, not {len(want)}")


def by_number(reader, rank, lines, rng):
    """Records of a rank by their numbers: forward, some at random, from the end."""
    records = reader.records[rank]
    assert len(records) == reader.LMs[rank].total_records == len(lines), (len(records), len(lines))
    check(f"rank {rank}", [str(records[i]) for i in range(len(records))], lines)
    for i in [rng.randrange(len(lines)) for _ in range(min(50, len(lines)))]:
        assert str(records[i]) == lines[i], i
        assert str(records[i - len(lines)]) == lines[i], i
    check(f"rank {rank}, from the end", [str(record) for record in records[::-1]][::-1], lines)
    for i in (len(lines), -len(lines) - 1):
        try:
            records[i]
        except IndexError:
            continue
        sys.exit(f"rank {rank} has a record {i}")


def compare(trace):
    lines = text(trace)
    done = [line for line in lines if not line.endswith(" = ? in_flight")]
    with recorder.RecorderReader(trace) as reader:
        check(trace, [str(record) for record in reader.iter(in_flight=True)], lines)
        check(trace, [str(record) for record in reader], done)
        check(f"{trace}, by end", sorted(str(record) for record in reader.iter(order="end")), sorted(done))
        rng = random.Random(1)
        counted = 0
        for rank in range(reader.GM.total_ranks):
            world, number = reader.rank_of(rank)
            begin = f"{world}:{number} " if world > 0 else f"{number} "
            mine = [line for line in done if line.startswith(begin)]
            by_number(reader, rank, mine, rng)
            counted += sum(reader.LMs[rank].function_count)
        assert counted == reader.GM.records == sum(reader.count().values()), counted
        assert len(reader.records) == len(reader.LMs) == reader.GM.total_ranks
    print(f"{os.path.basename(trace)}: {len(lines)} lines")


if __name__ == "__main__":
    for given in sys.argv[1:]:
        compare(given)
