#!/bin/sh
# SPDX-License-Identifier: MIT
# Another preload behind the recorder keeps its calls, however its symbols are to be found: by either kind of hash table, chosen
# when they are bound, or under two versions. What the program does is in the trace all the same.
. "${TOP_SRCDIR:?}/test/lib.sh"

cat >behind.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned seen;

static ssize_t count_write(int fd, const void *data, size_t size)
{
	static ssize_t (*next)(int, const void *, size_t);

	if (!next)
		next = dlsym(RTLD_NEXT, "write");
	seen += fd == 1 ? 1 : 0;
	return next(fd, data, size);
}

#ifdef CHOSEN
static void *choose(void)
{
	return count_write;
}
ssize_t write(int fd, const void *data, size_t size) __attribute__((ifunc("choose")));
#elif defined VERSIONS
ssize_t write_old(int fd, const void *data, size_t size)
{
	(void)fd, (void)data, (void)size;
	abort();
}
ssize_t write_new(int fd, const void *data, size_t size)
{
	return count_write(fd, data, size);
}
__asm__(".symver write_old, write@OLD\n.symver write_new, write@@NEW");
#else
ssize_t write(int fd, const void *data, size_t size)
{
	return count_write(fd, data, size);
}
#endif

__attribute__((destructor)) static void tell(void)
{
	char text[] = "behind:0\n";

	text[7] += seen;
	if (getenv("TELL"))
		count_write(2, text, strlen(text));
}
END
cat >map <<'END'
OLD { };
NEW { } OLD;
END
cat >three.c <<'END'
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 3; i++)
		write(1, "x", 1);
	return 0;
}
END
cc -w -o three three.c || fail "cannot compile"

# try NAME FLAGS...: a preload that is built with these flags
try()
{
	name=$1
	shift
	cc -w -O1 -shared -fPIC -o "$name.so" "$@" behind.c || fail "cannot build the preload: $name"
	env TELL=1 LD_PRELOAD="$RECORDER_SO:$PWD/$name.so" RECORDER_TRACES_DIR="$name" ./three >"$name.out" 2>"$name.err" ||
		fail "$name: status $?: $(cat "$name.err")"
	[ "$(cat "$name.out")" = xxx ] || fail "$name: the output is $(cat "$name.out")"
	grep -q '^behind:3$' "$name.err" || fail "$name: the preload behind has seen other calls: $(cat "$name.err")"
	calls=$(recorder2text -q --functions write "$name" | grep -c ' write(')
	[ "$calls" -eq 3 ] || fail "$name: $calls calls are in the trace"
}

try gnu -Wl,--hash-style=gnu
try sysv -Wl,--hash-style=sysv
try chosen -DCHOSEN
try versions -DVERSIONS -Wl,--version-script=map
