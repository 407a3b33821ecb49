/* SPDX-License-Identifier: MIT */
/* equal_bytes.h - how many bytes are the same at two places. */
#ifndef RECORDER_FORMAT_EQUAL_BYTES_H
#define RECORDER_FORMAT_EQUAL_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* From the begin of both, up to `most`, which can be read at both; the places may overlap. */
static inline size_t equal_bytes(const uint8_t *a, const uint8_t *b, size_t most)
{
	size_t count = 0;

	for (; most - count >= sizeof(uint64_t); count += sizeof(uint64_t)) {
		uint64_t x, y;

		memcpy(&x, a + count, sizeof(x));
		memcpy(&y, b + count, sizeof(y));
		if (x != y)
			return count + (size_t)__builtin_ctzll(x ^ y) / 8;
	}
	while (count < most && a[count] == b[count])
		count++;
	return count;
}

#endif
