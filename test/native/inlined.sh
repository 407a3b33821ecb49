#!/bin/sh
# SPDX-License-Identifier: MIT
# A dry run tells where functions were inlined, and what would be recorded of the others. An IFUNC is traced where its own object calls it, too.
. "${TOP_SRCDIR:?}/test/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "not of this CPU yet"
skip_under_tsan

cc -O2 -g -Wall -Wextra -o inlined "$TOP_SRCDIR/test/native/inlined.c" || fail "cannot compile"
recorder run --dry-run -t helper -t many -t kept -t nowhere -A outer -R outer -A structure -- ./inlined >dry || fail "exit status $?"
cat dry
grep -q '^helper  *not traced, inlined: inlined into outer at .*/inlined.c:[0-9]*$' dry || fail "helper in outer"
grep -q '^helper  *not traced, inlined: inlined into kept at .*/inlined.c:[0-9]*$' dry || fail "helper in kept"
expect_eq 4 "$(grep -c '^many .* inlined into main at ' dry)" "places that are told"
grep -q '^many  *not traced, inlined: inlined in 2 more places$' dry || fail "further places"
grep -q '^kept  *its first instructions are moved, inlined$' dry || fail "kept"
grep -q '^outer  *its first instructions are moved, inlined; with n, text, result$' dry || fail "outer"
grep -q '^structure .*; with n; without pair: a structure$' dry || fail "structure"
grep -q '^nowhere  *not traced: no symbol of that name' dry || fail "nowhere"
! grep -q '^helper .*no symbol' dry || fail "helper has been told of"

# both of the program and of a library, by its own calls and by those of others; bound at the start and at the first call
for bind in now lazy; do
	cc -O2 -g -shared -fPIC -Wl,-z,$bind -o libchoice.so "$TOP_SRCDIR/test/native/choice.c" -DLIBRARY || fail "cannot compile"
	cc -O2 -g -Wl,-z,$bind -o choice "$TOP_SRCDIR/test/native/choice.c" -L. -lchoice -Wl,-rpath,"$PWD" || fail "cannot compile"
	./choice >alone || fail "alone"
	rm -rf trace
	RECORDER_TRACES_DIR=$PWD/trace RECORDER_TARGETS='own_choice;library_choice;hidden_choice' RECORDER_ARGUMENTS='own_choice@arg1/i' preload ./choice >out || fail "exit status $?"
	diff alone out || fail "another output"
	recorder2text -q --layers native trace | sed -E 's/^([^ ]+ ){5}native //; s/\(.*//' | sort | uniq -c | awk '{ print $2, $1 }' >got
	printf '%s\n' 'hidden_choice 3' 'library_choice 9' 'own_choice 5' | diff - got || fail "other counts, -z $bind"
done
