#!/bin/sh
# SPDX-License-Identifier: MIT
# Which calls RECORDER_INCLUDE and RECORDER_EXCLUDE leave: those on one file by prefix, glob and list, those on
# several files if one of them is of interest.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need cc gcc

cat >files.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char a[256], b[256], link_name[64];
	int in, out, nameless;

	snprintf(a, sizeof(a), "%s/a/one", argv[1]);
	snprintf(b, sizeof(b), "%s/b/two", argv[1]);
	in = open(a, O_RDWR | O_CREAT, 0600);
	out = open(b, O_RDWR | O_CREAT, 0600);
	if (write(in, "xyz", 3) != 3 || sendfile(out, in, NULL, 3) != 0 || fsync(out))
		return 1;
	snprintf(a, sizeof(a), "%s/b", argv[1]);
	nameless = open(a, O_TMPFILE | O_RDWR, 0600);
	snprintf(link_name, sizeof(link_name), "/proc/self/fd/%d", nameless);
	snprintf(a, sizeof(a), "%s/b/named", argv[1]);
	linkat(AT_FDCWD, link_name, AT_FDCWD, a, AT_SYMLINK_FOLLOW);
	access(link_name, F_OK);
	return 0;
}
END
cc -w -o files files.c || fail "cannot compile"
mkdir a b

# The names of the calls that are recorded, on one line.
calls()
{
	rm -rf trace b/named
	env "$@" recorder run -q -o trace -- ./files "$PWD" || fail "$*: exit status $?"
	recorder2text trace 2>/dev/null | sed 's/.* posix \([a-z]*\)(.*/\1/' | tr '\n' ' '
}

expect_eq "open open write sendfile fsync open linkat " "$(calls RECORDER_QUIET=1)" "by default"
expect_eq "open sendfile fsync open linkat " "$(calls RECORDER_EXCLUDE="/proc:$PWD/a")" "without a"
expect_eq "open write sendfile linkat access " "$(calls RECORDER_EXCLUDE="$PWD/b")" "without b: /proc is no longer left out"
expect_eq "open write sendfile " "$(calls RECORDER_INCLUDE="$PWD/a")" "only a"
expect_eq "open write sendfile " "$(calls RECORDER_INCLUDE="*/one")" "only by glob"
printf '%s\n' "$PWD/a" "$PWD/b" /proc >list
expect_eq "" "$(calls RECORDER_EXCLUDE=@list)" "nothing of a list"

# Relative paths: to the working directory, and to one that is open.
cat >relative.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct stat status;
	int folder = open("b", O_RDONLY | O_DIRECTORY);

	access("a/one", F_OK);
	faccessat(folder, "two", F_OK, 0);
	faccessat(folder, "../a/./one", F_OK, 0);
	faccessat(folder, argv[1], F_OK, 0);
	rename("a/none", "b/none");
	chdir("a");
	stat("one", &status);
	stat("..//b/two", &status);
	return 0;
}
END
cc -w -o relative relative.c || fail "cannot compile"
relative()
{
	rm -rf trace
	env "$@" recorder run -q -o trace -- ./relative "$PWD/a/one" || fail "$*: exit status $?"
	recorder2text trace 2>/dev/null | sed 's/.* posix \([a-z]*\)(.*/\1/' | tr '\n' ' '
}
all="open access faccessat faccessat faccessat rename chdir stat stat "
expect_eq "$all" "$(relative RECORDER_QUIET=1)" "relative, by default"
expect_eq "open faccessat rename stat " "$(relative RECORDER_EXCLUDE="$PWD/a")" "relative, without a"
expect_eq "access faccessat faccessat rename chdir stat " "$(relative RECORDER_INCLUDE="$PWD/a")" "relative, only a"
expect_eq "access faccessat faccessat rename chdir stat " "$(relative RECORDER_EXCLUDE="$PWD/b")" "relative, without b"

# Paths that begin as what is left out does, and those that are shorter or go on after it.
cat >named.c <<'END'
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		access(argv[i], F_OK);
	return 0;
}
END
cc -w -o named named.c || fail "cannot compile"
paths="/ /d /de /dev /dev/null /devices /dev/shm/x /proc/self /proceeds /pr /data/a /data/b/c /sys /dat *"
# Which of them are recorded.
named()
{
	rm -rf trace
	set -f
	# shellcheck disable=SC2086
	env "$@" recorder run -q -o trace -- ./named $paths || fail "$*: exit status $?"
	set +f
	[ ! -d trace ] || recorder2text trace 2>/dev/null | sed 's/.* posix access([^"]*"\([^"]*\)".*/\1/' | tr '\n' ' '
}
expect_eq "/ /d /de /devices /dev/shm/x /proceeds /pr /data/a /data/b/c /dat * " "$(named RECORDER_QUIET=1)" \
	"named, by default"
expect_eq "/ /de /dev /dev/null /devices /dev/shm/x /proc/self /proceeds /pr /data/b/c /sys /dat * " \
	"$(named RECORDER_EXCLUDE=/d:/data/a/)" "named, without a folder of one letter"
expect_eq "" "$(named RECORDER_EXCLUDE=/)" "named, without anything"
expect_eq "/data/a /data/b/c /sys " "$(named RECORDER_INCLUDE=/data:/sys RECORDER_EXCLUDE=/proc)" "named, only two"
expect_eq "/data/b/c /dat " "$(named RECORDER_INCLUDE=/dat*:/pr RECORDER_EXCLUDE=/data/a:/pr)" "named, by glob"

