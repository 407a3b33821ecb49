/* SPDX-License-Identifier: MIT */
/* arrivals.c - see arrivals.h */
#include "record/arrivals.h"

#include <stdatomic.h>
#include <stddef.h>

static void (*_Atomic told)(void);

void arrivals_of_python(void (*begins)(void))
{
	atomic_store(&told, begins);
}

void arrivals_python_begins(void)
{
	void (*begins)(void) = atomic_load(&told);

	if (begins)
		begins();
}
