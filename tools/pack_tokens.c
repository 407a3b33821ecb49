/* SPDX-License-Identifier: MIT */
/* pack_tokens.c - see pack_tokens.h */
#include "pack_tokens.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/defs.h"
#include "format/meta.h"
#include "format/pack_expand.h"

#define TEXT_MOST 512u /* longer ones are not looked into */

/* ---- shapes ---- */

void shape_clear(struct part_shape *shape)
{
	buffer_clear(&shape->ops);
	buffer_clear(&shape->numbers);
	buffer_clear(&shape->times);
	buffer_clear(&shape->clocks);
	buffer_clear(&shape->blobs);
	buffer_clear(&shape->literal);
}

void shape_release(struct part_shape *shape)
{
	buffer_release(&shape->ops);
	buffer_release(&shape->numbers);
	buffer_release(&shape->times);
	buffer_release(&shape->clocks);
	buffer_release(&shape->blobs);
	buffer_release(&shape->literal);
}

struct shape_mark shape_mark(const struct part_shape *shape)
{
	return (struct shape_mark){shape->ops.size, shape->numbers.size, shape->times.size,
				   shape->clocks.size, shape->blobs.size};
}

void shape_take_back(struct part_shape *shape, struct shape_mark mark)
{
	shape->ops.size = mark.ops;
	shape->numbers.size = mark.numbers;
	shape->times.size = mark.times;
	shape->clocks.size = mark.clocks;
	shape->blobs.size = mark.blobs;
	buffer_clear(&shape->literal);
}

void shape_op(struct part_shape *shape, unsigned op)
{
	uint8_t byte = (uint8_t)op;

	buffer_add(&shape->ops, &byte, 1);
}

void shape_number(struct part_shape *shape, uint64_t number)
{
	buffer_add(&shape->numbers, &number, sizeof(number));
}

void shape_blob(struct part_shape *shape, uint64_t number)
{
	uint64_t at = shape->numbers.size / sizeof(number);

	buffer_add(&shape->blobs, &at, sizeof(at));
	shape_number(shape, number);
}

void shape_time(struct part_shape *shape, enum pack_clock clock, uint64_t time)
{
	/* "none" is not a time of the clock */
	uint8_t byte = time == 0 ? PACK_SIZE : (uint8_t)clock;

	buffer_add(&shape->times, &time, sizeof(time));
	buffer_add(&shape->clocks, &byte, 1);
}

/* ---- tokens ---- */

static void end_literal(struct part_shape *shape)
{
	if (shape->literal.size == 0)
		return;
	shape_op(shape, PACK_TOKEN_BYTES);
	buffer_add_varint(&shape->ops, shape->literal.size);
	buffer_add(&shape->ops, shape->literal.bytes, shape->literal.size);
	buffer_clear(&shape->literal);
}

static void token(struct part_shape *shape, unsigned token)
{
	end_literal(shape);
	shape_op(shape, token);
}

static void token_number(struct part_shape *shape, unsigned type, uint64_t number)
{
	token(shape, type);
	shape_number(shape, number);
}

static void token_time(struct part_shape *shape, enum pack_clock clock, uint64_t time)
{
	token(shape, PACK_TOKEN_TIME);
	shape_time(shape, clock, time);
}

/*
 * The kernel puts the libraries of each process elsewhere, but all of them together: how far one is from the one before is nearly the same in all. The program
 * itself lies elsewhere by a distance of its own, on all machines in another sixteenth of the space.
 */
static void token_address(struct part_shape *shape, uint64_t address)
{
	uint64_t far = address - shape->address;

	if ((address >> 44 & 7) != 7 || far & ((1u << PACK_PAGE_SHIFT) - 1)) {
		token_number(shape, PACK_TOKEN_U64, address);
		return;
	}
	token_number(shape, PACK_TOKEN_ADDRESS, (uint64_t)((int64_t)far >> PACK_PAGE_SHIFT));
	shape->address = address;
}

