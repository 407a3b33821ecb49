#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that a preload does not reach run as they do without, and recorder run and info name them: static, 32-bit and musl ones,
# those that change their user, and those that are started with a clean environment.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

cat >hello.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *work(void *unused)
{
	FILE *file = fopen("hello.out", "w");

	fprintf(file, "%d\n", 5);
	fclose(file);
	return unused;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL))
		return 1;
	puts("hello");
	return access("hello.out", R_OK) ? 1 : 3;
}
END
cat >script <<'END'
#!./static
END
chmod +x script
cc -static -pthread -o static hello.c 2>/dev/null || skip "no static libc"
cc -pthread -o dynamic hello.c || fail "cannot compile"
kinds="static"
cc -static-pie -pthread -o static-pie hello.c 2>/dev/null && kinds="$kinds static-pie"
cc -m32 -pthread -o 32-bit hello.c 2>/dev/null && ./32-bit >/dev/null; [ $? -eq 3 ] && kinds="$kinds 32-bit"
# the library of a sanitizer is not for musl
[ -z "${SANITIZERS:-}" ] && command -v musl-gcc >/dev/null && musl-gcc -o musl hello.c && kinds="$kinds musl"
[ -z "${LAUNCHERS:-}" ] || [ -n "${SANITIZERS:-}" ] || expect_eq "static static-pie 32-bit musl" "$kinds" "kinds of programs"

# the reason that is told for a kind
reason()
{
	case $1 in
	static-pie) echo static ;;
	*) echo "$1" ;;
	esac
}

for kind in $kinds; do
	# as the command itself
	recorder run -o "direct-$kind" -- "./$kind" >out 2>err
	expect_eq 3 $? "status of $kind: $(cat err)"
	expect_eq hello "$(cat out)" "output of $kind"
	grep -q "not recorded.*$kind ($(reason "$kind"))" err || fail "$kind is not named: $(cat err)"
	# with the preload alone
	preload env RECORDER_TRACES_DIR="$PWD/bare-$kind" "./$kind" >out 2>err
	expect_eq 3 $? "status of $kind under the preload: $(cat err)"
	expect_eq hello "$(cat out)" "output of $kind under the preload"
	[ "$kind" = 32-bit ] || expect_eq "" "$(cat err)" "stderr of $kind"
done

# started by a traced program: fork and exec, vfork and posix_spawn
cat >starts.py <<'END'
import os
import subprocess
import sys

for kind in sys.argv[1:]:
    assert subprocess.run(["./" + kind], stdout=subprocess.DEVNULL).returncode == 3, kind
    assert os.waitstatus_to_exitcode(os.waitpid(os.posix_spawn("./" + kind, [kind], os.environ), 0)[1]) == 3, kind
assert subprocess.run(["dynamic"], env={"PATH": os.getcwd()}, stdout=subprocess.DEVNULL).returncode == 3
END
# shellcheck disable=SC2086
recorder run -o started -- python3 starts.py $kinds >/dev/null 2>err || fail "starts.py: $(cat err)"
for kind in $kinds; do
	grep -q "not recorded.*/$kind ($(reason "$kind"))" err || fail "$kind is not named: $(cat err)"
done
grep -q "/dynamic (environment)" err || fail "a clean environment is not named: $(cat err)"
expect_eq 1 "$(grep -c 'not recorded' err)" "lines"
recorder info started | grep -q '/static (static)' || fail "recorder info"
recorder info --json started | python3 -c '
import json, sys
info = json.load(sys.stdin)
sys.exit({"program": "./static", "reason": "static"} not in info["untraced"])' || fail "recorder info --json"
recorder check -q started || fail "recorder check"

recorder run -o clean -- env -i ./dynamic >/dev/null 2>err
expect_eq 3 $? "status under env -i"
grep -q "/dynamic (environment)" err || fail "env -i is not named: $(cat err)"
recorder run -o scripted -- sh -c './script; ./script' >/dev/null 2>err
grep -q "static (static)" err || fail "the interpreter of a script is not named: $(cat err)"
if [ "$(id -u)" = 0 ]; then
	cp dynamic setuid && chown 1 setuid && chmod u+s setuid && chmod a+w .
	recorder run -o setuid.trace -- ./setuid >/dev/null 2>err
	grep -q "setuid (setuid)" err || fail "setuid is not named: $(cat err)"
fi
recorder run -o plain -- sh -c './dynamic; true' >/dev/null 2>err || fail "dynamic: $(cat err)"
grep "not recorded" err && fail "a program that is recorded is named"
exit 0
