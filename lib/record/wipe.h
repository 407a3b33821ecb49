/* SPDX-License-Identifier: MIT */
/*
 * wipe.h - memory that is all zeros again in a forked child, or is not there, however it was forked.
 *
 * The kernel does it (MADV_WIPEONFORK, Linux 4.14), so also for a raw clone(2) that passes no wrapper, and
 * at no cost for tables that the child never touches.
 */
#ifndef RECORDER_RECORD_WIPE_H
#define RECORDER_RECORD_WIPE_H

#include <stddef.h>

/* `size` bytes of zeros, in cache lines of their own; NULL without memory. Never freed: who finds that another one was first leaves them untouched. */
void *wipe_alloc(size_t size);
/* The same that a forked child has nothing of; who frees it does so by sys_munmap(). */
void *wipe_alloc_unforked(size_t size);

#endif
