/* SPDX-License-Identifier: MIT */
/* sources.c - see sources.h */
#include "record/sources.h"

#include <stdatomic.h>
#include <string.h>

#include "record/arena.h"
#include "record/bulk.h"
#include "record/critical.h"
#include "record/named.h"
#include "record/sys.h"

#define TEXT_MAX 1024u /* of each of the five */
#define PAYLOAD_MAX (5 * (TEXT_MAX + 2) + 16)
#define BLOCK_SIZE (256u << 10)

/* Packed, as it goes into streams; never removed. */
struct source {
	uint32_t size;
	uint8_t payload[];
};

static struct source *_Atomic sources[NAMED_MAX] BULK;
static struct {
	_Atomic bool busy;
	uint8_t *next;
	size_t left;
} block;

static struct text cut(struct text text)
{
	if (text.length > TEXT_MAX)
		text.length = TEXT_MAX;
	return text;
}

/* Room for a source; the block is the caller's until source_set() gives it back. */
static struct source *room(void)
{
	if (block.left < sizeof(struct source) + PAYLOAD_MAX) {
		void *memory = sys_mmap(BLOCK_SIZE, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1);

		if (sys_is_error((long)memory))
			return NULL;
		block.next = memory;
		block.left = BLOCK_SIZE;
	}
	return (struct source *)block.next;
}

static void take(size_t size)
{
	size = (size + 7) & ~(size_t)7;
	block.next += size;
	block.left -= size;
}

void source_set(uint32_t function, const struct def_source *source)
{
	struct def_source def = *source;
	struct source *kept;
	uint64_t blocked;

	if (!named_has(function))
		return;
	blocked = critical_enter_alone();
	while (atomic_exchange(&block.busy, true))
		sys_sched_yield();
	def.function = function;
	def.module = cut(def.module);
	def.path = cut(def.path);
	def.file = cut(def.file);
	def.args = cut(def.args);
	def.locals = cut(def.locals);
	kept = room();
	if (kept) {
		kept->size = (uint32_t)def_source_pack(kept->payload, PAYLOAD_MAX, &def);
		take(sizeof(*kept) + kept->size);
		atomic_store(&sources[function - function_count], kept);
	}
	atomic_store(&block.busy, false);
	critical_leave_alone(blocked);
}

void sources_forked(void)
{
	atomic_store(&block.busy, false);
}

static const struct source *source_of(uint32_t function)
{
	return named_has(function) ? atomic_load(&sources[function - function_count]) : NULL;
}

/* A handler may define a function on a stack of 2 KiB, so nothing is copied here. */
bool source_define(uint32_t function)
{
	const struct source *source = source_of(function);

	if (!source) /* that of the function without arguments is this one's, but for the number */
		source = source_of(named_base(function));
	return !source || arena_put_numbered(DEF_SOURCE, function, source->payload, source->size);
}
