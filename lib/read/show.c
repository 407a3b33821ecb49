/* SPDX-License-Identifier: MIT */
/* show.c - arguments and results as text, by the rules of the kinds. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <recorder/reader.h>

#include "format/kinds.h"
#include "read/by_command.h"
#include "read/symbols.h"
#include "read/text_out.h"
#include "read/trace.h"

enum rule {
	RULE_NONE,
	RULE_DECIMAL,
	RULE_UNSIGNED,
	RULE_HEX,
	RULE_HEX_SYMBOL,
	RULE_BY_COMMAND,
	RULE_FLOCK,
	RULE_OCTAL,
	RULE_DOUBLE,
	RULE_ERRNO,
	RULE_SYMBOL,
	RULE_FLAGS,
	RULE_FD,
	RULE_MAPPED,
	RULE_DEVICE,
	RULE_HANDLE,
	RULE_REQUEST,
	RULE_NUMBER,
	RULE_STRING,
	RULE_BARE,
	RULE_TRUTH,
	RULE_STRINGS,
	RULE_DECIMALS,
	RULE_FDS,
	RULE_SYMBOLS,
	RULE_HANDLES,
	RULE_STATUSES,
	RULE_OBJECT,
	RULE_NUMBERED,
	RULE_UNKNOWN, /* a class of a later version */
};

static const uint8_t kind_rules[KIND_COUNT] = {
#define KIND(name, class, text) RULE_##text,
	FORMAT_KINDS(KIND)
#undef KIND
};

/* What is shown, and where its objects are defined. */
struct shown {
	const struct stream *stream;
	const struct recorder_arg *arg;
	const char *kind_name;
	int kind; /* -1: one that we do not know */
};

/* Strings separated by zero bytes. */
static void put_strings(struct text_out *out, const struct recorder_arg *arg)
{
	const char *p = arg->bytes, *end = arg->bytes + arg->count;

	text_out_char(out, '[');
	while (p < end) {
		size_t length = strnlen(p, (size_t)(end - p));

		if (p > arg->bytes)
			text_out_add(out, ", ");
		text_out_string(out, p, length);
		p += length + 1;
	}
	text_out_add(out, arg->original > arg->count ? "...]" : "]");
}

/* Whether a name can stand in a line as it is: programs name their communicators as they like. */
static bool plain_name(const char *name)
{
	return name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				 "0123456789_.:,+-*/")] == 0;
}

static void put_name(struct text_out *out, const char *name)
{
	if (plain_name(name))
		text_out_add(out, name);
	else
		text_out_string(out, name, strlen(name));
}

/* "dict[3]": as a name, with what stands behind those of types. */
static void put_bare(struct text_out *out, const struct recorder_arg *arg)
{
	char text[256];
	size_t size = arg->count < sizeof(text) ? arg->count : 0;

	memcpy(text, arg->bytes, size);
	text[size] = '\0';
	for (char *p = text; *p; p++)
		*p = *p == '[' || *p == ']' || *p == ' ' ? '_' : *p;
	if (size > 0 && strlen(text) == size && plain_name(text))
		for (size_t i = 0; i < size; i++)
			text_out_char(out, arg->bytes[i]);
	else
		text_out_string(out, arg->bytes, arg->count);
}

static const char *defined_name(const struct shown *shown, int64_t value)
{
	if (value != (int32_t)value && value != (int64_t)(uint32_t)value)
		return NULL;
	return definitions_name(&shown->stream->defs, shown->kind_name, (uint32_t)value);
}

static void put_symbol(struct text_out *out, const struct shown *shown, int64_t value)
{
	const char *name = defined_name(shown, value);

	if (!name)
		name = symbol_name(symbols_of(shown->stream->symbols, (enum kind)shown->kind),
				   value);
	if (name)
		put_name(out, name);
	else
		text_out_decimal(out, value);
}

static void put_hex_symbol(struct text_out *out, const struct shown *shown, uint64_t value)
{
	const char *name = symbol_name(symbols_of(shown->stream->symbols, (enum kind)shown->kind),
				       (int64_t)value);

	if (name)
		text_out_add(out, name);
	else
		text_out_hex(out, value);
}

