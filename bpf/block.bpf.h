/* SPDX-License-Identifier: MIT */
/*
 * block.bpf.h - requests to block devices: queued by a task of the job (or, of files that it wrote, by a thread of the kernel), issued to the device, completed in an interrupt.
 *
 * A request is known by its address. It can grow until it is issued, as others are merged into it, and complete in parts. Those that are never issued (a flush is done by a request of its own for all who wait for it)
 * have a latency of the device of 0.
 *
 * The interrupt comes to whatever task has the CPU, and a kernel can have tasks on which it runs no programs. A request whose end was not seen is told when its place is used for the next one, or, by the recorder itself, at its
 * end: as one that ended when it was issued, with BLOCK_END_UNSEEN.
 */
#ifndef RECORDER_BPF_BLOCK_BPF_H
#define RECORDER_BPF_BLOCK_BPF_H

#include "bpf/writeback.bpf.h"

#define BLOCK_OPERATION 0xff /* of cmd_flags */
#define BLOCK_PREFLUSH (1u << 18)

enum block_operation { /* REQ_OP_... */
		       BLOCK_READ = 0,
		       BLOCK_WRITE = 1,
		       BLOCK_FLUSH = 2,
		       BLOCK_DISCARD = 3,
		       BLOCK_WRITE_ZEROES = 9
};

static __always_inline u32 block_what(u32 flags, u32 bytes)
{
	switch (flags & BLOCK_OPERATION) {
	case BLOCK_READ:
		return OCCURRED_block_read;
	case BLOCK_WRITE:
		return bytes == 0 && flags & BLOCK_PREFLUSH ? OCCURRED_block_flush
							    : OCCURRED_block_write;
	case BLOCK_FLUSH:
		return OCCURRED_block_flush;
	case BLOCK_DISCARD:
		return OCCURRED_block_discard;
	case BLOCK_WRITE_ZEROES:
		return OCCURRED_block_write_zeroes;
	}
	return OCCURRED_block_request;
}

static __always_inline struct gendisk *disk_of(struct request *request)
{
	struct request___old *old = (void *)request;

	if (bpf_core_field_exists(old->rq_disk))
		return BPF_CORE_READ(old, rq_disk);
	return BPF_CORE_READ(request, q, disk);
}

/* The file that the next bytes of a bio are of, and where they lie in it; NULL: they are none of the page cache's. */
static __always_inline struct inode *place_of(struct bio *bio, u64 *offset)
{
	struct bio_vec *vec = BPF_CORE_READ(bio, bi_io_vec) + BPF_CORE_READ(bio, bi_iter.bi_idx);
	struct page *page = BPF_CORE_READ(vec, bv_page);
	struct folio *folio = (void *)page;
	struct page___old *old = (void *)page;
	unsigned long head, mapping, index;

	if (!page)
		return NULL;
	head = BPF_CORE_READ(page, compound_head);
	if (head & 1)
		folio = (void *)(head - 1);
	mapping = (unsigned long)BPF_CORE_READ((struct page *)folio, mapping);
	if (!mapping || mapping & 3) /* of no file */
		return NULL;
	index = bpf_core_field_exists(folio->index) ? BPF_CORE_READ(folio, index)
						    : BPF_CORE_READ(old, index);
	if (bpf_core_field_exists(folio->index))
		index += ((u64)page - (u64)folio) / bpf_core_type_size(struct page);
	*offset = ((u64)index << page_shift) + BPF_CORE_READ(vec, bv_offset) +
		  BPF_CORE_READ(bio, bi_iter.bi_bvec_done);
	return BPF_CORE_READ((struct address_space *)mapping, host);
}

#define BIOS_MOST 256 /* of a request that are looked at */

/* Behind the last range, or as one of its own. False: there is no room. */
static __always_inline bool add_range(struct occurrence_event *event, u64 offset, u64 size)
{
	u64 count = event->range_count;
	struct file_range *last;

	if (count > 0 && count <= OCCURRENCE_RANGES) {
		last = &event->ranges[count - 1];
		if (last->offset + last->size == offset) {
			last->size += size;
			return true;
		}
	}
	if (count >= OCCURRENCE_RANGES)
		return false;
	event->ranges[count].offset = offset;
	event->ranges[count].size = size;
	event->range_count = count + 1;
	return true;
}

/* Which bytes of its file a request is of: what lies side by side on the device is one request, be it apart in its file, or of whatever file. */
static __always_inline void block_ranges(struct occurrence_event *event, struct request *request)
{
	struct bio *bio = BPF_CORE_READ(request, bio);
	u64 offset = 0;

	event->range_count = 0;
	if (!(event->flags & OCCURRENCE_HAS_FILE))
		return;
	for (int i = 0; i < BIOS_MOST && bio; i++) {
		struct inode *inode = place_of(bio, &offset);
		struct file_key key = {};

		if (inode)
			key = key_of(inode);
		if (inode && key.inode == event->inode && key.device == event->device &&
		    !add_range(event, offset, BPF_CORE_READ(bio, bi_iter.bi_size)))
			break;
		bio = BPF_CORE_READ(bio, bi_next);
	}
}

