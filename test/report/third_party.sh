#!/bin/sh
# SPDX-License-Identifier: MIT
# What is in third_party is what npm has under that version and hash.
. "${TOP_SRCDIR:?}/test/lib.sh"
need npm
"$TOP_SRCDIR/script/third-party" >out 2>&1
case $? in
0) ;;
77) skip "npm has no registry" ;;
*) fail "$(cat out)" ;;
esac
