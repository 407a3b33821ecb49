#!/bin/sh
# SPDX-License-Identifier: MIT
# Call sites in libraries of which each comes to where one was that has been closed, and of which the last is not closed.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

cat >opens.c <<'END'
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Opens each library and calls its function, once, and once more after so many milliseconds; all but the last are closed. */
int main(int argc, char **argv)
{
	int fd = open("out", O_CREAT | O_RDWR, 0600);
	int pause = atoi(argv[1]);

	for (int i = 2; i < argc; i++) {
		char path[64];
		void *library;
		long (*call)(int);

		sprintf(path, "./lib%s.so", argv[i]);
		library = dlopen(path, RTLD_NOW);
		call = (long (*)(int))dlsym(library, argv[i]);
		call(fd);
		usleep(pause * 1000);
		call(fd);
		printf("%p\n", (void *)call);
		if (i < argc - 1)
			dlclose(library);
	}
	return 0;
}
END
for name in one two three; do
	"${CC:-cc}" -g -O0 -shared -fPIC -DNAME=$name -o lib$name.so "$TOP_SRCDIR/test/stacks/plugin.c" || fail "cannot compile"
done
"${CC:-cc}" -w -o opens opens.c -ldl || fail "cannot compile"

# sites TRACE PAUSE NAME...: which functions called pwrite, in the order of calls
sites()
{
	trace=$1
	shift
	recorder run -q -o "$trace" -- ./opens "$@" >"$trace.places" || fail "status $?"
	shift
	recorder2text -q --callsites --functions pwrite "$trace" >"$trace.written" || fail "recorder2text"
	for name in "$@"; do
		printf '%s\n%s\n' "$name" "$name"
	done >want
	sed -n 's/.*callsite="\([a-z]*\) plugin.c:.*/\1/p' "$trace.written" | diff want - || fail "$trace: $(cat "$trace.written")"
}

sites two 0 one two
sites three 0 one two three
sites again 0 one two one three two
sites slow 150 one two three
[ "$(sort -u three.places | wc -l)" = 1 ] || echo "the loader did not put them at one place: $(cat three.places)"
exit 0
