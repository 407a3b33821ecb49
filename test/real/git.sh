#!/bin/sh
# SPDX-License-Identifier: MIT
# git: init, commits, branches, a merge, clone, gc.
. "${TOP_SRCDIR:?}/test/real/compare.sh"
need git
need python3

# What the user or the system has set, and the clock, have no say.
GIT_AUTHOR_NAME=Tester
GIT_AUTHOR_EMAIL=tester@example.org
GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME
GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
GIT_AUTHOR_DATE='2001-09-09T01:46:40Z'
GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE
GIT_CONFIG_NOSYSTEM=1
GIT_CONFIG_GLOBAL=/dev/null
HOME=$test_dir
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL HOME
export GIT_AUTHOR_DATE GIT_COMMITTER_DATE GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL

mkdir input
cat >input/job.sh <<'END_OF_JOB'
set -e
git init -q -b main one
cd one
for n in 1 2 3 4 5 6; do
	seq $n 400 >file.$n
	git add .
	git commit -q -m "commit $n"
done
git checkout -q -b side HEAD~2
echo side >side
git add side
git commit -q -m side
git checkout -q main
git merge -q -m merge side
git log --graph --format='%h %s' --stat
git diff HEAD~3 | wc -l
cd ..
git clone -q one two
git clone -q --no-local --bare one three.git
git -C one gc -q
git -C one fsck --strict
git -C two rev-parse HEAD
git -C two rev-parse no-such-thing
END_OF_JOB

# An index holds times and inode numbers of its files.
normal_files()
{
	find "$1" -name index -exec rm {} +
}

both sh job.sh
expect_eq 128 "$(cat traced.status)" "status of a failed git"
expect_eq 8 "$(grep -c -E '^[*|\\/ ]+[0-9a-f]{7} ' traced.out)" "commits told"
at_least 25 "$(count execve execvp execv posix_spawn posix_spawnp)" "processes started"
at_least 20 "$(count rename)" "files that got their name by rename"
