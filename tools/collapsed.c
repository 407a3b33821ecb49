/* SPDX-License-Identifier: MIT */
/* collapsed.c - see collapsed.h */
#include "collapsed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/quantities.h"
#include "harmless.h"
#include "message.h"

#define DEEPEST 4096u /* calls that enclose each other: a broken trace may say anything */

struct frame {
	uint32_t parent, name;
	int64_t weight;
};

struct known_stack {
	const struct callstack *stack;
	uint32_t root, frame;
};

static struct frame *frame_at(const struct collapsed *collapsed, uint32_t number)
{
	return (struct frame *)collapsed->frames.bytes + number;
}

static const char *name_at(const struct collapsed *collapsed, uint32_t number)
{
	return (const char *)collapsed->texts.bytes +
	       ((const size_t *)collapsed->names.bytes)[number];
}

/* ---- names ---- */

/* A semicolon ends a frame, a line break a line. */
static void add_text(struct buffer *texts, const char *text, size_t length)
{
	for (size_t i = 0, taken; i < length; i += taken) {
		size_t control = text[i] == ';' ? 1 : control_size(text + i, length - i);

		taken = control ? control : 1;
		buffer_add(texts, control ? "::" : &text[i], taken);
	}
	buffer_add(texts, "", 1);
}

static uint32_t name_number(struct collapsed *collapsed, const char *text, size_t length)
{
	size_t at = collapsed->texts.size;
	uint32_t hash, position, count;
	int64_t number;

	add_text(&collapsed->texts, text, length);
	text = (const char *)collapsed->texts.bytes + at;
	hash = position = index_hash(text, length);
	while ((number = index_next(&collapsed->name_index, hash, &position)) >= 0)
		if (!strcmp(name_at(collapsed, (uint32_t)number), text)) {
			collapsed->texts.size = at;
			return (uint32_t)number;
		}
	count = (uint32_t)(collapsed->names.size / sizeof(at));
	buffer_add(&collapsed->names, &at, sizeof(at));
	if (index_add(&collapsed->name_index, hash, count))
		die("out of memory");
	return count;
}

/* ---- frames ---- */

static uint32_t frame_in(struct collapsed *collapsed, uint32_t parent, const char *text,
			 size_t length)
{
	uint32_t key[2] = {parent, name_number(collapsed, text, length)};
	uint32_t hash = index_hash(key, sizeof(key)), position = hash, count;
	struct frame made = {parent, key[1], 0};
	int64_t number;

	if (collapsed->frames.size == 0)
		buffer_add(&collapsed->frames, &(struct frame){0, 0, 0}, sizeof(made));
	while ((number = index_next(&collapsed->frame_index, hash, &position)) >= 0) {
		const struct frame *frame = frame_at(collapsed, (uint32_t)number);

		if (frame->parent == key[0] && frame->name == key[1])
			return (uint32_t)number;
	}
	count = (uint32_t)(collapsed->frames.size / sizeof(made));
	buffer_add(&collapsed->frames, &made, sizeof(made));
	if (index_add(&collapsed->frame_index, hash, count))
		die("out of memory");
	return count;
}

static uint32_t named_frame(struct collapsed *collapsed, uint32_t parent, const char *text)
{
	return frame_in(collapsed, parent, text, strlen(text));
}

static uint32_t root_of(struct collapsed *collapsed, const struct recorder_record *record)
{
	char text[96], number[QUANTITY_ROOM];
	uint32_t root;

	if (collapsed->roots == COLLAPSED_TOGETHER)
		return 0;
	snprintf(text, sizeof(text), "rank %s", quantity_rank(number, record->world, record->rank));
	root = named_frame(collapsed, 0, text);
	if (collapsed->roots == COLLAPSED_BY_RANK)
		return root;
	snprintf(text, sizeof(text), "thread %" PRIu32, record->tid);
	return named_frame(collapsed, root, text);
}

