#!/bin/sh
# SPDX-License-Identifier: MIT
# Which of several functions of a name a target means: by parameters, arguments of templates, scopes.
. "${TOP_SRCDIR:?}/test/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "not of this CPU yet"
skip_under_tsan

c++ -O1 -g -Wall -Wextra -o names "$TOP_SRCDIR/test/native/names.cc" || fail "cannot compile"
./names >alone || fail "alone"
number=0

# meant TARGET "NAME CALLS"...: all that is recorded of it
meant()
{
	target=$1
	shift
	number=$((number + 1))
	RECORDER_TRACES_DIR=$PWD/$number.trace RECORDER_TARGETS=$target preload ./names >out || fail "$target: exit status $?"
	diff alone out || fail "$target: another output"
	printf '%s\n' "$@" >want
	recorder2text -q --layers native "$number.trace" 2>/dev/null | sed -E 's/^([^ ]+ ){5}native //; s/\(\)( =.*)?$//' | sort | uniq -c |
		awk '{ calls = $1; sub(/^ *[0-9]+ /, ""); print $0, calls }' | LC_ALL=C sort >got
	diff want got || fail "$target means something else"
}

meant 'over(int)' 'over 1'
meant 'over( const char * )' 'over 2'
meant 'over(char*)' 'over 1'
meant 'over(const std::string &, unsigned long)' 'over 1'
meant 'over(*)' 'over 5'
meant over 'over 5'
meant 'Stack<int>::push' 'Stack<int>::push 3'
meant 'Stack<*>::push' 'Stack<int>::push 3' 'Stack<std::pair<int, char const*> >::push 2'
meant 'Stack::push(const int &)' 'Stack<int>::push 3'
meant 'Stack<std::pair<int, const char *>>::push' 'Stack<std::pair<int, char const*> >::push 2'
meant 'Stack<int>::operator()' 'Stack<int>::operator() 1'
meant 'operator()(const char *, int) const' 'Stack<int>::operator() 1' 'Stack<std::pair<int, char const*> >::operator() 1'
meant 'Stack::operator[]' 'Stack<int>::operator[] 1'
meant '(anonymous namespace)::inner' '(anonymous namespace)::inner 1'
meant 'names:(anonymous namespace)::inner(int)' '(anonymous namespace)::inner 1'
meant 'names:Stack<int>::push' 'Stack<int>::push 3'
meant 'tagged' 'tagged 1'