/* The bits that are a number in themselves, access mode or type of a socket, by name; gives the others. */
static uint64_t put_no_flag(struct text_out *out, int kind, uint64_t value)
{
	static const char *const modes[] = {"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"};
	static const char *const types[16] = {
		[1] = "SOCK_STREAM",    [2] = "SOCK_DGRAM", [3] = "SOCK_RAW",     [4] = "SOCK_RDM",
		[5] = "SOCK_SEQPACKET", [6] = "SOCK_DCCP",  [10] = "SOCK_PACKET",
	};

	if (kind == KIND_open_flags) {
		text_out_add(out, modes[value & 3]);
		return value & ~3ull;
	}
	if (kind == KIND_sock_type && types[value & 15]) {
		text_out_add(out, types[value & 15]);
		return value & ~15ull;
	}
	return value;
}

/*
 * Bits of `value` that have names; the rest as a number. The name of zero, if there is one,
 * stands last in the table.
 */
static void put_flags(struct text_out *out, const struct shown *shown, uint64_t value)
{
	const struct symbol *symbol = symbols_of(shown->stream->symbols, (enum kind)shown->kind);
	size_t begin = out->length;

	value = put_no_flag(out, shown->kind, value);
	for (; symbol && symbol->name; symbol++) {
		uint64_t bits = (uint64_t)symbol->value;

		if (bits ? (value & bits) != bits : (value != 0 || out->length != begin))
			continue;
		if (out->length != begin)
			text_out_char(out, '|');
		text_out_add(out, symbol->name);
		value &= ~bits;
	}
	if (value && out->length != begin)
		text_out_char(out, '|');
	if (value)
		text_out_hex(out, value);
	else if (out->length == begin)
		text_out_char(out, '0');
}

/* A descriptor and its file; a FILE * or DIR * by theirs. */
static void put_fd(struct text_out *out, const struct shown *shown)
{
	const struct recorder_arg *arg = shown->arg;
	const struct def_file *file = NULL;

	if (shown->kind == KIND_dirfd && arg->i64 == AT_FDCWD_VALUE) {
		text_out_add(out, "AT_FDCWD");
		return;
	}
	if (arg->i64 == -1 && (shown->kind == KIND_stream || shown->kind == KIND_dir)) {
		text_out_add(out, "NULL");
		return;
	}
	if (arg->i64 == STREAM_WITHOUT_FD && shown->kind == KIND_stream) {
		text_out_add(out, "memory");
		return;
	}
	text_out_decimal(out, arg->i64);
	if (arg->id)
		file = idmap_get(&shown->stream->defs.files, arg->id);
	if (!file && arg->i64 < 0)
		return;
	text_out_char(out, ' ');
	if (file)
		text_out_string(out, file->path.bytes, file->path.length);
	else
		text_out_char(out, '?');
}

static void put_mapped(struct text_out *out, const struct shown *shown)
{
	const struct def_file *file = NULL;

	if (shown->arg->id)
		file = idmap_get(&shown->stream->defs.files, shown->arg->id);
	if (file)
		text_out_string(out, file->path.bytes, file->path.length);
	else
		text_out_add(out, shown->arg->i64 < 0 ? "none" : "?");
}

/* NULL or empty: the object has no name. */
static const char *handle_text(const struct shown *shown, uint32_t id)
{
	const struct definitions *defs = &shown->stream->defs;
	const char *name = defined_name(shown, id);
	const struct def_comm *comm = NULL;
	const struct def_datatype *type = NULL;

	if (name && *name)
		return name;
	if (shown->kind == KIND_comm)
		comm = idmap_get(&defs->comms, id);
	else if (shown->kind == KIND_datatype)
		type = idmap_get(&defs->datatypes, id);
	if (comm)
		return comm->name.bytes;
	return type ? type->name.bytes : NULL;
}

/* The name that it has in MPI, else its kind and number. */
static void put_handle(struct text_out *out, const struct shown *shown, int64_t value)
{
	const char *name = handle_text(shown, (uint32_t)value);

	if (name && *name) {
		put_name(out, name);
		return;
	}
	text_out_add(out, shown->kind_name);
	text_out_char(out, '#');
	text_out_decimal(out, value);
}

static void put_text(struct text_out *out, struct text text)
{
	text_out_string(out, text.bytes, text.length);
}

