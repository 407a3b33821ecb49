/* SPDX-License-Identifier: MIT */
/* period.h - whether a sequence ends in something that repeats. */
#ifndef RECORDER_FORMAT_PERIOD_H
#define RECORDER_FORMAT_PERIOD_H

#include <stdint.h>

#define PERIOD_TIMES 3u /* so often it is there at least */

/*
 * The length, at most `most`, of what the sequence repeats at its end, for as long a part of it as there is such a length; 0: it repeats nothing. `room`: for as many numbers.
 * Takes a time proportional to `count`.
 */
uint32_t period_of_end(const uint16_t *numbers, uint32_t count, uint32_t most, uint32_t *room);

#endif
