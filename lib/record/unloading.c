/* SPDX-License-Identifier: MIT */
/* unloading.c - see unloading.h */
#include "record/unloading.h"

#include "format/wire.h"
#include "record/cfi.h"
#include "record/modules.h"
#include "record/sandbox.h"
#include "record/seal.h"
#include "record/sharing.h"
#include "record/thread.h"

struct range {
	uintptr_t base; /* of the library's addresses: what it is known by */
	uintptr_t first, end;
};

static int find_range(struct dl_phdr_info *info, size_t size, void *data)
{
	struct range *range = data;

	(void)size;
	if (info->dlpi_addr != range->base)
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t first = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		range->first = range->first && range->first < first ? range->first : first;
		range->end = first + segment->p_memsz > range->end ? first + segment->p_memsz
								   : range->end;
	}
	return 1;
}

/* An address in the range that a call in the ring returns to; 0: none. */
static uintptr_t find_call(const struct thread *thread, const struct range *range)
{
	const struct raw_record *record;

	for (uint32_t at = 0; at < thread->head; at += record->size) {
		record = (const struct raw_record *)(thread->data + at);
		if (record->callsite >= range->first && record->callsite < range->end)
			return record->callsite;
	}
	return 0;
}

static void seal_calls(struct thread *thread, const struct range *range)
{
	uintptr_t site = find_call(thread, range);
	struct cfi_image image;

	if (!site)
		return;
	modules_image(site, &image); /* defines it if it is not */
	if (thread->level > 0)
		seal_thread_in_place(thread);
	else
		seal_thread(thread, false);
}

void unloading(const struct link_map *library)
{
	struct thread *thread = sharing_self();
	struct range range = {.base = library->l_addr};

	if (!thread_is_idle(thread) || sandbox_active() || !dl_iterate_phdr(find_range, &range) ||
	    !range.end)
		return;
	thread_set_busy(thread);
	if (thread_mode(thread) == THREAD_ACTIVE)
		seal_calls(thread, &range);
	thread_set_idle(thread);
}
