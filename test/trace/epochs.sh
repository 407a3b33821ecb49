#!/bin/sh
# SPDX-License-Identifier: MIT
# Files that are read again and again, all of each, in another order each time, as samples of a training: the records are what the program did, by one descriptor and by
# two in turns; and which file it is takes room where it is opened alone. A long cycle of places is there once in a chunk.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need cc gcc
memory_dir

cat >program.c <<'END_OF_PROGRAM'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 1000

static char bytes[8192];
static unsigned long state = 1;

static unsigned next(unsigned below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % below;
}

static int open_one(unsigned number)
{
	char name[16];
	int fd;

	snprintf(name, sizeof(name), "s%u", number);
	fd = open(name, O_RDONLY);
	if (fd < 0)
		abort();
	printf("open %u = %d\n", number, fd);
	return fd;
}

/* One byte more is asked for than there is, and once more for none. */
static void read_all(int fd)
{
	struct stat status;
	ssize_t got;

	if (fstat(fd, &status))
		abort();
	got = read(fd, bytes, (size_t)status.st_size + 1);
	printf("read %d %ld = %ld\n", fd, (long)status.st_size + 1, (long)got);
	printf("read %d 1 = %ld\n", fd, (long)read(fd, bytes, 1));
	printf("seek %d = %ld\n", fd, (long)lseek(fd, 0, SEEK_CUR));
}

static void make(void)
{
	for (unsigned i = 0; i < FILES; i++) {
		char name[16];
		int fd;

		snprintf(name, sizeof(name), "s%u", i);
		fd = open(name, O_CREAT | O_WRONLY, 0600);
		if (write(fd, bytes, 1 + next(sizeof(bytes) - 1)) < 0 || close(fd))
			abort();
	}
}

static void visit(void)
{
	int fd = open_one(next(FILES));

	read_all(fd);
	close(fd);
}

/* Two at once, each closed when the other has been opened; and a copy of the descriptor. */
static void visit_two(void)
{
	static int before = -1;
	int fd = open_one(next(FILES)), copy = before < 0 ? -1 : dup2(fd, before);

	read_all(fd);
	if (copy >= 0)
		read_all(copy);
	else
		copy = open_one(next(FILES));
	before = copy;
	close(fd);
}

static void cycle(unsigned count)
{
	static unsigned places[3000];
	int fd = open("cycle", O_CREAT | O_RDWR, 0600);

	for (unsigned i = 0; i < 3000; i++)
		places[i] = next(100000);
	for (unsigned i = 0; i < count; i++)
		if (pwrite(fd, bytes, 8, places[i % 3000]) != 8)
			abort();
	close(fd);
}

int main(int argc, char **argv)
{
	unsigned count = (unsigned)atoi(argv[argc - 1]);

	if (!strcmp(argv[1], "make"))
		make();
	if (!strcmp(argv[1], "cycle"))
		cycle(count);
	for (unsigned i = 0; i < count && !strcmp(argv[1], "one"); i++)
		visit();
	for (unsigned i = 0; i < count && !strcmp(argv[1], "two"); i++)
		visit_two();
	return 0;
}
END_OF_PROGRAM
"${CC:-cc}" -O1 -o program program.c || fail "cc"

# told TRACE: opens and reads as the program says them
told()
{
	recorder2text "$1" >lines || fail "no text of $1"
	sed -n -e 's|.* open(path="[^"]*s\([0-9]*\)".*) = \([0-9]*\) "[^"]*/s\([0-9]*\)"$|open \1 = \2 \3|p' \
		-e 's|.* lseek(fd=\([0-9]*\) "[^"]*/s[0-9]*", offset=0, whence=SEEK_CUR) = \(.*\)|seek \1 = \2|p' \
		-e 's|.* read(fd=\([0-9]*\) "[^"]*/s[0-9]*", count=\([0-9]*\)) = \(.*\)|read \1 \2 = \3|p' lines |
		awk '$1 == "open" { if ($2 != $5) print "another file"; $0 = $1 " " $2 " " $3 " " $4 } { print }'
}

# stored TRACE: bytes of its records
stored()
{
	cat "$1"/*.rec | wc -c
}

./program make 0
for kind in one two; do
	RECORDER_TRACES_DIR="$kind" preload ./program "$kind" 6000 >"$kind.said" || fail "$kind"
	recorder check -q "$kind" || fail "$kind is damaged"
	told "$kind" >"$kind.told"
	cmp -s "$kind.said" "$kind.told" || fail "$kind: $(diff "$kind.said" "$kind.told" | head -n 5)"
done

# without times: the name, the file and how much was read for each visit; every call told the file once, and three how much
export RECORDER_TIME_RESOLUTION=1000000s
for visits in 6000 26000; do
	RECORDER_TRACES_DIR="visits.$visits" preload ./program one "$visits" >said || fail "$visits"
done
more=$(($(stored visits.26000) - $(stored visits.6000)))
[ "$more" -lt $((20000 * 7)) ] || fail "20,000 visits more take $more bytes"
for calls in 60000 360000; do
	RECORDER_TRACES_DIR="cycle.$calls" preload ./program cycle "$calls" || fail "cycle"
done
more=$(($(stored cycle.360000) - $(stored cycle.60000)))
[ "$more" -lt $((300000 / 2)) ] || fail "300,000 calls more of a cycle take $more bytes"
