#!/bin/sh
# SPDX-License-Identifier: MIT
# What a file is: device and inode, asked with one system call an open; block size, mount and striping; names are those of the open, and of
# the begin of the process for what it was given.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need cc gcc
need python3
python=${PYTHON:-python3}

cat >program.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* program opens N: N times one of three files. program anew: a file made anew under its name; one it was given is renamed. */
int main(int argc, char **argv)
{
	char name[8], byte;
	int fd;

	for (int i = 0; argc > 2 && i < atoi(argv[2]); i++) {
		sprintf(name, "f%d", i % 3);
		fd = open(name, O_RDWR | O_CREAT, 0600);
		write(fd, "x", 1);
		close(fd);
	}
	if (argc > 2)
		return 0;
	fd = open("name", O_RDWR | O_CREAT, 0600);
	write(fd, "12345", 5);
	unlink("name");
	write(open("name", O_RDWR | O_CREAT, 0600), "1", 1);
	rename("given", "renamed");
	return read(7, &byte, 1) != 1;
}
END
cc -w -o program program.c || fail "cannot compile"

# ---- one system call an open ----

# How often the kernel was asked what a file is in a process with $1 opens
asked()
{
	rm -rf trace
	strace -f -qq -e trace=statx,fstat,newfstatat -o log env LD_PRELOAD="$RECORDER_SO" RECORDER_QUIET=1 \
		RECORDER_PROGRAMS=program RECORDER_TRACES_DIR=trace ./program opens "$1" </dev/null || fail "under strace"
	grep -c . log
}
if command -v strace >/dev/null; then
	expect_eq 30 $(($(asked 130) - $(asked 100))) "system calls for 30 opens more"
else
	[ -z "${CI:-}" ] || fail "'strace' is missing"
fi

# ---- what the trace says ----

echo text >given
RECORDER_QUIET=1 RECORDER_TRACES_DIR=anew preload ./program anew 7<given || fail "program anew"
recorder info --json --files anew >info.json || fail "recorder info"
recorder2text anew >text || fail "recorder2text"
grep -q "read(fd=7 \"$PWD/given\", count=1) = 1" text || fail "the name of what was given: $(cat text)"
"$python" - <<'END' || fail "what info says of files: $(cat info.json)"
import json
import os

with open("info.json", encoding="utf-8") as text:
    stream, = json.load(text)["streams"]
here = os.getcwd()
files = [file for file in stream["files"] if file["path"].startswith(here + "/")]
assert sorted(os.path.basename(file["path"]) for file in files) == ["given", "name", "name"], files
first, second = (file for file in files if file["path"].endswith("/name"))
now = os.stat("name")
assert (second["device"], second["inode"]) == (now.st_dev, now.st_ino) and first["inode"] != now.st_ino
given, = (file for file in files if file["path"].endswith("/given"))
now = os.stat("renamed")
assert (given["device"], given["inode"], given["size"]) == (now.st_dev, now.st_ino, 5)
assert given["block_size"] == now.st_blksize and given["type"] == "file"
place = given["mounted_on"]
assert os.path.ismount(place) and (here + "/").startswith(place.rstrip("/") + "/"), place
with open("/proc/self/mountinfo", encoding="utf-8") as text:
    assert any(line.split()[4] == place and f" - {given['file_system']} " in line for line in text)
END

# ---- striping: the hooked library takes another attribute for it ----

hooked=$TOP_BUILDDIR/test/.libs/librecorder_hooked.so
: >f0
if [ -f "$hooked" ] && "$python" -c 'import os; os.setxattr("f0", "user.lustre.lov", bytes(range(56)))' 2>/dev/null; then
	LD_PRELOAD=$hooked RECORDER_TEST_WITHOUT=lustre RECORDER_QUIET=1 RECORDER_TRACES_DIR=striped ./program opens 3 ||
		fail "program with striping"
	recorder info --json --files striped >info.json
	expect_eq 1 "$(grep -c '"striping"' info.json)" "files with striping"
	grep -q '"striping": "000102030405.*3637"' info.json || fail "striping: $(cat info.json)"
fi
quietly "$python" "$TOP_SRCDIR/test/format/readers_agree.py" anew || fail "the readers do not agree"
exit 0
