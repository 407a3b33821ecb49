/* SPDX-License-Identifier: MIT */
/*
 * lines.c - see lines.h.
 *
 * A line is two texts with numbers (linetext.h), up to the duration and behind it.
 */
#include "lines.h"

#include <stdlib.h>

#include "linetext.h"

#define SLOTS 128u
#define ELEMENTS 16u /* of arrays that are kept */

_Static_assert(EVENT_NUMBERS <= LINETEXT_NUMBERS, "a text has room for all numbers of a call");

enum { ID, TIME }; /* the numbers of the first text */

struct line {
	uint32_t asked; /* the hash of who could not be put by it last */
	bool used;
	uint16_t func_id, level, arg_count, flags;
	uint32_t stream, tid;
	uint32_t ret_id; /* the file that the call gives may be the one it is on */
	const struct event_shape *shape;
	uint32_t ids[EVENT_SHAPE_ARGS];   /* of the arguments */
	int64_t ret;                      /* what is not a number of the tail is as here */
	int64_t values[EVENT_SHAPE_ARGS]; /* of an array: how many elements */
	int64_t elements[ELEMENTS];       /* of all arrays, behind each other */
	struct line_text head,
		tail; /* the tail's numbers: the result's if it is one, then those of shape->sources */
};

struct lines {
	struct line slots[SLOTS];
	struct line *last; /* one that was used */
	struct line *kept; /* one that is being made */
	struct output scratch, *output;
	size_t divided; /* where its parts meet */
	char text[LINETEXT_MAX];
};

struct lines *lines_new(void)
{
	struct lines *lines = calloc(1, sizeof(*lines));

	if (lines)
		lines->last = lines->slots;
	return lines;
}

void lines_free(struct lines *lines)
{
	free(lines);
}

void lines_forget(struct lines *lines)
{
	for (unsigned i = 0; i < SLOTS; i++)
		lines->slots[i].used = false;
}

/* By what a line may be found again. */
static uint32_t hash_of(const struct out_events *events, const struct recorder_record *record)
{
	const struct event_shape *shape = event_shape(events, record->func_id);
	uint32_t file = record->arg_count > 0 ? record->args[0].id : 0;
	uint32_t hash = record->func_id * 0x9E3779B1u + record->stream * 0x85EBCA6Bu +
			file * 0xC2B2AE35u + record->level * 0x27D4EB2Fu;

	/* peers, most of all */
	for (unsigned i = 0; i < record->arg_count && i < shape->arg_count; i++)
		if (!((shape->numbers | shape->arrays) >> i & 1))
			hash = ((hash ^ hash >> 15) + (uint32_t)record->args[i].i64) * 0x9E3779B1u;
	return hash;
}

static struct line *slot_of(struct lines *lines, uint32_t hash)
{
	return &lines->slots[hash / (UINT32_MAX / SLOTS + 1)];
}

/* What is said of some calls alone; a kept line has nothing of it. */
static inline bool is_special(const struct recorder_record *record)
{
	return (record->err | (record->flags & (uint16_t)~RECORDER_TIMES_SUMMED)) ||
	       record->repeat != 1;
}

/* What lines can be kept of: what else there is in a line would not be like the one before. */
static bool is_plain(const struct out_events *events, const struct recorder_record *record)
{
	const struct event_shape *shape = event_shape(events, record->func_id);
	uint32_t elements = 0;

	if (is_special(record) || !shape->fits || record->arg_count != shape->arg_count)
		return false;
	for (unsigned i = 0; i < record->arg_count; i++) {
		const struct recorder_arg *arg = &record->args[i];

		if (arg->state != RECORDER_ARG_PRESENT || (shape->named >> i & 1 && arg->i64 <= 0))
			return false;
		if (!(shape->arrays >> i & 1))
			continue;
		elements += arg->count;
		if (arg->original > arg->count || arg->count > ELEMENTS || elements > ELEMENTS)
			return false;
	}
	return true;
}

