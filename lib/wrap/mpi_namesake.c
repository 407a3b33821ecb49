/* SPDX-License-Identifier: MIT */
/* mpi_namesake.c - see mpi_namesake.h */
#include "wrap/mpi_namesake.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "functions_gen.h"
#include "record/bulk.h"
#include "record/function.h"
#include "record/loaded.h"
#include "record/modules.h"
#include "wrap/mpi_query.h"

/*
 * What was found, while no library is opened or closed: 16 bits of how often that was done, the lowest of which are not all 0, and the address; with no
 * address there is none. 0: it was not looked for.
 */
#define ADDRESS_BITS 48
static _Atomic uint64_t kept[MPI_SPELLINGS][SYM_COUNT] BULK;

static uint64_t with_changes(uint32_t changes, const void *function)
{
	uint64_t address = (uintptr_t)function;

	return address >> ADDRESS_BITS ? 0 : (uint64_t)(changes + 1) << ADDRESS_BITS | address;
}

/* mpi_x or MPI_X, of mpi_x_. */
static void spell(char *spelled, const char *name, unsigned spelling)
{
	size_t length = strlen(name) - 1;

	for (size_t i = 0; i < length; i++) {
		bool small = name[i] >= 'a' && name[i] <= 'z';

		spelled[i] = (char)(name[i] -
				    (small && spelling == MPI_SPELLED_CAPITAL ? 'a' - 'A' : 0));
	}
	spelled[length] = '\0';
}

/* What an object itself defines, not what it was linked with. */
static void *defined_in(const struct loaded_object *object, void *handle, const char *name)
{
	void *found = dlsym(handle, name);

	return found && loaded_has(object, found) ? found : NULL;
}

/* The object's function by that name, if it has nothing by the name that libraries of MPI have as well. */
static void *find_in(const struct loaded_object *object, const char *spelled, const char *name)
{
	void *handle = dlopen(*object->name ? object->name : NULL, RTLD_LAZY | RTLD_NOLOAD);
	void *found;

	if (!handle)
		return NULL;
	found = defined_in(object, handle, spelled);
	if (found && defined_in(object, handle, name))
		found = NULL;
	dlclose(handle);
	return found;
}

static void *find(const char *name, unsigned spelling)
{
	char spelled[sizeof(symbol_table->name)];
	struct loaded_object object;
	struct mpi_query query;
	void *found = NULL;

	spell(spelled, name, spelling);
	mpi_query_begin(&query);
	/* ours has both names */
	for (unsigned i = 0; !found && loaded_number(&object, i); i++)
		found = find_in(&object, spelled, name);
	mpi_query_end(&query);
	return found;
}

void *mpi_namesake(unsigned symbol, unsigned spelling)
{
	_Atomic uint64_t *place = &kept[spelling - 1][symbol];
	uint64_t known = atomic_load_explicit(place, memory_order_relaxed);
	uint32_t changes = modules_changes();
	void *found;

	if (known && known >> ADDRESS_BITS == (uint16_t)(changes + 1))
		return (void *)(uintptr_t)(known & ((UINT64_C(1) << ADDRESS_BITS) - 1));
	found = find(symbol_table[symbol].name, spelling);
	atomic_store_explicit(place, with_changes(changes, found), memory_order_relaxed);
	return found;
}