void tokens_end(struct part_shape *shape)
{
	token(shape, PACK_TOKEN_END);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void token_digits(struct part_shape *shape, const char *digits, size_t count)
{
	uint64_t number = 0;

	if (count > PACK_DIGITS_MAX || (digits[0] == '0' && count > 1)) {
		buffer_add(&shape->literal, digits, count);
		return;
	}
	for (size_t i = 0; i < count; i++)
		number = number * 10 + (uint64_t)(digits[i] - '0');
	token_number(shape, PACK_TOKEN_DECIMAL, number);
}

void tokens_text(struct part_shape *shape, const void *text, size_t size)
{
	const char *p = text;

	if (size > TEXT_MOST) {
		buffer_add(&shape->literal, text, size);
		return;
	}
	for (size_t i = 0; i < size;) {
		size_t end = i;

		while (end < size && is_digit(p[end]) == is_digit(p[i]))
			end++;
		if (is_digit(p[i]))
			token_digits(shape, p + i, end - i);
		else
			buffer_add(&shape->literal, p + i, end - i);
		i = end;
	}
}

/* ---- metadata ---- */

static bool ends_in(struct text text, const char *suffix)
{
	size_t length = strlen(suffix);

	return text.length >= length &&
	       memcmp(text.bytes + text.length - length, suffix, length) == 0;
}

static bool is(struct text text, const char *other)
{
	return text.length == strlen(other) && ends_in(text, other);
}

/* The clock that a value is of; PACK_CLOCKS: it is no time. */
static enum pack_clock clock_of(struct text key)
{
	if (ends_in(key, ".ticks") || is(key, "main.begin") || is(key, "main.end"))
		return PACK_TICKS;
	if (ends_in(key, ".mono"))
		return PACK_MONO;
	if (ends_in(key, ".real") || is(key, "end.time") || is(key, "created"))
		return PACK_REAL;
	return is(key, "bytes") ? PACK_SIZE : PACK_CLOCKS;
}

static void token_value(struct part_shape *shape, struct text key, uint64_t value)
{
	enum pack_clock clock = clock_of(key);

	if (clock == PACK_CLOCKS)
		token_number(shape, PACK_TOKEN_U64, value);
	else
		token_time(shape, clock, value);
}

int tokens_meta(struct part_shape *shape, struct bytes body)
{
	struct meta_entry entry;
	const uint8_t *begin = body.p;

	while (meta_next(&body, &entry)) {
		const uint8_t *value = (const uint8_t *)entry.key.bytes + entry.key.length;
		uint64_t word;

		buffer_add(&shape->literal, begin, (size_t)(value - begin));
		begin = body.p;
		if (entry.type == META_BYTES) {
			token_number(shape, PACK_TOKEN_U32, entry.bytes.length);
			tokens_text(shape, entry.bytes.bytes, entry.bytes.length);
			continue;
		}
		memcpy(&word, value, sizeof(word));
		token_value(shape, entry.key, word);
	}
	return body.bad ? -EBADMSG : 0;
}

/* ---- definitions ---- */

/*
 * What the payload of an entry is made of: 2, 4 and 8 bytes, an address (a), a time (t), a text (s), as many 4 bytes as there are (*). What is left, and entries of other types,
 * is taken as it is.
 */
static const char *const payloads[] = {
	[DEF_FILE] = "448888s44s", [DEF_THREAD] = "4444ts48", [DEF_MODULE] = "44aa8ss",
	[DEF_NAME] = "4ss",        [DEF_COMM] = "4484444s*",  [DEF_DATATYPE] = "4488s",
	[DEF_STRING] = "4s",       [DEF_MPIFILE] = "4444s",   [DEF_OBJECT] = "44ss",
	[DEF_WIN] = "44448",       [DEF_DIRECTORY] = "44t",   [DEF_SOURCE] = "4444sssss",
};

static bool token_field(struct part_shape *shape, struct bytes *payload, char form)
{
	struct bytes before = *payload;
	struct text text;
	uint64_t value;

	switch (form) {
	case '4':
	case '*':
		value = bytes_u32(payload);
		if (!payload->bad)
			token_number(shape, PACK_TOKEN_U32, value);
		break;
	case '8':
	case 'a':
	case 't':
		value = bytes_u64(payload);
		if (payload->bad)
			break;
		if (form == 't')
			token_time(shape, PACK_TICKS, value);
		else if (form == 'a')
			token_address(shape, value);
		else
			token_number(shape, PACK_TOKEN_U64, value);
		break;
	default:
		text = bytes_str(payload);
		if (payload->bad)
			break;
		token_number(shape, PACK_TOKEN_U16, text.length);
		tokens_text(shape, text.bytes, text.length);
		break;
	}
	if (!payload->bad)
		return true;
	*payload = before;
	return false;
}

static void tokens_payload(struct part_shape *shape, const char *form, struct bytes payload)
{
	while (form && *form && token_field(shape, &payload, *form))
		form += *form != '*';
	buffer_add(&shape->literal, payload.p, bytes_left(&payload));
}

static bool all_zeros(const uint8_t *p, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (p[i])
			return false;
	return true;
}

/* An entry as it lies in a chunk. */
struct raw_entry {
	struct def_header header;
	const uint8_t *begin, *payload;
	uint32_t place;   /* among its like */
	struct text path; /* of a module */
};

/* The next entry; false: there is none that ends where it should, with zeros behind it. */
static bool next_entry(struct bytes *entries, struct raw_entry *entry)
{
	const uint8_t *pad;
	size_t padding;

	entry->begin = bytes_take(entries, sizeof(entry->header));
	if (!entry->begin)
		return false;
	memcpy(&entry->header, entry->begin, sizeof(entry->header));
	padding = -(size_t)entry->header.size & 7;
	entry->payload = bytes_take(entries, entry->header.size);
	pad = bytes_take(entries, padding);
	return entry->payload && pad && all_zeros(pad, padding);
}

static void put_entry(struct part_shape *shape, const struct raw_entry *entry, bool in_group)
{
	const struct def_header *header = &entry->header;
	struct bytes payload = bytes_of(entry->payload, header->size);
	const char *form = header->type < sizeof(payloads) / sizeof(payloads[0])
				   ? payloads[header->type]
				   : NULL;

	token_number(shape, PACK_TOKEN_U32, header->size);
	buffer_add(&shape->literal, entry->begin + sizeof(header->size),
		   sizeof(*header) - sizeof(header->size));
	if (in_group) { /* the number of the module goes on in the order in which they come */
		token_number(shape, PACK_TOKEN_PLACE, bytes_u32(&payload) - entry->place);
		form++;
	}
	tokens_payload(shape, form, payload);
	token(shape, PACK_TOKEN_PAD);
}

/* The modules that come next, which may come in any order: each process has its libraries elsewhere. Their number; the first and what follows are read. */
static unsigned take_modules(struct bytes *entries, struct raw_entry *modules)
{
	struct bytes next = *entries;
	unsigned count = 0;

	while (count < PACK_GROUP_MAX && next_entry(&next, &modules[count])) {
		struct raw_entry *module = &modules[count];
		struct def_module def;

		if (module->header.type != DEF_MODULE ||
		    !def_module_unpack(bytes_of(module->payload, module->header.size), &def) ||
		    def.id < count)
			break;
		module->place = count++;
		module->path = def.path;
		*entries = next;
	}
	return count;
}

static int by_path(const void *a, const void *b)
{
	const struct raw_entry *x = a, *y = b;
	size_t least = x->path.length < y->path.length ? x->path.length : y->path.length;
	int order = memcmp(x->path.bytes, y->path.bytes, least);

	if (order == 0 && x->path.length != y->path.length)
		order = x->path.length < y->path.length ? -1 : 1;
	return order ? order : x->place < y->place ? -1 : 1;
}

static void put_modules(struct part_shape *shape, struct raw_entry *modules, unsigned count)
{
	uint32_t order[PACK_GROUP_MAX];

	qsort(modules, count, sizeof(*modules), by_path);
	token(shape, PACK_TOKEN_GROUP);
	buffer_add_varint(&shape->ops, count);
	for (unsigned i = 0; i < count; i++)
		order[modules[i].place] = i;
	for (unsigned i = 0; i < count; i++)
		shape_number(shape, order[i]);
	for (unsigned i = 0; i < count; i++) {
		put_entry(shape, &modules[i], true);
		tokens_end(shape);
	}
}

int tokens_defs(struct part_shape *shape, struct bytes entries)
{
	struct raw_entry modules[PACK_GROUP_MAX], entry;

	shape->address = 0;
	while (bytes_left(&entries) > 0) {
		unsigned count = take_modules(&entries, modules);

		if (count > 0)
			put_modules(shape, modules, count);
		else if (next_entry(&entries, &entry))
			put_entry(shape, &entry, false);
		else
			return -EBADMSG;
	}
	return 0;
}

int tokens_end_chunk(struct part_shape *shape, struct bytes body)
{
	struct end_head head;
	struct end_tail tail;

	if (bytes_left(&body) != sizeof(head) + sizeof(tail))
		return -EBADMSG;
	memcpy(&head, body.p, sizeof(head));
	memcpy(&tail, body.p + sizeof(head), sizeof(tail));
	token_number(shape, PACK_TOKEN_U64, head.records);
	token_number(shape, PACK_TOKEN_U64, head.lost);
	token_number(shape, PACK_TOKEN_U32, head.entries);
	token_number(shape, PACK_TOKEN_U32, head.reserved);
	token_time(shape, PACK_SIZE, tail.offset);
	buffer_add(&shape->literal, tail.magic, sizeof(tail.magic));
	return 0;
}
