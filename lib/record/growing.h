/* SPDX-License-Identifier: MIT */
/*
 * growing.h - one more argument of a call that is open: its record becomes one of the function that has all of its arguments and this one more (named.h).
 */
#ifndef RECORDER_RECORD_GROWING_H
#define RECORDER_RECORD_GROWING_H

#include "format/kinds.h"
#include "record/call.h"

/*
 * For the record at the top of the open calls, while the thread is busy. Returns the new argument's place, which is 0 (of what lies in blocks: absent), or -ENOSPC.
 * thread->open_top is the caller's affair: the record is 8 bytes longer, and longer still if a block is put behind it.
 */
int growing_add(struct thread *thread, struct raw_record *record, const char *key, enum kind kind);

#endif
