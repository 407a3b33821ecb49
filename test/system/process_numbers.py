# SPDX-License-Identifier: MIT
"""TRACE FILE WRITES PID TID: the process that wrote the file is one, called PID as it calls itself and otherwise from outside, with the kernel's writes beneath those of both of its threads."""
import json
import subprocess
import sys

trace, path, writes, pid, tid = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])


def told(*command):
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def expect(want, got, what):
    if want != got:
        sys.exit(f"{what}: expected {want}, got {got}")


events = told("recorder2pfw", "-q", "--format", "chrome", "-o", "-", trace)
events = events["traceEvents"] if isinstance(events, dict) else events
calls = [e for e in events if e.get("ph") == "X" and e.get("args", {}).get("file") == path and e["name"].startswith("pwrite")]
inside = [e for e in calls if e["cat"].lower() == "posix"]
expect(2 * writes, len(inside), "writes that the library recorded")
expect(1, len({e["pid"] for e in inside}), "processes")
shown = inside[0]["pid"]
kernel = [e for e in calls if e["cat"].lower() == "kernel"]
expect({shown}, {e["pid"] for e in kernel}, "the process of the kernel's writes")
expect(2 * writes, len(kernel), "writes that the kernel recorded")
expect({pid, tid}, {e["tid"] for e in inside}, "threads")
for thread in (pid, tid):
    own = sorted((e["ts"], e["ts"] + e["dur"]) for e in inside if e["tid"] == thread)
    below = sorted((e["ts"], e["ts"] + e["dur"]) for e in kernel if e["tid"] == thread)
    expect(writes, len(below), f"writes beneath those of thread {thread}")
    lying = sum(a[0] <= b[0] and b[1] <= a[1] for a, b in zip(own, below))
    expect(writes, lying, f"writes that lie in those of thread {thread}")
(name,) = [e for e in events if e["name"] == "process_name" and e["pid"] == shown]
expect(pid, name["args"]["pid"], "what it calls itself")
outer = name["args"].get("outer_pid", pid)
if outer == pid:
    sys.exit("nothing says what it is called outside")

streams = [s for s in told("recorder", "info", "--json", trace)["streams"] if s.get("outer_pid") == outer]
if len(streams) < 2:
    sys.exit(f"{len(streams)} streams of process {outer}")
expect({pid}, {s["pid"] for s in streams}, "what its streams call it")
(system,) = [s for s in streams if s["name"].startswith("system.")]
if not system["exe"].endswith("/numbered") or not system["argv"].startswith("./numbered"):
    sys.exit(f"the kernel's stream is of {system['exe']} {system['argv']}")
print(outer)
