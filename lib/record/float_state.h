/* SPDX-License-Identifier: MIT */
/*
 * float_state.h - arithmetic with numbers that have a point leaves no trace in the program.
 *
 * A program may end at each result that is not exact (feenableexcept(3), -ffpe-trap=inexact of gfortran), look later at whether one was (fetestexcept(3)), or have chosen how results are
 * rounded. What is calculated in between two of these calls has the state that processes begin with. It must stand in a function of its own that the
 * compiler knows nothing of (opaque.h), else it may calculate before or behind them.
 * Source: fenv(3); Intel 64 and IA-32 Architectures Software Developer's Manual, "MXCSR"; Arm Architecture Reference Manual, "FPCR", "FPSR".
 */
#ifndef RECORDER_RECORD_FLOAT_STATE_H
#define RECORDER_RECORD_FLOAT_STATE_H

#include <stdint.h>

#if defined(__x86_64__)
#define MXCSR_AT_START 0x1f80u

struct float_state {
	uint32_t control;
};

static inline struct float_state float_state_begin(void)
{
	struct float_state state;
	const uint32_t start = MXCSR_AT_START;

	__asm__ volatile("stmxcsr %0" : "=m"(state.control));
	__asm__ volatile("ldmxcsr %0" : : "m"(start) : "memory");
	return state;
}

static inline void float_state_end(struct float_state state)
{
	__asm__ volatile("ldmxcsr %0" : : "m"(state.control) : "memory");
}
#else
struct float_state {
	uint64_t control, status;
};

static inline struct float_state float_state_begin(void)
{
	struct float_state state;

	__asm__ volatile("mrs %0, fpcr" : "=r"(state.control));
	__asm__ volatile("mrs %0, fpsr" : "=r"(state.status));
	__asm__ volatile("msr fpcr, xzr" : : : "memory");
	return state;
}

static inline void float_state_end(struct float_state state)
{
	__asm__ volatile("msr fpsr, %0" : : "r"(state.status) : "memory");
	__asm__ volatile("msr fpcr, %0" : : "r"(state.control) : "memory");
}
#endif

#endif