static uint32_t frame_of_stack(struct collapsed *collapsed, const struct callstack *stack,
			       uint32_t frame)
{
	if (stack->cut)
		frame = named_frame(collapsed, frame, "[cut]");
	for (unsigned i = stack->count; i-- > 0;) {
		const struct call_frame *of = &stack->frames[i];
		char *text;

		if (of->line && *of->line->function) {
			frame = named_frame(collapsed, frame, of->line->function);
			continue;
		}
		text = callsite_text(of->site, of->line);
		if (!text)
			die("out of memory");
		frame = named_frame(collapsed, frame, text);
		free(text);
	}
	return frame;
}

/* Equal stacks are looked at once. */
static uint32_t stack_frame(struct collapsed *collapsed, const struct recorder_record *record)
{
	struct known_stack wanted, *known;
	uint32_t hash, position;
	int64_t number;

	memset(&wanted, 0, sizeof(wanted)); /* it is compared byte by byte */
	wanted.stack = callstacks_find(collapsed->callstacks, record->stream, record->stack);
	wanted.root = root_of(collapsed, record);
	if (!wanted.stack)
		die("out of memory");
	hash = position = index_hash(&wanted, offsetof(struct known_stack, frame));
	while ((number = index_next(&collapsed->stack_index, hash, &position)) >= 0) {
		known = (struct known_stack *)(void *)collapsed->stacks.bytes + number;
		if (known->stack == wanted.stack && known->root == wanted.root)
			return known->frame;
	}
	wanted.frame = frame_of_stack(collapsed, wanted.stack, wanted.root);
	if (index_add(&collapsed->stack_index, hash,
		      (uint32_t)(collapsed->stacks.size / sizeof(wanted))))
		die("out of memory");
	buffer_add(&collapsed->stacks, &wanted, sizeof(wanted));
	return wanted.frame;
}

/* ---- weights ---- */

static void add_weight(struct collapsed *collapsed, uint32_t number, int64_t weight)
{
	struct frame *frame = frame_at(collapsed, number);

	if (__builtin_add_overflow(frame->weight, weight, &frame->weight))
		frame->weight = INT64_MAX;
}

static int64_t weight_of(const struct collapsed *collapsed, const struct call_count *count)
{
	if (collapsed->weight == COLLAPSED_CALLS)
		return count->calls < INT64_MAX ? (int64_t)count->calls : INT64_MAX;
	return collapsed->weight == COLLAPSED_TIME ? count->time : count->bytes;
}

/* ---- records ---- */

static void free_nest(void *value)
{
	if (value)
		buffer_release(value);
	free(value);
}

void collapsed_stream(struct collapsed *collapsed)
{
	numbered_release(&collapsed->nests, free_nest);
	memset(&collapsed->nests, 0, sizeof(collapsed->nests));
}

/* The innermost call that the record lies in; NULL: none that the filter has left. Those that have ended go, but not for what goes on beside them: it may end later than what it lies in. */
static const struct collapsed_call *enclosing(struct buffer *nest,
					      const struct recorder_record *record, bool aside)
{
	const struct collapsed_call *calls = (const void *)nest->bytes;
	size_t count = nest->size / sizeof(*calls);

	while (count > 0 &&
	       (calls[count - 1].level >= record->level || calls[count - 1].end < record->tend))
		count--;
	if (!aside)
		nest->size = count * sizeof(*calls);
	return count > 0 ? &calls[count - 1] : NULL;
}

static struct buffer *nest_of(struct collapsed *collapsed, const struct recorder_record *record)
{
	void **nest = numbered_at(&collapsed->nests, record->stream, record->thread);

	if (nest && !*nest)
		*nest = calloc(1, sizeof(struct buffer));
	if (!nest || !*nest)
		die("out of memory");
	return *nest;
}

/* Its frame, with its weight. */
static uint32_t count_in(struct collapsed *collapsed, const struct recorder_record *record,
			 uint32_t parent, const struct call_count *count)
{
	uint32_t frame =
		named_frame(collapsed, parent, reader_function(collapsed->trace, record)->name);

	add_weight(collapsed, frame, weight_of(collapsed, count));
	return frame;
}

