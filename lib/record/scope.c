/* SPDX-License-Identifier: MIT */
/*
 * scope.c - see scope.h
 *
 * What the loader would have bound the call to without the recorder, in its order: the global scope behind the preload, then the objects that the
 * caller was loaded with; in both by the version that the caller was linked with. An object whose own dependencies lack the function
 * got it from whoever loaded it: then any object of the process that has it.
 */
#include "record/scope.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "record/bulk.h"
#include "record/function.h"
#include "record/glibc.h"
#include "record/loaded.h"
#include "record/signals.h"
#include "record/symver.h"
#include "record/sys.h"
#include "record/thread.h"

#define SCOPES_MAX 256u
#define LIBRARIES_MAX 256u

struct scope scopes[SCOPES_MAX] BULK;
static _Atomic uint32_t scope_count;
static uintptr_t libraries[LIBRARIES_MAX]; /* by number - 1: where it is mapped, 0 it is gone */
static uint32_t library_count;
/* Of all that is written. Nobody waits for it: without it an answer is given but not kept. */
static atomic_flag writing = ATOMIC_FLAG_INIT;

/* ---- looking ---- */

/* Whether the loader takes a definition for a reference of that version: it is of this version or of none. */
static bool has_version(const void *function, const char *name, const char *version)
{
	struct dynamic symbols;
	struct loaded_object object;
	const char *own;

	if (!loaded_at(&object, (uintptr_t)function) || !object.dynamic)
		return true;
	dynamic_open(&symbols, object.dynamic, object.base);
	own = symver_find(&symbols, name);
	return !own || !strcmp(own, version);
}

/* A function by that name and version; our own wrapper is none. */
static void *lookup(void *handle, const char *name, const char *version)
{
	void *found = dlsym(handle, name);
	Dl_info own, other;

	if (found && version && !has_version(found, name, version))
		found = dlvsym(handle, name, version);

	if (found && dladdr(&libraries, &own) && dladdr(found, &other) &&
	    own.dli_fbase == other.dli_fbase)
		return NULL;
	return found;
}

