/* SPDX-License-Identifier: MIT */
/* named.c - see named.h */
#include "record/named.h"

#include <string.h>

#include "record/bulk.h"
#include "record/selection.h"
#include "record/text.h"

#define TEXTS_SIZE (1u << 20) /* bytes of all names */
#define BUCKETS 4096u
#define SLOTS_OF_OTHERS 256u /* kept back, and for them as much room for names */
#define TEXTS_OF_OTHERS 16384u

/* One without arguments has its name here; one with arguments the name of the last one, and the others where `parent` has them. */
struct slot {
	const char *text, *category;
	uint32_t hash;
	uint16_t next;         /* in its bucket, slot + 1; 0: none */
	uint16_t parent, base; /* slots; its own: it has no arguments */
	_Atomic uint16_t
		grown; /* the one with one argument more that was asked for last, slot + 1; 0: none */
	uint8_t layer; /* enum named_layer */
	uint8_t kind;  /* enum kind, of the result or of the last argument */
	uint8_t arg_count;
	bool other; /* it stands for all that have no slot */
	_Atomic bool filled;
};

static struct slot slots[NAMED_MAX] BULK;
_Atomic uint32_t named_count;
static _Atomic uint16_t buckets[BUCKETS] BULK; /* slot + 1 */
static char texts[TEXTS_SIZE] BULK;
static _Atomic uint32_t texts_used;

static const char *const layer_names[NAMED_LAYERS] = {[NAMED_USER] = "user",
						      [NAMED_NATIVE] = "native",
						      [NAMED_PYTHON] = "python",
						      [NAMED_MEM] = "mem"};

const char *named_layer_name(enum named_layer layer)
{
	return layer_names[layer];
}

static struct slot *slot_of(uint32_t function)
{
	uint32_t number = function - function_count;

	return function >= function_count && number < NAMED_MAX &&
			       atomic_load_explicit(&slots[number].filled, memory_order_acquire)
		       ? &slots[number]
		       : NULL;
}

static uint32_t number_of(const struct slot *slot)
{
	return function_count + (uint32_t)(slot - slots);
}

/* ---- finding ---- */

