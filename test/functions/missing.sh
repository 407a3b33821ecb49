#!/bin/sh
# SPDX-License-Identifier: MIT
# script/catalogue-missing finds what a header has and the catalogue lacks; and what it says of the
# headers that the catalogue was written from.
. "${TOP_SRCDIR:?}/test/lib.sh"
[ "$PYTHON" != : ] || skip "no Python"
missing()
{
	"$PYTHON" "$TOP_SRCDIR/script/catalogue-missing" "$@"
}

mkdir include
cat >include/sample.h <<'END'
#include <stdio.h>
typedef int (*not_this)(int);
struct nor { int (*this)(void); };
extern int plain(int fd, void *buf) __attribute__((nonnull(2)));
extern int implied(const char *text) __asm__("other");
extern int new_one(int (*visit)(int), int count);
static inline int new_two(void) { return plain(1, 0); }
void left_out(void);
END
export CFLAGS="-I$PWD/include"
got=$(missing --catalogue "$TOP_SRCDIR/test/functions/sample.api" sample.h)
expect_eq "new_one
new_two" "$got" "missing of sample.h"
missing --catalogue "$TOP_SRCDIR/test/functions/sample.api" sample.h >/dev/null &&
	fail "something is missing, but exit 0"
unset CFLAGS

# A newer libc may have new functions: that is worth a line, but no failure. The catalogue is read once for all of them.
headers="dirent.h fcntl.h ftw.h spawn.h stdio.h sys/epoll.h sys/eventfd.h sys/file.h
	aio.h poll.h semaphore.h sys/inotify.h sys/ioctl.h sys/mman.h sys/select.h sys/sendfile.h sys/signalfd.h
	sys/socket.h sys/stat.h sys/statfs.h
	sys/statvfs.h
	sys/time.h sys/timerfd.h sys/uio.h sys/wait.h sys/xattr.h unistd.h utime.h"
# shellcheck disable=SC2086 # the names have no blanks
missing $headers >names && exit 0
echo "the catalogue lacks of $headers: $(tr '\n' ' ' <names)"
[ -s names ] || fail "the headers cannot be read"
case $(getconf GNU_LIBC_VERSION) in
'glibc 2.36') fail "the catalogue is not complete" ;;
esac
