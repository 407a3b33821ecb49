/* SPDX-License-Identifier: MIT */
/*
 * loaded.h - the objects that the loader has in the process: the program and its libraries.
 *
 * They are asked for by a place in them or one after the other, each time anew: nothing is held meanwhile, so that who asks may call the loader for what was found.
 */
#ifndef RECORDER_RECORD_LOADED_H
#define RECORDER_RECORD_LOADED_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct loaded_object {
	uintptr_t start, end, base;
	const char *name; /* as the loader has it; "" the program */
	const ElfW(Dyn) * dynamic;
};

/* The object that an address lies in; false: in none. */
bool loaded_at(struct loaded_object *object, uintptr_t address);
/* The objects in the order in which they were loaded, from 0 on; false: there are not so many. */
bool loaded_number(struct loaded_object *object, unsigned number);
/* Shows all of them in that order until `look` returns true, which may not call the loader; whether it did. */
bool loaded_each(bool (*look)(const struct loaded_object *object, void *data), void *data);

static inline bool loaded_has(const struct loaded_object *object, const void *address)
{
	return (uintptr_t)address >= object->start && (uintptr_t)address < object->end;
}

#endif
