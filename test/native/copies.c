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

__attribute__((cold)) NOINLINE void complain(int number)
{
	printf("too large: %d\n", number);
}

/* What is hardly ever done compilers put elsewhere: a function in two pieces. */
static NOINLINE int split(int unused, int a, int b)
{
	(void)unused;
	if (a > 1000)
		complain(a);
	printf("%d\n", a * b);
	return a + b;
}

NOINLINE int splits(int n)
{
	return split(n, n + 5, 6) + split(n + 1, n + 7, 8);
}

int main(int argc, char **argv)
{
	struct grid grid = {3 + argc, NULL, {0}};
	double sum = 0;

	for (int i = 0; i < 3; i++)
		sum += relax(&grid, i * .5, argc, argv[1]);
	sum += fixed(argc, 10, argc + 1) + fixed(argc + 2, 10, 5);
	printf("%g %d\n", sum, splits(argc));
	return 0;
}
