# SPDX-License-Identifier: MIT
"""FILE: Chrome JSON of the trace of which samples.t knows the shares: each sample is a counter of numbers alone, with a name of its own for each thing, and what they amount to are counters, too."""
import json
import sys

events = json.load(open(sys.argv[1], encoding="utf-8"))["traceEvents"]
counters = [event for event in events if event["ph"] == "C"]
samples = [event for event in counters if event["cat"] == "sample"]
usage = [event for event in counters if event["cat"] == "usage"]

if not samples or not all(isinstance(value, (int, float)) for event in counters for value in event["args"].values()):
    sys.exit("a counter that is no number")
last = {event["name"]: event["args"] for event in sorted(samples, key=lambda event: event["ts"])}
if last["cpu all"]["user"] != 1330 or "cpu" in last["cpu all"] or "level" in last["cpu all"]:
    sys.exit(f"cpu all: {last['cpu all']}")
if not any(name.startswith("process ") and name.split()[1].isdigit() and len(name.split()) == 3 for name in last):
    sys.exit(f"no process among {sorted(last)}")

cpus = [event["args"] for event in sorted(usage, key=lambda event: event["ts"]) if event["name"] == "CPUs, %"]
# one interval has all of it, and behind the samples there is nothing
wanted = {"user": 31.0, "system": 11.0, "iowait": 2.0, "steal": 13.0}
if wanted not in cpus or any(args not in (wanted, dict.fromkeys(wanted, 0)) for args in cpus) or set(cpus[-1].values()) != {0}:
    sys.exit(f"CPUs: {cpus}")
memory = [event["args"]["used"] for event in usage if event["name"] == "memory, bytes"]
if max(memory) != 1024000:
    sys.exit(f"memory: {memory}")
times = {}
for event in usage:
    if event["ts"] <= times.get(event["name"], -1):
        sys.exit(f"{event['name']} goes back in time")
    times[event["name"]] = event["ts"]