/* Whether an argument that the line has as text is as it was, or one whose number may be another has no name. */
static bool is_same(const struct line *line, unsigned i, const struct recorder_arg *arg,
		    const int64_t **elements)
{
	const int64_t *before = *elements;

	if (line->shape->numbers >> i & 1)
		return !(line->shape->named >> i & 1) || arg->i64 > 0;
	if (!(line->shape->arrays >> i & 1))
		return arg->i64 == line->values[i];
	if (arg->count != line->values[i] || arg->original > arg->count)
		return false;
	*elements += arg->count;
	return memcmp(before, arg->elements, arg->count * sizeof(*before)) == 0;
}

static __attribute__((noinline)) bool are_same(const struct line *line,
					       const struct recorder_record *record)
{
	const int64_t *elements = line->elements;

	if (!line->shape->result && record->ret != line->ret)
		return false;
	for (unsigned i = 0; i < line->arg_count; i++)
		if (!is_same(line, i, &record->args[i], &elements))
			return false;
	return true;
}

/* ---- lines ---- */

/* Makes the line that of the record, but for last digits. False: it is too different. */
static __attribute__((noinline)) bool come_near_all(struct line *line,
						    const struct recorder_record *record,
						    int64_t number, int64_t begin)
{
	unsigned first = line->shape->result;

	if (!linetext_come_near(&line->head, ID, number) ||
	    !linetext_come_near(&line->head, TIME, begin) ||
	    (first && !linetext_come_near(&line->tail, 0, record->ret)))
		return false;
	for (unsigned i = 0; i < line->shape->source_count; i++)
		if (!linetext_come_near(&line->tail, first + i,
					record->args[line->shape->sources[i]].i64))
			return false;
	return true;
}

static inline char *put_duration(char *to, uint64_t us)
{
	if (__builtin_expect(us < 10, 1)) {
		*to = (char)('0' + us);
		return to + 1;
	}
	return to + digits_put(to, us);
}

/* False: the line is not near enough. */
static inline bool put_line(struct out_events *events, const struct line *line,
			    const struct recorder_record *record, int64_t number, int64_t begin,
			    int64_t end)
{
	const struct line_number *numbers = line->tail.numbers;
	char *to = events->output->next;

	linetext_copy(to, &line->head);
	if (!linetext_put(to, &line->head.numbers[ID], number) ||
	    !linetext_put(to, &line->head.numbers[TIME], begin))
		return false;
	to = put_duration(to + line->head.size, (uint64_t)(end - begin));
	linetext_copy(to, &line->tail);
	if (line->shape->result && !linetext_put(to, numbers++, record->ret))
		return false;
	for (unsigned i = 0; i < line->shape->source_count; i++)
		if (!linetext_put(to, numbers++, record->args[line->shape->sources[i]].i64))
			return false;
	events->output->next = to + line->tail.size;
	return true;
}

static inline bool is_like(const struct line *line, const struct recorder_record *record,
			   uint32_t tid)
{
	if (!line->used || line->func_id != record->func_id || line->stream != record->stream ||
	    line->tid != tid || line->level != record->level || line->flags != record->flags ||
	    line->arg_count != record->arg_count || line->ret_id != record->ret_id ||
	    is_special(record))
		return false;
	for (unsigned i = 0; i < line->arg_count; i++)
		if (record->args[i].state != RECORDER_ARG_PRESENT ||
		    record->args[i].id != line->ids[i])
			return false;
	return !line->shape->has_same || are_same(line, record);
}

