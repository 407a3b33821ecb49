#!/bin/sh
# SPDX-License-Identifier: MIT
# script/lint finds nothing.
. "${TOP_SRCDIR:?}/test/lib.sh"
# a tarball has no list of files, and a checkout of somebody else around it is none of ours
[ -e "$TOP_SRCDIR/.git" ] || skip "not in a git checkout"
need git
need clang-format
need shellcheck
need flake8
need ctags universal-ctags
need python3
# the list of files must be that of the checkout, whatever git command runs the tests
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
git -C "$TOP_SRCDIR" rev-parse --verify -q HEAD >/dev/null || skip "git cannot read the checkout"
"$TOP_SRCDIR/script/lint" >lint.out 2>&1 || fail "$(cat lint.out)"
cat lint.out
