/* SPDX-License-Identifier: MIT */
/* memsums.c - see memsums.h */
#include "record/memsums.h"

#include <stdlib.h>

#include "format/sums.h"
#include "record/call.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/critical.h"
#include "record/identity.h"
#include "record/memlink.h"
#include "record/named.h"
#include "record/note.h"
#include "record/sandbox.h"
#include "record/selection.h"
#include "record/wipe.h"

#define LAYER named_layer_name(NAMED_MEM)
#define SANDBOX_TICKS (UINT64_C(1) << 30)
#define MS UINT64_C(1000000)

/* Of librecorder-mem.so; NULL where that is not preloaded. */
extern struct mem_link recorder_mem_link __attribute__((weak));

static struct mem_link *guest;          /* NULL: nothing is counted */
static uint32_t numbers[MEM_FUNCTIONS]; /* of named functions; NAMED_NONE: no room */

static const char *const names[MEM_FUNCTIONS] = {
#define NAME(name) [MEM_##name] = #name,
	MEM_FUNCTION_LIST(NAME)
#undef NAME
};

static bool is_chosen(void)
{
	return selection_chosen_layer(config.layers, LAYER, true);
}

/* Programs that bring an allocator of their own call that. */
static bool is_in_front(void)
{
	const char *used = (const char *)(uintptr_t)malloc;

	return used >= recorder_mem_link.begin && used < recorder_mem_link.end;
}

void memsums_warn(void)
{
	/* "all" is all that can be */
	if (!config.layers || !is_chosen() || !selection_chosen(config.layers, LAYER))
		return;
	if (!&recorder_mem_link)
		note("layer mem: librecorder-mem.so is to be preloaded, too, as recorder run and "
		     "recorder env do it",
		     NULL);
	else if (!is_in_front())
		note("layer mem: the program has an allocator of its own in front of "
		     "librecorder-mem.so; its calls are not counted",
		     NULL);
}

/* Sums ---------------------------------------------------------------------------- */

/* Ticks as ns, by what a tick has been worth so far. */
static uint64_t ticks_to_ns(uint64_t ticks, const struct anchor *first, const struct anchor *now)
{
	uint64_t per_ms = clock_ticks_in((int64_t)MS, first, now);

	return (uint64_t)((unsigned __int128)ticks * MS / per_ms);
}

static struct mem_sum difference(const struct mem_block *block, unsigned i)
{
	const struct mem_sum *sum = &block->sums[i], *given = &block->given[i];
	struct mem_sum result = {
		.count = __atomic_load_n(&sum->count, __ATOMIC_RELAXED) - given->count,
		.ticks = __atomic_load_n(&sum->ticks, __ATOMIC_RELAXED) - given->ticks,
		.bytes = __atomic_load_n(&sum->bytes, __ATOMIC_RELAXED) - given->bytes,
	};

	return result;
}

static void give(struct thread *thread, struct mem_block *block, unsigned i,
		 const struct anchor *first, const struct anchor *now)
{
	struct mem_sum added = difference(block, i);
	int64_t back = now->real - (int64_t)(block->interval * config.mem_interval);
	struct sum sum = {
		.count = added.count,
		.time = ticks_to_ns(added.ticks, first, now),
		.interval = config.mem_interval,
		.back = back > 0 ? (uint64_t)back : 0,
		.bytes = i == MEM_free ? -1 : (int64_t)added.bytes,
		.queue = -1,
	};
	uint64_t args[SUM_ARGS];

	if (added.count == 0)
		return;
	block->given[i].count += added.count;
	block->given[i].ticks += added.ticks;
	block->given[i].bytes += added.bytes;
	if (numbers[i] != NAMED_NONE)
		call_store_mark(thread, numbers[i], now->ticks, args, sum_put(args, &sum));
}

