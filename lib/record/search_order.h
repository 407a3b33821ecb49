/* SPDX-License-Identifier: MIT */
/*
 * search_order.h - the objects that the loader searches behind the recorder, from the next one to libc.
 *
 * A process that starts needs the real functions of some 150 wrappers at once, and dlsym(3) takes a jump buffer, locks and a walk for each.
 * Those objects were all loaded with the program, so they lie in the list of the loader in the order of the search, and their hash tables say the same. Where they
 * do not tell for certain, or where libc does not lie behind the recorder, dlsym(3) is to be asked.
 */
#ifndef RECORDER_RECORD_SEARCH_ORDER_H
#define RECORDER_RECORD_SEARCH_ORDER_H

#include "record/dynamic.h"

#define SEARCH_ORDER_MAX 64u

struct search_order {
	struct dynamic objects[SEARCH_ORDER_MAX];
	unsigned count; /* 0: not known */
};

/* Reads it anew. It stays true, as none of them can be unloaded: they came with the program. */
void search_order_read(struct search_order *order);

/* What dlsym(RTLD_NEXT, name) would give; NULL: ask it. */
void *search_order_function(const struct search_order *order, const char *name);

#endif
