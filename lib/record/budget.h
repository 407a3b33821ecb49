/* SPDX-License-Identifier: MIT */
/*
 * budget.h - how far the trace may grow: RECORDER_MAX_SIZE and RECORDER_MIN_FREE.
 *
 * Sealing asks before it writes. Beyond a limit rings are recycled without being written, and their records are counted as lost
 * with the limit as reason; the program goes on as before. What says so (losses, END, metadata) is small and is written still.
 *
 *	RECORDER_MAX_SIZE   of this process's .rec; once reached it stays reached
 *	RECORDER_MIN_FREE   on the file system of the trace; asked again each time, for space can come back
 */
#ifndef RECORDER_RECORD_BUDGET_H
#define RECORDER_RECORD_BUDGET_H

#include <stddef.h>
#include <stdint.h>

#include "format/reasons.h"

/*
 * Whether `size` bytes more may be written: LOSS_NONE, or the reason of the loss. `now`: CLOCK_MONOTONIC in
 * ns, which a chunk's anchor has. Any thread.
 */
enum loss_reason budget_refusal(size_t size, int64_t now);
/* In a forked child: its files are its own. */
void budget_forked(void);

#endif
