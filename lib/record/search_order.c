/* SPDX-License-Identifier: MIT */
/* search_order.c - see search_order.h */
#include "record/search_order.h"

#include <stddef.h>

#include "record/glibc.h"
#include "record/loaded.h"

/* Adds one that the loader has behind the recorder; whether it is the last one of interest. */
static bool add(struct search_order *order, const struct loaded_object *object)
{
	if (order->count == SEARCH_ORDER_MAX || !object->dynamic) {
		order->count = 0;
		return true;
	}
	dynamic_open(&order->objects[order->count++], object->dynamic, object->base);
	return loaded_has(object, (const void *)gnu_get_libc_version);
}

struct reading {
	struct search_order *order;
	bool behind, done;
};

static bool look_at(const struct loaded_object *object, void *data)
{
	struct reading *reading = data;

	if (reading->behind)
		reading->done = add(reading->order, object);
	else
		reading->behind = loaded_has(object, (const void *)search_order_read);
	return reading->done;
}

void search_order_read(struct search_order *order)
{
	struct reading reading = {order, false, false};

	order->count = 0;
	loaded_each(look_at, &reading);
	if (!reading.done) /* what was loaded later is in the list, too, but not in everybody's search */
		order->count = 0;
}

void *search_order_function(const struct search_order *order, const char *name)
{
	struct dynamic_name wanted = dynamic_name(name);
	uintptr_t address = 0;

	for (unsigned i = 0; i < order->count && !address; i++)
		if (!dynamic_function(&order->objects[i], &wanted, &address))
			return NULL;
	return (void *)address;
}