static uint32_t hash_of(const struct slot *key)
{
	uint64_t hash =
		text_hash(key->text, strlen(key->text),
			  (uint64_t)key->kind << 24 | (uint64_t)key->layer << 16 | key->parent);

	return (uint32_t)(key->category ? text_hash(key->category, strlen(key->category), hash)
					: hash);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Only functions with arguments have a parent that is not themselves. */
static bool same(const struct slot *slot, const struct slot *key)
{
	return slot->hash == key->hash && slot->other == key->other &&
	       slot->arg_count == key->arg_count &&
	       (key->arg_count == 0 || slot->parent == key->parent) && slot->layer == key->layer &&
	       slot->kind == key->kind && same_text(slot->text, key->text) &&
	       same_text(slot->category, key->category);
}

/* `first`: of the chain, slot + 1. */
static struct slot *find(uint16_t first, const struct slot *key)
{
	for (uint16_t at = first; at > 0; at = slots[at - 1].next)
		if (same(&slots[at - 1], key))
			return &slots[at - 1];
	return NULL;
}

/* ---- adding ---- */

/*
 * The place of `size` more of what `used` counts; UINT32_MAX: they would be more than `room`. What does not fit is never counted, not even for a moment: who came in between would be
 * given a place, and the next one the same.
 */
static uint32_t take(_Atomic uint32_t *used, uint32_t size, uint32_t room)
{
	uint32_t at = atomic_load(used);

	do {
		if (size > room || at > room - size)
			return UINT32_MAX;
	} while (!atomic_compare_exchange_weak(used, &at, at + size));
	return at;
}

static const char *keep_text(const char *text, uint32_t room)
{
	uint32_t size = (uint32_t)strlen(text) + 1;
	uint32_t at = take(&texts_used, size, room);

	return at == UINT32_MAX ? NULL : memcpy(texts + at, text, size);
}

static struct slot *take_slot(uint32_t room)
{
	uint32_t number = take(&named_count, 1, room);

	return number == UINT32_MAX ? NULL : &slots[number];
}

static uint8_t state_of(const struct slot *slot)
{
	return selection_state(layer_names[slot->layer], slots[slot->base].text);
}

/* A slot that nobody sees yet; NULL: there is no room. */
static struct slot *fill(const struct slot *key)
{
	uint32_t room = key->other ? TEXTS_SIZE : TEXTS_SIZE - TEXTS_OF_OTHERS;
	const char *text = keep_text(key->text, room);
	const char *category = key->category ? keep_text(key->category, room) : NULL;
	struct slot *slot = NULL;
	uint16_t number;

	if (text && (category || !key->category))
		slot = take_slot(key->other ? NAMED_MAX : NAMED_MAX - SLOTS_OF_OTHERS);
	if (!slot)
		return NULL;
	number = (uint16_t)(slot - slots);
	slot->text = text;
	slot->category = category;
	slot->hash = key->hash;
	slot->layer = key->layer;
	slot->kind = key->kind;
	slot->arg_count = key->arg_count;
	slot->other = key->other;
	slot->parent = key->arg_count ? key->parent : number;
	slot->base = key->arg_count ? key->base : number;
	function_set_state(number_of(slot), state_of(slot));
	atomic_store_explicit(&slot->filled, true, memory_order_release);
	return slot;
}

static uint32_t find_or_add(struct slot *key)
{
	_Atomic uint16_t *bucket;
	struct slot *slot, *added = NULL;
	uint16_t first;

	key->hash = hash_of(key);
	bucket = &buckets[key->hash % BUCKETS];
	first = atomic_load_explicit(bucket, memory_order_acquire);
	for (;;) {
		slot = find(first, key);
		if (slot)
			return number_of(slot);
		if (!added)
			added = fill(key);
		if (!added)
			return NAMED_NONE;
		added->next = first;
		if (atomic_compare_exchange_strong(bucket, &first, (uint16_t)(added - slots + 1)))
			return number_of(added);
	}
}

/* Where it is too long, its begin, in `room`. */
static const char *cut(char *room, size_t size, const char *text)
{
	if (strnlen(text, size) < size)
		return text;
	memcpy(room, text, size - 1);
	room[size - 1] = '\0';
	return room;
}

uint32_t named_find(enum named_layer layer, enum kind result, const char *name,
		    const char *category)
{
	char name_room[NAMED_NAME_MAX + 1], category_room[NAMED_OTHER_MAX + 1];
	struct slot key = {.layer = (uint8_t)layer, .kind = (uint8_t)result};

	key.text = cut(name_room, sizeof(name_room), name ? name : "");
	key.category =
		category && *category ? cut(category_room, sizeof(category_room), category) : NULL;
	return find_or_add(&key);
}

static uint32_t add_argument(struct slot *parent, const char *argument, enum kind kind)
{
	char room[NAMED_OTHER_MAX + 1];
	struct slot key = {.kind = (uint8_t)kind};
	uint32_t number;

	key.layer = parent->layer;
	key.other = parent->other;
	key.parent = (uint16_t)(parent - slots);
	key.base = parent->base;
	key.arg_count = (uint8_t)(parent->arg_count + 1);
	key.text = cut(room, sizeof(room), argument);
	number = find_or_add(&key);
	if (number != NAMED_NONE)
		atomic_store_explicit(&parent->grown, (uint16_t)(number - function_count + 1),
				      memory_order_release);
	return number;
}

uint32_t named_other(enum named_layer layer, enum kind result)
{
	struct slot key = {
		.layer = (uint8_t)layer, .kind = (uint8_t)result, .text = "other", .other = true};
	uint32_t number = find_or_add(&key);

	return number == NAMED_NONE ? NAMED_NONE : named_with(number, "name", KIND_string);
}

bool named_is_other(uint32_t function)
{
	const struct slot *slot = slot_of(function);

	return slot && slot->other;
}

/* What is said of a region is the same each time, mostly: no name has to be hashed. */
uint32_t named_with(uint32_t function, const char *argument, enum kind kind)
{
	struct slot *parent = slot_of(function);
	uint16_t grown;

	if (!parent || parent->arg_count == NAMED_ARGS_MAX)
		return NAMED_NONE;
	grown = atomic_load_explicit(&parent->grown, memory_order_acquire);
	if (grown && slots[grown - 1].kind == kind && strcmp(slots[grown - 1].text, argument) == 0)
		return function_count + grown - 1u;
	return add_argument(parent, argument, kind);
}

/* ---- asking ---- */

bool named_describe(uint32_t function, struct named_description *description)
{
	const struct slot *slot = slot_of(function);

	if (!slot)
		return false;
	description->layer = layer_names[slot->layer];
	description->name = slots[slot->base].text;
	description->category = slots[slot->base].category;
	description->result = slots[slot->base].kind;
	description->arg_count = slot->arg_count;
	for (; slot->arg_count; slot = &slots[slot->parent]) {
		description->args[slot->arg_count - 1].name = slot->text;
		description->args[slot->arg_count - 1].kind = slot->kind;
	}
	return true;
}

uint32_t named_base(uint32_t function)
{
	const struct slot *slot = slot_of(function);

	return slot ? number_of(&slots[slot->base]) : NAMED_NONE;
}

enum kind named_result(uint32_t function)
{
	const struct slot *slot = slot_of(function);

	return slot ? (enum kind)slots[slot->base].kind : KIND_none;
}

bool named_is_mark(uint32_t function)
{
	const struct slot *slot = slot_of(function);
	uint8_t kind = slot ? slots[slot->base].kind : KIND_none;

	return kind >= KIND_instant && kind <= KIND_metadata;
}

enum named_layer named_layer_of(uint32_t function)
{
	const struct slot *slot = slot_of(function);

	return slot ? (enum named_layer)slot->layer : NAMED_LAYERS;
}

int named_argument(uint32_t function, const char *argument, enum kind kind)
{
	char room[NAMED_OTHER_MAX + 1];
	const char *name = cut(room, sizeof(room), argument);

	for (const struct slot *slot = slot_of(function); slot && slot->arg_count;
	     slot = &slots[slot->parent])
		if (slot->kind == kind && strcmp(slot->text, name) == 0)
			return slot->arg_count - 1;
	return -1;
}

void named_select(void)
{
	for (uint32_t function = function_count; function < named_end(); function++) {
		const struct slot *slot = slot_of(function);

		if (slot)
			function_set_state(function, state_of(slot));
	}
}
