/* SPDX-License-Identifier: MIT */
/* loops.h - a loop of some of the drawn records, with numbers that grow, and one that has loops inside: written and read again, also window by window, they are the same. */
#ifndef RECORDER_FUZZ_LOOPS_H
#define RECORDER_FUZZ_LOOPS_H

void loops_there_and_back(void);

#endif