/* As it is now. */
static __always_inline void block_describe(struct occurrence_event *event, struct request *request)
{
	u32 flags = BPF_CORE_READ(request, cmd_flags);

	event->args[BLOCK_SECTOR] = BPF_CORE_READ(request, __sector);
	event->args[BLOCK_BYTES] = BPF_CORE_READ(request, __data_len);
	event->args[BLOCK_FLAGS] = flags & ~BLOCK_OPERATION;
	if (event->args[BLOCK_FLUSHER])
		event->args[BLOCK_FLAGS] |= BLOCK_WRITEBACK;
	event->what = block_what(flags, event->args[BLOCK_BYTES]);
}

/* One of `state` and `writer` is NULL. */
static __always_inline void block_begin(struct request *request, struct inode *inode,
					struct task_struct *task, struct task_state *state,
					const struct writer *writer)
{
	struct occurrence_event event = {};
	struct gendisk *disk = disk_of(request);

	begin_occurrence(&event, 0, task, state);
	if (writer) {
		set_writer(&event, writer);
		event.args[BLOCK_FLUSHER] = task->tgid;
	}
	block_describe(&event, request);
	if (disk) {
		event.args[BLOCK_DEVICE] =
			BPF_CORE_READ(disk, major) << 20 | BPF_CORE_READ(disk, first_minor);
		bpf_probe_read_kernel_str(event.text, sizeof(event.text), disk->disk_name);
	}
	if (inode)
		set_file(&event, task, inode);
	keep_pending((u64)request, &event, state);
}

static __always_inline void block_end_is_unseen(u64 address, struct occurrence_event *event)
{
	event->args[BLOCK_FLAGS] |= BLOCK_END_UNSEEN;
	end_pending(address, event, event->begin + event->args[BLOCK_QUEUE],
		    event->args[BLOCK_BYTES]);
}

SEC("tp_btf/block_io_start")
int BPF_PROG(block_queued, struct request *request)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of_user(task);
	struct bio *bio = BPF_CORE_READ(request, bio);
	struct writer *writer = NULL;
	struct occurrence_event *before = pending_at((u64)request);
	u64 offset;
	struct inode *inode = bio ? place_of(bio, &offset) : NULL;

	if (before)
		block_end_is_unseen((u64)request, before);
	if (!state && inode && BPF_CORE_READ(request, cmd_flags) & 1) /* it is a write */
		writer = writer_of(inode);
	if (state || writer)
		block_begin(request, inode, task, state, writer);
	return 0;
}

static __always_inline int block_is_issued(struct request *request)
{
	struct occurrence_event *event = pending_at((u64)request);

	if (!event)
		return 0;
	block_describe(event, request);
	block_ranges(event, request);
	event->args[BLOCK_QUEUE] = bpf_ktime_get_ns() - event->begin;
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(block_issued, struct request *request)
{
	return block_is_issued(request);
}

/* Before Linux 5.11. */
SEC("tp_btf/block_rq_issue")
int BPF_PROG(block_issued_of_queue, struct request_queue *queue, struct request *request)
{
	return block_is_issued(request);
}

/* It is another request's part from now on. */
static __always_inline int block_is_merged(struct request *request)
{
	struct occurrence_event *event = pending_at((u64)request);

	if (!event)
		return 0;
	event->flags |= OCCURRENCE_NOTHING;
	end_pending((u64)request, event, bpf_ktime_get_ns(), 0);
	return 0;
}

SEC("tp_btf/block_rq_merge")
int BPF_PROG(block_merged, struct request *request)
{
	return block_is_merged(request);
}

SEC("tp_btf/block_rq_merge")
int BPF_PROG(block_merged_of_queue, struct request_queue *queue, struct request *request)
{
	return block_is_merged(request);
}

/* `error` is a blk_status_t; before Linux 5.16 a negative errno. */
SEC("tp_btf/block_rq_complete")
int BPF_PROG(block_completed, struct request *request, int error, unsigned int bytes)
{
	struct occurrence_event *event = pending_at((u64)request);
	u64 now, took;

	if (!event)
		return 0;
	if (error)
		event->result = error;
	if (bytes < BPF_CORE_READ(request, __data_len)) /* there is more to come */
		return 0;
	now = bpf_ktime_get_ns();
	took = now - event->begin;
	if (event->args[BLOCK_QUEUE]) {
		event->args[BLOCK_SERVICE] = took - event->args[BLOCK_QUEUE];
	} else {
		block_describe(event, request);
		event->args[BLOCK_QUEUE] = took;
	}
	end_pending((u64)request, event, now, event->result ? 0 : event->args[BLOCK_BYTES]);
	return 0;
}

#endif
