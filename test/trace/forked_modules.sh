#!/bin/sh
# SPDX-License-Identifier: MIT
# Call sites of forked children: in libraries that their parent had opened, closed and opened others in the place of, or that they open
# themselves; also of those that are killed, whose stream has what it began with, and what the recorder saw since at a call now and then.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

cat >forks.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd;

/* Opens libNAME.so and calls the function NAME of it. */
static void *use(const char *name)
{
	char path[64];
	void *library;

	sprintf(path, "./lib%s.so", name);
	library = dlopen(path, RTLD_NOW);
	((long (*)(int))dlsym(library, name))(fd);
	return library;
}

static void again(void *library, const char *name)
{
	((long (*)(int))dlsym(library, name))(fd);
}

/* A child that calls the library, and one of its own; `how` it ends: k killed some time later, e in order, g after a child of its own. */
static void child(void *library, const char *name, char how, int raw)
{
	pid_t pid = raw ? syscall(SYS_fork) : fork();
	void *own;

	if (pid) {
		waitpid(pid, NULL, 0);
		return;
	}
	again(library, name);
	own = use("own");
	if (how == 'g')
		child(library, name, 'k', 0);
	for (int i = 0; how == 'k' && i < 10; i++) {
		usleep(60000);
		again(own, "own");
	}
	if (how == 'k')
		kill(getpid(), SIGKILL);
	_exit(0);
}

int main(void)
{
	void *one, *two, *three;

	fd = open("out", O_CREAT | O_RDWR, 0600);
	one = use("one");
	child(one, "one", 'k', 0);
	child(one, "one", 'e', 0);
	dlclose(one);
	two = use("two"); /* where the first one was */
	child(two, "two", 'k', 0);
	three = use("three");
	child(two, "two", 'g', 0);
	child(three, "three", 'e', 1);
	return 0;
}
END
for name in one two three own; do
	"${CC:-cc}" -g -O0 -shared -fPIC -DNAME=$name -o lib$name.so "$TOP_SRCDIR/test/stacks/plugin.c" || fail "cannot compile"
done
"${CC:-cc}" -w -g -o forks forks.c -ldl || fail "cannot compile"

recorder run -q -o trace -- ./forks || fail "status $?"
recorder check trace >said || fail "$(cat said)"
recorder2text -q --callsites --functions pwrite trace >written || fail "recorder2text"
expect_eq 45 "$(wc -l <written)" "calls of pwrite: $(cat written)"
expect_eq "one 3
own 36
three 2
two 4" "$(sed -n 's/.*callsite="\([a-z]*\) plugin.c:.*/\1/p' written | sort | uniq -c | awk '{ print $2, $1 }')" "call sites: $(cat written)"
exit 0
