#!/bin/sh
# SPDX-License-Identifier: MIT
# A build with gcc and make -j2: a library, a program, a failing target. UNITS: how many sources.
. "${TOP_SRCDIR:?}/test/real/compare.sh"

# The compiler proper names the dynamic linker as a library of its own, and AddressSanitizer does not
# come up behind that: it is to be the second one, behind librecorder.so.
case ${SANITIZERS:-} in
*address*)
	launch()
	{
		LD_PRELOAD=$(gcc -print-file-name=libasan.so) recorder run -q -o "$test_dir/trace" -- "$@"
	}
	;;
esac
need gcc
need make
need python3

units=${UNITS:-12}
mkdir input
for n in $(seq 1 "$units"); do
	cat >input/unit$n.c <<END_OF_UNIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double unit$n(double x)
{
	char text[64];

	snprintf(text, sizeof(text), "%d %g", $n, sin(x));
	return strlen(text) + atan2(x, $n);
}
END_OF_UNIT
done
{
	echo '#include <stdio.h>'
	seq 1 "$units" | sed 's/.*/double unit&(double x);/'
	echo 'int main(void) { double s = 0;'
	seq 1 "$units" | sed 's/.*/s += unit&(&);/'
	echo 'printf("%.6f", s); puts(""); return 0; }'
} >input/main.c
cat >input/Makefile <<'END_OF_MAKEFILE'
OBJECTS = $(patsubst %.c,%.o,$(sort $(wildcard unit*.c)))
all: program
	./program
program: main.o libunits.a
	@echo LINK
	@$(CC) -o $@ main.o -L. -lunits -lm
libunits.a: $(OBJECTS)
	@$(AR) rcD $@ $(OBJECTS)
%.o: %.c
	@$(CC) -O2 -pipe -MMD -c -o $@ $<
broken: all
	@echo 'int f(void) { return g; }' >broken.c
	@$(CC) -c broken.c
END_OF_MAKEFILE

both make -k -j2 CC=gcc broken
expect_eq 2 "$(cat traced.status)" "status of a build with an error"
grep -q "'g' undeclared" traced.err || fail "the compiler's message is not there: $(cat traced.err)"
expect_eq "$units" "$(calls --functions 'open*,fopen*' | grep -c '/unit[0-9]*\.d"')" \
	"dependency files opened"
at_least "$((3 * units))" "$(count fork vfork posix_spawn posix_spawnp)" "processes started"
