# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by tests of functions by name.
#
#   shapes           targets: what shapes.cc counts
#   counted TRACE    "NAME CALLS" of each function in it

# shellcheck disable=SC2034 # for who sources it
shapes='numbered_*;shapes::Sh*::scaled;Square.area;Circle::area;twice*;hidden;thrower;sinking;catching;rethrowing;exceptions;jumping;jumps;turn;coroutine;switching;working;waiting;cancelled;cancelling;many;longer;large;variadic;frames;odd;even'

counted()
{
	recorder2text -q --layers native "$1" | sed -E 's/^([^ ]+ ){5}native //; s/\(([^()]*|.*"[^"]*".*)\)( =.*)?$//' | sort | uniq -c |
		awk '{ calls = $1; sub(/^ *[0-9]+ /, ""); print $0, calls }' | LC_ALL=C sort
}
