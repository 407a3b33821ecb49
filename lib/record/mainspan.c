/* SPDX-License-Identifier: MIT */
/* mainspan.c - from when to when main() runs. */
#include "record/mainspan.h"

#include <stdatomic.h>

#include "record/clock.h"
#include "record/lifecycle.h"
#include "record/metadata.h"
#include "record/sandbox.h"

static _Atomic uint64_t first, last;

void mainspan_begin(void)
{
	if (!lifecycle_start())
		return;
	atomic_store(&first, clock_ticks());
	if (lifecycle_is_recording()) /* constructors have made calls: the begin of the LM is written */
		metadata_write_main(mainspan_first());
}

void mainspan_end(void)
{
	uint64_t none = 0;

	if (atomic_load(&first) && !sandbox_active()) /* the counter may be forbidden, too */
		atomic_compare_exchange_strong(&last, &none, clock_ticks());
}

uint64_t mainspan_first(void)
{
	return atomic_load(&first);
}

uint64_t mainspan_last(void)
{
	return atomic_load(&last);
}
