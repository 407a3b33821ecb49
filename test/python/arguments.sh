#!/bin/sh
# SPDX-License-Identifier: MIT
# Arguments and results of functions of Python, by each Python of this machine: the program prints the records that it is to have; nothing of its own code is run for them.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/pythons.sh"
skip_under_tsan
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

for python in $pythons; do
	rm -rf trace
	recorder run -o trace --arguments 'solve;identity;captured;generator;captured_generator;awaits;C.*;fails;many;factorial;deletes' \
		-A in_thread -A '__main__:some@c,a,none' -R 'solve;identity@ret;captured;generator;captured_generator;awaits;C.*;fails;many' \
		-R 'factorial@return;deletes' -R in_thread -- "$python" "$TOP_SRCDIR/test/python/call_values.py" >want 2>err </dev/null ||
		fail "$python: status $?: $(cat err)"
	recorder2text -q --layers python trace | cut -d ' ' -f 7- | sed 's/^__main__\.//; /(id=/d' >got
	diff want got || fail "$python: what is to be recorded (<) and what is (>)"
	expect_eq 1 "$(grep -c "'none' is no argument of __main__.some" err)" "$python: notes on an argument that there is none of"
	recorder check -q trace || fail "$python: recorder check"
	recorder functions --json trace >functions.json || fail "$python: recorder functions"
	"$python" - <<-'END' || fail "$python: recorder functions --json"
		import json
		data = json.load(open("functions.json"))
		first = data["results"]["generator"]
		assert [set(call) & {"arguments", "result", "yield"} for call in first] == [{"arguments", "yield"}] * 2 + [{"arguments", "result"}], first
		assert first[0]["arguments"] == {"n": 2, "start": "x"} and first[2]["result"] == "end", first
		got = [call["result"] for call in data["results"]["identity"]]
		assert got[:3] == [0, 1, -5] and True in got and None in got and 1.5 in got and "plain" in got and "dict[2]" in got, got
		assert [call["result"] for call in data["results"]["in_thread"]] == [0, 1, 2]
		assert data["metadata"]["solve"]["args"] == ["n", "name", "key", "rest", "more"], data["metadata"]["solve"]
	END
done

# ---- in all outputs; with usage; more kinds than a function has forms for ----
cat >forms.py <<'END'
def form(a, b, c):
    return a
values = [1, 1.5, "text", None, True, [1]]
for a in values:
    for b in values:
        for c in values:
            form(a, b, c)
END
rm -rf trace
recorder run -q -o trace --usage -A form -- /usr/bin/python3 forms.py || fail "many forms"
expect_eq 216 "$(recorder2text -q --layers python trace | grep -c '__main__.form(a=.*, b=.*, c=.*, cpu_start=')" "calls of many forms"
expect_eq 36 "$(recorder2text -q --layers python trace | grep -c '(a="\{0,1\}text"\{0,1\}, ')" "calls with a text"
recorder functions trace | grep -q '^ *216 .* python   __main__.form at .*forms.py:1$' || fail "many forms: $(recorder functions trace)"
cat >say.py <<'END'
def say(n, name, flag, nothing, other):
    return name
say(7, "private'\"b", True, None, {})
END
rm -rf trace
recorder run -q -o trace -A say -R say -- /usr/bin/python3 say.py || fail "all outputs"
want='"n":7,"name":"private'\''\"b","flag":true,"nothing":null,"other":"dict[0]","return":"private'\''\"b"'
for form in pfw pfw2 chrome; do
	recorder2pfw -q --force --format "$form" -o out.json trace || fail "$form"
	grep -qF "$want" out.json || fail "$form: $(grep say out.json)"
done
recorder sql trace "select args from records where function = '__main__.say'" >args || fail "recorder sql"
grep -qF 'dict[0]' args || fail "recorder sql: $(cat args)"
recorder anonymize -q -o hidden trace || fail "anonymize"
recorder2text -q hidden | grep -q private && fail "texts stay when they are to be hidden"
exit 0
