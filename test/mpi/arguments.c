/* SPDX-License-Identifier: MIT */
/*
 * An MPI of its own kind, and a program that calls it (with -DLIBRARY: the former). Its functions look whether all bits of each argument
 * arrive: handles as wide as a register, more of them than registers, variable arguments of floating point, a result in a register of
 * floating point, errno.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>

#define WORD(n) (UINT64_C(0x8090a0b0c0d0e0f0) + (n)*UINT64_C(0x0101010101010101))
#define REAL(n) ((n) + 0.0625)

typedef uint64_t word;

word MPI_Sendrecv(word, word, word, word, word, word, word, word, word, word, word, word);
word MPI_Waitall(word, word, word);
word MPI_Pcontrol(int level, ...);
double MPI_Wtime(void);
/* by the names that Fortran knows, and behind another tool */
void mpi_allreduce_(word, word, word, word, word, word, word);
word PMPI_Barrier(word);

#ifdef LIBRARY
#ifdef LIKE_OPEN_MPI
int ompi_mpi_comm_world; /* by which the recorder knows Open MPI */
#endif

word MPI_Sendrecv(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j,
		  word k, word l)
{
	return a == WORD(1) && b == WORD(2) && c == WORD(3) && d == WORD(4) && e == WORD(5) &&
			       f == WORD(6) && g == WORD(7) && h == WORD(8) && i == WORD(9) &&
			       j == WORD(10) && k == WORD(11) && l == WORD(12)
		       ? WORD(13)
		       : 0;
}

word MPI_Waitall(word a, word b, word c)
{
	return errno == 77 && a == WORD(1) && b == WORD(2) && c == WORD(3) ? WORD(4) : 0;
}

word MPI_Pcontrol(int level, ...)
{
	word right = level == 5;
	va_list list;

	va_start(list, level);
	for (int i = 0; i < 12; i++) {
		right = right && va_arg(list, double) == REAL(i);
		right = right && va_arg(list, word) == WORD(i);
	}
	va_end(list);
	return right ? WORD(1) : 0;
}

double MPI_Wtime(void)
{
	return REAL(9);
}

void mpi_allreduce_(word a, word b, word c, word d, word e, word f, word result)
{
	*(word *)result = a == WORD(1) && b == WORD(2) && c == WORD(3) && d == WORD(4) &&
			  e == WORD(5) && f == WORD(6);
}

word PMPI_Barrier(word a)
{
	return a == WORD(1) ? WORD(2) : 0;
}

#else
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 8

static pthread_barrier_t together;
static int fd;

#define SEVERAL(n)                                                                                 \
	REAL(n), WORD(n), REAL(n + 1), WORD(n + 1), REAL(n + 2), WORD(n + 2), REAL(n + 3),         \
		WORD(n + 3)

static const char *look(void)
{
	word result = 0;

	if (MPI_Sendrecv(WORD(1), WORD(2), WORD(3), WORD(4), WORD(5), WORD(6), WORD(7), WORD(8),
			 WORD(9), WORD(10), WORD(11), WORD(12)) != WORD(13))
		return "twelve arguments";
	errno = 77;
	if (MPI_Waitall(WORD(1), WORD(2), WORD(3)) != WORD(4) || errno != 77)
		return "errno";
	if (MPI_Pcontrol(5, SEVERAL(0), SEVERAL(4), SEVERAL(8)) != WORD(1))
		return "variable arguments";
	if (MPI_Wtime() != REAL(9))
		return "a result of floating point";
	mpi_allreduce_(WORD(1), WORD(2), WORD(3), WORD(4), WORD(5), WORD(6), (word)&result);
	if (result != 1)
		return "Fortran";
	if (PMPI_Barrier(WORD(1)) != WORD(2))
		return "PMPI";
	return NULL;
}

static void *run(void *number)
{
	const char *wrong;

	pthread_barrier_wait(&together);
	wrong = look();
	for (int i = 0; i < 2; i++)
		pwrite(fd, "12", 2, 4 * (long)number);
	return (void *)wrong;
}

int main(void)
{
	pthread_t threads[THREADS];
	int status = 0;

	fd = open("arguments.file", O_CREAT | O_WRONLY, 0644);
	pthread_barrier_init(&together, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		void *wrong;

		pthread_join(threads[i], &wrong);
		if (wrong) {
			fprintf(stderr, "wrong: %s\n", (char *)wrong);
			status = 1;
		}
	}
	return status;
}
#endif
