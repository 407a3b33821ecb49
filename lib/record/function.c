/* SPDX-License-Identifier: MIT */
/*
 * function.c - finds the real functions.
 *
 * Tried in this order: the next definition in the program's own search order (so that another
 * preload behind ours still works), the next definition of the fallback name (PMPI_X), and the same two in the scope of the object that
 * made the call: libraries that were loaded late and with RTLD_LOCAL (by Python modules) are seen from there only.
 */
#include "record/function.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#include "record/bulk.h"
#include "record/search_order.h"
#include "record/signals.h"
#include "record/thread.h"

void (*symbol_gone)(void);

/* Of the objects that the process began with, which stay. */
static struct search_order at_start BULK;

/* Whether an address lies in this very library: our own wrapper, found again. */
static bool is_own(const void *address)
{
	Dl_info own, other;

	return dladdr(&symbol_resolve, &own) && dladdr(address, &other) &&
	       own.dli_fbase == other.dli_fbase;
}

static void *find_next(const struct symbol_entry *symbol)
{
	void *next = dlsym(RTLD_NEXT, symbol->name);

	if (!next && *symbol->fallback)
		next = dlsym(RTLD_NEXT, symbol->fallback);
	return next;
}

static void *find_from(const struct symbol_entry *symbol, const void *caller)
{
	void *object, *next = NULL;
	Dl_info info;

	if (!dladdr(caller, &info) || !info.dli_fname)
		return NULL;
	object = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (!object)
		return NULL;
	next = dlsym(object, symbol->name);
	if (next && is_own(next))
		next = NULL;
	if (!next && *symbol->fallback)
		next = dlsym(object, symbol->fallback);
	dlclose(object);
	return next;
}

/* By the loader. */
static void *ask_loader(const struct symbol_entry *symbol, const void *caller)
{
	uint64_t blocked = runtime_enter_alone();
	int saved = errno;
	void *next;

	next = find_next(symbol);
	if (!next && caller)
		next = find_from(symbol, caller);
	runtime_leave_alone(blocked);
	errno = saved;
	return next;
}

void *symbol_look_up(const struct symbol_entry *symbol, const void *caller)
{
	void *next = search_order_function(&at_start, symbol->name);

	return next ? next : ask_loader(symbol, caller);
}

static void keep(unsigned symbol, void *next)
{
	__atomic_store_n(&symbol_next[symbol], next, __ATOMIC_RELAXED);
}

void *symbol_resolve(unsigned symbol, const void *caller)
{
	void *next = symbol_look_up(&symbol_table[symbol], caller);

	if (next)
		keep(symbol, next);
	return next;
}

void symbol_resolve_eager(void)
{
	search_order_read(&at_start);
	for (unsigned i = 0; i < symbol_eager_count; i++)
		if (!symbol_next[symbol_eager[i]])
			symbol_resolve(symbol_eager[i], NULL);
}

void symbol_resolve_plain(void)
{
	for (unsigned i = 0; i < symbol_count; i++)
		if (!*symbol_table[i].fallback && !symbol_table[i].scoped && !symbol_next[i])
			symbol_resolve(i, NULL);
}
