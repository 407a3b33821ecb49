/* SPDX-License-Identifier: MIT */
/* budget.c - limits to the growth of the trace. */
#include "record/budget.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "record/config.h"
#include "record/identity.h"
#include "record/note.h"
#include "record/stream.h"

#define SHARE 20                 /* the default reserve is 1/20 of the file system */
#define RESERVE_MAX (1ull << 30) /* but no more than this */
#define AMPLE (256ull << 20)     /* with this much beyond the reserve ... */
#define AMPLE_FOR 100000000      /* ... it is asked again only after this long, ns */

static atomic_bool full;            /* RECORDER_MAX_SIZE was reached */
static atomic_bool noted;           /* the user was told */
static _Atomic int64_t ample_until; /* CLOCK_MONOTONIC, ns */

static enum loss_reason refuse(enum loss_reason reason, const char *what)
{
	if (!atomic_exchange(&noted, true) && identity.main && identity.rank == 0)
		note(what, ": from here on calls are counted as lost, not recorded", NULL);
	return reason;
}

/* The free space that must remain on a file system of `total` bytes. */
static uint64_t reserve_of(uint64_t total)
{
	uint64_t reserve = total / SHARE;

	if (config.min_free != CONFIG_DEFAULT)
		return config.min_free;
	return reserve < RESERVE_MAX ? reserve : RESERVE_MAX;
}

/* The reason why `size` bytes more are too many for the file system, LOSS_NONE if they are not. */
static enum loss_reason lacks_space(size_t size, int64_t now)
{
	uint64_t total, available, reserve;

	if (now < atomic_load_explicit(&ample_until, memory_order_relaxed))
		return LOSS_NONE;
	if (stream_space(&total, &available))
		return LOSS_NONE; /* not to be known: the write itself will tell */
	reserve = reserve_of(total);
	if (available < reserve + size)
		return reserve ? LOSS_MIN_FREE : LOSS_NO_SPACE;
	if (available - reserve > AMPLE)
		atomic_store_explicit(&ample_until, now + AMPLE_FOR, memory_order_relaxed);
	return LOSS_NONE;
}

enum loss_reason budget_refusal(size_t size, int64_t now)
{
	enum loss_reason reason;

	if (config.max_size && (atomic_load(&full) || stream_bytes() + size > config.max_size)) {
		atomic_store(&full, true);
		return refuse(LOSS_MAX_SIZE, "RECORDER_MAX_SIZE is reached");
	}
	reason = lacks_space(size, now);
	if (reason == LOSS_NONE)
		return LOSS_NONE;
	return refuse(reason, reason != LOSS_MIN_FREE ? "no space is left for the trace"
						      : "RECORDER_MIN_FREE is reached");
}

void budget_forked(void)
{
	atomic_store(&full, false);
	atomic_store(&noted, false);
	atomic_store(&ample_until, 0);
}
