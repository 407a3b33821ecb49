/* SPDX-License-Identifier: MIT */
/*
 * lines.c - see lines.h.
 *
 * A line is two texts, up to the duration and behind it, which are copied as they are; then the last digits of the numbers that are others are
 * written over the copy. Only when more digits than these change, the text is changed, too.
 */
#include "lines.h"

#include <stdlib.h>

#include "read/digits.h"

#define SLOTS 128u
#define TEXT_MAX 640u
#define NUMBER_MAX 24u /* bytes of a number */
#define BLOCK 64u      /* bytes that are copied at once */
#define DIGITS 4u      /* that are written over */
#define ELEMENTS 16u   /* of arrays that are kept */
#define EXACT_MAX 9007199254740992

/* A number in a text. Those from `low` on, `span` of them, differ from it in the last digits alone. */
struct number {
	int64_t value;
	uint64_t low, span;
	uint64_t base; /* what the digits before the last ones say */
	uint16_t begin, end;
	uint16_t digits; /* how many the last ones are */
};

struct text {
	struct number numbers[EVENT_NUMBERS];
	unsigned count;
	unsigned size;
	char bytes[TEXT_MAX + BLOCK];
};

enum { ID, TIME }; /* the numbers of the first text */

struct line {
	uint32_t asked; /* the hash of who could not be put by it last */
	bool used;
	bool has_result; /* the tail's first number is the result's */
	bool has_same;   /* something must be as it was, or above 0, beside the ids */
	uint16_t func_id, level, arg_count, flags;
	uint32_t stream, tid;
	uint32_t ret_id; /* the file that the call gives may be the one it is on */
	struct event_shape shape;
	uint32_t ids[EVENT_SHAPE_ARGS]; /* of the arguments */
	uint8_t sources[EVENT_NUMBERS]; /* which arguments the tail's other numbers are */
	unsigned source_count;
	int64_t ret;                      /* what is not a number of the tail is as here */
	int64_t values[EVENT_SHAPE_ARGS]; /* of an array: how many elements */
	int64_t elements[ELEMENTS];       /* of all arrays, behind each other */
	struct text head, tail;
};

struct lines {
	struct line slots[SLOTS];
	struct line *last; /* one that was used */
	struct line *kept; /* one that is being made */
	struct output scratch, *output;
	size_t divided; /* where its parts meet */
	char text[TEXT_MAX];
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

	if (line->shape.numbers >> i & 1)
		return !(line->shape.named >> i & 1) || arg->i64 > 0;
	if (!(line->shape.arrays >> i & 1))
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

	if (!line->has_result && record->ret != line->ret)
		return false;
	for (unsigned i = 0; i < line->arg_count; i++)
		if (!is_same(line, i, &record->args[i], &elements))
			return false;
	return true;
}

/* ---- numbers ---- */

/* Which numbers can be written over it: one that is not `plain` is not of digits alone. */
static void set_range(struct number *number, bool plain)
{
	uint64_t value = (uint64_t)number->value;
	unsigned size = number->end - number->begin;

	number->digits = (uint16_t)(size < DIGITS ? size : DIGITS);
	number->base = value / 10000 * 10000;
	number->low = number->base;
	number->span = 10000;
	if (value < 10000) {
		static const uint16_t least[] = {0, 0, 10, 100, 1000, 10000};

		number->low = least[number->digits];
		number->span = least[number->digits + 1] - number->low;
	}
	if (!plain)
		number->span = 0;
}

/* Writes another number into a text. */
static void change(struct text *text, unsigned which, int64_t value)
{
	struct number *number = &text->numbers[which];
	char digits[NUMBER_MAX];
	unsigned size = digits_put(digits, (uint64_t)value);
	unsigned before = number->end - number->begin;

	number->value = value;
	if (size != before) {
		memmove(text->bytes + number->begin + size, text->bytes + number->end,
			text->size - number->end);
		for (unsigned i = which; i < text->count; i++) {
			text->numbers[i].end = (uint16_t)(text->numbers[i].end + size - before);
			if (i > which)
				text->numbers[i].begin =
					(uint16_t)(text->numbers[i].begin + size - before);
		}
		text->size += size - before;
	}
	memcpy(text->bytes + number->begin, digits, size);
	set_range(number, true);
}

