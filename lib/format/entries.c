/* SPDX-License-Identifier: MIT */
/* entries.c - see entries.h */
#include "format/entries.h"

#include "format/meta.h"

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
	static const struct {
		const char *ticks, *mono, *real;
	} keys[] = {{"anchor.0.ticks", "anchor.0.mono", "anchor.0.real"},
		    {"anchor.1.ticks", "anchor.1.mono", "anchor.1.real"}};

	entries_u64(entries, keys[number].ticks, anchor->ticks);
	entries_i64(entries, keys[number].mono, anchor->mono);
	entries_i64(entries, keys[number].real, anchor->real);
}
