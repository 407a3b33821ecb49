/* SPDX-License-Identifier: MIT */
/* nesting.c - see nesting.h */
#include "format/nesting.h"

#include "format/places.h"

bool contexts_init(struct contexts *contexts, uint32_t most, struct bump *bump)
{
	uint32_t slots = places_for(most);

	*contexts = (struct contexts){.most = most, .mask = slots - 1};
	contexts->slots = bump_take_zeros(bump, slots, sizeof(*contexts->slots));
	contexts->all = bump_take(bump, most, sizeof(*contexts->all));
	return contexts->slots && contexts->all;
}

int32_t contexts_find(struct contexts *contexts, uint32_t parent, uint16_t signature)
{
	uint32_t hash = parent * 0x9E3779B1u + signature * 0x85EBCA6Bu;

	for (uint32_t at = (hash ^ hash >> 15) & contexts->mask;; at = (at + 1) & contexts->mask) {
		const struct context *context;

		if (contexts->slots[at] == 0) {
			if (contexts->count == contexts->most)
				return -1;
			contexts->all[contexts->count] = (struct context){parent, signature};
			contexts->slots[at] = ++contexts->count;
			return (int32_t)contexts->count - 1;
		}
		context = &contexts->all[contexts->slots[at] - 1];
		if (context->parent == parent && context->signature == signature)
			return (int32_t)contexts->slots[at] - 1;
	}
}
