/* SPDX-License-Identifier: MIT */
/* cpu.c - see cpu.h */
#include "native/cpu.h"

#include <stddef.h>

#include "native/hot.h"
#include "record/sys.h"

#if defined(__x86_64__)
#include <cpuid.h>

#define ARCH_SHSTK_STATUS 0x5005

static bool has_shadow_stack(void)
{
	uint64_t features = 0;

	return sys_call(SYS_arch_prctl, ARCH_SHSTK_STATUS, (long)&features, 0, 0, 0, 0) == 0 &&
	       (features & 1);
}

const char *cpu_obstacle(void)
{
	return has_shadow_stack() ? "the CPU keeps returns for itself (CET shadow stack)" : NULL;
}

bool cpu_has_more_vectors(void)
{
	unsigned a, b, c = 0, d;

	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
}

#elif defined(__aarch64__)
#include <sys/auxv.h>

#define CAPABILITY_SVE (1ul << 22)
#define PR_SHADOW_STACK_STATUS 74
#define SIGNED_FROM                                                                                \
	48 /* the bits of a signature, at most; unwinders are told so (thunks_aarch64.S) */
#define SIGNATURES 32u

static bool has_shadow_stack(void)
{
	uint64_t mode = 0;

	return sys_call(SYS_prctl, PR_SHADOW_STACK_STATUS, (long)&mode, 0, 0, 0, 0) == 0 &&
	       (mode & 1);
}

/* pacia1716 */
static uintptr_t sign(uintptr_t address, uintptr_t by)
{
	register uintptr_t x17 __asm__("x17") = address;
	register uintptr_t x16 __asm__("x16") = by;

	__asm__("hint 8" : "+r"(x17) : "r"(x16));
	return x17;
}

/* Where addresses of processes are shorter than usual, so are what signatures leave of them. */
static bool signs_low_bits(void)
{
	uintptr_t address = (uintptr_t)native_thunks, changed = 0;

	for (uintptr_t by = 0; by < SIGNATURES; by++)
		changed |= address ^ sign(address, by * 16);
	return (changed & (((uintptr_t)1 << SIGNED_FROM) - 1)) != 0;
}

const char *cpu_obstacle(void)
{
	if (has_shadow_stack())
		return "the CPU keeps returns for itself (GCS)";
	return signs_low_bits() ? "return addresses are signed in bits below 48" : NULL;
}

bool cpu_has_more_vectors(void)
{
	return (getauxval(AT_HWCAP) & CAPABILITY_SVE) != 0;
}

#else
/* No thunks_CPU.S: all is refused, and nothing gets there. */
const uint8_t native_thunks[THUNKS_MAX * THUNK_SIZE];

void native_entry(void)
{
}

unsigned native_aside(unsigned (*function)(struct native_frame *frame, void *vectors),
		      struct native_frame *frame)
{
	(void)function;
	(void)frame;
	return 0;
}

const char *cpu_obstacle(void)
{
	return "not done for this CPU yet";
}

bool cpu_has_more_vectors(void)
{
	return false;
}
#endif