bool lines_put(struct lines *lines, struct out_events *events, const struct recorder_record *record,
	       uint32_t tid, uint64_t number)
{
	struct line *line = lines->last;
	int64_t begin, end;

	if (!is_like(line, record, tid)) {
		if (!event_shape(events, record->func_id)->fits)
			return false;
		line = slot_of(lines, hash_of(events, record));
		if (!is_like(line, record, tid))
			return false;
		lines->last = line;
	}
	if (record->tstart < -events->start || record->tend < record->tstart)
		return false;
	begin = (int64_t)((uint64_t)(record->tstart + events->start) / 1000);
	end = (int64_t)((uint64_t)(record->tend + events->start) / 1000);
	output_room(events->output, 2 * (LINETEXT_MAX + LINETEXT_BLOCK) + LINETEXT_NUMBER_MAX);
	while (!put_line(events, line, record, (int64_t)number, begin, end)) {
		line->used = come_near_all(line, record, (int64_t)number, begin);
		if (!line->used)
			return false;
	}
	return true;
}

bool lines_keep(struct lines *lines, struct out_events *events,
		const struct recorder_record *record, uint32_t tid)
{
	struct line *line;
	uint32_t hash;

	if (!is_plain(events, record) ||
	    events_line_size(events, record->func_id) + 256 > LINETEXT_MAX)
		return false;
	hash = hash_of(events, record);
	line = slot_of(lines, hash);
	/* what comes once is not worth it: a file that is opened, closed and not used again */
	if (line->asked != hash) {
		line->asked = hash;
		return false;
	}
	line->used = false;
	line->shape = event_shape(events, record->func_id);
	line->func_id = record->func_id;
	line->stream = record->stream;
	line->tid = tid;
	line->level = record->level;
	line->flags = record->flags;
	line->arg_count = record->arg_count;
	line->ret_id = record->ret_id;
	lines->kept = line;
	lines->output = events->output;
	lines->scratch = output_scratch(lines->text, sizeof(lines->text));
	events->output = &lines->scratch;
	return true;
}

void lines_divide(struct lines *lines)
{
	lines->divided = (size_t)(lines->scratch.next - lines->scratch.buffer);
}

static void make_head(struct line_text *head, const char *text, size_t size)
{
	linetext_begin(head);
	linetext_add(head, "{\"id\":", 6);
	linetext_add_number(head);
	linetext_add(head, text, size);
	linetext_add_number(head);
	linetext_add(head, ",\"dur\":", 7);
}

/* What the next calls are compared with. */
static void keep_values(struct line *line, const struct recorder_record *record)
{
	int64_t *elements = line->elements;

	line->ret = record->ret;
	for (unsigned i = 0; i < record->arg_count; i++) {
		const struct recorder_arg *arg = &record->args[i];

		line->ids[i] = arg->id;
		line->values[i] = arg->i64;
		if (!(line->shape->arrays >> i & 1))
			continue;
		line->values[i] = arg->count;
		memcpy(elements, arg->elements, arg->count * sizeof(*elements));
		elements += arg->count;
	}
}

static void make_tail(struct line *line, const char *text, size_t size, const char *const *places,
		      const struct recorder_record *record)
{
	linetext_begin(&line->tail);
	linetext_add(&line->tail, text, size);
	for (unsigned i = 0; i < line->shape->result + line->shape->source_count; i++) {
		bool is_result = line->shape->result && i == 0;
		int64_t value =
			is_result ? record->ret
				  : record->args[line->shape->sources[i - line->shape->result]].i64;

		linetext_note_number(&line->tail, (unsigned)(places[2 * i] - text),
				     (unsigned)(places[2 * i + 1] - text), value);
	}
}

void lines_kept(struct lines *lines, struct out_events *events,
		const struct recorder_record *record, const char *const *places, int count)
{
	struct line *line = lines->kept;
	const char *tail = lines->text + lines->divided;
	size_t size = (size_t)(lines->scratch.next - tail);

	events->output = lines->output;
	/* the head has two numbers more, and ,"dur": */
	if (count < 0 || lines->scratch.error ||
	    lines->divided + 2 * LINETEXT_NUMBER_MAX + 16 > LINETEXT_MAX ||
	    size + (size_t)count * LINETEXT_NUMBER_MAX > LINETEXT_MAX)
		return;
	keep_values(line, record);
	make_head(&line->head, lines->text, lines->divided);
	make_tail(line, tail, size, places, record);
	line->used = true;
}