void memsums_give(struct thread *thread)
{
	struct anchor first, now;
	uint64_t blocked;

	if (!thread->mem)
		return;
	first = clock_first_anchor();
	now = clock_anchor();
	blocked = critical_enter_alone();
	for (unsigned i = 0; i < MEM_FUNCTIONS; i++)
		give(thread, thread->mem, i, &first, &now);
	critical_leave_alone(blocked);
}

/* Intervals begin at multiples of Unix time: machines and runs have the same ones. */
static void begin_interval(struct mem_block *block)
{
	struct anchor first = clock_first_anchor(), now = clock_anchor();
	uint64_t number = (uint64_t)now.real / config.mem_interval;
	uint64_t rest = (number + 1) * config.mem_interval - (uint64_t)now.real;

	block->interval = number;
	block->until = now.ticks + clock_ticks_in((int64_t)rest, &first, &now);
}

/* Threads ------------------------------------------------------------------------- */

/* Whether the calling thread may store something now: else it is in the recorder, or its ring is somebody else's. */
static bool begin(struct thread *thread)
{
	if (thread_task()->in_runtime || !thread_is_idle(thread))
		return false;
	thread_set_busy(thread);
	if (thread_mode(thread) == THREAD_ACTIVE || thread_mode(thread) == THREAD_WRITE_THROUGH)
		return true;
	thread_set_idle(thread);
	return false;
}

static bool claimed(struct mem_block *block)
{
	struct thread *thread = thread_tls.self;

	if (thread_task()->in_runtime || !thread_is_idle(thread))
		return false;
	if (thread_mode(thread) == THREAD_NONE)
		thread = thread_attach();
	if (!thread || thread->mem)
		return false;
	thread->mem = block;
	return true;
}

/* Where nothing can be stored it is tried again at the next call, or, in a sandbox, some time later. */
static void turn(struct mem_block *block, uint64_t now)
{
	struct thread *thread = thread_tls.self;

	if (sandbox_active()) {
		block->until = now + SANDBOX_TICKS;
		return;
	}
	if (thread->mem != block || !begin(thread))
		return;
	memsums_give(thread);
	begin_interval(block);
	thread_set_idle(thread);
}

void memsums_thread_ended(struct thread *thread)
{
	struct mem_block *block = thread->mem;

	if (!block)
		return;
	memsums_give(thread);
	guest->leave();
	thread->mem = NULL;
	atomic_store_explicit(&block->owned, 0, memory_order_release);
}

/* Beginning ----------------------------------------------------------------------- */

void memsums_select(void)
{
	for (unsigned i = 0; guest && i < MEM_FUNCTIONS; i++) {
		uint8_t state =
			numbers[i] == NAMED_NONE ? FUNCTION_OFF : function_state_of(numbers[i]);

		__atomic_store_n(&guest->counted[i],
				 state != FUNCTION_OFF && state != FUNCTION_PAUSED,
				 __ATOMIC_RELAXED);
	}
}

static uint32_t number_of(const char *name)
{
	uint32_t number = named_find(NAMED_MEM, KIND_sum, name, NULL);

	for (unsigned i = 0; i < SUM_COMMON_ARGS && number != NAMED_NONE; i++)
		number = named_with(number, sum_parameters[i].name, sum_parameters[i].kind);
	return number;
}

void memsums_start(void)
{
	struct mem_link *found = &recorder_mem_link;

	if (!found || found->version != MEM_LINK_VERSION || !is_chosen())
		return;
	found->blocks = wipe_alloc(MEM_BLOCKS * sizeof(*found->blocks));
	if (!found->blocks)
		return;
	for (unsigned i = 0; i < MEM_FUNCTIONS; i++)
		numbers[i] = number_of(names[i]);
	found->monotonic = clock_is_monotonic;
	found->ticks = clock_monotonic_ticks;
	found->claimed = claimed;
	found->turn = turn;
	guest = found;
	memsums_select();
	__atomic_store_n(&found->ready, true, __ATOMIC_RELEASE);
}

uint64_t memsums_uncounted(void)
{
	return guest ? atomic_load(&guest->uncounted) : 0;
}
