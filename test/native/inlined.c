/* SPDX-License-Identifier: MIT */
/* inlined.c - functions that become part of others. */
#include <stdio.h>

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline, noclone))

int outer(int n, const char *text);
int kept(int n);
struct pair {
	int a, b;
};
int structure(struct pair pair, int n);

INLINE int helper(int n)
{
	return n * 3 + 1;
}

INLINE int many(int n)
{
	return n * n;
}

NOINLINE int kept(int n)
{
	return helper(n) - 1;
}

NOINLINE int outer(int n, const char *text)
{
	return helper(n) + kept(n) + text[0];
}

NOINLINE int structure(struct pair pair, int n)
{
	return pair.a + pair.b + n;
}

int main(int argc, char **argv)
{
	int sum = many(argc) + many(argc + 1) + many(argc + 2) + many(argc + 3);

	sum += many(argc + 4) + many(argc + 5);
	printf("%d\n", sum + outer(argc, argv[0]) + structure((struct pair){argc, 1}, 2));
	return 0;
}
