/* SPDX-License-Identifier: MIT */
/* stacks.c - see stacks.h */
#include "record/stacks.h"

#include <link.h>
#include <string.h>

#include "format/defs.h"
#include "record/arena.h"
#include "record/bulk.h"
#include "record/critical.h"
#include "record/modules.h"
#include "record/sanitizer.h"
#include "record/sys.h"
#include "record/wipe.h"

#define SLOTS_SIZE (256u << 10) /* bytes of one thread's slots */
#define OWN_FRAMES_MAX 8u       /* the recorder's, before the program's */
#define WORDS_MORE 12u          /* of them, and of signals */

#define TABLE_SIZE (1u << 16)
#define STACKS_MAX (TABLE_SIZE / 4 * 3)
#define POOL_WORDS (2u << 20)

/* One thread's. */
struct stack_memory {
	uint32_t generation; /* of the rules */
	struct unwind_rules rules;
	uint64_t frames[STACKS_DEPTH_MAX];
	struct def_frame defined[STACKS_DEPTH_MAX];
	uint8_t payload[STACKS_DEPTH_MAX * sizeof(struct def_frame) + 64];
	_Alignas(64) uint8_t slots[];
};

/* A stack of the process. */
struct node {
	uint64_t hash;
	uint32_t id, generation;
	uint32_t count, flags;
	uint64_t frames[];
};

struct table {
	_Atomic uint32_t last_id, pool_used;
	_Atomic uint32_t slots[TABLE_SIZE]; /* place in the pool, plus one */
	uint64_t pool[POOL_WORDS];
};

uint32_t stacks_depth, stacks_slot_mask, stacks_slot_shift;

_Atomic uint32_t stacks_generation;

/* By the ring's slot; never freed. */
static _Atomic(struct stack_memory *) memories[THREADS_MAX] BULK;
static _Atomic(struct table *) table;
static _Atomic uint64_t missing;

static uint32_t none(void)
{
	atomic_fetch_add_explicit(&missing, 1, memory_order_relaxed);
	return 0;
}

uint64_t stacks_missing(void)
{
	return atomic_load(&missing);
}

void stacks_forked(void)
{
	atomic_store(&missing, 0);
}

static int count_unloaded(struct dl_phdr_info *info, size_t size, void *subs)
{
	(void)size;
	*(unsigned long long *)subs = info->dlpi_subs;
	return 1;
}

void stacks_closed(void)
{
	static _Atomic unsigned long long before;
	unsigned long long now = 0;

	/* most calls only count down how often the library is in use */
	if (!dl_iterate_phdr(count_unloaded, &now) || atomic_exchange(&before, now) == now)
		return;
	modules_closed();
	atomic_fetch_add(&stacks_generation, 1);
}

/* ---- stacks of the process ---- */

static struct table *table_get(void)
{
	struct table *here = atomic_load(&table), *expected = NULL;

	if (here)
		return here;
	here = wipe_alloc(sizeof(*here));
	return here && !atomic_compare_exchange_strong(&table, &expected, here) ? expected : here;
}

/* A sum, so that no product has to wait for another; equal sums are compared. */
static uint64_t hash_frames(const uint64_t *frames, uint32_t count, uint32_t seed)
{
	uint64_t hash = seed, factor = 0x9e3779b97f4a7c15u;

	for (uint32_t i = 0; i < count; i++, factor += 0x632be59bd9b4e01au)
		hash += frames[i] * factor;
	return hash ^ hash >> 31;
}

static bool is_same(const struct node *a, const struct node *b, const uint64_t *frames)
{
	if (a->hash != b->hash || a->generation != b->generation || a->count != b->count ||
	    a->flags != b->flags)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (a->frames[i] != frames[i])
			return false;
	return true;
}

static bool define(struct stack_memory *memory, const struct node *node)
{
	struct def_stack def = {.id = node->id,
				.count = (uint16_t)node->count,
				.flags = (uint16_t)node->flags,
				.frames = memory->defined};

	for (uint32_t i = 0; i < node->count; i++) {
		struct encode_site site = modules_find(node->frames[i] & ~UNWIND_INTERRUPTED);

		memory->defined[i] = (struct def_frame){
			site.module, node->frames[i] & UNWIND_INTERRUPTED ? FRAME_INTERRUPTED : 0,
			site.offset};
	}
	return arena_put(DEF_STACK, memory->payload,
			 def_stack_pack(memory->payload, sizeof(memory->payload), &def));
}

/* A node like `wanted`, defined; its place in the pool plus one, 0: no room. */
static uint32_t make_node(struct table *here, struct stack_memory *memory,
			  const struct node *wanted)
{
	uint32_t words = (uint32_t)(sizeof(*wanted) / 8) + wanted->count, at;
	struct node *node;

	if (atomic_load_explicit(&here->last_id, memory_order_relaxed) >= STACKS_MAX ||
	    atomic_load_explicit(&here->pool_used, memory_order_relaxed) + words > POOL_WORDS)
		return 0;
	at = atomic_fetch_add(&here->pool_used, words);
	if (at + words > POOL_WORDS)
		return 0;
	node = (struct node *)&here->pool[at];
	*node = *wanted;
	memcpy(node->frames, memory->frames, wanted->count * sizeof(*node->frames));
	node->id = atomic_fetch_add(&here->last_id, 1) + 1;
	return define(memory, node) ? at + 1 : 0;
}

