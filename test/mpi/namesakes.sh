#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions of a program that have the name of a Fortran function of MPI in another spelling, as those of R's Rmpi have, and mean
# something else: they are called as without the recorder. And programs that call MPI by these names, which are recorded.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpi
need_mpicc
fortran=$(printf '%s' "$MPICC" | sed 's/mpicc\([^/]*\)$/mpifort\1/')
need "$fortran" gfortran

# NUMBER tells two of them apart.
cat >own.c <<'END'
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

double mpi_comm_rank(double a, const char *text, double b, float c, long d, long e, long f, long g, long h)
{
	return NUMBER + a + b + c + d + e + f + g + h + strlen(text);
}

struct wide { double numbers[3]; } MPI_COMM_SIZE(int first)
{
	return (struct wide){{first, first + 1, NUMBER}};
}

int mpi_send(char *to, const char *form, ...)
{
	va_list list;
	int length;

	va_start(list, form);
	length = vsprintf(to, form, list);
	va_end(list);
	return length;
}

/* By pointers, as registered functions are, and by their names. */
struct { double (*rank)(); struct wide (*size)(int); int (*send)(char *, const char *, ...); } table = {
	(double (*)())mpi_comm_rank, MPI_COMM_SIZE, mpi_send};

void inside(void)
{
	char text[64];

	mpi_send(text, "%s %.1f", "inside", mpi_comm_rank(1, "ab", 2, 3, 4, 5, 6, 7, 8));
	puts(text);
}
END
cat >calls.h <<'END'
struct wide { double numbers[3]; };
struct table {
	double (*rank)(double, const char *, double, float, long, long, long, long, long);
	struct wide (*size)(int);
	int (*send)(char *, const char *, ...);
};

static void use(const struct table *table, void (*inside)(void))
{
	struct wide wide = table->size(5);
	char text[64];
	int length = table->send(text, "%d %s %.2f", 42, "forty-two", 0.5);

	printf("%.2f %g %g %g %d %s\n", table->rank(0.25, "abc", 2, 0.5f, 10, 20, 30, 40, 50), wide.numbers[0],
	       wide.numbers[1], wide.numbers[2], length, text);
	inside();
}
END
# Libraries that are opened, and closed, one after the other, and MPI in C.
cat >opens.c <<'END'
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include "calls.h"

int main(int argc, char **argv)
{
	char name[32];
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	sprintf(name, "said.%d", rank); /* launchers break lines of one rank with those of another */
	freopen(name, "w", stdout);
	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);

		use(dlsym(library, "table"), (void (*)(void))dlsym(library, "inside"));
		dlclose(library);
	}
	printf("%d of %d\n", rank, size);
	return MPI_Finalize();
}
END
# A library that the program is linked with.
cat >linked.c <<'END'
#include <stdio.h>
#include "calls.h"
extern const struct table table;
void inside(void);
int mpi_send(char *, const char *, ...);

int main(void)
{
	char text[64];

	use(&table, inside);
	return mpi_send(text, "%s", "seven77") == 7 ? 0 : 1;
}
END
# MPI by these names, as other compilers of Fortran spell them.
cat >spelled.c <<'END'
#include <mpi.h>
void mpi_init(MPI_Fint *);
void mpi_comm_rank(MPI_Fint *, MPI_Fint *, MPI_Fint *);
void mpi_comm_rank__(MPI_Fint *, MPI_Fint *, MPI_Fint *);
void MPI_COMM_SIZE(MPI_Fint *, MPI_Fint *, MPI_Fint *);
void mpi_barrier(MPI_Fint *, MPI_Fint *);
void MPI_FINALIZE(MPI_Fint *);

int main(void)
{
	MPI_Fint world, rank, again, size, error;

	mpi_init(&error);
	world = MPI_Comm_c2f(MPI_COMM_WORLD);
	mpi_comm_rank(&world, &rank, &error);
	mpi_comm_rank__(&world, &again, &error);
	MPI_COMM_SIZE(&world, &size, &error);
	mpi_barrier(&world, &error);
	MPI_FINALIZE(&error);
	return size == 2 && rank == again && rank < 2 && error == MPI_SUCCESS ? 0 : 1;
}
END

for n in 1 2; do
	"${CC:-cc}" -w -shared -fPIC -O1 -DNUMBER="${n}000" -o libown$n.so own.c || fail "cannot compile"
done
"$MPICC" -w -o opens opens.c -ldl || fail "cannot compile"
"${CC:-cc}" -w -o linked linked.c -L. -lown1 -Wl,-rpath,"$PWD" || fail "cannot compile"
"$fortran" -w -o spelled spelled.c || fail "cannot compile"

# both NAME CMD...: the same output and status with and without the recorder
both()
{
	name=$1
	shift
	"$@" >out 2>&1
	plain=$?
	cat out said.* >"$name.plain" 2>/dev/null
	recorder run -q -o "$name.trace" -- "$@" >out 2>&1
	expect_eq $plain $? "$name: status: $(cat out)"
	cat out said.* 2>/dev/null | diff "$name.plain" - || fail "$name: output"
	rm -f said.*
}

# calls NAME FUNCTION: how many are recorded
calls()
{
	recorder2text -q --functions "$2" "$1.trace" | wc -l
}

both linked ./linked
both opens "$MPIEXEC" -n 2 ./opens "$PWD/libown1.so" "$PWD/libown2.so" "$PWD/libown1.so"
[ "$(grep -c '^inside' opens.plain)" = 6 ] || fail "opens: $(cat opens.plain)"
expect_eq 2 "$(calls opens MPI_Comm_rank)" "MPI_Comm_rank in C"
expect_eq 0 "$(calls opens MPI_Send)" "what is not MPI's"
both spelled "$MPIEXEC" -n 2 ./spelled
expect_eq "2 4 2 2 2" "$(for function in MPI_Init MPI_Comm_rank MPI_Comm_size MPI_Barrier MPI_Finalize; do
	calls spelled $function
done | tr '\n' ' ' | sed 's/ $//')" "MPI by other names"
exit 0
