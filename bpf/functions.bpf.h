/* SPDX-License-Identifier: MIT */
/*
 * functions.bpf.h - named functions of the job's programs: one program at all probes, which are at the first instruction of each function and at all that end it (probes.h).
 *
 * What the kernel has for the end of a function replaces its return address, which an exception or pthread_exit() does not survive. Here nothing of the program changes: a call is known by the stack pointer, which is at its end
 * where it was at its begin. So the calls that a thread is in are a stack of such pointers, and those that it has left in another way are found by the next one that begins or ends above them.
 */
#ifndef RECORDER_BPF_FUNCTIONS_BPF_H
#define RECORDER_BPF_FUNCTIONS_BPF_H

#include "bpf/sums.bpf.h"

#define STACK_REACH (64ull << 20) /* of one stack: what is further away is on another one */
#define AREA_TRIES 64

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, FUNCTION_POINTS_MAX);
	__type(key, struct function_place);
	__type(value, struct function_point);
} points SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct open_functions);
} opened SEC(".maps");

/* Of the first thread of a process whose probes are held by the recorder (function_event.h). */
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, u32);
} covered SEC(".maps");

static __always_inline void check_cover(struct task_struct *parent, struct task_struct *child)
{
	if (!wakes_at_forks || child->pid != child->tgid || !parent->group_leader)
		return;
	if (!bpf_task_storage_get(&covered, parent->group_leader, 0, 0))
		count(COUNTER_UNCOVERED);
}

static __always_inline struct open_function *open_at(struct open_functions *open, u32 place)
{
	return &open->list[place & (FUNCTIONS_OPEN_MAX - 1)];
}

/* Not static: it is checked once, not for each of the places that it is called from. The current task is in the function. */
__noinline int add_function(u32 number, u64 begin, u64 now)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of(task);
	struct sum_key key = {};

	if (!state)
		return 0;
	key.call = SUM_FUNCTIONS + number;
	add_one(task, state, &key, now, now - begin, 0);
	return 0;
}

/* Of the innermost one, which is open no more. */
static __noinline int send_function(struct task_struct *task, struct task_state *state,
				    struct open_functions *open, u64 now, u32 flags)
{
	struct function_event event = {};
	struct open_function *function;

	if (!task || !state || !open)
		return 0;
	state->depth--;
	function = open_at(open, state->depth);
	if (sends_sums)
		add_function(function->function, function->begin, now);
	if (!sends_calls)
		return 0;
	begin_event(&event.head, EVENT_FUNCTION, task, now);
	event.begin = function->begin;
	event.function = function->function;
	event.level = state->depth;
	event.flags = flags;
	event.beyond = state->beyond;
	state->beyond = 0;
	send(state, &event.head, sizeof(event));
	return 0;
}

/* All that are open: they will not return. */
static __always_inline void functions_end(struct task_struct *task, struct task_state *state,
					  u64 now)
{
	struct open_functions *open = bpf_task_storage_get(&opened, task, 0, 0);

	for (u32 i = 0; open && i < FUNCTIONS_OPEN_MAX && state->depth > 0; i++)
		send_function(task, state, open, now, FUNCTION_NO_RETURN);
	state->depth = 0;
	state->executed = 0;
}

/* Which probe -------------------------------------------------------------------------- */

struct found_place {
	struct function_place place;
	u64 address;
};

static long look_at_area(struct task_struct *task, struct vm_area_struct *area,
			 struct found_place *found)
{
	found->place.inode = BPF_CORE_READ(area, vm_file, f_inode, i_ino);
	found->place.offset = found->address - BPF_CORE_READ(area, vm_start) +
			      ((u64)BPF_CORE_READ(area, vm_pgoff) << 12);
	return 0;
}

/* By the memory that the address is in, which can be looked at while nobody changes it. */
static __always_inline struct function_point *point_in_area(struct task_struct *task, u64 address)
{
	struct found_place found = {.address = address};
	long error = -1;

	for (u32 i = 0; i < AREA_TRIES && error; i++)
		error = bpf_find_vma(task, address, look_at_area, &found, 0);
	return error ? NULL : bpf_map_lookup_elem(&points, &found.place);
}

