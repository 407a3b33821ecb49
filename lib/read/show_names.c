/* SPDX-License-Identifier: MIT */
/* show_names.c - see show_names.h */
#include "read/show_names.h"

#include <stdbool.h>
#include <string.h>

#include "format/kinds.h"
#include "read/symbols.h"
#include "read/trace.h"

/* Letters, digits and any of _.:,+-/ and the star. */
static bool is_plain(char c)
{
	char small = (char)(c | 0x20);

	return (small >= 'a' && small <= 'z') || (c >= '*' && c <= ':') || c == '_';
}

/* Whether a name can stand in a line as it is: programs name their communicators as they like. */
static bool plain_name(const char *name)
{
	while (is_plain(*name))
		name++;
	return *name == '\0';
}

void show_name(struct text_out *out, const char *name)
{
	if (plain_name(name))
		text_out_add(out, name);
	else
		text_out_string(out, name, strlen(name));
}

void show_bare(struct text_out *out, const struct recorder_arg *arg)
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

void show_symbol(struct text_out *out, const struct shown *shown, int64_t value)
{
	const char *name = defined_name(shown, value);

	if (!name)
		name = symbol_name(symbols_of(shown->stream->symbols, (enum kind)shown->kind),
				   value);
	if (name)
		show_name(out, name);
	else
		text_out_decimal(out, value);
}

void show_hex_symbol(struct text_out *out, const struct shown *shown, uint64_t value)
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

/* The name of zero, if there is one, stands last in the table. */
void show_flags(struct text_out *out, const struct shown *shown, uint64_t value)
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
