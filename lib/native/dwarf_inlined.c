/* SPDX-License-Identifier: MIT */
/* dwarf_inlined.c - see dwarf_inlined.h */
#include "native/dwarf_inlined.h"

#include "native/dwarf_words.h"

struct walking {
	struct dwarf *dwarf;
	void (*visit)(void *data, const struct dwarf_inlined *inlined);
	void *data;
	/* the function that the walk is in, and how deep its entry lies */
	const char *into;
	unsigned into_level;
};

static const char *symbol_of(struct dwarf *dwarf, uint64_t entry)
{
	struct dwarf_function function;

	if (!dwarf_function(dwarf, entry, &function))
		return NULL;
	return function.entry.linkage_name ? function.entry.linkage_name : function.entry.name;
}

/* Only a function that has code: an entry to be inlined describes none. */
static bool has_code(const struct dwarf_entry *entry)
{
	return entry->low_pc != DWARF_NONE || entry->ranges != DWARF_NONE;
}

static void tell(struct walking *walking, const struct dwarf_unit *unit,
		 const struct dwarf_entry *entry)
{
	struct dwarf_inlined inlined = {.symbol = symbol_of(walking->dwarf, entry->origin),
					.into = walking->into,
					.unit = unit,
					.file = entry->call_file,
					.line = entry->call_line,
					.entry = entry->origin};

	if (inlined.symbol && inlined.into)
		walking->visit(walking->data, &inlined);
}

static void walk_unit(struct walking *walking, const struct dwarf_unit *unit)
{
	struct dwarf_entry entry;
	unsigned level = 0;

	walking->into = NULL;
	for (uint64_t at = unit->first; dwarf_read(walking->dwarf, unit, at, &entry);
	     at = entry.next) {
		if (!entry.tag) {
			level -= level > 0;
			if (walking->into && level <= walking->into_level)
				walking->into = NULL;
			continue;
		}
		if (entry.tag == DW_TAG_subprogram && has_code(&entry) && entry.children) {
			walking->into = symbol_of(walking->dwarf, at);
			walking->into_level = level;
		} else if (entry.tag == DW_TAG_inlined_subroutine && entry.origin != DWARF_NONE) {
			tell(walking, unit, &entry);
		}
		level += entry.children;
	}
}

void dwarf_each_inlined(struct dwarf *dwarf,
			void (*visit)(void *data, const struct dwarf_inlined *inlined), void *data)
{
	struct walking walking = {.dwarf = dwarf, .visit = visit, .data = data};

	for (size_t i = 0; i < dwarf->unit_count; i++)
		walk_unit(&walking, &dwarf->units[i]);
}