static const struct def_file *object_file(const struct shown *shown,
					  const struct def_object *object)
{
	return object->file ? idmap_get(&shown->stream->defs.files, object->file) : NULL;
}

/* kind="name" or, where it has none, kind#number; the file behind it. */
static void put_object_words(struct text_out *out, const struct def_object *object,
			     const struct def_file *file, int64_t number)
{
	text_out_char(out, '{');
	if (!object->name.length && file && number == 0) {
		text_out_add(out, "file=");
	} else {
		text_out_add(out, object->kind.bytes);
		text_out_char(out, object->name.length ? '=' : '#');
		if (object->name.length)
			put_text(out, object->name);
		else
			text_out_decimal(out, number);
		text_out_add(out, ", file=");
	}
	if (file)
		put_text(out, file->path);
	else
		text_out_char(out, '?');
	text_out_char(out, '}');
}

/* A handle by what it stands for. */
static void put_object(struct text_out *out, const struct shown *shown)
{
	const struct recorder_arg *arg = shown->arg;
	const struct def_object *object = idmap_get(&shown->stream->defs.objects, arg->id);

	if (arg->id == 0 && arg->i64 == OBJECT_UNKNOWN) {
		text_out_char(out, '?');
	} else if (arg->id == 0) {
		put_symbol(out, shown, arg->i64);
	} else if (!object) {
		text_out_char(out, '?');
	} else if (object->file) {
		put_object_words(out, object, object_file(shown, object), arg->i64);
	} else if (object->name.length) {
		put_name(out, object->name.bytes);
	} else {
		text_out_add(out, object->kind.bytes);
		text_out_char(out, '#');
		text_out_decimal(out, arg->i64);
	}
}

/* A number by which a library knows a file or what is in it, and that one's name. */
static void put_numbered(struct text_out *out, const struct shown *shown)
{
	const struct recorder_arg *arg = shown->arg;
	const struct def_object *object = idmap_get(&shown->stream->defs.objects, arg->id);
	const struct def_file *file = NULL;

	put_symbol(out, shown, arg->i64);
	if (!object)
		return;
	text_out_char(out, ' ');
	if (shown->kind != KIND_varid)
		file = object_file(shown, object);
	if (file && object->name.length)
		put_object_words(out, object, file, 0);
	else
		put_text(out, file ? file->path : object->name);
}

static void put_request(struct text_out *out, int64_t value)
{
	if (value == 0)
		text_out_add(out, "MPI_REQUEST_NULL");
	else
		text_out_decimal(out, value);
}

static void put_number(struct text_out *out, int64_t value)
{
	if (value == 0)
		text_out_add(out, "NULL");
	else if (value < 0)
		text_out_char(out, '?');
	else
		text_out_decimal(out, value);
}

/* A word of a status that has a name; gives what goes before the next one. */
static const char *put_status_symbol(struct text_out *out, const struct shown *shown,
				     const char *before, const char *what, enum kind kind,
				     int64_t value)
{
	struct shown part = *shown;

	text_out_add(out, before);
	text_out_add(out, what);
	part.kind = (int)kind;
	part.kind_name = kind_name(kind);
	put_symbol(out, &part, value);
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

/* A cut array ends in "..." and the number of elements it had. */
static void put_cut(struct text_out *out, uint32_t count, uint32_t original)
{
	if (count == original)
		return;
	text_out_add(out, count ? ", ..." : "...");
	text_out_decimal(out, original);
}

static void put_statuses(struct text_out *out, const struct shown *shown)
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
	put_cut(out, count, arg->original / 4);
	text_out_char(out, ']');
}

static void put_element(struct text_out *out, const struct shown *shown, enum rule rule,
			int64_t value)
{
	const struct recorder_arg pair = {.i64 = (int32_t)value,
					  .id = (uint32_t)((uint64_t)value >> 32)};
	struct shown element = *shown;

	if (rule == RULE_HANDLES) {
		element.kind = KIND_datatype;
		element.kind_name = "datatype";
		put_handle(out, &element, value);
	} else if (rule == RULE_FDS) {
		element.arg = &pair;
		put_fd(out, &element);
	} else if (rule == RULE_SYMBOLS) {
		put_symbol(out, shown, value);
	} else {
		text_out_decimal(out, value);
	}
}

