#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All outputs of a trace are valid and say the same: everywhere.py TRACE FOLDER [--partial]. Calls and bytes of each function by summary, text, pfw, Chrome
JSON, SQLite, Parquet, Python and in the page of report; findings are those of the page. FOLDER takes the files."""
import collections
import json
import os
import re
import sqlite3
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ["TOP_BUILDDIR"], "tools")
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "sql"), os.path.join(os.environ["TOP_BUILDDIR"], "python", "lib")]

import read_parquet  # noqa: E402

CLI = os.path.join(os.path.dirname(HERE), "cli")
LINE = re.compile(rb"\S+ \S+ \S+ \S+ \S+ (\S+) (\w+)\(")
REPEAT = re.compile(rb" repeat=(\d+)")
TRANSFERS = {"read", "write"}  # of others tables have sizes that are not those of data: the length of a link
MESSAGES = {"mpi"}  # what MPI sends and receives is in columns of its own
transfers = set()  # functions of the trace that move data


class Different(Exception):
    pass


def tool(*words):
    done = subprocess.run([os.path.join(TOOLS, words[0]), *words[1:]], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=280)
    if done.returncode:
        raise Different(f"{' '.join(words)}: status {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def table():
    return collections.defaultdict(lambda: [0, 0])


def by_summary(trace):
    said = json.loads(tool("recorder", "summary", "-q", "--json", "--files-class", "all", trace))
    transfers.update((row["layer"], row["function"]) for row in said["functions"] if row["operation"] in TRANSFERS and row["layer"] not in MESSAGES)
    return {(row["layer"], row["function"]): [row["calls"], row["bytes_read"] + row["bytes_written"]] for row in said["functions"]}, said


def by_text(trace):
    rows = table()
    with subprocess.Popen([os.path.join(TOOLS, "recorder2text"), "-q", trace], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            found = LINE.match(line)
            if found and not line.endswith(b"in_flight\n"):
                repeat = REPEAT.search(line, line.rfind(b" = "))
                rows[found.group(1).decode(), found.group(2).decode()][0] += int(repeat.group(1)) if repeat else 1
            elif not found:
                raise Different(f"a line of text: {line!r}")
    if process.returncode:
        raise Different(f"recorder2text: status {process.returncode}")
    return rows


def events_in(file, path):
    """One by one where they stand in lines of their own."""
    if path.endswith(".json"):
        yield from json.load(file)["traceEvents"]
    else:
        yield from (json.loads(line) for line in file if line.startswith(b"{"))


def by_events(path):
    """pfw and Chrome JSON: layers of pfw are in capitals."""
    rows = table()
    with open(path, "rb") as file:
        for event in events_in(file, path):
            if event["ph"] == "X":
                rows[event["cat"].lower(), event["name"]][0] += event.get("args", {}).get("repeat", 1)
    return rows


def by_sqlite(path):
    base = sqlite3.connect(path)
    if base.execute("PRAGMA integrity_check").fetchone() != ("ok",):
        raise Different("the database is damaged")
    return {(layer, function): [calls, moved] for layer, function, calls, moved in base.execute(
        "SELECT layer, function, sum(calls), coalesce(sum(bytes), 0) FROM records GROUP BY layer, function")}


def by_parquet(path):
    columns, rows = read_parquet.read(path)[0], table()
    text = lambda value: value.decode() if isinstance(value, bytes) else value
    for layer, function, calls, moved in zip(*(columns[name] for name in ("layer", "function", "calls", "bytes"))):
        row = rows[text(layer), text(function)]
        row[0] += calls
        row[1] += moved or 0
    return rows


def by_python(trace):
    import recorder  # pylint: disable=import-outside-toplevel
    reader, rows = recorder.RecorderReader(trace), table()
    columns = reader.to_columns(["layer", "function", "repeat", "bytes"])
    layers, names = columns.categories["layer"], columns.categories["function"]
    for layer, function, calls, moved in zip(*(columns[name].tolist() for name in ("layer", "function", "repeat", "bytes"))):
        row = rows[layers[layer], names[function]]
        row[0] += calls
        row[1] += max(moved, 0)
    return rows


def by_page(path):
    with open(path, "rb") as file:
        page = file.read()
    if not page.rstrip().endswith(b"</html>"):
        raise Different("the page is not whole")
    return json.loads(page.split(b'id="data">')[1].split(b"</script>")[0])


def compare(what, want, got, moved=True):
    want, got = ({key: [row[0], row[1] if moved and key in transfers else 0] for key, row in rows.items()} for rows in (want, got))
    wrong = [f"{key}: {want.get(key)} in the summary, {got.get(key)}" for key in sorted(set(want) | set(got)) if want.get(key) != got.get(key)]
    if wrong:
        raise Different(f"{what}: " + "; ".join(wrong[:5]))


def check(trace, folder):
    """Makes all outputs in the folder; the summary."""
    place = lambda name: os.path.join(folder, name)
    want, summary = by_summary(trace)
    compare("text", want, by_text(trace), moved=False)
    for name, options in (("out.pfw", ["recorder2pfw"]), ("out.json", ["recorder2pfw", "--format", "chrome"])):
        tool(*options, "-q", "-o", place(name), trace)
        checker = os.path.join(CLI, "check_chrome.py" if name == "out.json" else "check_pfw.py")
        done = subprocess.run([sys.executable, checker, place(name)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Different(f"{name}: {done.stdout}{done.stderr}")
        compare(name, want, by_events(place(name)), moved=False)
    if os.access(os.path.join(TOOLS, "recorder2sqlite"), os.X_OK):
        tool("recorder2sqlite", "-q", "-o", place("out.sqlite"), trace)
        compare("SQLite", want, by_sqlite(place("out.sqlite")))
    tool("recorder2parquet", "-q", "-o", place("out.parquet"), trace)
    compare("Parquet", want, by_parquet(place("out.parquet")))
    if os.path.isdir(os.path.join(os.environ["TOP_BUILDDIR"], "python", "lib")):
        compare("Python", want, by_python(trace))
    tool("recorder", "report", "-q", "-o", place("out.html"), trace)
    data = by_page(place("out.html"))
    found = json.loads(tool("recorder", "findings", "-q", "--json", trace))
    compare_page(want, found, data)
    return summary, found


def compare_page(want, found, data):
    rows = [dict(zip(data["functions"]["columns"], row)) for row in data["functions"]["rows"]]
    compare("page", want, {(row["layer"], row["function"]): [row["calls"], row["bytes_read"] + row["bytes_written"]] for row in rows})
    shown = [dict(zip(data["findings"]["columns"], row)) for row in data["findings"]["rows"]]
    if [(row["rule"], row["text"]) for row in shown] != [(row["rule"], row["text"]) for row in found]:
        raise Different("the page shows other findings")


def main():
    trace, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    try:
        summary, found = check(trace, folder)
    except Different as error:
        print(error)
        return 1
    moved = sum(row["bytes_read"] + row["bytes_written"] for row in summary["functions"] if (row["layer"], row["function"]) in transfers)
    print(f"{trace}: {summary['records']} calls, {moved} bytes, {summary['streams']} streams, {len(found)} findings everywhere")
    return 0


if __name__ == "__main__":
    sys.exit(main())
