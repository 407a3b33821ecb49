/* SPDX-License-Identifier: MIT */
/* copies.c - functions of this file alone, whose parameters compilers change: what is not used goes, what is behind an address comes itself. */
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

struct grid {
	int n;
	double *values;
	int more[20];
};

static NOINLINE double relax(struct grid *g, double eps, int mode, const char *tag)
{
	double sum = 0;

	for (int i = 0; i < g->n; i++)
		sum += eps * i + mode;
	printf("%s\n", tag);
	return sum;
}

static NOINLINE int fixed(int a, int k, int b)
{
	printf("%d\n", a * k + b);
	return a + b;
}

int main(int argc, char **argv)
{
	struct grid grid = {3 + argc, NULL, {0}};
	double sum = 0;

	for (int i = 0; i < 3; i++)
		sum += relax(&grid, i * .5, argc, argv[1]);
	sum += fixed(argc, 10, argc + 1) + fixed(argc + 2, 10, 5);
	printf("%g\n", sum);
	return 0;
}
