#!/bin/sh
# SPDX-License-Identifier: MIT
# What sendfile, copy_file_range and splice move is read from one file and written to another, in the summary and in SQL.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

cat >copies.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <unistd.h>

int main(void)
{
	static char bytes[4096];
	int from = open("from", O_RDWR | O_CREAT, 0600), to = open("to", O_RDWR | O_CREAT, 0600), pipes[2];
	loff_t in = 100, out = 0;
	off_t offset = 0;

	if (pipe(pipes) || pwrite(from, bytes, 4096, 0) != 4096 || sendfile(to, from, &offset, 1000) != 1000)
		return 1;
	/* not all file systems have it */
	if (copy_file_range(from, &in, to, &out, 500, 0) != 500)
		return 77;
	in = 0;
	if (splice(from, &in, pipes[1], NULL, 300, 0) != 300)
		return 77;
	return splice(pipes[0], NULL, to, NULL, 300, 0) != 300;
}
END
cc -O1 -o copies copies.c || fail "cc"
RECORDER_TRACES_DIR=$PWD/trace preload ./copies
case $? in
0) ;;
77) skip "this file system copies nothing" ;;
*) fail "exit status" ;;
esac

# PATH BYTES_READ BYTES_WRITTEN OPENS READS WRITES
recorder summary -q --csv --table files trace | tr -d '"' | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	{ sub(/.*\//, "", $1)
	  if ($1 == "from" || $1 == "to")
		print $1, $column["bytes_read"], $column["bytes_written"], $column["opens"], $column["reads"], $column["writes"] }' | sort >got
cat >want <<'END'
from 1800 4096 1 3 1
to 0 1800 1 0 3
END
diff want got || fail "files of the summary"

# each call once, with what it read and what it wrote
recorder summary -q --csv --table functions trace | tr -d '"' | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$2 ~ /sendfile|copy_file_range|splice/ { print $2, $column["calls"], $column["bytes_read"], $column["bytes_written"] }' | sort >got
cat >want <<'END'
copy_file_range 1 500 500
sendfile 1 1000 1000
splice 2 600 600
END
diff want got || fail "functions of the summary"

[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || exit 0
ask()
{
	recorder sql -q --csv trace "$1" | tail -n +2 | tr -d '"' | tr '\n' ' '
}
expect_eq "from,1800,4096,1,3,1 to,0,1800,1,0,3 " "$(ask "SELECT replace(path, rtrim(path, replace(path, '/', '')), '') AS name, bytes_read, bytes_written, opens, reads, writes FROM file_use WHERE class = 'data' AND (path GLOB '*/from' OR path GLOB '*/to') ORDER BY 1")" "file_use"
expect_eq "2100,6196 " "$(ask "SELECT bytes_read, bytes_written FROM rank_time")" "rank_time"
expect_eq "2100,6196 " "$(ask "SELECT sum(bytes_read) AS r, sum(bytes_written) AS w FROM bandwidth")" "bandwidth"
expect_eq "copy_file_range,100,0 " "$(ask "SELECT function, offset, to_offset FROM records WHERE function = 'copy_file_range'")" "places"
