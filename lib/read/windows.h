/* SPDX-License-Identifier: MIT */
/*
 * windows.h - chunks of DATA encoding 4 stand for any number of records. To all that reads them each of their windows, of some 40,000, is a chunk of its own.
 */
#ifndef RECORDER_READ_WINDOWS_H
#define RECORDER_READ_WINDOWS_H

#include "read/trace.h"

/* Divides those of the thread, whose chunks are in order. One that cannot be read stays as it is, which is noted. 0 or -ENOMEM. */
int windows_divide(struct thread *thread);

#endif
