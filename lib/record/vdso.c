/* SPDX-License-Identifier: MIT */
/* vdso.c - see vdso.h */
#include "record/vdso.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>

#include "record/dynamic.h"
#include "record/sys.h"

#if defined(__x86_64__)
#define CLOCK_FUNCTION "__vdso_clock_gettime"
#else
#define CLOCK_FUNCTION "__kernel_clock_gettime"
#endif

typedef int clock_function(clockid_t clock, struct timespec *now);

static int by_system_call(clockid_t clock, struct timespec *now)
{
	return (int)sys_raw(SYS_clock_gettime, clock, (long)now, 0, 0, 0, 0);
}

/* The kernel's object, which is linked to lie anywhere. */
static const ElfW(Dyn) * dynamic_section(const ElfW(Ehdr) * header, uintptr_t *base)
{
	const ElfW(Phdr) *segment = (const void *)((const char *)header + header->e_phoff);
	const ElfW(Dyn) *section = NULL;
	uintptr_t offset = 0;

	*base = 0;
	for (unsigned i = 0; i < header->e_phnum; i++, segment++) {
		if (segment->p_type == PT_LOAD && !*base)
			*base = (uintptr_t)header - segment->p_vaddr;
		if (segment->p_type == PT_DYNAMIC)
			offset = segment->p_offset;
	}
	if (offset)
		section = (const void *)((const char *)header + offset);
	return section;
}

static clock_function *find(void)
{
	const ElfW(Ehdr) *header = (const void *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Dyn) * section;
	struct dynamic object;
	uintptr_t base;

	section = header ? dynamic_section(header, &base) : NULL;
	if (!section)
		return by_system_call;
	dynamic_open(&object, section, base);
	for (uint32_t i = dynamic_symbol_count(&object); i-- > 0;) {
		const ElfW(Sym) *symbol = &object.symbols[i];

		if (symbol->st_shndx != SHN_UNDEF &&
		    !strcmp(object.strings + symbol->st_name, CLOCK_FUNCTION))
			return (clock_function *)(base + symbol->st_value);
	}
	return by_system_call;
}

int64_t vdso_clock_ns(clockid_t clock)
{
	static clock_function *_Atomic known;
	clock_function *function = atomic_load_explicit(&known, memory_order_relaxed);
	struct timespec now = {0, 0};

	if (!function) {
		function = find();
		atomic_store_explicit(&known, function, memory_order_relaxed);
	}
	function(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(vdso_tells_the_kernels_time)
{
	struct timespec before, after;
	int64_t now;

	clock_gettime(CLOCK_MONOTONIC, &before);
	now = vdso_clock_ns(CLOCK_MONOTONIC);
	clock_gettime(CLOCK_MONOTONIC, &after);
	EXPECT(now >= (int64_t)before.tv_sec * 1000000000 + before.tv_nsec);
	EXPECT(now <= (int64_t)after.tv_sec * 1000000000 + after.tv_nsec);
	EXPECT(!getauxval(AT_SYSINFO_EHDR) || find() != by_system_call);
	EXPECT_EQ(vdso_clock_ns(12345), 0);
}
#endif
