/* SPDX-License-Identifier: MIT */
/* names.c - see names.h */
#include "names.h"

#include <errno.h>

int names_init(struct names *names)
{
	*names = (struct names){.known = hash_set_new()};
	return names->known ? output_memory(&names->text) : -ENOMEM;
}

void names_release(struct names *names)
{
	hash_set_free(names->known);
	output_cancel(&names->text);
	buffer_release(&names->list);
	names->known = NULL;
}

int names_forget(struct names *names)
{
	hash_set_free(names->known);
	names->known = hash_set_new();
	return names->known ? 0 : -ENOMEM;
}

void names_clear(struct names *names)
{
	names->text.next = names->text.buffer;
	buffer_clear(&names->list);
}

void names_add(struct names *names, uint64_t key)
{
	size_t end = (size_t)(names->text.next - names->text.buffer);
	struct name name = {key, (uint32_t)(end - names->begin)};

	buffer_add(&names->list, &name, sizeof(name));
}
