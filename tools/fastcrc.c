/* SPDX-License-Identifier: MIT */
/*
 * fastcrc.c - see fastcrc.h.
 *
 * Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel 2009: what stands at one place of a message may stand further behind instead, multiplied by a constant
 * for that distance. So four words of 128 bits at a time are laid over the next four, then these over each other, until 128 bits are left that have the same CRC-32, which zlib finds.
 */
#include "fastcrc.h"

#include <zlib.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define WORD sizeof(__m128i)
#define LEAST (4 * WORD)

/* x^(distance + 32) and x^(distance - 32) modulo the polynomial, the first bit the lowest; distances of 512 and of 128 bits. */
static const uint64_t over_four[2] = {0x154442bd4, 0x1c6e41596};
static const uint64_t over_one[2] = {0x1751997d0, 0x0ccaa009e};

__attribute__((target("pclmul"))) static inline __m128i lay_over(__m128i word, __m128i next,
								 __m128i constants)
{
	__m128i low = _mm_clmulepi64_si128(word, constants, 0x00);
	__m128i high = _mm_clmulepi64_si128(word, constants, 0x11);

	return _mm_xor_si128(next, _mm_xor_si128(low, high));
}

/* Of at least LEAST bytes, a multiple of WORD. */
__attribute__((target("pclmul"))) static uint32_t of_words(uint32_t crc, const uint8_t *bytes,
							   size_t size)
{
	const __m128i *p = (const __m128i *)(const void *)bytes, *end = p + size / WORD;
	__m128i words[4], constants = _mm_loadu_si128((const __m128i *)over_four), rest;
	uint8_t last[WORD];

	for (unsigned i = 0; i < 4; i++)
		words[i] = _mm_loadu_si128(p++);
	/* what CRCs begin with lies over the first bytes */
	words[0] = _mm_xor_si128(words[0], _mm_cvtsi32_si128((int)~crc));
	for (; end - p >= 4; p += 4)
		for (unsigned i = 0; i < 4; i++)
			words[i] = lay_over(words[i], _mm_loadu_si128(p + i), constants);
	constants = _mm_loadu_si128((const __m128i *)over_one);
	rest = words[0];
	for (unsigned i = 1; i < 4; i++)
		rest = lay_over(rest, words[i], constants);
	for (; p < end; p++)
		rest = lay_over(rest, _mm_loadu_si128(p), constants);
	_mm_storeu_si128((__m128i *)(void *)last, rest);
	/* with nothing before: zlib inverts what it is given, and what it gives */
	return (uint32_t)crc32_z(UINT32_MAX, last, sizeof(last));
}

uint32_t fast_crc32(uint32_t crc, const void *bytes, size_t size)
{
	size_t whole = size / WORD * WORD;
	const uint8_t *p = bytes;

	if (size < LEAST || !__builtin_cpu_supports("pclmul"))
		return (uint32_t)crc32_z(crc, p, size);
	return (uint32_t)crc32_z(of_words(crc, p, whole), p + whole, size - whole);
}
#else
uint32_t fast_crc32(uint32_t crc, const void *bytes, size_t size)
{
	return (uint32_t)crc32_z(crc, bytes, size);
}
#endif

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(fast_crc32_is_that_of_zlib)
{
	uint8_t bytes[700];
	uint32_t state = 1;

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)((state = state * 1664525 + 1013904223) >> 24);
	for (unsigned size = 0; size <= 600; size++)
		for (unsigned begin = 0; begin < 20; begin += 7) {
			uint32_t before = size * 2654435761u;

			EXPECT_EQ(fast_crc32(before, bytes + begin, size),
				  crc32_z(before, bytes + begin, size));
		}
}
#endif
