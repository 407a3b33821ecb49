#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files of data come first, of others one line is shown, and --files-class shows any of them: in all views of a program that works on one file of each class; nothing is found in others."""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rules  # noqa: E402
from job import Job  # noqa: E402

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
# reads or writes so many bytes of one file of each class
PROGRAM = """
import os, socket
data = os.open("data", os.O_RDWR | os.O_CREAT)
os.write(data, bytes(1000))
os.read(os.open("settings.conf", os.O_RDONLY), 300)
os.write(os.eventfd(0), bytes(8))
os.mkfifo("fifo")
os.write(os.open("fifo", os.O_RDWR), bytes(50))
one, other = socket.socketpair()
os.write(one.fileno(), bytes(60))
"""
BYTES = {"data": ("/data", "bytes_written", 1000), "software": ("/settings.conf", "bytes_read", 300), "system": ("[eventfd]", "bytes_written", 8),
         "pipe": ("/fifo", "bytes_written", 50), "socket": ("socket", "bytes_written", 60)}
# about time, ranks, messages and what libraries make of calls, whatever the files are
NOT_OF_FILES = {"amplified-reads", "amplified-writes", "barriers", "collectives", "early-end", "independent-io", "late-receiver", "late-sender", "late-start", "library-bound",
                "long-steps", "messages-bound", "messages-imbalance", "one-pair", "polling", "slow-call", "small-messages", "storage-bound", "storage-imbalance", "straggler", "waits-for-data"}


def tool(name, *words):
    return subprocess.run([os.path.join(TOOLS, name), *words], capture_output=True, check=True, timeout=120).stdout.decode(errors="replace")


def same(what, want, found):
    if want != found:
        sys.exit(f"{what}: {found}, not {want}")


def record(folder):
    with open(os.path.join(folder, "settings.conf"), "wb") as file:
        file.write(bytes(300))
    trace = os.path.join(folder, "trace")
    subprocess.run([os.path.join(TOOLS, "recorder"), "run", "-q", "-o", trace, "--", sys.executable, "-S", "-E", "-c", PROGRAM],
                   cwd=folder, check=True, timeout=300)
    return trace


def of_json(trace, *options):
    return json.loads(tool("recorder", "summary", "-q", "--json", *options, trace))


def check_summary(trace):
    everything = of_json(trace, "--files-class", "all")
    same("others of all", 0, everything["other_files"]["files"])
    classes = [row["class"] for row in everything["files"]]
    same("files of data first", sorted(classes, key=lambda name: name != "data"), classes)
    for name, (end, key, size) in BYTES.items():
        found = of_json(trace, "--files-class", name)
        same(f"classes of {name}", {name}, {row["class"] for row in found["files"]})
        same(f"bytes of {name}", [size], [row[key] for row in found["files"] if row["path"].endswith(end)])
        same(f"files of {name} and others", len(classes), len(found["files"]) + found["other_files"]["files"])
        same(f"calls of {name} and others", sum(row["calls"] for row in everything["files"]),
             sum(row["calls"] for row in found["files"]) + found["other_files"]["calls"])
        rows = list(csv.DictReader(io.StringIO(tool("recorder", "summary", "-q", "--csv", "--table", "files", "--files-class", name, trace))))
        same(f"rows of {name}", [row["path"] for row in found["files"]], [row["path"] for row in rows])
    default, several = of_json(trace), of_json(trace, "--files-class", "pipe,socket")
    same("classes by default", {"data"}, {row["class"] for row in default["files"]})
    same("two classes", {"pipe", "socket"}, {row["class"] for row in several["files"]})
    for wrong in ("", "none", "data,", "data,none", "al"):
        status = subprocess.run([os.path.join(TOOLS, "recorder"), "summary", "--files-class", wrong, trace], capture_output=True, check=False).returncode
        same(f"status of --files-class '{wrong}'", 2, status)


def check_text(trace):
    text = tool("recorder", "summary", "--all", trace)
    files = text[text.index("\nfiles of data"):].split("\n\n")[0]
    rest = len(of_json(trace, "--files-class", "software,system,pipe,socket")["files"])
    same("the rest", 1, len(re.findall(rf"^ *{rest} of software, system, pipes, sockets ", files, re.M)))
    same("settings among data", False, "settings.conf" in files)
    files = tool("recorder", "summary", "--all", "--files-class", "software", trace)
    same("settings among software", True, "settings.conf" in files)


def check_others(trace, folder):
    """Two traces side by side, SQL, Drishti's files, the page."""
    for name in ("data", "software"):
        rows = json.loads(tool("recorder", "diff", "-q", "--json", "--files-class", name, trace, trace))["files"]
        same(f"{name} in two traces", name == "software", any("settings.conf" in json.dumps(row) for row in rows))
    shown = tool("recorder", "sql", "-q", "--csv", trace, "SELECT path, class FROM files_shown")
    rows = list(csv.reader(io.StringIO(shown)))[1:]
    same("rows of files_shown", ["data"] * (len(rows) - 1) + [""], [row[1] for row in rows])
    same("the last of files_shown", True, rows[-1][0].endswith(" of other classes"))
    page = tool("recorder", "report", "-q", "-o", "-", trace)
    files = json.loads(page.split('id="data">')[1].split("</script>")[0])["files"]
    classes = [row[files["columns"].index("class")] for row in files["rows"]]
    same("files of the page, data first", sorted(classes, key=lambda name: name != "data"), classes)
    same("classes of the page", set(BYTES), set(classes))
    out = os.path.join(folder, "out")
    for name in ("data", "pipe", "all"):
        tool("recorder2csv", "-q", "--force", "--drishti", "--files-class", name, "-o", out, trace)
        with open(out + ".filemap.csv", encoding="utf-8", errors="replace") as file:
            text = file.read()
        same(f"Drishti's {name}", [name != "pipe", name == "all"], ["/data" in text, "settings.conf" in text])


class Software(Job):
    """The same calls, on files of software."""
    folder = b"/usr/lib"

    def add(self, rank, name, begin, end, args, ret, err, level):
        args = [b"/usr/lib/" + arg.split(b"/")[-1] if isinstance(arg, bytes) and arg.startswith(b"/") else arg for arg in args]
        super().add(rank, name, begin, end, args, ret, err, level)


def check_findings(folder):
    """What would be found in data is not found in software."""
    rules.Job = Software
    found = set()
    for name, make in rules.RULES.items():
        trace = os.path.join(folder, "software-" + name)
        make(True).save(trace)
        found |= {row["rule"] for row in json.loads(tool("recorder", "findings", "-q", "--json", trace))}
    same("found in software", set(), found - NOT_OF_FILES)
    same("rules that are not about files", NOT_OF_FILES, found)


def main():
    if "thread" in os.environ.get("SANITIZERS", ""):
        sys.exit(77)  # it cannot be preloaded
    with tempfile.TemporaryDirectory() as folder:
        trace = record(folder)
        check_summary(trace)
        check_text(trace)
        check_others(trace, folder)
        check_findings(folder)


if __name__ == "__main__":
    main()
