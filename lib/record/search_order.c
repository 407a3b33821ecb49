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
	bool behind; /* the recorder */
};

static bool look_at(const struct loaded_object *object, void *data)
{
	struct reading *reading = data;

	if (reading->behind)
		return add(reading->order, object);
	reading->behind = loaded_has(object, (const void *)search_order_read);
	return false;
}

void search_order_read(struct search_order *order)
{
	struct reading reading = {order, false};

	order->count = 0;
	/* without libc no end is known: what was loaded later is in the list, too, but not in everybody's search */
	if (!loaded_each(look_at, &reading))
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