static void *lookup_in(const char *object, const char *name, const char *version)
{
	void *handle = *object ? dlopen(object, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	void *found;

	if (!handle)
		return NULL;
	found = lookup(handle, name, version);
	dlclose(handle);
	return found;
}

static void *find(const char *name, const struct loaded_object *caller)
{
	struct dynamic symbols;
	const char *version = NULL;
	struct loaded_object other;
	void *found;

	if (caller->dynamic) {
		dynamic_open(&symbols, caller->dynamic, caller->base);
		version = symver_find(&symbols, name);
	}
	found = lookup(RTLD_NEXT, name, version);
	if (!found && caller->name)
		found = lookup_in(caller->name, name, version);
	for (unsigned i = 0; !found && loaded_number(&other, i); i++)
		found = lookup_in(other.name, name, version);
	if (!found && version)
		found = lookup(RTLD_NEXT, name, NULL);
	return found;
}

/* ---- keeping ---- */

static uint32_t library_number(uintptr_t start)
{
	for (uint32_t i = 0; i < library_count; i++)
		if (libraries[i] == start)
			return i + 1;
	if (library_count == LIBRARIES_MAX)
		return 0;
	libraries[library_count++] = start;
	return library_count;
}

static bool make_table(struct scope *scope)
{
	void *memory = sys_mmap(symbol_count * sizeof(struct scope_kept), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (sys_is_error((long)memory))
		return false;
	atomic_store_explicit(&scope->kept, memory, memory_order_relaxed);
	return true;
}

/* The place of an object: its own, one that is free, or a new one. */
static struct scope *scope_of(const struct loaded_object *object)
{
	uint32_t count = atomic_load_explicit(&scope_count, memory_order_relaxed);
	struct scope *place = NULL;

	for (uint32_t i = 0; i < count; i++) {
		uintptr_t end = atomic_load_explicit(&scopes[i].end, memory_order_relaxed);

		if (end == object->end && scopes[i].start == object->start)
			return &scopes[i];
		if (end == 0)
			place = &scopes[i];
	}
	if (!place && count < SCOPES_MAX)
		place = &scopes[count];
	if (!place || (!place->kept && !make_table(place)))
		return NULL;
	atomic_store_explicit(&place->start, object->start, memory_order_relaxed);
	atomic_store_explicit(&place->end, object->end, memory_order_release);
	if (place == &scopes[count])
		atomic_store_explicit(&scope_count, count + 1, memory_order_release);
	return place;
}

static uint32_t keep(const struct loaded_object *caller, unsigned symbol, void *function)
{
	struct loaded_object library;
	struct scope *scope;
	uint32_t number = 0;

	if (!loaded_at(&library, (uintptr_t)function) || atomic_flag_test_and_set(&writing))
		return 0;
	number = library_number(library.start);
	scope = caller->end ? scope_of(caller) : NULL;
	if (scope) {
		scope->kept[symbol].library = number;
		atomic_store_explicit(&scope->kept[symbol].function, function,
				      memory_order_release);
	}
	atomic_flag_clear(&writing);
	return number;
}

static __attribute__((cold, noinline)) struct real resolve(unsigned symbol, uintptr_t site)
{
	struct real real = {NULL, 0};
	uint64_t blocked = runtime_enter_alone();
	struct loaded_object caller;
	int saved = errno;

	if (!loaded_at(&caller, site))
		caller = (struct loaded_object){0};
	real.function = find(symbol_table[symbol].name, &caller);
	if (real.function)
		real.library = keep(&caller, symbol, real.function);
	runtime_leave_alone(blocked);
	errno = saved;
	return real;
}

struct real scope_real_slow(unsigned symbol, uintptr_t site)
{
	uint32_t count = atomic_load_explicit(&scope_count, memory_order_acquire);

	for (uint32_t i = 0; i < count; i++) {
		const struct scope_kept *kept = scope_kept_of(&scopes[i], symbol, site);
		struct real real;

		if (!kept)
			continue;
		real.function = atomic_load_explicit(&kept->function, memory_order_acquire);
		real.library = kept->library;
		if (real.function)
			return real;
		break;
	}
	return resolve(symbol, site);
}

/* ---- forgetting ---- */

static bool is_loaded(uintptr_t start)
{
	struct loaded_object object;

	return loaded_at(&object, start) && object.start == start;
}

/* Everything that was found for one caller, which may be gone itself. */
static void forget(struct scope *scope, bool gone)
{
	if (gone)
		atomic_store_explicit(&scope->end, 0, memory_order_release);
	for (unsigned symbol = 0; symbol < symbol_count; symbol++)
		if (symbol_table[symbol].scoped)
			atomic_store_explicit(&scope->kept[symbol].function, NULL,
					      memory_order_release);
}

/* Functions that are the same for all callers: they may have been found in a library that is gone (MPI below a module of Python). */
static void forget_symbols(void)
{
	struct loaded_object object = {0};
	bool gone = false;

	for (unsigned symbol = 0; symbol < symbol_count; symbol++) {
		uintptr_t at = (uintptr_t)__atomic_load_n(&symbol_next[symbol], __ATOMIC_RELAXED);

		if (at == 0 || loaded_has(&object, (const void *)at) || loaded_at(&object, at))
			continue;
		object = (struct loaded_object){0};
		__atomic_store_n(&symbol_next[symbol], NULL, __ATOMIC_RELAXED);
		gone = true;
	}
	if (gone && symbol_gone)
		symbol_gone();
}

void scopes_closed(void)
{
	uint32_t count = atomic_load_explicit(&scope_count, memory_order_acquire);
	int saved = errno;
	uint64_t blocked;

	if (thread_task()->in_runtime)
		return;
	blocked = runtime_enter_alone();
	forget_symbols();
	for (uint32_t i = 0; i < count; i++) {
		uintptr_t start = scopes[i].start;

		if (scopes[i].end)
			forget(&scopes[i], !is_loaded(start));
	}
	for (uint32_t i = 0; i < library_count; i++)
		if (libraries[i] && !is_loaded(libraries[i]))
			libraries[i] = 0;
	runtime_leave_alone(blocked);
	errno = saved;
}

void scopes_forked(void)
{
	atomic_flag_clear(&writing);
}
