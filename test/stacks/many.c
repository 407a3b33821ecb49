/* SPDX-License-Identifier: MIT */
/* many.c - 60,000 calls, each from another stack: left and right turns by the bits of its number. */
#include <fcntl.h>
#include <unistd.h>

#define TURNS 16
#define CALLS 60000

static int file;

static void turn(unsigned turns, unsigned bits);

static __attribute__((noinline)) void left(unsigned turns, unsigned bits)
{
	turn(turns, bits);
	__asm__ volatile("");
}

static __attribute__((noinline)) void right(unsigned turns, unsigned bits)
{
	turn(turns, bits);
	__asm__ volatile("");
}

static __attribute__((noinline)) void turn(unsigned turns, unsigned bits)
{
	if (turns == 0)
		pwrite(file, "x", 1, 0);
	else if (bits & 1)
		right(turns - 1, bits >> 1);
	else
		left(turns - 1, bits >> 1);
	__asm__ volatile("");
}

int main(void)
{
	file = open("out", O_CREAT | O_RDWR, 0600);
	for (unsigned i = 0; i < CALLS; i++)
		turn(TURNS, i);
	return 0;
}
