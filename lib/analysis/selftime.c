/* SPDX-License-Identifier: MIT */
/* selftime.c - see selftime.h */
#include "analysis/selftime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS_MORE 8u

static const struct open_call no_call = {.end = INT64_MIN};

static struct call_stack *stack_of(struct call_stacks *stacks, uint32_t thread)
{
	struct call_stack *stack;

	if (stacks->recent && stacks->recent_thread == thread)
		return stacks->recent;
	stack = idmap_get(&stacks->threads, thread + 1);
	if (!stack) {
		stack = calloc(1, sizeof(*stack));
		if (stack && idmap_set(&stacks->threads, thread + 1, stack)) {
			free(stack);
			return NULL;
		}
	}
	stacks->recent = stack;
	stacks->recent_thread = thread;
	return stack;
}

static int make_room(struct call_stack *stack, uint32_t level)
{
	uint32_t room = level + LEVELS_MORE;
	struct open_call *calls;

	if (level < stack->room)
		return 0;
	calls = realloc(stack->calls, room * sizeof(*calls));
	if (!calls)
		return -ENOMEM;
	for (uint32_t i = stack->room; i < room; i++)
		calls[i] = no_call;
	stack->calls = calls;
	stack->room = room;
	return 0;
}

int call_stacks_take(struct call_stacks *stacks, const struct recorder_record *record,
		     const struct tally_kind *kind, const struct tally_kind **around)
{
	struct call_stack *stack = stack_of(stacks, record->thread);
	struct open_call *call;

	*around = NULL;
	if (!stack || make_room(stack, record->level))
		return -ENOMEM;
	call = &stack->calls[record->level];
	call->end = record->tend;
	call->kind = *kind;
	for (uint32_t level = record->level; level-- > 0;)
		if (stack->calls[level].end >= record->tend) {
			*around = &stack->calls[level].kind;
			break;
		}
	return 0;
}

void call_stacks_release(struct call_stacks *stacks)
{
	for (uint32_t i = 0; i < stacks->threads.count; i++) {
		struct call_stack *stack = stacks->threads.entries[i].value;

		free(stack->calls);
		free(stack);
	}
	idmap_release(&stacks->threads);
}

#ifdef UNIT_TEST
#include "unittest.h"

static const struct tally_kind *take(struct call_stacks *stacks, uint32_t thread, uint16_t level,
				     int64_t begin, int64_t end)
{
	struct recorder_record record = {
		.thread = thread, .level = level, .tstart = begin, .tend = end};
	const struct tally_kind kind = {.place.function = level}, *around;

	EXPECT(call_stacks_take(stacks, &record, &kind, &around) == 0);
	return around;
}

TEST_CASE(selftime_finds_the_call_around)
{
	struct call_stacks stacks = {0};

	EXPECT(!take(&stacks, 0, 0, 0, 100));
	EXPECT(!take(&stacks, 7, 1, 5, 15)); /* what is around was filtered out */
	EXPECT_EQ(take(&stacks, 0, 2, 10, 20)->place.function, 0);
	EXPECT_EQ(take(&stacks, 0, 1, 30, 50)->place.function, 0);
	EXPECT_EQ(take(&stacks, 0, 2, 30, 50)->place.function, 1);
	EXPECT_EQ(take(&stacks, 0, 2, 60, 70)->place.function, 0);
	EXPECT(!take(&stacks, 0, 1, 101, 102));
	EXPECT(!take(&stacks, UINT32_MAX, 1, 10, 20));
	call_stacks_release(&stacks);
}
#endif
