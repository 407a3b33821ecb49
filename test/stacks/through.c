/* SPDX-License-Identifier: MIT */
/* through.c - a library that calls back: two of them, of the same layout, with frames of different size. */
#ifndef SPACE
#define SPACE 24
#endif

void through(void (*function)(void));

void through(void (*function)(void))
{
	volatile char space[SPACE];

	__asm__ volatile("" : : "r"(space) : "memory");
	function();
	__asm__ volatile("" ::: "memory");
}
