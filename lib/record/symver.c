/* SPDX-License-Identifier: MIT */
/* symver.c - see symver.h */
#include "record/symver.h"

#include <stddef.h>
#include <string.h>

#define VERSION_INDEX 0x7fff /* the other bit: hidden */
#define VERSION_FIRST 2      /* 0 local, 1 global without a version */

static const char *needed_name(const struct dynamic *object, unsigned index)
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

static const char *defined_name(const struct dynamic *object, unsigned index)
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

const char *symver_find(const struct dynamic *object, const char *name)
{
	unsigned index;
	const char *found;
	uint32_t count;

	if (!object->symbols || !object->strings || !object->versions)
		return NULL;
	count = dynamic_symbol_count(object);
	for (uint32_t i = 1; i < count; i++) {
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