static void put_elements(struct text_out *out, const struct shown *shown, enum rule rule)
{
	const struct recorder_arg *arg = shown->arg;

	text_out_char(out, '[');
	for (uint32_t i = 0; i < arg->count; i++) {
		text_out_add(out, i ? ", " : "");
		put_element(out, shown, rule, arg->elements[i]);
	}
	put_cut(out, arg->count, arg->original);
	text_out_char(out, ']');
}

/* A word of a lock that has a name. */
static void put_flock_word(struct text_out *out, const struct shown *shown, const char *what,
			   enum kind kind, int64_t value)
{
	struct shown part = *shown;

	text_out_add(out, what);
	part.kind = (int)kind;
	part.kind_name = kind_name(kind);
	put_symbol(out, &part, value);
}

static void put_flock(struct text_out *out, const struct shown *shown)
{
	const int64_t *words = shown->arg->elements;

	if (shown->arg->count != FLOCK_WORDS) {
		put_elements(out, shown, RULE_DECIMALS);
		return;
	}
	put_flock_word(out, shown, "{", KIND_record_lock, words[0]);
	put_flock_word(out, shown, ", ", KIND_whence, words[1]);
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

static void put_pointer(struct text_out *out, int64_t value)
{
	if (value == 0)
		text_out_add(out, "NULL");
	else if (value == -1)
		text_out_add(out, "MAP_FAILED");
	else
		text_out_hex(out, (uint64_t)value);
}

/* A kind that a command decides on: which one it is in this record. */
static void follow_command(struct shown *shown, const struct recorder_record *record)
{
	int kind = by_command_kind(shown->stream->symbols, shown->kind, record);

	if (kind < 0)
		return;
	shown->kind = kind;
	shown->kind_name = kind_name((enum kind)kind);
}

/* Kinds that are not known are shown by their class. */
static enum rule rule_of(int kind, enum reader_class class)
{
	if (kind >= 0)
		return (enum rule)kind_rules[kind];
	switch (class) {
	case READER_INT:
		return RULE_DECIMAL;
	case READER_PAIR:
		return RULE_FD;
	case READER_DOUBLE:
		return RULE_DOUBLE;
	case READER_STRING:
		return RULE_STRING;
	case READER_ARRAY:
		return RULE_DECIMALS;
	}
	return RULE_UNKNOWN;
}

/* Major and minor number, of stat(2)'s st_dev. */
static void put_device(struct text_out *out, int64_t value)
{
	text_out_unsigned(out, major((uint64_t)value), 10);
	text_out_char(out, ':');
	text_out_unsigned(out, minor((uint64_t)value), 10);
}

static void put_value(struct text_out *out, const struct shown *shown, enum rule rule)
{
	const struct recorder_arg *arg = shown->arg;

	switch (rule) {
	case RULE_NONE:
	case RULE_DECIMAL:
		text_out_decimal(out, arg->i64);
		break;
	case RULE_UNSIGNED:
		text_out_unsigned(out, (uint64_t)arg->i64, 10);
		break;
	case RULE_HEX:
		if (shown->kind == KIND_pointer)
			put_pointer(out, arg->i64);
		else
			text_out_hex(out, (uint64_t)arg->i64);
		break;
	case RULE_HEX_SYMBOL:
		put_hex_symbol(out, shown, (uint64_t)arg->i64);
		break;
	case RULE_BY_COMMAND: /* of a command that is not there */
		text_out_decimal(out, arg->i64);
		break;
	case RULE_FLOCK:
		put_flock(out, shown);
		break;
	case RULE_OCTAL:
		text_out_octal(out, (uint64_t)arg->i64);
		break;
	case RULE_DOUBLE:
		text_out_double(out, arg->f64);
		break;
	case RULE_ERRNO:
	case RULE_SYMBOL:
		put_symbol(out, shown, arg->i64);
		break;
	case RULE_FLAGS:
		put_flags(out, shown, (uint64_t)arg->i64 & UINT32_MAX);
		break;
	case RULE_FD:
		put_fd(out, shown);
		break;
	case RULE_MAPPED:
		put_mapped(out, shown);
		break;
	case RULE_DEVICE:
		put_device(out, arg->i64);
		break;
	case RULE_HANDLE:
		put_handle(out, shown, arg->i64);
		break;
	case RULE_REQUEST:
		put_request(out, arg->i64);
		break;
	case RULE_NUMBER:
		put_number(out, arg->i64);
		break;
	case RULE_STRING:
		text_out_string(out, arg->bytes, arg->count);
		text_out_add(out, arg->original > arg->count ? "..." : "");
		break;
	case RULE_TRUTH:
		text_out_add(out, arg->i64 ? "True" : "False");
		break;
	case RULE_BARE:
		put_bare(out, arg);
		break;
	case RULE_STRINGS:
		put_strings(out, arg);
		break;
	case RULE_DECIMALS:
	case RULE_HANDLES:
	case RULE_FDS:
	case RULE_SYMBOLS:
		put_elements(out, shown, rule);
		break;
	case RULE_STATUSES:
		if (arg->count % 4 == 0)
			put_statuses(out, shown);
		else
			put_elements(out, shown, RULE_DECIMALS);
		break;
	case RULE_OBJECT:
		put_object(out, shown);
		break;
	case RULE_NUMBERED:
		put_numbered(out, shown);
		break;
	case RULE_UNKNOWN:
		text_out_char(out, '?');
		break;
	}
}

static const struct function *function_of(const struct reader *trace,
					  const struct recorder_record *record)
{
	return record->func_id < trace->functions.count ? trace->functions.items[record->func_id]
							: NULL;
}

size_t reader_arg_text(const struct reader *trace, const struct recorder_record *record,
		       unsigned index, char *buffer, size_t size)
{
	const struct function *function = function_of(trace, record);
	struct text_out out = {buffer, size, 0};
	struct shown shown;

	if (!function || index >= record->arg_count || index >= function->info.arg_count ||
	    record->stream >= trace->stream_count)
		return text_out_end(&out);
	shown = (struct shown){
		.stream = trace->streams[record->stream],
		.arg = &record->args[index],
		.kind_name = function->info.args[index].kind,
		.kind = function->kinds[index],
	};
	follow_command(&shown, record);
	if (shown.arg->state == RECORDER_ARG_ABSENT)
		text_out_add(&out, shown.kind == KIND_value ? "None" : "NULL");
	else if (shown.arg->state != RECORDER_ARG_PRESENT)
		text_out_char(&out, '?');
	else
		put_value(&out, &shown, rule_of(shown.kind, function->info.args[index].class_));
	return text_out_end(&out);
}

/* Where no result is kept, or of what is no call: "instant", "counter". */
static const char *word_for_none(const struct shown *shown)
{
	return shown->kind == KIND_none ? "-" : shown->kind_name;
}

size_t reader_result_text(const struct reader *trace, const struct recorder_record *record,
			  char *buffer, size_t size)
{
	const struct function *function = function_of(trace, record);
	struct recorder_arg result = {.i64 = record->ret, .id = record->ret_id};
	struct text_out out = {buffer, size, 0};
	struct shown shown;
	enum rule rule;

	if (!function || record->stream >= trace->stream_count)
		return text_out_end(&out);
	memcpy(&result.f64, &record->ret, sizeof(result.f64));
	shown = (struct shown){
		.stream = trace->streams[record->stream],
		.arg = &result,
		.kind_name = function->info.result.kind,
		.kind = function->result_kind,
	};
	follow_command(&shown, record);
	rule = rule_of(shown.kind, function->info.result.class_);
	if (rule == RULE_UNKNOWN) {
		text_out_char(&out, '?');
		return text_out_end(&out);
	}
	if (rule == RULE_NONE) {
		text_out_add(&out, word_for_none(&shown));
		return text_out_end(&out);
	}
	/* The name of the error is shown behind the result anyway. */
	put_value(&out, &shown, rule == RULE_ERRNO ? RULE_DECIMAL : rule);
	return text_out_end(&out);
}

const char *reader_errno_name(const struct reader *trace, const struct recorder_record *record)
{
	static __thread char number[16];
	const struct symbols *own = NULL;
	const char *name;

	if (record->stream < trace->stream_count)
		own = trace->streams[record->stream]->symbols;
	name = symbol_name(symbols_of(own, KIND_errnum), record->err);
	if (name)
		return name;
	snprintf(number, sizeof(number), "%d", record->err);
	return number;
}
