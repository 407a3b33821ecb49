/* SPDX-License-Identifier: MIT */
/* entries.c - see entries.h */
#include "record/entries.h"

#include "format/meta.h"
#include "record/text.h"

#define SYMBOLS_MAX 4096 /* holds all of a kind */

void entries_u64(struct entries *entries, const char *key, uint64_t value)
{
	meta_put_u64(&entries->packer, key, value);
	entries->count++;
}

void entries_i64(struct entries *entries, const char *key, int64_t value)
{
	meta_put_i64(&entries->packer, key, value);
	entries->count++;
}

void entries_bytes(struct entries *entries, const char *key, const void *bytes, size_t size)
{
	meta_put_bytes(&entries->packer, key, bytes, size);
	entries->count++;
}

void entries_str(struct entries *entries, const char *key, const char *text)
{
	if (!text || !*text)
		return;
	meta_put_str(&entries->packer, key, text);
	entries->count++;
}

void entries_anchor(struct entries *entries, unsigned number, const struct anchor *anchor)
{
	char key[32];
	struct textbuf text = text_in(key, sizeof(key));
	size_t prefix;

	text_add(&text, "anchor.");
	text_add_u64(&text, number);
	text_add(&text, ".");
	prefix = text.length;
	text_add(&text, "ticks");
	entries_u64(entries, key, anchor->ticks);
	text.length = prefix;
	text_add(&text, "mono");
	entries_i64(entries, key, anchor->mono);
	text.length = prefix;
	text_add(&text, "real");
	entries_i64(entries, key, anchor->real);
}

void entries_symbols(void *data, const char *kind, const struct machine_symbol *symbols)
{
	static char list[SYMBOLS_MAX]; /* the threads of a program may have small stacks */
	struct textbuf text = text_in(list, sizeof(list));
	char name[32];
	struct textbuf key = text_in(name, sizeof(name));

	machine_differing(symbols, &text);
	text_add(&key, "symbols.");
	text_add(&key, kind);
	entries_str(data, name, list);
}
