# SPDX-License-Identifier: MIT
"""summaries.py TRACE...: summary() tells what recorder summary --json tells, whatever that has besides."""
import json
import subprocess
import sys

import recorder

CASES = [({}, []), ({"jobs": 3}, []), ({"ranks": 0}, ["--ranks", "0"]),
         ({"layers": "posix", "functions": "*read*"}, ["--layers", "posix", "--functions", "*read*"]),
         ({"functions": "no_such_function"}, ["--functions", "no_such_function"])]


def same(where, got, want):
    if isinstance(got, dict):
        for key, value in got.items():
            assert key in want, f"{where}: {key}"
            same(f"{where}.{key}", value, want[key])
    elif isinstance(got, list):
        assert len(got) == len(want), f"{where}: {len(got)} rows, not {len(want)}"
        for number, (one, other) in enumerate(zip(got, want)):
            same(f"{where}[{number}]", one, other)
    elif isinstance(got, float):
        assert abs(got - want) < 2e-9, f"{where}: {got}, not {want}"
    elif isinstance(got, str):  # JSON has bytes that are no UTF-8 as characters of Latin-1
        got = "".join(chr(ord(one) & 0xFF) if "\udc80" <= one <= "\udcff" else one for one in got)
        assert got == want, f"{where}: {got}, not {want}"
    else:
        assert got == want or str(got) == want, f"{where}: {got}, not {want}"  # a text beyond 2**53


for trace in sys.argv[1:]:
    with recorder.RecorderReader(trace) as reader:
        for given, options in CASES:
            for classes in ({}, {"files_class": "software,system"}, {"files_class": "all"}):
                options = [*options, "--files-class", classes.get("files_class", "data")]  # the last one counts
                told = subprocess.run(["recorder", "summary", "-q", "--json", *options, trace], stdout=subprocess.PIPE, check=True).stdout
                made = reader.summary(**given, **classes)
                same(trace, made, json.loads(told))
            assert set(made) == {"layers", "functions", "ranks", "files", "other_files", "errors", "wall", "program"}
            calls = sum(function["calls"] for function in made["functions"])
            assert calls == sum(reader.count(**{name: given[name] for name in given if name != "jobs"}).values())
