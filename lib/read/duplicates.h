/* SPDX-License-Identifier: MIT */
/*
 * duplicates.h - streams whose files lie in a trace twice, under two names.
 *
 * Who copies files within a trace, or puts the files of two copies of it together, would have each call of that process counted
 * twice. A stream has a number of its own (doc/format.md section 3), which its files bear whatever they are called.
 */
#ifndef RECORDER_READ_DUPLICATES_H
#define RECORDER_READ_DUPLICATES_H

#include "read/trace.h"

/*
 * Leaves out each stream that has the number, and the records, of one before it, and notes it as a problem. Streams must be loaded, in the order
 * of their names. 0 or -ENOMEM.
 */
int duplicates_leave_out(struct reader *trace);

#endif
