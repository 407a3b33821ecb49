/* SPDX-License-Identifier: MIT */
/* locations.c - see locations.h */
#include "native/locations.h"

#include "native/dwarf_values.h"
#include "native/dwarf_words.h"

struct location {
	uint64_t begin; /* where it is the place from; DWARF_NONE: everywhere */
	struct elf_bytes expression;
};

static void take(struct dwarf_cursor *cursor, uint64_t size, struct location *location)
{
	if (!cursor->bad && size <= (uint64_t)(cursor->end - cursor->at))
		location->expression = (struct elf_bytes){.data = cursor->at, .size = size};
}

static void first_of_4(struct dwarf_cursor cursor, const struct dwarf_unit *unit,
		       struct location *location)
{
	uint64_t most = unit->address_size == 8 ? UINT64_MAX : UINT32_MAX, base = unit->base;

	for (;;) {
		uint64_t begin = dwarf_number(&cursor, unit->address_size);
		uint64_t end = dwarf_number(&cursor, unit->address_size);

		if (cursor.bad || (!begin && !end))
			return;
		if (begin == most) {
			base = end;
			continue;
		}
		location->begin = base + begin;
		take(&cursor, dwarf_number(&cursor, 2), location);
		return;
	}
}

/* Behind what says where an entry of a list holds; *base: what that is counted from. */
static uint64_t read_begin(const struct dwarf *dwarf, const struct dwarf_unit *unit,
			   struct dwarf_cursor *cursor, uint64_t kind, uint64_t *base)
{
	uint64_t begin = DWARF_NONE;

	if (kind == DW_LLE_base_address || kind == DW_LLE_start_end || kind == DW_LLE_start_length)
		begin = dwarf_number(cursor, unit->address_size);
	else if (kind != DW_LLE_default_location)
		begin = dwarf_uleb(cursor);
	if (kind == DW_LLE_base_addressx || kind == DW_LLE_startx_end ||
	    kind == DW_LLE_startx_length)
		begin = dwarf_address(dwarf, unit, begin);
	if (kind == DW_LLE_base_address || kind == DW_LLE_base_addressx) {
		*base = begin;
		return begin;
	}
	if (kind == DW_LLE_start_end)
		dwarf_skip(cursor, unit->address_size);
	else if (kind != DW_LLE_default_location)
		dwarf_uleb(cursor);
	return kind == DW_LLE_offset_pair ? *base + begin : begin;
}

static void first_of_5(const struct dwarf *dwarf, struct dwarf_cursor cursor,
		       const struct dwarf_unit *unit, struct location *location)
{
	uint64_t base = unit->base;

	for (;;) {
		uint64_t kind = dwarf_number(&cursor, 1), begin;

		if (cursor.bad || kind == DW_LLE_end_of_list || kind > DW_LLE_GNU_view_pair)
			return;
		begin = read_begin(dwarf, unit, &cursor, kind, &base);
		if (kind == DW_LLE_base_address || kind == DW_LLE_base_addressx ||
		    kind == DW_LLE_GNU_view_pair)
			continue;
		location->begin = begin;
		take(&cursor, dwarf_uleb(&cursor), location);
		return;
	}
}

static struct location first_location(const struct dwarf *dwarf, const struct dwarf_unit *unit,
				      const struct dwarf_entry *parameter)
{
	struct location location = {DWARF_NONE, parameter->expression};

	if (location.expression.data || parameter->location == DWARF_NONE)
		return location;
	if (unit->version >= 5)
		first_of_5(dwarf, dwarf_cursor(dwarf, DWARF_LOCLISTS, parameter->location), unit,
			   &location);
	else
		first_of_4(dwarf_cursor(dwarf, DWARF_LOC, parameter->location), unit, &location);
	return location;
}

bool location_is_address(const struct dwarf *dwarf, const struct dwarf_unit *unit,
			 const struct dwarf_entry *parameter)
{
	struct elf_bytes expression = first_location(dwarf, unit, parameter).expression;
	uint8_t first, last;

	if (!expression.data || !expression.size)
		return true; /* most are */
	first = expression.data[0];
	last = expression.data[expression.size - 1];
	if (first == DW_OP_fbreg)
		return last == DW_OP_deref;
	if (first == DW_OP_entry_value || first == DW_OP_GNU_entry_value)
		return last != DW_OP_stack_value;
	return first >= DW_OP_breg0 && first <= DW_OP_breg31 && last != DW_OP_stack_value;
}

int location_register(const struct dwarf *dwarf, const struct dwarf_unit *unit,
		      const struct dwarf_entry *parameter, uint64_t begin)
{
	struct location location = first_location(dwarf, unit, parameter);
	struct elf_bytes expression = location.expression;

	if (!expression.data || expression.size != 1 ||
	    (location.begin != DWARF_NONE && location.begin != begin))
		return -1;
	return expression.data[0] >= DW_OP_reg0 && expression.data[0] <= DW_OP_reg31
		       ? expression.data[0] - DW_OP_reg0
		       : -1;
}
