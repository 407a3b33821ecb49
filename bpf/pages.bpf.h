/* SPDX-License-Identifier: MIT */
/*
 * pages.bpf.h - page faults, and what comes into the page cache and goes out of it, of tasks of the job: instants.
 */
#ifndef RECORDER_BPF_PAGES_BPF_H
#define RECORDER_BPF_PAGES_BPF_H

#include "bpf/occurrences.bpf.h"

enum page_arg { PAGE_INODE, PAGE_DEVICE, PAGE_OFFSET, PAGE_COUNT, PAGE_AHEAD };

SEC("tp_btf/page_fault_user")
int BPF_PROG(page_faults, unsigned long address, struct pt_regs *regs, unsigned long cause)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of(task);
	struct occurrence_event event = {};

	if (!state)
		return 0;
	begin_occurrence(&event, OCCURRED_page_fault, task, state);
	event.args[0] = address;
	event.args[1] = instruction_of(regs);
	event.args[2] = cause;
	tell_instant(task, state, &event, 0);
	return 0;
}

/* Of a folio or page that is larger than one. */
static __always_inline u32 pages_in(struct folio *folio)
{
	unsigned long flags = 0;

	bpf_probe_read_kernel(&flags, sizeof(flags), folio); /* they lie first */
	if (!bpf_core_field_exists(folio->_flags_1) ||
	    !(flags >> bpf_core_enum_value(enum pageflags, PG_head) & 1))
		return 1;
	return 1u << (BPF_CORE_READ(folio, _flags_1) & 0xff);
}

static __always_inline int page_event(u32 what, struct inode *inode, u64 index, u64 pages,
				      u64 ahead)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of(task);
	struct occurrence_event event = {};

	if (!state || !inode)
		return 0;
	begin_occurrence(&event, what, task, state);
	set_file(&event, task, inode);
	event.args[PAGE_INODE] = event.inode;
	event.args[PAGE_DEVICE] = event.device;
	event.args[PAGE_OFFSET] = index << page_shift;
	event.args[PAGE_COUNT] = pages;
	event.args[PAGE_AHEAD] = ahead;
	tell_instant(task, state, &event, pages << page_shift);
	return 0;
}

SEC("tp_btf/mm_filemap_add_to_page_cache")
int BPF_PROG(page_added, struct folio *folio)
{
	return page_event(OCCURRED_page_cache_add, BPF_CORE_READ(folio, mapping, host),
			  BPF_CORE_READ(folio, index), pages_in(folio), 0);
}

SEC("tp_btf/mm_filemap_delete_from_page_cache")
int BPF_PROG(page_deleted, struct folio *folio)
{
	return page_event(OCCURRED_page_cache_delete, BPF_CORE_READ(folio, mapping, host),
			  BPF_CORE_READ(folio, index), pages_in(folio), 0);
}

SEC("tp_btf/page_cache_ra_unbounded")
int BPF_PROG(read_ahead, struct inode *inode, unsigned long index, unsigned long pages,
	     unsigned long ahead)
{
	return page_event(OCCURRED_read_ahead, inode, index, pages, ahead);
}

SEC("tp_btf/page_cache_ra_order")
int BPF_PROG(read_ahead_large, struct inode *inode, unsigned long index,
	     struct file_ra_state *state)
{
	return page_event(OCCURRED_read_ahead, inode, BPF_CORE_READ(state, start),
			  BPF_CORE_READ(state, size), BPF_CORE_READ(state, async_size));
}

#endif
