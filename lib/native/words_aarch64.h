/* SPDX-License-Identifier: MIT */
/*
 * words_aarch64.h - instructions of aarch64, of 32 bits each: what those who read and those who write them have in common.
 */
#ifndef RECORDER_NATIVE_WORDS_AARCH64_H
#define RECORDER_NATIVE_WORDS_AARCH64_H

#include <stdint.h>
#include <string.h>

#define IS(word, mask, value) (((word) & (mask)) == (value))
#define NOP 0xd503201fu
#define PACIASP 0xd503233fu
#define PACIBSP 0xd503237fu
#define STACK_POINTER 31u
#define RETURN_REGISTER 30u

static inline uint32_t word_at(const uint8_t *code)
{
	uint32_t word;

	memcpy(&word, code, sizeof(word));
	return word;
}

#endif
