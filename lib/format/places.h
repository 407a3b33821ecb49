/* SPDX-License-Identifier: MIT */
/* places.h - how many places an open-addressed table has. */
#ifndef RECORDER_FORMAT_PLACES_H
#define RECORDER_FORMAT_PLACES_H

#include <stdint.h>

/* A power of two, for so many things at least twice as many. */
static inline uint32_t places_for(uint32_t things)
{
	uint32_t places = 2;

	while (places < 2 * things)
		places *= 2;
	return places;
}

#endif
