#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# files: memory
# timeout: 300
"""Each broken trace gives a valid database with what recorder2text gives, and a whole file of Parquet, or is refused and leaves nothing."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "format")]

import broken  # noqa: E402
import check_rows  # noqa: E402
import turns  # noqa: E402


def run(words, output=subprocess.DEVNULL):
    return subprocess.run(words, check=False, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE,
                          timeout=60)


def shown(where):
    """(status, file of text) of recorder2text."""
    text = where + ".text"
    with open(text, "wb") as file:
        return run([os.path.join(TOOLS, "recorder2text"), "-q", where], file).returncode, text


def wrong_rows(where, database, status, text):
    """What is wrong with the database of one case, None if nothing."""
    made = run([os.path.join(TOOLS, "recorder2sqlite"), "-q", "-o", database, where])
    if made.returncode != status:
        return f"exit status {made.returncode} for {status}: {made.stderr.decode()}"
    if made.returncode:
        left = [name for name in os.listdir(os.path.dirname(database)) if "sqlite" in name]
        return f"left behind: {left}" if left else None
    _, complaints = check_rows.check(text, database, True)
    os.unlink(database)
    return "\n".join(complaints[:10]) or None


def wrong_columns(where, path, status):
    """The same of recorder2parquet, of which test/sql/parquet.sh reads what it made."""
    made = run([os.path.join(TOOLS, "recorder2parquet"), "-q", "-o", path, where])
    if made.returncode != status:
        return f"recorder2parquet: exit status {made.returncode} for {status}: {made.stderr.decode()}"
    left = [name for name in os.listdir(os.path.dirname(path)) if "parquet" in name]
    if made.returncode or left != [os.path.basename(path)]:
        return f"left behind: {left}" if left else None
    with open(path, "rb") as file:
        data = file.read()
    os.unlink(path)
    return None if data[:4] == data[-4:] == b"PAR1" else "recorder2parquet: the file is not whole"


def main():
    if not os.access(os.path.join(TOOLS, "recorder2sqlite"), os.X_OK):
        print("skip: built without SQLite")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(broken.CASES):
            where = os.path.join(folder, name)
            broken.write(name, where)
            status, text = shown(where)
            for form in turns.taking_part(number, ("sqlite", "parquet")):
                problem = wrong_rows(where, os.path.join(folder, "out.sqlite"), status, text) if form == "sqlite" else \
                    wrong_columns(where, os.path.join(folder, "out.parquet"), status)
                if problem:
                    failed += 1
                    print(f"{name}: {problem}")
    print(f"{len(broken.CASES)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
