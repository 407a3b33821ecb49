/* SPDX-License-Identifier: MIT */
/*
 * quantities.h - numbers as people read them. Each function writes into `text`, which it returns.
 */
#ifndef RECORDER_ANALYSIS_QUANTITIES_H
#define RECORDER_ANALYSIS_QUANTITIES_H

#include <stdint.h>

#define QUANTITY_ROOM 32

/* "1,234,567" */
const char *quantity_count(char text[QUANTITY_ROOM], uint64_t count);
/* Three digits and a power of ten: "999 B", "4.20 MB"; "-" of none. */
const char *quantity_bytes(char text[QUANTITY_ROOM], int64_t bytes);
/* "850 ns", "12.3 us", "1.25 ms", "3.70 s"; from 1,000 s on "1,250 s" */
const char *quantity_time(char text[QUANTITY_ROOM], int64_t ns);
/* "3", and of other worlds than the first "1:3" */
const char *quantity_rank(char text[QUANTITY_ROOM], int32_t world, int32_t rank);
/* Of a whole: "12.3 %"; "-" if the whole is nothing. */
const char *quantity_share(char text[QUANTITY_ROOM], double part, double whole);

#endif