/* Makes the text that of another number, but for its last digits. */
static bool come_near(struct text *text, unsigned which, int64_t value)
{
	const struct number *number = &text->numbers[which];

	if (value == number->value || (uint64_t)value - number->low < number->span)
		return true;
	if (value < 0 || value > EXACT_MAX)
		return false;
	change(text, which, value);
	return true;
}

/* Writes the last digits into a copy of the text. False: others are different, too. */
static inline bool put_number(char *copy, const struct number *number, int64_t value)
{
	char *to = copy + number->end;
	unsigned digits;

	if (value == number->value)
		return true;
	if ((uint64_t)value - number->low >= number->span)
		return false;
	digits = (unsigned)((uint64_t)value - number->base);
	if (__builtin_expect(number->digits == DIGITS, 1)) {
		digits_pair(to - 4, digits / 100);
		digits_pair(to - 2, digits % 100);
		return true;
	}
	for (unsigned i = number->digits; i > 0; i--, digits /= 10)
		*--to = (char)('0' + digits % 10);
	return true;
}

/* ---- lines ---- */

/* Makes the line that of the record, but for last digits. False: it is too different. */
static __attribute__((noinline)) bool come_near_all(struct line *line,
						    const struct recorder_record *record,
						    int64_t number, int64_t begin)
{
	unsigned first = line->has_result;

	if (!come_near(&line->head, ID, number) || !come_near(&line->head, TIME, begin) ||
	    (first && !come_near(&line->tail, 0, record->ret)))
		return false;
	for (unsigned i = 0; i < line->source_count; i++)
		if (!come_near(&line->tail, first + i, record->args[line->sources[i]].i64))
			return false;
	return true;
}

/* A little more than what is there, which is faster than as much. */
static inline void copy(char *to, const struct text *text)
{
	for (unsigned i = 0; i < text->size; i += BLOCK)
		memcpy(to + i, text->bytes + i, BLOCK);
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
	const struct number *numbers = line->tail.numbers;
	char *to = events->output->next;

	copy(to, &line->head);
	if (!put_number(to, &line->head.numbers[ID], number) ||
	    !put_number(to, &line->head.numbers[TIME], begin))
		return false;
	to = put_duration(to + line->head.size, (uint64_t)(end - begin));
	copy(to, &line->tail);
	if (line->has_result && !put_number(to, numbers++, record->ret))
		return false;
	for (unsigned i = 0; i < line->source_count; i++)
		if (!put_number(to, numbers++, record->args[line->sources[i]].i64))
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
	return !line->has_same || are_same(line, record);
}

bool lines_put(struct lines *lines, struct out_events *events, const struct recorder_record *record,
	       uint32_t tid, uint64_t number)
{
	struct line *line = lines->last;
	int64_t begin, end;

	if (!is_like(line, record, tid)) {
		line = slot_of(lines, hash_of(events, record));
		if (!is_like(line, record, tid))
			return false;
		lines->last = line;
	}
	if (record->tstart < -events->start || record->tend < record->tstart)
		return false;
	begin = (int64_t)((uint64_t)(record->tstart + events->start) / 1000);
	end = (int64_t)((uint64_t)(record->tend + events->start) / 1000);
	output_room(events->output, 2 * (TEXT_MAX + BLOCK) + NUMBER_MAX);
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
	uint32_t hash = hash_of(events, record);
	struct line *line = slot_of(lines, hash);

	if (!is_plain(events, record) || events_line_size(events, record->func_id) + 256 > TEXT_MAX)
		return false;
	/* what comes once is not worth it: a file that is opened, closed and not used again */
	if (line->asked != hash) {
		line->asked = hash;
		return false;
	}
	line->used = false;
	line->shape = *event_shape(events, record->func_id);
	line->func_id = record->func_id;
	line->stream = record->stream;
	line->tid = tid;
	line->level = record->level;
	line->flags = record->flags;
	line->arg_count = record->arg_count;
	line->ret_id = record->ret_id;
	lines->kept = line;
	lines->output = events->output;
	lines->scratch = (struct output){.buffer = lines->text,
					 .next = lines->text,
					 .end = lines->text + TEXT_MAX,
					 .fd = -1};
	events->output = &lines->scratch;
	return true;
}