static __always_inline struct function_point *point_of(struct task_struct *task, u64 address)
{
	struct uprobe_task *user = BPF_CORE_READ(task, utask);
	struct function_point *point;
	struct function_place place;
	struct arch_uprobe *arch;
	struct uprobe *probe;

	if (!bpf_core_field_exists(user->auprobe) || !bpf_core_type_exists(struct uprobe))
		return point_in_area(task, address);
	arch = user ? BPF_CORE_READ(user, auprobe) : NULL;
	if (!arch)
		return point_in_area(task, address);
	probe = (void *)arch - bpf_core_field_offset(struct uprobe, arch);
	place.inode = BPF_CORE_READ(probe, inode, i_ino);
	place.offset = BPF_CORE_READ(probe, offset);
	point = bpf_map_lookup_elem(&points, &place);
	return point ? point : point_in_area(task, address);
}

/* Begin and end ------------------------------------------------------------------------ */

/* Signal handlers can have a stack of their own. */
static __always_inline bool is_of_signals(struct task_struct *task, u64 stack)
{
	u64 begin = BPF_CORE_READ(task, sas_ss_sp);

	return begin && stack > begin && stack - begin <= BPF_CORE_READ(task, sas_ss_size);
}

struct leaving {
	struct task_struct *task;
	struct task_state *state;
	struct open_functions *open;
	u64 stack, now;
	bool of_signals;
};

/* Whether the innermost one cannot go on any more where the stack pointer is there; `here`: nor where it is the same. */
static __always_inline bool is_left(const struct leaving *leaving,
				    const struct open_function *function, bool here)
{
	u64 above = leaving->stack - function->stack;

	return above < STACK_REACH && (above > 0 || here) &&
	       is_of_signals(leaving->task, function->stack) == leaving->of_signals;
}

static __always_inline struct open_function *innermost(const struct leaving *leaving)
{
	return leaving->state->depth > 0 ? open_at(leaving->open, leaving->state->depth - 1) : NULL;
}

static __always_inline void leave(struct leaving *leaving, bool here)
{
	for (u32 i = 0; i < FUNCTIONS_OPEN_MAX; i++) {
		struct open_function *function = innermost(leaving);

		if (!function || !is_left(leaving, function, here))
			return;
		send_function(leaving->task, leaving->state, leaving->open, leaving->now,
			      FUNCTION_LEFT);
	}
}

static __always_inline void function_begins(struct leaving *leaving,
					    const struct function_point *point)
{
	struct open_function *function = innermost(leaving);
	struct task_state *state = leaving->state;

	if (point->kind == POINT_BEGIN_OF_LOOP && function && function->stack == leaving->stack &&
	    function->function == point->function)
		return;
	leave(leaving, true);
	if (state->depth >= FUNCTIONS_OPEN_MAX - 1) { /* levels have eight bits */
		state->beyond++;
		return;
	}
	function = open_at(leaving->open, state->depth);
	function->stack = leaving->stack;
	function->function = point->function;
	state->depth++;
	function->begin = bpf_ktime_get_ns();
}

/* An end of which there was no begin is that of a call which began before, or was too deep. */
static __always_inline void function_ends(struct leaving *leaving,
					  const struct function_point *point)
{
	struct open_function *function;

	leave(leaving, false);
	function = innermost(leaving);
	if (function && function->stack == leaving->stack && function->function == point->function)
		send_function(leaving->task, leaving->state, leaving->open, leaving->now, 0);
}

SEC("uprobe")
int function_point(struct pt_regs *regs)
{
	u64 now = bpf_ktime_get_ns();
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of(task);
	struct function_point *point;
	struct leaving leaving = {.task = task, .state = state, .now = now};

	if (!state)
		return 0;
	point = point_of(task, instruction_of(regs));
	if (!point) {
		count(COUNTER_NO_FUNCTION);
		return 0;
	}
	leaving.open = bpf_task_storage_get(&opened, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!leaving.open) {
		count(COUNTER_NO_MEMORY);
		return 0;
	}
	leaving.stack = BPF_CORE_READ(regs, sp);
	leaving.of_signals = is_of_signals(task, leaving.stack);
	if (point->kind != POINT_END)
		function_begins(&leaving, point);
	if (point->kind == POINT_WHOLE)
		leaving.now = bpf_ktime_get_ns();
	if (point->kind == POINT_END || point->kind == POINT_WHOLE)
		function_ends(&leaving, point);
	return 0;
}

#endif
