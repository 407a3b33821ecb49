/* SPDX-License-Identifier: MIT */
/*
 * latesums.bpf.h - the profile of what ends elsewhere than in its thread (kernel_events.h, late): in a map of all CPUs, by who began it, on which file, and the interval in which it ended.
 *
 * The recorder takes sums out while others are added to. What it takes nobody may have in hands: so sums of one *round* are kept apart from those of the next one. It begins a round, waits until all programs that began before
 * that have ended, and then those of the round before are its alone (late_rounds.h). When the map is full, each one goes as a sum of its own into the ring, and nothing is lost of which that has room.
 */
#ifndef RECORDER_BPF_LATESUMS_BPF_H
#define RECORDER_BPF_LATESUMS_BPF_H

#include "bpf/sums.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, LATE_SUMS_MAX);
	__type(key, struct late_key);
	__type(value, struct late_sum);
} late_sums SEC(".maps");

volatile unsigned int late_round = 0;

static __always_inline void send_late_sum(const struct late_key *key, const struct late_sum *sum,
					  u64 now)
{
	struct late_sum_event *event = bpf_ringbuf_reserve(&ring, sizeof(*event), 0);

	if (!event) {
		if (sum->count > 0)
			count(COUNTER_LOST_SUMMED);
		return;
	}
	event->head.kind = EVENT_LATE_SUM;
	event->head.size = sizeof(*event);
	event->head.number = 0;
	event->head.pid = key->pid;
	event->head.tid = key->tid;
	event->head.time = now;
	event->key = *key;
	event->sum = *sum;
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
}

/* The one of the key; a new one, if there is room. */
static __always_inline struct late_sum *late_sum_at(const struct late_key *key)
{
	struct late_sum *sum = bpf_map_lookup_elem(&late_sums, key), none = {};

	if (sum)
		return sum;
	/* another CPU may do the same: then that one's is it */
	bpf_map_update_elem(&late_sums, key, &none, BPF_NOEXIST);
	return bpf_map_lookup_elem(&late_sums, key);
}

/* It has ended at event->head.time. Not in line: so it has a stack of its own. */
static __noinline int add_late(const struct occurrence_event *event, u64 bytes)
{
	struct late_key key = {};
	struct late_sum one = {}, *sum;
	bool is_one = !(event->flags & OCCURRENCE_NOTHING);

	if (!is_one && !(event->flags & OCCURRENCE_COUNTED))
		return 0;
	key.begin = interval_begin(event->head.time);
	key.start = event->start;
	key.pid = event->head.pid;
	key.tid = event->head.tid;
	key.what = event->what;
	key.round = late_round;
	if (event->flags & OCCURRENCE_HAS_FILE) {
		key.flags = CALL_HAS_FILE;
		key.inode = event->inode;
		key.device = event->device;
	}
	one.counted = event->flags & OCCURRENCE_COUNTED ? 1 : 0;
	if (is_one) {
		one.count = 1;
		one.time = event->head.time - event->begin;
		one.bytes = bytes;
		if (event->what <= OCCURRED_block_request)
			one.queue = event->args[BLOCK_QUEUE];
	}
	sum = late_sum_at(&key);
	if (!sum) {
		send_late_sum(&key, &one, event->head.time);
		return 0;
	}
	__sync_fetch_and_add(&sum->count, one.count);
	__sync_fetch_and_add(&sum->time, one.time);
	__sync_fetch_and_add(&sum->bytes, one.bytes);
	__sync_fetch_and_add(&sum->queue, one.queue);
	__sync_fetch_and_add(&sum->counted, one.counted);
	return 0;
}

#endif
