/* SPDX-License-Identifier: MIT */
/* show_structs.c - see show_structs.h */
#include "read/show_structs.h"

#include "format/kinds.h"

/* A word that has a name. */
static void put_word(struct text_out *out, const struct shown *shown, const char *what,
		     enum kind kind, int64_t value)
{
	struct shown part = *shown;

	text_out_add(out, what);
	part.kind = (int)kind;
	part.kind_name = kind_name(kind);
	show_symbol(out, &part, value);
}

/* One of a status; gives what goes before the next one. */
static const char *put_status_symbol(struct text_out *out, const struct shown *shown,
				     const char *before, const char *what, enum kind kind,
				     int64_t value)
{
	text_out_add(out, before);
	put_word(out, shown, what, kind, value);
	return ", ";
}

static const char *put_status_bytes(struct text_out *out, const char *before, int64_t bytes)
{
	text_out_add(out, before);
	text_out_add(out, bytes == STATUS_WORD_CANCELLED ? "cancelled" : "bytes=");
	if (bytes >= 0)
		text_out_decimal(out, bytes);
	else if (bytes != STATUS_WORD_CANCELLED)
		text_out_char(out, '?');
	return ", ";
}

/* One status: of source, tag, bytes and error what MPI defines. */
static void put_status(struct text_out *out, const struct shown *shown, const int64_t *status)
{
	const char *before = "{";

	if (status[0] != STATUS_WORD_UNDEFINED)
		before = put_status_symbol(out, shown, before, "source=", KIND_rank, status[0]);
	if (status[1] != STATUS_WORD_UNDEFINED)
		before = put_status_symbol(out, shown, before, "tag=", KIND_tag, status[1]);
	if (status[2] != STATUS_WORD_UNDEFINED)
		before = put_status_bytes(out, before, status[2]);
	if (status[3] != 0)
		before = put_status_symbol(out, shown, before, "error=", KIND_mpi_error, status[3]);
	text_out_add(out, *before == '{' ? "{}" : "}");
}

void show_cut(struct text_out *out, uint32_t count, uint32_t original)
{
	if (count == original)
		return;
	text_out_add(out, count ? ", ..." : "...");
	text_out_decimal(out, original);
}

void show_statuses(struct text_out *out, const struct shown *shown)
{
	const struct recorder_arg *arg = shown->arg;
	uint32_t count = arg->count / 4;

	if (count == 1 && arg->original == 4) {
		put_status(out, shown, arg->elements);
		return;
	}
	text_out_char(out, '[');
	for (uint32_t i = 0; i < count; i++) {
		text_out_add(out, i ? ", " : "");
		put_status(out, shown, arg->elements + 4 * (size_t)i);
	}
	show_cut(out, count, arg->original / 4);
	text_out_char(out, ']');
}

void show_flock(struct text_out *out, const struct shown *shown)
{
	const int64_t *words = shown->arg->elements;

	put_word(out, shown, "{", KIND_record_lock, words[0]);
	put_word(out, shown, ", ", KIND_whence, words[1]);
	text_out_add(out, ", start=");
	text_out_decimal(out, words[2]);
	text_out_add(out, ", length=");
	text_out_decimal(out, words[3]);
	if (words[4] != 0) {
		text_out_add(out, ", pid=");
		text_out_decimal(out, words[4]);
	}
	text_out_char(out, '}');
}
