# SPDX-License-Identifier: MIT
"""The report of a trace, which the command recorder makes: it is not part of the package's own library."""
import os
import shutil
import subprocess

from . import _reader
from .conditions import as_list, conditions


def find_command():
    """The program `recorder` that was installed with the package, else the one in PATH."""
    for folder in (_reader.BINDIR, None):
        found = shutil.which("recorder", path=folder) if folder != "" else None
        if found:
            return found
    raise _reader.Error("the report is made by the command recorder, which is not in PATH")


def options_of(given):
    """Conditions as options of the command line."""
    made = conditions(**given)
    options = []
    for name, value in made.items():
        if name in ("after", "before", "by_end", "in_flight", "min_duration") or value is None:
            continue
        options += [f"--{name}", as_list(value)]
    if made.get("min_duration"):
        options += ["--min-duration", f"{made['min_duration']}ns"]
    after, before = made.get("after"), made.get("before")
    if after or before:
        options += ["--time", f"{f'{after}ns' if after else ''}..{f'{before}ns' if before else ''}"]
    return options


def generate_report(reader, path, **given):
    """Writes recorder report of a trace to `path`: one page of HTML that any browser shows. ".html" is added to the name if it does not end so.

    A file that is there is replaced. Conditions choose what it tells of, as those of RecorderReader.iter(). Gives the name of the file.
    """
    path = os.fspath(path)
    if not path.endswith(".html"):
        path += ".html"
    if reader.closed:
        raise _reader.ClosedError("the reader has been closed")
    # "./" as a name may begin with "-"
    argv = [find_command(), "report", "-q", "--force", "-o", os.path.join(".", path), *options_of(given),
            reader.where]
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise _reader.Error(os.fsdecode(done.stderr).strip() or f"recorder report ended with {done.returncode}")
    return path
