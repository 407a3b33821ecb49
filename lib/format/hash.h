/* SPDX-License-Identifier: MIT */
/*
 * hash.h - a hash of bytes, each bit of which depends on all of them: names of one length may differ in a few bytes alone, wherever these lie.
 * It is stored nowhere.
 */
#ifndef RECORDER_FORMAT_HASH_H
#define RECORDER_FORMAT_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product =
		(unsigned __int128)(a ^ 0xA0761D6478BD642Fu) * (b ^ 0xE7037ED1A0B428DBu);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint32_t hash_bytes(const void *bytes, size_t size, uint64_t seed)
{
	const uint8_t *p = bytes;
	uint64_t hash = hash_mix(seed, size), word = 0;
	bool long_enough = size >= 8;

	for (; size > 8; p += 8, size -= 8) {
		memcpy(&word, p, 8);
		hash = hash_mix(hash, word);
	}
	if (long_enough) /* the last eight, of which the loop has seen some */
		memcpy(&word, p + size - 8, 8);
	else if (size > 0)
		memcpy(&word, p, size);
	return (uint32_t)hash_mix(hash_mix(hash, word), seed);
}

#endif