/* What goes on beside the thread is shown in the call that it lies in, as long as it took: none of that is the call's own time. */
void collapsed_call(struct collapsed *collapsed, const struct recorder_record *record)
{
	const struct call_count count = call_kinds_count(collapsed->kinds, record);
	struct buffer *nest = nest_of(collapsed, record);
	struct collapsed_call call = {.end = record->tend, .level = record->level};
	const struct collapsed_call *around;
	uint32_t parent;

	if (count.calls == 0)
		return;
	if (count.sum) {
		count_in(collapsed, record, root_of(collapsed, record), &count);
		return;
	}
	around = enclosing(nest, record, count.aside);
	if (around && collapsed->weight == COLLAPSED_TIME && !count.aside)
		add_weight(collapsed, around->frame, -record->busy);
	if (record->stack && collapsed->callstacks)
		parent = stack_frame(collapsed, record);
	else
		parent = around ? around->frame : root_of(collapsed, record);
	call.frame = count_in(collapsed, record, parent, &count);
	if (!count.aside && nest->size < DEEPEST * sizeof(call))
		buffer_add(nest, &call, sizeof(call));
}

/* ---- lines ---- */

/* "a;b;c" of a frame. */
static void put_path(const struct collapsed *collapsed, uint32_t number, struct buffer *path)
{
	const struct frame *frame = frame_at(collapsed, number);
	uint32_t way[DEEPEST + 512u];
	size_t depth = 0;

	for (; number && depth < sizeof(way) / sizeof(*way);
	     number = frame_at(collapsed, number)->parent)
		way[depth++] = number;
	while (depth-- > 0) {
		frame = frame_at(collapsed, way[depth]);
		buffer_add_text(path, name_at(collapsed, frame->name));
		buffer_add(path, ";", depth > 0);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void collapsed_lines(const struct collapsed *collapsed, bool all, struct buffer *lines)
{
	uint32_t count = (uint32_t)(collapsed->frames.size / sizeof(struct frame)), kept = 0;
	char **texts = calloc(count + 1u, sizeof(*texts));

	if (!texts)
		die("out of memory");
	for (uint32_t i = 1; i < count; i++) {
		struct buffer text = {0};
		char number[32];

		if (!all && frame_at(collapsed, i)->weight <= 0)
			continue;
		put_path(collapsed, i, &text);
		snprintf(number, sizeof(number), " %" PRId64, frame_at(collapsed, i)->weight);
		buffer_add(&text, number, strlen(number) + 1);
		texts[kept++] = (char *)text.bytes;
	}
	qsort(texts, kept, sizeof(*texts), by_text);
	for (uint32_t i = 0; i < kept; i++) {
		buffer_add_text(lines, texts[i]);
		buffer_add_text(lines, "\n");
		free(texts[i]);
	}
	free(texts);
}

void collapsed_add(struct collapsed *collapsed, const char *line, size_t length)
{
	const char *blank = memrchr(line, ' ', length), *end = blank ? blank : line;
	uint32_t frame = 0;

	for (const char *at = line; at < end;) {
		const char *semicolon = memchr(at, ';', (size_t)(end - at));
		size_t size = (size_t)((semicolon ? semicolon : end) - at);

		frame = frame_in(collapsed, frame, at, size);
		at += size + 1;
	}
	if (frame)
		add_weight(collapsed, frame, strtoll(end + 1, NULL, 10));
}

void collapsed_release(struct collapsed *collapsed)
{
	numbered_release(&collapsed->nests, free_nest);
	buffer_release(&collapsed->stacks);
	index_release(&collapsed->stack_index);
	buffer_release(&collapsed->frames);
	buffer_release(&collapsed->names);
	buffer_release(&collapsed->texts);
	index_release(&collapsed->frame_index);
	index_release(&collapsed->name_index);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(collapsed_lines_add_up)
{
	struct collapsed collapsed = {0};
	struct buffer lines = {0};

	collapsed_add(&collapsed, "main;pwrite 5", 13);
	collapsed_add(&collapsed, "main 7", 6);
	collapsed_add(&collapsed, "main;pwrite 6", 13);
	collapsed_add(&collapsed, "a b;c 1", 7);
	collapsed_lines(&collapsed, false, &lines);
	buffer_add(&lines, "", 1);
	EXPECT_STR((const char *)lines.bytes, "a b;c 1\nmain 7\nmain;pwrite 11\n");
	buffer_release(&lines);
	collapsed_release(&collapsed);
}
#endif