/* The number of the stack in memory->frames; 0: no room. */
static uint32_t intern(struct stack_memory *memory, uint32_t count, uint32_t flags)
{
	struct table *here = table_get();
	struct node wanted = {.generation = memory->generation, .count = count, .flags = flags};
	uint32_t made = 0;

	if (!here)
		return 0;
	wanted.hash = hash_frames(memory->frames, count, memory->generation + (flags << 16));
	for (uint32_t probe = (uint32_t)(wanted.hash >> 32);; probe++) {
		_Atomic uint32_t *slot = &here->slots[probe % TABLE_SIZE];
		uint32_t place = atomic_load_explicit(slot, memory_order_acquire);
		const struct node *node;

		if (!place) {
			if (!made && !(made = make_node(here, memory, &wanted)))
				return 0;
			if (atomic_compare_exchange_strong(slot, &place, made))
				place = made;
		}
		node = (const struct node *)&here->pool[place - 1];
		if (is_same(node, &wanted, memory->frames))
			return node->id;
	}
}

/* ---- stacks of a thread ---- */

/* Words of a walk: return addresses, and as many frame pointers. */
static uint32_t word_max(void)
{
	return 2 * stacks_depth + WORDS_MORE;
}

void stacks_init(uint32_t depth)
{
	uint32_t size = (uint32_t)(sizeof(struct stack_slot) +
				   (2 * depth + WORDS_MORE + 1) * sizeof(struct unwind_word));

	stacks_slot_shift = 0;
	while (1u << stacks_slot_shift < size)
		stacks_slot_shift++;
	stacks_slot_mask = (SLOTS_SIZE >> stacks_slot_shift) - 1;
	stacks_depth = depth;
}

static struct stack_memory *memory_get(const struct thread *thread)
{
	struct stack_memory *memory =
		atomic_load_explicit(&memories[thread->ring_slot], memory_order_relaxed);

	if (!memory) {
		memory = wipe_alloc(sizeof(*memory) + SLOTS_SIZE);
		atomic_store_explicit(&memories[thread->ring_slot], memory, memory_order_relaxed);
	}
	return memory;
}

/* The frames of the program into memory->frames; *count of them. How it ended; the slot gets the words. */
static enum unwind_end walk(struct stack_memory *memory, struct unwind *unwind, uintptr_t site,
			    uint32_t *count)
{
	*count = 0;
	for (unsigned own = 0; unwind->pc != site; own++) {
		if (own == OWN_FRAMES_MAX || unwind_step(unwind) != UNWIND_GOES_ON)
			return UNWIND_LOST;
	}
	/* the one word that is `site` need not be looked at again: that it is there is known */
	if (unwind->word_count == 1)
		unwind->word_count = 0;
	return unwind_frames(unwind, memory->frames, stacks_depth, count);
}

static void fill(struct stack_slot *slot, const struct unwind *unwind,
		 const struct unwind_start *start, uintptr_t site, uint32_t id)
{
	slot->site = site;
	slot->pc = start->pc;
	slot->sp = start->sp;
	slot->fp = start->fp;
	slot->fp_mask = unwind->start_fp ? UINTPTR_MAX : 0;
	slot->word_count = unwind->word_count;
	slot->words[unwind->word_count] = (struct unwind_word){(uintptr_t)&slot->sp, 0};
	slot->id = id;
}

static uint32_t capture(struct stack_memory *memory, struct stack_slot *slot,
			const struct unwind_start *start, uintptr_t site)
{
	uint32_t now = atomic_load(&stacks_generation), count, id;
	struct unwind unwind;
	enum unwind_end end;

	slot->sp = 0;
	slot->generation = now;
	if (memory->generation != now)
		memset(&memory->rules, 0, sizeof(memory->rules));
	memory->generation = now;
	unwind_begin(&unwind, &memory->rules, start, slot->words, word_max());
	end = walk(memory, &unwind, site, &count);
	id = count ? intern(memory, count, end == UNWIND_OUTERMOST ? 0 : STACK_CUT) : 0;
	if (!id)
		return none();
	if (end != UNWIND_LOST && !unwind.overflown) /* what is lost now may be found later */
		fill(slot, &unwind, start, site, id);
	return id;
}

uint32_t stacks_capture(struct thread *thread, const struct unwind_start *start, uintptr_t site)
{
	struct stack_memory *memory = memory_get(thread);
	uint32_t id;

	if (!memory)
		return none();
	if (thread == thread_tls.self)
		thread_tls.stacks = memory->slots;
	critical_enter();
	id = capture(memory, stack_slot_of(memory->slots, start->sp, site), start, site);
	critical_leave();
	return id;
}