# Names below the working directory, which globs match as they do without a '/' at the end.
paths="a/one a/one/ a/./one/ a//one ./b ../b b/ b/.hidden one"
expect_eq "a/one a/one/ a/./one/ a//one ./b b/ b/.hidden " "$(named RECORDER_INCLUDE="$PWD/b:$PWD/*/o?e")" "relative, by glob"
expect_eq "a/one a/one/ a/./one/ a//one ../b one " "$(named RECORDER_EXCLUDE="$PWD/b")" "relative, without a folder"
expect_eq "b/.hidden " "$(named RECORDER_INCLUDE="*/.*")" "relative, only what is hidden"

# A reader knows where relative paths began: after chdir(), and in the child of a vfork(), whose parent stays where it is.
cat >moved.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	struct stat status;
	int folder = open("b", O_RDONLY | O_DIRECTORY), pid;

	stat("a/one", &status);
	chdir("a");
	stat("./one", &status);
	stat("../a//one", &status);
	pid = vfork();
	if (pid == 0) {
		chdir("../b");
		access("two", F_OK);
		close(open("two", O_RDONLY));
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	access("one", F_OK);
	close(open("one", O_RDONLY));
	fchdir(folder);
	lstat("two", &status);
	rename("none", "../a/one.none");
	if (fork() == 0) {
		truncate("../a/one", 0);
		_exit(chdir("../a"));
	}
	wait(NULL);
	mkdir("gone", 0700);
	chdir("gone");
	rmdir("../gone");
	close(open("../two", O_RDONLY));
	access("../two", F_OK);
	chdir("..");
	return readlink("two", (char *)&status, 1) != -1;
}
END
cc -w -o moved moved.c || fail "cannot compile"
rm -rf trace
recorder run -q -o trace -- ./moved || fail "moved: exit status $?"
expect_eq "" "$(recorder check -q trace 2>&1)" "moved: recorder check"
on()
{
	recorder2text -q --files "$1" trace | sed 's/.* posix \([a-z]*\)(.*/\1/' | tr '\n' ' '
}
expect_eq "stat stat stat access open close truncate " "$(on "$PWD/a/one")" "calls on a/one"
expect_eq "access open close lstat open close access readlink " "$(on "$PWD/b/two")" "calls on b/two, which is found from a directory that is gone"
expect_eq "" "$(on "/two")" "what begins in a directory that is gone"
expect_eq "rename " "$(on "$PWD/a/one.none")" "the second path of a call"
expect_eq "rename " "$(on "$PWD/b/none")" "its first path"
expect_eq "chdir chdir " "$(on "$PWD/a")" "directories"

# What the child of a vfork() does to its descriptors is no matter of its parent's, whose files keep the names they had.
cat >shared.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int one = open("a/one", O_RDWR), two = open("b/two", O_RDWR), pid;

	rename("a/one", "a/first");
	pid = vfork();
	if (pid == 0) {
		dup2(two, one);
		pwrite(one, "x", 1, 0);
		close(two);
		two = open("a/first", O_RDWR);
		pwrite(two, "xx", 2, 0);
		if (fork() == 0)
			_exit(pwrite(two, "xxxx", 4, 0) != 4);
		wait(NULL);
		close_range(3, ~0u, 0);
		_exit(pwrite(one, "y", 1, 0) != -1);
	}
	waitpid(pid, NULL, 0);
	two = one + 1;
	return pwrite(one, "zzz", 3, 0) != 3 || pwrite(two, "zz", 2, 0) != 2;
}
END
cc -w -o shared shared.c || fail "cannot compile"
rm -rf trace
recorder run -q -o trace -- ./shared || fail "shared: exit status $?"
recorder2text -q --functions pwrite trace | sed "s|.* posix pwrite(\(.*\), offset=0) = \(.*\)|\1 \2|; s|$PWD/||" >got
cat >want <<'END'
fd=3 "b/two", count=1 1
fd=4 "a/first", count=2 2
fd=4 "a/first", count=4 4
fd=3 ?, count=1 -1 EBADF
fd=3 "a/one", count=3 3
fd=4 "b/two", count=2 2
END
diff want got || fail "shared: the files are other ones"

# Which program a process goes on with is no call on a file: an exec is recorded wherever the program lies, with and without success.
cat >images.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char *const next[] = {"images", "last", NULL};

	execl("/proc/self/none", "none", NULL);
	if (argc == 1)
		execv("/proc/self/exe", next);
	fexecve(open("/dev/null", O_RDONLY), next, NULL);
	execveat(AT_FDCWD, "/sys/none", next, NULL, 0);
	return access("/proc/self/exe", X_OK);
}
END
cc -w -o images images.c || fail "cannot compile"
rm -rf trace
recorder run -q -o trace -- ./images || fail "images: exit status $?"
recorder2text -q trace | sed 's/.* posix \([a-z]*\)([^"]*\("[^"]*"\).*/\1 \2/' >got
cat >want <<'END'
execl "/proc/self/none"
execv "/proc/self/exe"
execl "/proc/self/none"
fexecve "images"
execveat "/sys/none"
END
diff want got || fail "images: exec of what is left out"
exit 0
