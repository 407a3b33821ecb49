/* SPDX-License-Identifier: MIT */
/* symbols.c - see symbols.h */
#include "read/symbols.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "read/symbol_tables.h"

#define OWN_MAX 256 /* names of one kind that a trace may bring */
#define NAME_LENGTH_MAX 64

static const struct symbol *usual_symbols(enum kind kind)
{
	const struct symbol *table = linux_symbols(kind);

	if (!table)
		table = mpi_symbols(kind);
	if (!table)
		table = object_symbols(kind);
	return table ? table : kernel_symbols(kind);
}

/* Tables in place of the usual ones, NULL where those are right. */
struct symbols {
	const struct symbol *tables[KIND_COUNT];
};

const struct symbol *symbols_of(const struct symbols *own, enum kind kind)
{
	if (kind == KIND_fd_flags)
		kind = KIND_open_flags;
	return own && own->tables[kind] ? own->tables[kind] : usual_symbols(kind);
}

const char *symbol_name(const struct symbol *symbols, int64_t value)
{
	for (; symbols && symbols->name; symbols++) {
		if (symbols->value == value)
			return symbols->name;
	}
	return NULL;
}

/* ---- those of a trace ---- */

/* "NAME=value" at *text, moved behind it and the blank after it; false: that is no such thing. */
static bool read_symbol(const char **text, struct text *name, int64_t *value)
{
	char *end;

	name->bytes = *text;
	name->length = strspn(*text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	if (name->length == 0 || name->length > NAME_LENGTH_MAX || (*text)[name->length] != '=')
		return false;
	*value = strtoll(*text + name->length + 1, &end, 10);
	*text = end + strspn(end, " ");
	return true;
}

/* The row of that name, or the one behind the last. */
static struct symbol *find_symbol(struct symbol *table, struct text name)
{
	while (table->name &&
	       (strncmp(table->name, name.bytes, name.length) != 0 || table->name[name.length]))
		table++;
	return table;
}

/* A copy of the table with the values that `text` gives, as far as they can be read. */
static const struct symbol *merge_symbols(struct pool *pool, const struct symbol *table,
					  const char *text)
{
	size_t count = 0, own = 0;
	struct symbol *merged;
	struct text name;
	int64_t value;

	while (table && table[count].name)
		count++;
	merged = pool_alloc(pool, (count + OWN_MAX + 1) * sizeof(*merged));
	if (!merged)
		return NULL;
	if (table)
		memcpy(merged, table, count * sizeof(*merged));
	for (; own < OWN_MAX && read_symbol(&text, &name, &value); own++) {
		struct symbol *symbol = find_symbol(merged, name);

		if (!symbol->name)
			symbol->name = pool_copy(pool, name.bytes, name.length);
		if (!symbol->name)
			return NULL;
		symbol->value = value;
	}
	return merged;
}

int symbols_load(const struct symbols **own, const struct metadata *lm, struct pool *pool)
{
	struct symbols *symbols = NULL;
	char key[64];

	for (int kind = 0; kind < KIND_COUNT; kind++) {
		const char *text;

		snprintf(key, sizeof(key), "symbols.%s", kind_name((enum kind)kind));
		text = metadata_text(lm, key);
		if (!*text)
			continue;
		if (!symbols)
			*own = symbols = pool_alloc(pool, sizeof(*symbols));
		if (!symbols)
			return -ENOMEM;
		symbols->tables[kind] = merge_symbols(pool, usual_symbols((enum kind)kind), text);
		if (!symbols->tables[kind])
			return -ENOMEM;
	}
	return 0;
}
