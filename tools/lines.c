/* SPDX-License-Identifier: MIT */
/* lines.c - see lines.h */
#include "lines.h"

#include <stdlib.h>

#define SLOTS 64u
#define TEXT_MAX 640u
#define NUMBER_MAX 24u /* bytes of a number */
#define EXACT_MAX 9007199254740992

struct line {
	bool used;
	uint16_t func_id, level, arg_count;
	uint32_t stream, tid;
	uint32_t ids[EVENT_NUMBERS];
	int64_t numbers[EVENT_NUMBERS]; /* the result's first if it is shown, then the arguments' */
	uint16_t begin[EVENT_NUMBERS], end[EVENT_NUMBERS];
	unsigned number_count;
	uint16_t head, size; /* the second part is from `head` on */
	char text[TEXT_MAX];
};

struct lines {
	struct line slots[SLOTS];
	struct line *kept; /* one that is being made */
	struct output scratch, *output;
	int64_t second; /* of the time that was written last */
	char second_text[NUMBER_MAX];
	unsigned second_size;
};

struct lines *lines_new(void)
{
	struct lines *lines = calloc(1, sizeof(*lines));

	if (lines)
		lines->second = -1;
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

static struct line *slot_of(struct lines *lines, const struct recorder_record *record)
{
	uint32_t file = record->arg_count > 0 ? record->args[0].id : 0;
	uint32_t hash = record->func_id * 0x9E3779B1u + record->stream * 0x85EBCA6Bu +
			file * 0xC2B2AE35u + record->level * 0x27D4EB2Fu;

	return &lines->slots[hash / (UINT32_MAX / SLOTS + 1)];
}

/* What lines can be kept of: what else there is in a line would not be like the one before. */
static bool is_plain(const struct out_events *events, const struct recorder_record *record)
{
	if (record->err || record->flags || record->repeat != 1 ||
	    !events_are_numbers(events, record->func_id))
		return false;
	for (unsigned i = 0; i < record->arg_count; i++)
		if (record->args[i].state != RECORDER_ARG_PRESENT)
			return false;
	return true;
}

/* ---- numbers ---- */

/* Writes another number into a line. */
static void change(struct line *line, unsigned which, int64_t value)
{
	char digits[NUMBER_MAX];
	unsigned size = output_digits(digits, (uint64_t)value);
	unsigned before = line->end[which] - line->begin[which];

	line->numbers[which] = value;
	if (size != before) {
		memmove(line->text + line->begin[which] + size, line->text + line->end[which],
			line->size - line->end[which]);
		for (unsigned i = which; i < line->number_count; i++) {
			line->end[i] = (uint16_t)(line->end[i] + size - before);
			if (i > which)
				line->begin[i] = (uint16_t)(line->begin[i] + size - before);
		}
		line->size = (uint16_t)(line->size + size - before);
	}
	memcpy(line->text + line->begin[which], digits, size);
}

static inline bool take_number(struct line *line, unsigned which, int64_t value)
{
	if (value == line->numbers[which])
		return true;
	if (value < 0 || value > EXACT_MAX)
		return false;
	change(line, which, value);
	return true;
}

/* Makes the line that of the record. False: it is too different. */
static bool take_numbers(struct line *line, const struct recorder_record *record)
{
	unsigned first = line->number_count - line->arg_count;

	if (first && !take_number(line, 0, record->ret))
		return false;
	for (unsigned i = 0; i < line->arg_count; i++)
		if (record->args[i].id != line->ids[i] ||
		    !take_number(line, first + i, record->args[i].i64))
			return false;
	return true;
}

/* Microseconds: seconds are mostly those of the time before. */
static char *put_time(struct lines *lines, char *to, int64_t us)
{
	int64_t second = us / 1000000;

	if (second != lines->second) {
		lines->second = second;
		lines->second_size = output_digits(lines->second_text, (uint64_t)second);
	}
	memcpy(to, lines->second_text, sizeof(lines->second_text));
	return output_six(to + lines->second_size, (uint32_t)(us - second * 1000000));
}

/* ---- lines ---- */

static inline char *copy(char *to, const char *from, size_t size)
{
	memcpy(to, from, size);
	return to + size;
}

static void put_line(struct lines *lines, struct out_events *events, const struct line *line,
		     const struct recorder_record *record, uint64_t number)
{
	int64_t begin = event_unix_us(events, record->tstart);
	int64_t end = event_unix_us(events, record->tend);
	char *to;

	output_room(events->output, TEXT_MAX + 5 * NUMBER_MAX);
	to = copy(events->output->next, "{\"id\":", 6);
	to += output_digits(to, number);
	to = copy(to, line->text, line->head);
	to = put_time(lines, to, begin);
	to = copy(to, ",\"dur\":", 7);
	to += output_digits(to, (uint64_t)(end - begin));
	events->output->next = copy(to, line->text + line->head, line->size - line->head);
}

bool lines_put(struct lines *lines, struct out_events *events, const struct recorder_record *record,
	       uint32_t tid, uint64_t number)
{
	struct line *line = slot_of(lines, record);

	if (!line->used || line->func_id != record->func_id || line->stream != record->stream ||
	    line->tid != tid || line->level != record->level ||
	    line->arg_count != record->arg_count || !is_plain(events, record) ||
	    record->tstart < -events->start || record->tend < record->tstart)
		return false;
	if (!take_numbers(line, record)) {
		line->used = false;
		return false;
	}
	put_line(lines, events, line, record, number);
	return true;
}

bool lines_keep(struct lines *lines, struct out_events *events,
		const struct recorder_record *record, uint32_t tid)
{
	struct line *line = slot_of(lines, record);

	if (!is_plain(events, record) || events_line_size(events, record->func_id) + 256 > TEXT_MAX)
		return false;
	line->used = false;
	line->func_id = record->func_id;
	line->stream = record->stream;
	line->tid = tid;
	line->level = record->level;
	line->arg_count = record->arg_count;
	lines->kept = line;
	lines->output = events->output;
	lines->scratch = (struct output){
		.buffer = line->text, .next = line->text, .end = line->text + TEXT_MAX, .fd = -1};
	events->output = &lines->scratch;
	return true;
}

void lines_divide(struct lines *lines)
{
	lines->kept->head = (uint16_t)(lines->scratch.next - lines->scratch.buffer);
}

void lines_kept(struct lines *lines, struct out_events *events,
		const struct recorder_record *record, const char *const *places, unsigned count)
{
	struct line *line = lines->kept;
	unsigned first = count - record->arg_count;

	line->number_count = count;
	line->size = (uint16_t)(lines->scratch.next - line->text);
	for (unsigned i = 0; i < count; i++) {
		line->begin[i] = (uint16_t)(places[2 * i] - line->text);
		line->end[i] = (uint16_t)(places[2 * i + 1] - line->text);
	}
	if (first)
		line->numbers[0] = record->ret;
	for (unsigned i = 0; i < record->arg_count; i++) {
		line->ids[i] = record->args[i].id;
		line->numbers[first + i] = record->args[i].i64;
	}
	line->used = !lines->scratch.error;
	events->output = lines->output;
}
