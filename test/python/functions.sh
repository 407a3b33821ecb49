#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder functions: a file of tests run by pytest, with the functions, calls and keys that "tracing without decorators" has; without and with usage; names that two functions have.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
python=/usr/bin/python3
"$python" -c 'import pytest' 2>/dev/null || {
	[ -z "${CI:-}" ] || fail "pytest is missing (package python3-pytest)"
	skip "no pytest"
}
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

cat >test_seed.py <<'END'
import json


def foo(msg):
    print(msg)
    sum(i * i for i in range(100000))


def test_do_not_trace():
    for i in range(4):
        foo("bar")


def test_trace():
    text = "[1, 2]"
    for i in range(4):
        foo("bas")
    assert json.loads(text) == [1, 2]
END
recorder run -q --usage -o trace -t test_trace -t foo -t raw_decode -- "$python" -m pytest -p no:cacheprovider -q test_seed.py >out || fail "pytest: $(cat out)"
grep -q '2 passed' out || fail "pytest says: $(cat out)"
recorder functions trace >text || fail "functions"
recorder functions --json trace >functions.json || fail "functions --json"
# a line for each call and return, though pytest takes what its tests write
recorder run -v -o verbose -t test_trace -t foo -- "$python" -m pytest -p no:cacheprovider -q test_seed.py >out 2>err || fail "pytest -v: $(cat out)"
expect_eq "8 8 1 1" "$(for line in 'call test_seed.foo' 'return test_seed.foo' 'call test_seed.test_trace' 'return test_seed.test_trace'; do
	grep -c "^recorder: $line\$" err
done | paste -sd ' ')" "lines of -v"
cat >check.py <<'END'
import json
import sys

data = json.load(open("functions.json"))
assert list(data) == ["functions", "results", "metadata"], list(data)
assert sorted(data["functions"]) == ["foo", "raw_decode", "test_trace"], data["functions"]
assert sorted(data["results"]) == sorted(data["metadata"]) == sorted(data["functions"])
calls = {name: len(calls) for name, calls in data["results"].items()}
assert calls["test_trace"] == 1 and calls["foo"] == 8 and calls["raw_decode"] >= 1, calls
keys = {"name", "cpu_start", "time_start", "time_end", "time_elapsed", "cpu_end", "cpu_usage", "mem_usage", "pid",
        "process_name"}
for name in data["results"]:
    before = 0
    for call in data["results"][name]:
        assert set(call) == keys, call
        assert before <= call["time_start"] <= call["time_end"], call
        before = call["time_start"]
        assert abs(call["time_end"] - call["time_start"] - call["time_elapsed"]) < 1e-5, call
        usage = 100 * call["cpu_end"] / call["time_elapsed"]
        assert abs(usage - call["cpu_usage"]) <= 1e-6 * usage, call
        assert call["mem_usage"] > 1000 and call["pid"] > 0 and call["process_name"].startswith("python"), call
foo = data["metadata"]["foo"]
assert set(foo) == {"function", "lineno", "stacksize", "filename", "args", "module", "path"}, foo
assert foo["args"] == ["msg"] and foo["lineno"] == 4 and foo["path"] == "test_seed.foo", foo
assert foo["filename"].endswith("/test_seed.py") and foo["stacksize"] > 0, foo
decode = data["metadata"]["raw_decode"]
assert decode["path"] == "json.decoder.JSONDecoder.raw_decode" and decode["module"] == "json.decoder", decode
assert decode["args"] == ["self", "s", "idx"] and decode["locals"] == ["obj", "end", "err"], decode
assert data["metadata"]["test_trace"]["locals"][:2] == ["text", "i"], data["metadata"]["test_trace"]
END
"$python" check.py || fail "recorder functions --json"
grep -q '^ *8 .* python   test_seed.foo at .*/test_seed.py:4$' text || fail "recorder functions: $(cat text)"
expect_eq 4 "$(wc -l <text)" "lines of recorder functions"

# ---- without usage; a name of two functions; what other traces say ----
cat >two.py <<'END'
class A:
    def both(self):
        return 1
class B:
    def both(self):
        return 2
    def gen(self, *more, key=1, **rest):
        yield 1
A().both() + B().both() + len(list(B().gen()))
END
recorder run -q -o two -t both -t gen -- "$python" two.py || fail "two functions"
recorder functions --json two >functions.json || fail "two functions"
"$python" - <<'END' || fail "two functions in JSON: $(cat functions.json)"
import json
data = json.load(open("functions.json"))
assert sorted(data["functions"]) == ["__main__.A.both", "__main__.B.both", "gen"], data
assert len(data["results"]["gen"]) == 2, data
call = data["results"]["gen"][0]
assert call["cpu_start"] is call["cpu_end"] is call["cpu_usage"] is call["mem_usage"] is None, call
assert data["metadata"]["gen"]["args"] == ["self", "key", "more", "rest"], data
END
recorder functions --json --functions '*A.both' two | grep -q B.both && fail "a filter lets others through"
recorder run -q -o none -- "$python" -c 1
recorder functions none >out 2>err || fail "a trace without such functions"
expect_eq 1 "$(wc -l <out)" "lines of a list of nothing"
grep -q 'no function was traced by name' err || fail "nothing said of a trace without such functions"
expect_eq 0 "$(recorder functions -q --json none | "$python" -c 'import json, sys; print(len(json.load(sys.stdin)["functions"]))')" "functions of none"

# ---- copies of it say the same, but what they are to hide ----
recorder functions --json trace >want.json
recorder pack -q -o packed.rtrace trace && recorder functions --json packed.rtrace | diff want.json - || fail "of a packed trace"
recorder filter -q --layers python -o filtered trace && recorder functions --json filtered | diff want.json - || fail "of a filtered trace"
recorder anonymize -q -o hidden trace || fail "anonymize"
recorder functions --json hidden >hidden.json || fail "of an anonymized trace"
grep -q "$PWD\|\"msg\"" hidden.json && fail "paths and names of variables stay: $(grep -n "$PWD\|\"msg\"" hidden.json)"
grep -q '"foo"' hidden.json || fail "functions of an anonymized trace have no names"
exit 0
