/* SPDX-License-Identifier: MIT */
/*
 * cursor.h - what the parts of a cursor have in common.
 *
 *	cursor.c            begin and end, and what all have in common: the public functions
 *	cursor_by_end.c     chunk after chunk of a thread, thread after thread
 *	cursor_by_time.c    all threads at once, the one first whose next record begins first
 *
 * Both hand out records of a chunk that need not be asked for anything in one way, which is most of what reading is: cursor_next_plain().
 */
#ifndef RECORDER_READ_CURSOR_H
#define RECORDER_READ_CURSOR_H

#include <recorder/reader.h>

#include "read/beneath.h"
#include "read/chunk_reader.h"
#include "read/convert.h"
#include "read/filter.h"
#include "read/share.h"
#include "read/source.h"
#include "read/trace.h"

/* Where a cursor by end is. */
struct place {
	unsigned stream, thread;
	uint32_t chunk;      /* the next one */
	uint32_t open_calls; /* of the thread, still to be given; innermost first */
	bool in_thread;
	size_t asked; /* chunks before it that are asked for */
};

/* Records that come one behind the other and need not be asked for anything, see templates.plain; zeroed: none. */
struct plain {
	const struct record_item *next, *end;
	struct template **templates;
	const uint64_t *values;
	uint64_t sequence;       /* of the next one */
	struct records *records; /* whose they are: of the chunk, or by time of the source */
};

struct reader_cursor {
	/* what each record needs: */
	struct beneath *beneath; /* NULL: no stream lies beneath another */
	struct plain plain;
	uint32_t next; /* of the records of a chunk that are not plain */
	struct reader *trace;
	struct filter filter;
	enum reader_order order;
	int status;
	unsigned part, parts;              /* 0 parts: all */
	struct share share;                /* of the chunks that are asked for */
	unsigned first_stream, end_stream; /* between them is all that the filter lets through */
	struct chunk_reader *chunks;
	struct place place; /* by end, as is the next one */
	struct records records;
	struct source_context context; /* by time, as is the rest */
	struct source *sources;
	uint32_t source_count;
	struct source **heap;
	uint32_t heap_count;
	struct source *stretch; /* the first one, if its next records may come before all others */
	int64_t limit;          /* as long as they begin before this */
	bool of_piece;
	struct number_set
		levels; /* asked for, of a trace with such streams: of what lies beneath they are not those that are stored */
	struct recorder_record placed;
	struct converter converter;
};

/* Of a signature that has more to be said than words. */
const struct recorder_record *cursor_next_special(struct reader_cursor *cursor,
						  const struct record_item *item);
/* A call in flight; NULL: its function is not known, or not asked for. */
const struct recorder_record *cursor_give_open(struct reader_cursor *cursor,
					       const struct thread *thread,
					       const struct raw_record *raw);

/* Whether none of the records of a chunk has to be asked for anything. */
static inline bool cursor_can_be_plain(const struct reader_cursor *cursor,
				       const struct records *records)
{
	return !records->raw_form && records->templates.plain && cursor->filter.none;
}

/* Records `first` to before `end` come next. */
static inline void cursor_give_plain(struct reader_cursor *cursor, struct records *records,
				     uint32_t first, uint32_t end)
{
	cursor->plain = (struct plain){.next = records->items + first,
				       .end = records->items + end,
				       .templates = records->templates.all,
				       .values = records->values,
				       .sequence = records->first_sequence + first,
				       .records = records};
}

/* The next one of these. What is rare is called last, so that all else needs no place for what a call would destroy. */
static inline const struct recorder_record *cursor_next_plain(struct reader_cursor *cursor)
{
	struct plain *plain = &cursor->plain;
	const struct record_item *item = plain->next++;
	struct template *template = plain->templates[item->signature];
	uint64_t sequence = plain->sequence++;

	if (__builtin_expect(!template->words, 0))
		return cursor_next_special(cursor, item);
	templates_put_words(template, plain->values + item->at);
	template->record.flags = template->flags;
	records_stamp(&template->record, item, sequence);
	return &template->record;
}

/* ---- by end ---- */

/* Deals out the chunks that are asked for. 0 or -ENOMEM. */
int cursor_share_chunks(struct reader_cursor *cursor);
/* NULL: the last one was before, or cursor->status says what failed. */
const struct recorder_record *cursor_next_by_end(struct reader_cursor *cursor);

/* ---- by time ---- */

/* `piece`: NULL for all that is asked for. 0 or a negative errno, as from the next ones. */
int cursor_start_by_time(struct reader_cursor *cursor, const struct reader_piece *piece);
/* Another piece, to be rewound to. */
int cursor_set_piece(struct reader_cursor *cursor, const struct reader_piece *piece);
/* To the begin, or to what begins at cursor->context.from. */
int cursor_rewind(struct reader_cursor *cursor);
/* As by end. */
const struct recorder_record *cursor_next_by_time(struct reader_cursor *cursor);

#endif
