/* SPDX-License-Identifier: MIT */
/* symbolnames.c - see symbolnames.h */
#include "symbolnames.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>

#define FEW 8u /* addresses for which sorting is not worth it */

struct named_range {
	GElf_Addr start, end;
	GElf_Addr reach; /* the largest end of this one and those before it */
	const char *name;
};

static int by_start(const void *a, const void *b)
{
	const struct named_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/* Whether libdw takes it for the name of a place in code or data. */
static bool is_name(const char *name, const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return name && *name && symbol->st_shndx != SHN_UNDEF && type != STT_SECTION &&
	       type != STT_FILE && type != STT_TLS;
}

static void take(struct symbol_names *names, Dwfl_Module *module, int number)
{
	struct named_range *range = &names->ranges[names->count];
	GElf_Sym symbol;

	range->name =
		dwfl_module_getsym_info(module, number, &symbol, &range->start, NULL, NULL, NULL);
	if (!is_name(range->name, &symbol) || symbol.st_size == 0 ||
	    __builtin_add_overflow(range->start, symbol.st_size, &range->end))
		return;
	names->count++;
}

/* Without memory there are no ranges, and libdw is asked each time. */
static void sort(struct symbol_names *names, Dwfl_Module *module)
{
	int count = dwfl_module_getsymtab(module);
	GElf_Addr reach = 0;

	names->ranges = count > 0 ? calloc((size_t)count, sizeof(*names->ranges)) : NULL;
	for (int i = 0; names->ranges && i < count; i++)
		take(names, module, i);
	if (names->count > 0)
		qsort(names->ranges, (size_t)names->count, sizeof(*names->ranges), by_start);
	for (int i = 0; i < names->count; i++) {
		reach = names->ranges[i].end > reach ? names->ranges[i].end : reach;
		names->ranges[i].reach = reach;
	}
}

/* The one range that an address is in; NULL: there are several, or none. */
static const struct named_range *only_range(const struct symbol_names *names, GElf_Addr address)
{
	const struct named_range *found = NULL;
	int low = 0, high = names->count;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (names->ranges[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0 && names->ranges[low].reach > address) {
		if (names->ranges[low].end <= address)
			continue;
		if (found)
			return NULL;
		found = &names->ranges[low];
	}
	return found;
}

const char *symbol_names_find(struct symbol_names *names, Dwfl_Module *module, Dwarf_Addr address)
{
	const struct named_range *range;

	if (names->asked++ == FEW)
		sort(names, module);
	range = only_range(names, address);
	return range ? range->name : dwfl_module_addrname(module, address);
}

void symbol_names_release(struct symbol_names *names)
{
	free(names->ranges);
}

#ifdef UNIT_TEST
#include <string.h>

#include "unittest.h"

#define ADDRESSES 2000u

/* The program itself. */
static Dwfl_Module *symbol_names_test_open(Dwfl **dwfl)
{
	static const Dwfl_Callbacks callbacks = {.find_debuginfo = dwfl_standard_find_debuginfo,
						 .section_address = dwfl_offline_section_address};
	Dwfl_Module *module;

	*dwfl = dwfl_begin(&callbacks);
	module = dwfl_report_offline(*dwfl, "self", "/proc/self/exe", -1);
	dwfl_report_end(*dwfl, NULL, NULL);
	return module;
}

TEST_CASE(symbol_names_are_those_of_libdw)
{
	struct symbol_names names = {0};
	Dwarf_Addr low, high;
	unsigned named = 0;
	Dwfl *dwfl;
	Dwfl_Module *module = symbol_names_test_open(&dwfl);

	REQUIRE(module && dwfl_module_info(module, NULL, &low, &high, NULL, NULL, NULL, NULL));
	for (unsigned i = 0; i < ADDRESSES; i++) {
		Dwarf_Addr address = low + (high - low) / ADDRESSES * i;
		const char *right = dwfl_module_addrname(module, address);
		const char *name = symbol_names_find(&names, module, address);

		EXPECT(right ? name && !strcmp(name, right) : !name);
		named += only_range(&names, address) != NULL;
	}
	EXPECT(named > ADDRESSES / 4);
	symbol_names_release(&names);
	dwfl_end(dwfl);
}
#endif