void lines_divide(struct lines *lines)
{
	lines->divided = (size_t)(lines->scratch.next - lines->scratch.buffer);
}

static void add_bytes(struct text *text, const char *bytes, size_t size)
{
	memcpy(text->bytes + text->size, bytes, size);
	text->size += (unsigned)size;
}

/* A place for a number, which comes when the text is first used. */
static void add_number(struct text *text)
{
	struct number *number = &text->numbers[text->count++];

	*number = (struct number){.value = INT64_MIN, .begin = (uint16_t)text->size};
	number->end = number->begin;
}

static void make_head(struct text *head, const char *text, size_t size)
{
	head->size = head->count = 0;
	add_bytes(head, "{\"id\":", 6);
	add_number(head);
	add_bytes(head, text, size);
	add_number(head);
	add_bytes(head, ",\"dur\":", 7);
}

static void make_tail(struct text *tail, const char *text, size_t size, const char *const *places,
		      unsigned count)
{
	tail->size = 0;
	tail->count = count;
	add_bytes(tail, text, size);
	for (unsigned i = 0; i < count; i++) {
		tail->numbers[i].begin = (uint16_t)(places[2 * i] - text);
		tail->numbers[i].end = (uint16_t)(places[2 * i + 1] - text);
	}
}

static void set_value(struct number *number, int64_t value)
{
	number->value = value;
	set_range(number, value >= 0 && value <= EXACT_MAX);
}

/* What the next calls are compared with. */
static void keep_values(struct line *line, const struct recorder_record *record)
{
	const struct event_shape *shape = &line->shape;
	int64_t *elements = line->elements;

	line->has_result = shape->result;
	line->has_same = !shape->result || shape->named;
	line->ret = record->ret;
	line->source_count = 0;
	for (unsigned i = 0; i < record->arg_count; i++) {
		const struct recorder_arg *arg = &record->args[i];

		line->ids[i] = arg->id;
		line->values[i] = shape->arrays >> i & 1 ? arg->count : arg->i64;
		if (shape->numbers >> i & 1)
			line->sources[line->source_count++] = (uint8_t)i;
		else
			line->has_same = true;
		if (!(shape->arrays >> i & 1))
			continue;
		memcpy(elements, arg->elements, arg->count * sizeof(*elements));
		elements += arg->count;
	}
}

static void set_values(struct line *line, const struct recorder_record *record)
{
	struct number *numbers = line->tail.numbers;

	if (line->has_result)
		set_value(numbers++, record->ret);
	for (unsigned i = 0; i < line->source_count; i++)
		set_value(numbers++, record->args[line->sources[i]].i64);
}

void lines_kept(struct lines *lines, struct out_events *events,
		const struct recorder_record *record, const char *const *places, int count)
{
	struct line *line = lines->kept;
	const char *tail = lines->text + lines->divided;

	events->output = lines->output;
	/* the head has two numbers more, and ,"dur": */
	if (count < 0 || lines->scratch.error || lines->divided + 2 * NUMBER_MAX + 16 > TEXT_MAX)
		return;
	make_head(&line->head, lines->text, lines->divided);
	make_tail(&line->tail, tail, (size_t)(lines->scratch.next - tail), places, (unsigned)count);
	keep_values(line, record);
	set_values(line, record);
	line->used = true;
}
