/* SPDX-License-Identifier: MIT */
/*
 * watched_order.h - raw records put into the order of their ends: what ends in an interrupt or on another CPU can come out of the ring before or after a call that ended a little earlier or later.
 */
#ifndef RECORDER_SYSTEM_WATCHED_ORDER_H
#define RECORDER_SYSTEM_WATCHED_ORDER_H

#include "system/watched_chunk.h"

/* Those with the same end stay as they were; `first` is the sequence number of the first one. Without memory for it they stay as they are, but for their ends, which then rise. */
void watched_order(struct watched_records *records, uint64_t first);

#endif
