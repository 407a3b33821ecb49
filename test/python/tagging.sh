#!/bin/sh
# SPDX-License-Identifier: MIT
# Epoch and step of the regions around hold for functions of Python by name, and for what these call; by the package for Python and in SQL.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/python.sh"

cat >tagged.py <<'END'
import os
import threading
from recorder.regions import region


def work(n):
    return inner(n)


def inner(n):
    os.stat("/")


def outside():
    os.stat("/")


def generator():
    yield 1
    yield 2


outside()
for epoch in range(2):
    with region("epoch", epoch=epoch):
        work(0)
        resumed = generator()
        for step in range(2):
            with region("step", step=step):
                work(step)
                next(resumed)
        thread = threading.Thread(target=work, args=(9,))
        thread.start()
        thread.join()
outside()
END
LD_PRELOAD='' recorder run -q -o trace -A work -t inner -t outside -t generator -- "$python" tagged.py || fail "cannot record"
cat >check.py <<'END'
import recorder

reader = recorder.RecorderReader("trace")
main = next(record.tid for record in reader if record.layer == "python")
got = []
for record in reader:
    name = record.func.replace("__main__.", "")
    if record.layer == "python" and name != "generator" or name == "generator" and record.ret_text == "yield":
        got.append((name, record.tid == main, record.tags))
want = [("outside", True, {})]
for epoch in range(2):
    whole = {"epoch": epoch}
    want += [("work", True, whole), ("inner", True, whole)]
    for step in range(2):
        both = {"epoch": epoch, "step": step}
        want += [("work", True, both), ("inner", True, both), ("generator", True, both)]
    # a thread of its own is in no region
    want += [("work", False, {}), ("inner", False, {})]
want += [("outside", True, {})]
assert got == want, (got, want)
regions = [record for record in reader if record.layer == "user"]
assert [record.tags for record in regions] == [{"epoch": 0}, {"epoch": 0, "step": 0}, {"epoch": 0, "step": 1},
                                               {"epoch": 1}, {"epoch": 1, "step": 0}, {"epoch": 1, "step": 1}], regions
last = regions[-1]
reader.close()
assert last.tags == {"epoch": 1, "step": 1}
END
py check.py || fail "tags of records"
recorder sql trace "select count(*) from records where function = 'stat' and epoch = 1 and step = 0 and parent in (select id from records where function = '__main__.inner')" >out
expect_eq 1 "$(sed -n 2p out | tr -d ' ')" "calls below, in SQL: $(cat out)"
"$python" "$TOP_SRCDIR/test/cli/sample.py" sample || fail "no sample"
py -c '
import recorder
assert {str(record.tags) for record in recorder.RecorderReader("sample")} == {"{}"}
' || fail "tags of a trace without any"
