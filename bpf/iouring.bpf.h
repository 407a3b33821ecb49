/* SPDX-License-Identifier: MIT */
/*
 * iouring.bpf.h - requests of io_uring, from when the kernel takes them out of the submission queue to when it puts their result into the completion queue, in whatever thread that is: the program's own, a worker
 * (iou-wrk-PID), the one that polls the queue, or an interrupt's. A request that completes several times (IORING_CQE_F_MORE) is told as often.
 */
#ifndef RECORDER_BPF_IOURING_BPF_H
#define RECORDER_BPF_IOURING_BPF_H

#include "bpf/occurrences.bpf.h"

enum uring_arg {
	URING_OPCODE,
	URING_FD,
	URING_OFFSET, /* -1: it has none, or that where the file stands */
	URING_LENGTH, /* bytes; of calls with several buffers how many these are */
	URING_USER_DATA,
	URING_FLAGS, /* IOSQE_... */
	URING_COMPLETER
};

#define URING_FIXED_FILE 1   /* of IOSQE_...: the descriptor is the number of a registered file */
#define URING_SQE_FLAGS 0x7f /* of the flags of a request, those that the program gave */
#define URING_MORE 2         /* IORING_CQE_F_MORE */

/* Bits of operations that are on a descriptor: of others the kernel has none, or an old one. */
#define URING_ON_DESCRIPTOR 0x37c3cb064dc3277eull

static __always_inline bool uring_moves(unsigned char opcode)
{
	return opcode == 1 || opcode == 2 || opcode == 4 || opcode == 5 || opcode == 22 ||
	       opcode == 23;
}

static __always_inline void uring_describe(struct occurrence_event *event, struct io_kiocb *request,
					   struct task_struct *task)
{
	unsigned char opcode = BPF_CORE_READ(request, opcode);
	u64 flags = BPF_CORE_READ(request, flags) & URING_SQE_FLAGS;
	u32 fd = BPF_CORE_READ(request, cqe.fd);
	bool has_descriptor = opcode < 64 && URING_ON_DESCRIPTOR >> opcode & 1;
	struct file *file = NULL;

	event->args[URING_OPCODE] = opcode;
	event->args[URING_FD] = has_descriptor ? (s64)(int)fd : -1;
	event->args[URING_USER_DATA] = BPF_CORE_READ(request, cqe.user_data);
	event->args[URING_FLAGS] = flags;
	event->args[URING_OFFSET] = (u64)-1;
	if (uring_moves(opcode) && bpf_core_type_exists(struct io_rw)) {
		struct io_rw *rw = (struct io_rw *)request;

		event->args[URING_OFFSET] = BPF_CORE_READ(rw, kiocb.ki_pos);
		event->args[URING_LENGTH] = BPF_CORE_READ(rw, len);
	}
	if (has_descriptor && !(flags & URING_FIXED_FILE))
		file = file_at(task, fd);
	if (file)
		set_file(event, task, BPF_CORE_READ(file, f_inode));
}

static __always_inline int uring_is_submitted(struct io_kiocb *request)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of_user(task);
	struct occurrence_event event = {};

	if (!state)
		return 0;
	begin_occurrence(&event, OCCURRED_io_uring_request, task, state);
	uring_describe(&event, request, task);
	state->late_uncounted = 1;
	keep_pending((u64)request, &event, NULL);
	return 0;
}

SEC("tp_btf/io_uring_submit_req")
int BPF_PROG(uring_submitted, struct io_kiocb *request)
{
	return uring_is_submitted(request);
}

/* Linux 6.0 to 6.2. */
SEC("tp_btf/io_uring_submit_sqe")
int BPF_PROG(uring_submitted_entry, struct io_kiocb *request, bool nonblocking)
{
	return uring_is_submitted(request);
}

static __always_inline int uring_is_completed(u64 request, int result, u32 flags)
{
	struct occurrence_event *event = pending_at(request);
	u64 bytes;

	if (!event)
		return 0;
	event->result = result;
	bytes = result > 0 && uring_moves(event->args[URING_OPCODE]) ? result : 0;
	event->args[URING_COMPLETER] = (u32)bpf_get_current_pid_tgid();
	if (flags & URING_MORE)
		send_pending(event, bpf_ktime_get_ns(), bytes);
	else
		end_pending(request, event, bpf_ktime_get_ns(), bytes);
	return 0;
}

SEC("tp_btf/io_uring_complete")
int BPF_PROG(uring_completed, void *uring, void *request, struct io_uring_cqe *entry)
{
	return uring_is_completed((u64)request, BPF_CORE_READ(entry, res),
				  BPF_CORE_READ(entry, flags));
}

/* Linux 5.19 to 6.12. */
SEC("tp_btf/io_uring_complete")
int BPF_PROG(uring_completed_values, void *uring, void *request, u64 user_data, int result,
	     unsigned int flags, u64 extra1, u64 extra2)
{
	return uring_is_completed((u64)request, result, flags);
}

#endif
