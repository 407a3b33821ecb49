/* SPDX-License-Identifier: MIT */
/*
 * readable.h - whether memory that the program passed can be read without a fault.
 *
 * The kernel answers EFAULT to a bad pointer; a recorder that reads it first would crash the
 * program instead. Asking the kernel each time would cost a system call, so pages that were readable once are remembered
 * in a small cache, which is emptied whenever the program unmaps or protects memory (readable_forget()).
 */
#ifndef RECORDER_RECORD_READABLE_H
#define RECORDER_RECORD_READABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether all of it can be read. A size of 0 can. */
bool readable(const void *address, size_t size);
/* Whether a string can be read to its end; *length is set. Strings longer than 64 KiB are measured up to there. */
bool readable_string(const char *string, size_t *length);
/* Mappings changed. */
void readable_forget(void);

#endif
