#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 300
"""Each broken trace gives a valid database with what recorder2text gives, and a whole file of Parquet, or is refused and leaves nothing."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "format"))

import broken  # noqa: E402


def run(words, output=subprocess.DEVNULL):
    return subprocess.run(words, check=False, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE,
                          timeout=60)


def wrong(where, database):
    """What is wrong with the answer to one case, None if nothing."""
    text = where + ".text"
    with open(text, "wb") as file:
        shown = run([os.path.join(TOOLS, "recorder2text"), "-q", where], file)
    made = run([os.path.join(TOOLS, "recorder2sqlite"), "-q", "-o", database, where])
    if made.returncode != shown.returncode:
        return f"exit status {made.returncode} for {shown.returncode}: {made.stderr.decode()}"
    if made.returncode:
        left = [name for name in os.listdir(os.path.dirname(database)) if "sqlite" in name]
        return f"left behind: {left}" if left else None
    checked = run([sys.executable, os.path.join(HERE, "check_rows.py"), text, database, "--part"],
                  subprocess.PIPE)
    os.unlink(database)
    return (checked.stdout + checked.stderr).decode() if checked.returncode else None


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
        for name in broken.CASES:
            where = os.path.join(folder, name)
            broken.write(name, where)
            problem = wrong(where, os.path.join(folder, "out.sqlite"))
            if not problem:
                status = run([os.path.join(TOOLS, "recorder2text"), "-q", where]).returncode
                problem = wrong_columns(where, os.path.join(folder, "out.parquet"), status)
            if problem:
                failed += 1
                print(f"{name}: {problem}")
    print(f"{len(broken.CASES)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
