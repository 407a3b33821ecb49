/* SPDX-License-Identifier: MIT */
/* symver.c - see symver.h */
#include "record/symver.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#define VERSION_INDEX 0x7fff /* the other bit: hidden */
#define VERSION_FIRST 2      /* 0 local, 1 global without a version */

/* The number of symbols is in no field: it follows from the last chain of the hash table. */
static uint32_t gnu_hash_count(const uint32_t *table)
{
	uint32_t bucket_count = table[0], first = table[1], bloom_words = table[2], last = 0;
	const uint32_t *buckets = table + 4 + bloom_words * (sizeof(ElfW(Addr)) / 4);
	const uint32_t *chains = buckets + bucket_count;

	for (uint32_t i = 0; i < bucket_count; i++)
		last = buckets[i] > last ? buckets[i] : last;
	if (last < first)
		return first;
	while (!(chains[last - first] & 1))
		last++;
	return last + 1;
}

void symver_open(struct symver_object *object, const ElfW(Dyn) * dynamic, uintptr_t base)
{
	memset(object, 0, sizeof(*object));
	for (; dynamic->d_tag != DT_NULL; dynamic++) {
		uintptr_t at = dynamic->d_un.d_ptr;
		const void *place;

		/* some loaders leave them as they are in the file */
		place = (const void *)(at < base ? at + base : at);
		switch (dynamic->d_tag) {
		case DT_SYMTAB:
			object->symbols = place;
			break;
		case DT_STRTAB:
			object->strings = place;
			break;
		case DT_VERSYM:
			object->versions = place;
			break;
		case DT_VERNEED:
			object->needed = place;
			break;
		case DT_VERDEF:
			object->defined = place;
			break;
		case DT_HASH:
			object->count = ((const uint32_t *)place)[1];
			break;
		case DT_GNU_HASH:
			if (object->count == 0)
				object->count = gnu_hash_count(place);
			break;
		default:
			break;
		}
	}
}

static const char *needed_name(const struct symver_object *object, unsigned index)
{
	const ElfW(Verneed) *need = object->needed;

	while (need) {
		const ElfW(Vernaux) *aux = (const void *)((const char *)need + need->vn_aux);

		for (unsigned i = 0; i < need->vn_cnt; i++) {
			if ((aux->vna_other & VERSION_INDEX) == index)
				return object->strings + aux->vna_name;
			aux = (const void *)((const char *)aux + aux->vna_next);
		}
		need = need->vn_next ? (const void *)((const char *)need + need->vn_next) : NULL;
	}
	return NULL;
}

static const char *defined_name(const struct symver_object *object, unsigned index)
{
	const ElfW(Verdef) *def = object->defined;

	while (def) {
		const ElfW(Verdaux) *aux = (const void *)((const char *)def + def->vd_aux);

		if ((def->vd_ndx & VERSION_INDEX) == index)
			return object->strings + aux->vda_name;
		def = def->vd_next ? (const void *)((const char *)def + def->vd_next) : NULL;
	}
	return NULL;
}

const char *symver_find(const struct symver_object *object, const char *name)
{
	unsigned index;
	const char *found;

	if (!object->symbols || !object->strings || !object->versions)
		return NULL;
	for (uint32_t i = 1; i < object->count; i++) {
		if (strcmp(object->strings + object->symbols[i].st_name, name))
			continue;
		index = object->versions[i] & VERSION_INDEX;
		if (index < VERSION_FIRST)
			continue;
		found = needed_name(object, index);
		return found ? found : defined_name(object, index);
	}
	return NULL;
}
