/* SPDX-License-Identifier: MIT */
/*
 * begun.bpf.h - what a program is begun with, arguments and environment, when it has just been put into memory: /proc has them as well, but a short-lived process is gone before the recorder looks.
 */
#ifndef RECORDER_BPF_BEGUN_BPF_H
#define RECORDER_BPF_BEGUN_BPF_H

#include "bpf/tree.bpf.h"

/* Half of the ring is left to what cannot be asked for later: that a program is begun comes behind these, and is to be told. */
static __always_inline bool strings_have_room(u64 size)
{
	return bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) + size <=
	       bpf_ringbuf_query(&ring, BPF_RB_RING_SIZE) / 2;
}

/* Of the current task. 0: there is no room, or no such memory. Not static: so the verifier looks at it once, and not in each round of the loop. */
__noinline int send_piece(u32 kind, u64 begin, u64 left)
{
	u64 ids = bpf_get_current_pid_tgid();
	u32 size = left < STRINGS_PIECE ? left : STRINGS_PIECE;
	struct strings_event *event;
	u64 flags;

	/* the compiler knows it, the verifier has to be shown */
	asm volatile("" : "+r"(size));
	if (size > STRINGS_PIECE || !strings_have_room(sizeof(*event)))
		return 0;
	flags = wake_if_much(sizeof(*event));
	event = bpf_ringbuf_reserve(&ring, sizeof(*event), 0);
	if (!event)
		return 0;
	event->head = (struct event_head){.kind = EVENT_STRINGS,
					  .size = sizeof(*event),
					  .pid = ids >> 32,
					  .tid = ids,
					  .time = bpf_ktime_get_ns()};
	event->kind = kind;
	event->text_size = size;
	if (bpf_probe_read_user(event->text, size, (const void *)begin)) {
		bpf_ringbuf_discard(event, BPF_RB_NO_WAKEUP);
		return 0;
	}
	bpf_ringbuf_submit(event, flags);
	return 1;
}

static __always_inline void send_strings(u32 kind, u32 most, u64 begin, u64 end)
{
	for (u32 i = 0; i < most && begin < end; i++) {
		if (!send_piece(kind, begin, end - begin))
			return;
		begin += STRINGS_PIECE;
	}
}

/* It is the current task. */
static __always_inline void send_begun_with(struct task_struct *task)
{
	struct mm_struct *mm = BPF_CORE_READ(task, mm);

	send_strings(BEGUN_WITH_ARGUMENTS, ARGUMENT_PIECES, BPF_CORE_READ(mm, arg_start),
		     BPF_CORE_READ(mm, arg_end));
	send_strings(BEGUN_WITH_ENVIRONMENT, STRINGS_PIECES, BPF_CORE_READ(mm, env_start),
		     BPF_CORE_READ(mm, env_end));
}

#endif
