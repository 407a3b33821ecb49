#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_ranks.py DIR SIZE WRITES SOURCE: one trace, in it the ranks 0 to SIZE - 1 of one world by SOURCE, each with WRITES calls
of pwrite, and no process of the launcher."""
import collections
import json
import subprocess
import sys

folder, size, writes, source = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
info = json.loads(subprocess.run(["recorder", "info", "-q", "--json", folder], check=True,
                                 capture_output=True).stdout)
main = [stream for stream in info["streams"] if stream["main"]]
counts = collections.Counter()
text = subprocess.run(["recorder2text", "-q", "--functions", "pwrite", folder], check=True,
                      capture_output=True, text=True).stdout
for line in text.splitlines():
    counts[int(line.split()[0])] += 1

problems = []


def expect(want, got, what):
    if want != got:
        problems.append(f"{what}: expected {want}, got {got}")


expect(size, info["ranks"], "ranks")
expect(1, info["worlds"], "worlds")
expect(True, info["complete"], "complete")
expect(list(range(size)), sorted(stream["rank"] for stream in main), "main streams")
expect({size}, {stream["size"] for stream in main}, "size")
expect({source}, {stream["rank_source"] for stream in main}, "source of the rank")
expect({rank: writes for rank in range(size)}, dict(counts), "calls of pwrite")
expect([], [stream["exe"] for stream in info["streams"]
            if any(word in stream["exe"] for word in ("hydra", "mpirun", "orte", "srun", "slurm"))],
       "processes of the launcher")
sys.exit("\n".join(problems) or 0)
