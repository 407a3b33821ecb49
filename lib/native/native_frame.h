/* SPDX-License-Identifier: MIT */
/*
 * native_frame.h - the registers of a traced function, as thunks_CPU.S has stored them when it is called and when it returns.
 */
#ifndef RECORDER_NATIVE_NATIVE_FRAME_H
#define RECORDER_NATIVE_NATIVE_FRAME_H

#include <stdint.h>

#ifdef __aarch64__

#define NATIVE_REGISTERS 8u /* that integers come in, the first ones; then the stack */
#define NATIVE_VECTORS_OFFSET 0u

struct native_frame {
	uintptr_t x29;
	uintptr_t slot; /* x30: the return address */
	uint64_t x[16], x18;
	/* Of an entry: the number of the stub, or where the function goes on; afterwards where to go to. Of a return: an address in the thunk. */
	uintptr_t at;
};

/* Where the caller's stack ends: this tells calls apart. */
static inline uintptr_t native_place(const struct native_frame *frame)
{
	return (uintptr_t)(frame + 1);
}

static inline uint64_t native_result(const struct native_frame *frame)
{
	return frame->x[0];
}

/* The integer, or pointer, at a place among those that the function was called with. */
static inline uint64_t native_word(const struct native_frame *frame, unsigned place)
{
	const uint64_t *stack = (const uint64_t *)(frame + 1);

	return place < NATIVE_REGISTERS ? frame->x[place] : stack[place - NATIVE_REGISTERS];
}

/* Where a function that has made its frame has its return address. */
static inline uintptr_t *native_saved_return(const struct native_frame *frame)
{
	return (uintptr_t *)frame->x29 + 1;
}

#else

#define NATIVE_REGISTERS 6u
#define NATIVE_VECTORS_OFFSET 160u /* of %xmm0 in what xsave stores */

struct native_frame {
	uint64_t unused; /* of mcount: where the word for the return address is */
	uint64_t r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax;
	/* Of an entry: the number of the stub, or where the function goes on; afterwards where to go to. Of a return: an address in the thunk. */
	uintptr_t at;
	uintptr_t slot; /* the word for the return address, itself */
};

static inline uintptr_t native_place(const struct native_frame *frame)
{
	return (uintptr_t)&frame->slot;
}

static inline uint64_t native_result(const struct native_frame *frame)
{
	return frame->rax;
}

static inline uint64_t native_word(const struct native_frame *frame, unsigned place)
{
	switch (place) {
	case 0:
		return frame->rdi;
	case 1:
		return frame->rsi;
	case 2:
		return frame->rdx;
	case 3:
		return frame->rcx;
	case 4:
		return frame->r8;
	case 5:
		return frame->r9;
	default:
		return (&frame->slot)[1 + place - NATIVE_REGISTERS];
	}
}

static inline uintptr_t *native_saved_return(const struct native_frame *frame)
{
	return (uintptr_t *)frame->unused;
}

#endif
#endif
