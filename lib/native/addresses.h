/* SPDX-License-Identifier: MIT */
/*
 * addresses.h - what is to be done with calls of a function that its compiler has instrumented, by its address.
 *
 * A table of words, each an address and a number; one compare-and-swap adds one, nothing is taken away but all of it, when libraries go. Functions are named when they are first called.
 */
#ifndef RECORDER_NATIVE_ADDRESSES_H
#define RECORDER_NATIVE_ADDRESSES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/hidden.h"

#define ADDRESSES_BITS 15u
#define ADDRESSES (1u << ADDRESSES_BITS)
#define ADDRESSES_TRIED 16u /* places where a word may be */
#define ADDRESS_NUMBER_BITS 16u
#define ADDRESS_OFF 0xffffu /* not to be recorded */
#define ADDRESS_UNKNOWN UINT32_MAX

extern HIDDEN _Atomic uint64_t native_addresses[ADDRESSES];

static inline uint32_t address_place(uintptr_t address)
{
	return (uint32_t)(((uint64_t)address * 0x9e3779b97f4a7c15u) >> (64 - ADDRESSES_BITS));
}

/* A number of named.h, or one of the above. */
static inline uint32_t address_number(uintptr_t address)
{
	uint32_t place = address_place(address);

	for (unsigned i = 0; i < ADDRESSES_TRIED; i++) {
		uint64_t word = atomic_load_explicit(&native_addresses[(place + i) % ADDRESSES],
						     memory_order_relaxed);

		if (word >> ADDRESS_NUMBER_BITS == address)
			return word & ((1u << ADDRESS_NUMBER_BITS) - 1);
		if (!word)
			break;
	}
	return ADDRESS_UNKNOWN;
}

/* Keeps it. Where there is no place it will be asked for again. */
void address_add(uintptr_t address, uint32_t number);
void addresses_forget(void);

#endif
