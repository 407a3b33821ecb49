/* SPDX-License-Identifier: MIT */
/* dwarf_functions.c - see dwarf_functions.h */
#include "native/dwarf_functions.h"

#include <string.h>

#include "native/dwarf_values.h"
#include "native/dwarf_words.h"

#define FEW_BYTES (16u << 20) /* of units that are read at each start */
#define CHAIN_MAX 8u          /* entries that refer to each other */

/* ---- by address ---- */

struct finding_places {
	struct dwarf *dwarf;
	struct dwarf_place *places;
	size_t count, left;
};

/* The first place at `address` or behind it. */
static size_t first_from(const struct finding_places *finding, uint64_t address)
{
	size_t low = 0, high = finding->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (finding->places[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void found(struct finding_places *finding, uint64_t address, uint64_t entry)
{
	size_t place = first_from(finding, address);

	if (address == DWARF_NONE || place == finding->count ||
	    finding->places[place].address != address || finding->places[place].entry != DWARF_NONE)
		return;
	finding->places[place].entry = entry;
	finding->left--;
}

/* Where the parts of a function begin that is not in one piece. */
static void found_ranges_4(struct finding_places *finding, const struct dwarf_unit *unit,
			   const struct dwarf_entry *entry)
{
	struct dwarf_cursor cursor = dwarf_cursor(finding->dwarf, DWARF_RANGES, entry->ranges);
	uint64_t base = unit->base, most = unit->address_size == 8 ? UINT64_MAX : UINT32_MAX;

	for (;;) {
		uint64_t begin = dwarf_number(&cursor, unit->address_size);
		uint64_t end = dwarf_number(&cursor, unit->address_size);

		if (cursor.bad || (!begin && !end))
			return;
		if (begin == most)
			base = end;
		else
			found(finding, base + begin, entry->offset);
	}
}

static void found_ranges_5(struct finding_places *finding, const struct dwarf_unit *unit,
			   const struct dwarf_entry *entry)
{
	struct dwarf_cursor cursor = dwarf_cursor(finding->dwarf, DWARF_RNGLISTS, entry->ranges);
	uint64_t base = unit->base, begin;

	for (;;) {
		uint64_t kind = dwarf_number(&cursor, 1);

		if (cursor.bad || kind == DW_RLE_end_of_list || kind > DW_RLE_start_length)
			return;
		begin = kind >= DW_RLE_base_address ? dwarf_number(&cursor, unit->address_size)
						    : dwarf_uleb(&cursor);
		if (kind <= DW_RLE_startx_length)
			begin = dwarf_address(finding->dwarf, unit, begin);
		if (kind == DW_RLE_base_addressx || kind == DW_RLE_base_address) {
			base = begin;
			continue;
		}
		if (kind == DW_RLE_start_end)
			dwarf_skip(&cursor, unit->address_size);
		else
			dwarf_uleb(&cursor);
		found(finding, kind == DW_RLE_offset_pair ? base + begin : begin, entry->offset);
	}
}

/* What never has functions below it. */
static bool is_leaf(uint32_t tag)
{
	return tag == DW_TAG_enumeration_type || tag == DW_TAG_array_type ||
	       tag == DW_TAG_subroutine_type;
}

static void search_unit(struct finding_places *finding, const struct dwarf_unit *unit)
{
	struct dwarf_entry entry;

	for (uint64_t at = unit->first;
	     finding->left && dwarf_read(finding->dwarf, unit, at, &entry);) {
		if (entry.tag == DW_TAG_subprogram) {
			found(finding, entry.low_pc, at);
			if (entry.ranges != DWARF_NONE && unit->version >= 5)
				found_ranges_5(finding, unit, &entry);
			else if (entry.ranges != DWARF_NONE)
				found_ranges_4(finding, unit, &entry);
		}
		at = is_leaf(entry.tag) && entry.sibling != DWARF_NONE && entry.sibling > at
			     ? entry.sibling
			     : entry.next;
	}
}

/* ---- .debug_aranges ---- */

static bool has_place(const struct finding_places *finding, uint64_t begin, uint64_t size)
{
	size_t place = first_from(finding, begin);

	return place < finding->count && finding->places[place].address - begin < size;
}

/* One table; what follows it. */
static void mark_unit(const struct finding_places *finding, struct dwarf_cursor *cursor)
{
	const uint8_t *begin = cursor->at;
	uint64_t length = dwarf_number(cursor, 4), unit, header;
	struct dwarf_cursor table = *cursor;
	const struct dwarf_unit *marked;
	unsigned offset_size = 4, size;

	if (length == 0xffffffff) {
		length = dwarf_number(cursor, 8);
		offset_size = 8;
		table = *cursor;
	}
	dwarf_skip(cursor, length);
	if (cursor->bad)
		return;
	table.end = cursor->at;
	dwarf_number(&table, 2);
	unit = dwarf_number(&table, offset_size);
	size = (unsigned)dwarf_number(&table, 1);
	dwarf_number(&table, 1);
	marked = dwarf_unit_of(finding->dwarf, unit);
	if (!marked || (size != 8 && size != 4))
		return;
	header = (uint64_t)(table.at - begin);
	dwarf_skip(&table, (2u * size - header % (2u * size)) % (2u * size));
	for (;;) {
		uint64_t address = dwarf_number(&table, size), bytes = dwarf_number(&table, size);

		if (table.bad || (!address && !bytes))
			return;
		if (has_place(finding, address, bytes))
			finding->dwarf->wanted[marked - finding->dwarf->units] = true;
	}
}

static void search_units(struct finding_places *finding, bool wanted)
{
	struct dwarf *dwarf = finding->dwarf;

	for (size_t i = 0; finding->left && i < dwarf->unit_count; i++)
		if (dwarf->wanted[i] == wanted)
			search_unit(finding, &dwarf->units[i]);
}

void dwarf_find(struct dwarf *dwarf, struct dwarf_place *places, size_t count, bool thorough)
{
	struct finding_places finding = {dwarf, places, count, count};
	struct dwarf_cursor cursor = dwarf_cursor(dwarf, DWARF_ARANGES, 0);

	memset(dwarf->wanted, 0, dwarf->unit_count * sizeof(*dwarf->wanted));
	for (size_t i = 0; i < count; i++)
		places[i].entry = DWARF_NONE;
	while (!cursor.bad && cursor.at < cursor.end)
		mark_unit(&finding, &cursor);
	search_units(&finding, true);
	if (thorough || dwarf->sections[DWARF_INFO].size <= FEW_BYTES)
		search_units(&finding, false);
}

/* ---- one function ---- */

static void add(struct dwarf_function *function, const struct dwarf_entry *more,
		const struct dwarf_unit *unit)
{
	struct dwarf_entry *entry = &function->entry;

	if (!entry->name)
		entry->name = more->name;
	if (!entry->linkage_name)
		entry->linkage_name = more->linkage_name;
	if (entry->type == DWARF_NONE)
		entry->type = more->type;
	if (!entry->convention)
		entry->convention = more->convention;
	if (!entry->inlined)
		entry->inlined = more->inlined;
	if (!entry->byte_size)
		entry->byte_size = more->byte_size;
	entry->artificial |= more->artificial;
	entry->external |= more->external;
	if (entry->decl_line || !more->decl_line)
		return;
	entry->decl_line = more->decl_line;
	entry->decl_file = more->decl_file;
	function->declared_in = unit;
}

bool dwarf_function(struct dwarf *dwarf, uint64_t offset, struct dwarf_function *function)
{
	uint64_t next;

	function->unit = dwarf_unit_of(dwarf, offset);
	if (!function->unit || !dwarf_read(dwarf, function->unit, offset, &function->entry))
		return false;
	function->declared_in = function->unit;
	function->parameters = offset;
	next = function->entry.origin;
	if (next != DWARF_NONE)
		function->parameters = next;
	else
		next = function->entry.specification;
	for (unsigned i = 0; i < CHAIN_MAX && next != DWARF_NONE; i++) {
		const struct dwarf_unit *unit = dwarf_unit_of(dwarf, next);
		struct dwarf_entry entry;

		if (!unit || !dwarf_read(dwarf, unit, next, &entry))
			break;
		add(function, &entry, unit);
		if (entry.origin != DWARF_NONE)
			function->parameters = entry.origin;
		next = entry.origin != DWARF_NONE ? entry.origin : entry.specification;
	}
	return true;
}
