#!/bin/sh
# SPDX-License-Identifier: MIT
# Each mistake in a catalogue is told with its file and line.
. "${TOP_SRCDIR:?}/test/lib.sh"
[ "$PYTHON" != : ] || skip "no Python"

# wrong LINE MESSAGE: a catalogue whose second line is LINE is refused with MESSAGE
wrong()
{
	printf 'layer sample header <stdio.h>\n%s\n' "$1" >wrong.api
	if "$PYTHON" "$TOP_SRCDIR/functions/generate.py" --out . wrong.api 2>message; then
		fail "not refused: $1"
	fi
	expect_eq "generate.py: wrong.api:2: $2" "$(cat message)" "message for '$1'"
}

wrong 'int f(int a:tagg) = int' "unknown kind 'tagg' of 'a'"
wrong 'int f(int a:int)' "f: the meaning of its result is not said"
wrong 'int f(int a:int) = path' "f: 'path' is no kind of a result"
wrong 'int f(int a:int) = int swift' "unknown attribute 'swift'"
wrong 'int f(int a:int) = int alias' "'alias' needs a value"
wrong 'int f(int a:int) = int then x()' "'then' needs a value in parentheses"
wrong 'int f(int a:int = int' "unbalanced parentheses in 'int f(int a:int = int'"
wrong 'f' "no prototype in 'f'"
wrong 'int f(int a:int int) = int' "cannot read kind 'int int' of 'a'"
wrong 'int f(int a, ...) = int' "f: variable arguments need a wrapper by hand"
wrong 'int f(int call:int) = int' "'call' is a variable of the wrapper"
wrong 'int f(int a:&int) = int' "'a' is no pointer, but has '&'"
wrong 'int f(int a[]:int[n]) = int' "'a': 'n' in its length is no parameter"
wrong 'int f(int *a:ints) = int' "'a': the array kind 'ints' needs a length"
wrong 'int f(void) = int since 2.0' "f: 'since', but the layer has no 'version'"
wrong 'int f(int a:count) = int large (MPI_Count b)' "f: 'large' has no parameter 'b'"
wrong 'int f(int a:count) = int large b' "the value of 'large' stands in parentheses"
wrong 'int f(int a:count) = int large' "f_c: 'since', but the layer has no 'version'"
wrong 'int f(void) = int as g' "f: there is no 'g' to record as"
wrong 'int f(void) = int alias f' "'f' is already at wrong.api:2"

printf 'int f(void) = int\n' >wrong.api
"$PYTHON" "$TOP_SRCDIR/functions/generate.py" --out . wrong.api 2>message &&
	fail "no layer, not refused"
expect_eq "generate.py: wrong.api:1: a function before the first 'layer'" "$(cat message)" "message"

printf 'layer s header <a>\nint g(int a:fd) = int\nint f(int b:fd) = int as g\n' >wrong.api
"$PYTHON" "$TOP_SRCDIR/functions/generate.py" --out . wrong.api 2>message && fail "as, not refused"
expect_eq "generate.py: wrong.api:3: f: records other arguments than g" "$(cat message)" "message"
