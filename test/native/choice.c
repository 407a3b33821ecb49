/* SPDX-License-Identifier: MIT */
/* choice.c - functions that are chosen at run time (IFUNC), of a library and of a program. */
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

int library_choice(int n);
int library_calls(int n);
int own_choice(int n);

#ifdef LIBRARY
static int three_times(int n)
{
	return 3 * n;
}

static int (*choose(void))(int)
{
	return three_times;
}

static int five_times(int n)
{
	return 5 * n;
}

static int (*choose_again(void))(int)
{
	return five_times;
}

int library_choice(int n) __attribute__((ifunc("choose_again")));
static int hidden_choice(int n) __attribute__((ifunc("choose")));

NOINLINE int library_calls(int n)
{
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += hidden_choice(n + i) + library_choice(n);
	return sum;
}
#else
static int four_times(int n)
{
	return 4 * n;
}

static int (*choose(void))(int)
{
	return four_times;
}

int own_choice(int n) __attribute__((ifunc("choose")));

int main(void)
{
	int (*volatile by_address)(int) = own_choice;
	int sum = library_calls(2);

	for (int i = 0; i < 6; i++)
		sum += library_choice(i);
	for (int i = 0; i < 4; i++)
		sum += own_choice(i);
	printf("%d\n", sum + by_address(5));
	return 0;
}
#endif
