/* SPDX-License-Identifier: MIT */
/* loaded.c - see loaded.h */
#include "record/loaded.h"

struct search {
	struct loaded_object *object;
	uintptr_t address; /* somewhere in it; 0: it is the object number `skip` */
	unsigned skip;
};

static void measure(struct loaded_object *object, const struct dl_phdr_info *info)
{
	object->start = UINTPTR_MAX;
	object->end = 0;
	object->dynamic = NULL;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;

		if (part->p_type == PT_DYNAMIC)
			object->dynamic = (const void *)start;
		if (part->p_type != PT_LOAD)
			continue;
		object->start = start < object->start ? start : object->start;
		object->end = end > object->end ? end : object->end;
	}
	object->base = info->dlpi_addr;
	object->name = info->dlpi_name;
}

struct showing {
	bool (*look)(const struct loaded_object *object, void *data);
	void *data;
};

static int show(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct showing *showing = data;
	struct loaded_object object;

	(void)size;
	measure(&object, info);
	return showing->look(&object, showing->data);
}

bool loaded_each(bool (*look)(const struct loaded_object *object, void *data), void *data)
{
	struct showing showing = {look, data};

	return dl_iterate_phdr(show, &showing) != 0;
}

static bool is_wanted(const struct loaded_object *object, void *data)
{
	struct search *search = data;

	*search->object = *object;
	if (search->address)
		return loaded_has(object, (const void *)search->address);
	return search->skip-- == 0;
}

bool loaded_at(struct loaded_object *object, uintptr_t address)
{
	struct search search = {object, address, 0};

	return address && loaded_each(is_wanted, &search);
}

bool loaded_number(struct loaded_object *object, unsigned number)
{
	struct search search = {object, 0, number};

	return loaded_each(is_wanted, &search);
}
