/* SPDX-License-Identifier: MIT */
/* dwarf.c - see dwarf.h */
#include "native/dwarf.h"

#include <string.h>

#include "native/dwarf_values.h"
#include "native/dwarf_words.h"
#include "record/sys.h"

/* ---- entries ---- */

/* The tables of abbreviations are small, and each is of one unit, mostly: those of one are kept. */
static void index_abbreviations(struct dwarf *dwarf, uint64_t offset)
{
	struct dwarf_cursor cursor = dwarf_cursor(dwarf, DWARF_ABBREV, offset);
	const uint8_t *begin = dwarf->sections[DWARF_ABBREV].data;
	uint64_t number;

	if (dwarf->abbreviations == offset)
		return;
	dwarf->abbreviations = offset;
	memset(dwarf->abbreviation_at, 0, sizeof(dwarf->abbreviation_at));
	while ((number = dwarf_uleb(&cursor)) && !cursor.bad) {
		uint64_t name, form;

		if (number < DWARF_ABBREVIATIONS && cursor.at - begin < UINT32_MAX)
			dwarf->abbreviation_at[number] = (uint32_t)(cursor.at - begin);
		dwarf_uleb(&cursor);
		dwarf_skip(&cursor, 1);
		do {
			name = dwarf_uleb(&cursor);
			form = dwarf_uleb(&cursor);
			if (form == DW_FORM_implicit_const)
				dwarf_sleb(&cursor);
		} while ((name || form) && !cursor.bad);
	}
}

static void keep_reference(struct dwarf_entry *entry, uint64_t name, uint64_t number)
{
	if (name == DW_AT_type)
		entry->type = number;
	else if (name == DW_AT_abstract_origin)
		entry->origin = number;
	else if (name == DW_AT_specification)
		entry->specification = number;
	else if (name == DW_AT_sibling)
		entry->sibling = number;
}

static void keep_text(struct dwarf_entry *entry, uint64_t name, const char *text)
{
	if (name == DW_AT_name)
		entry->name = text;
	else if (name == DW_AT_linkage_name || name == DW_AT_MIPS_linkage_name)
		entry->linkage_name = text;
	else if (name == DW_AT_comp_dir)
		entry->folder = text;
}

/* Where the number of an attribute goes; NULL: it is not asked for. */
static uint64_t *place_of(struct dwarf_entry *entry, uint64_t name)
{
	switch (name) {
	case DW_AT_low_pc:
		return &entry->low_pc;
	case DW_AT_byte_size:
		return &entry->byte_size;
	case DW_AT_encoding:
		return &entry->encoding;
	case DW_AT_inline:
		return &entry->inlined;
	case DW_AT_calling_convention:
		return &entry->convention;
	case DW_AT_language:
		return &entry->language;
	case DW_AT_decl_file:
		return &entry->decl_file;
	case DW_AT_decl_line:
		return &entry->decl_line;
	case DW_AT_call_file:
		return &entry->call_file;
	case DW_AT_call_line:
		return &entry->call_line;
	case DW_AT_data_member_location:
		return &entry->member_location;
	case DW_AT_virtuality:
		return &entry->virtuality;
	case DW_AT_defaulted:
		return &entry->defaulted;
	case DW_AT_stmt_list:
		return &entry->lines;
	case DW_AT_str_offsets_base:
		return &entry->str_offsets;
	case DW_AT_rnglists_base:
		return &entry->rnglists;
	case DW_AT_loclists_base:
		return &entry->loclists;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base:
		return &entry->addresses;
	default:
		return NULL;
	}
}

/* Whether a number is the entry that is meant, here. */
static bool is_reference(uint64_t form)
{
	return form == DW_FORM_ref_addr || form == DW_FORM_ref_udata ||
	       (form >= DW_FORM_ref1 && form <= DW_FORM_ref8);
}

static void keep(struct dwarf_entry *entry, uint64_t name, uint64_t form,
		 const struct dwarf_value *value)
{
	uint64_t *place = place_of(entry, name);

	entry->constant |= name == DW_AT_const_value;
	if (value->text)
		keep_text(entry, name, value->text);
	else if (is_reference(form))
		keep_reference(entry, name, value->number);
	else if (name == DW_AT_location && value->block.data)
		entry->expression = value->block;
	else if (name == DW_AT_location)
		entry->location = value->number;
	else if (name == DW_AT_ranges)
		entry->ranges = value->number;
	else if (name == DW_AT_artificial)
		entry->artificial = value->number != 0;
	else if (name == DW_AT_declaration)
		entry->declaration = value->number != 0;
	else if (name == DW_AT_external)
		entry->external = value->number != 0;
	else if (name == DW_AT_deleted)
		entry->deleted = value->number != 0;
	else if (name == DW_AT_bit_size || name == DW_AT_data_bit_offset)
		entry->bit_field = true;
	else if (place && !value->block.data)
		*place = value->number;
}

static bool read_attributes(const struct dwarf *dwarf, const struct dwarf_unit *unit,
			    struct dwarf_cursor *cursor, struct dwarf_cursor *abbreviation,
			    struct dwarf_entry *entry)
{
	for (;;) {
		uint64_t name = dwarf_uleb(abbreviation), form = dwarf_uleb(abbreviation);
		struct dwarf_value value = {.number = 0};

		if (abbreviation->bad)
			return false;
		if (!name && !form)
			return true;
		if (form == DW_FORM_implicit_const)
			value.number = (uint64_t)dwarf_sleb(abbreviation);
		else if (!dwarf_value(dwarf, unit, cursor, form, &value))
			return false;
		keep(entry, name, form, &value);
	}
}

bool dwarf_read(struct dwarf *dwarf, const struct dwarf_unit *unit, uint64_t offset,
		struct dwarf_entry *entry)
{
	struct dwarf_cursor cursor = dwarf_cursor(dwarf, DWARF_INFO, offset), abbreviation;
	uint64_t number;

	*entry = (struct dwarf_entry){.offset = offset,
				      .type = DWARF_NONE,
				      .origin = DWARF_NONE,
				      .specification = DWARF_NONE,
				      .sibling = DWARF_NONE,
				      .low_pc = DWARF_NONE,
				      .ranges = DWARF_NONE,
				      .location = DWARF_NONE,
				      .lines = DWARF_NONE,
				      .str_offsets = DWARF_NONE,
				      .addresses = DWARF_NONE,
				      .rnglists = DWARF_NONE,
				      .loclists = DWARF_NONE};
	if (offset < unit->first || offset >= unit->next)
		return false;
	cursor.end = dwarf->sections[DWARF_INFO].data + unit->next;
	index_abbreviations(dwarf, unit->abbreviations);
	number = dwarf_uleb(&cursor);
	if (number) {
		if (cursor.bad || number >= DWARF_ABBREVIATIONS || !dwarf->abbreviation_at[number])
			return false;
		abbreviation = dwarf_cursor(dwarf, DWARF_ABBREV, dwarf->abbreviation_at[number]);
		entry->tag = (uint32_t)dwarf_uleb(&abbreviation);
		entry->children = dwarf_number(&abbreviation, 1) != 0;
		if (!read_attributes(dwarf, unit, &cursor, &abbreviation, entry))
			return false;
	}
	entry->next = (uint64_t)(cursor.at - dwarf->sections[DWARF_INFO].data);
	return !cursor.bad;
}

/* ---- units ---- */

static bool read_header(const struct dwarf *dwarf, uint64_t offset, struct dwarf_unit *unit)
{
	struct dwarf_cursor cursor = dwarf_cursor(dwarf, DWARF_INFO, offset);
	uint64_t length = dwarf_number(&cursor, 4), type = DW_UT_compile;
	const uint8_t *begin = dwarf->sections[DWARF_INFO].data;

	*unit = (struct dwarf_unit){.offset = offset, .offset_size = 4, .folder = ""};
	if (length == 0xffffffff) {
		length = dwarf_number(&cursor, 8);
		unit->offset_size = 8;
	}
	if (!dwarf_has(&cursor, length))
		return false;
	unit->next = (uint64_t)(cursor.at - begin) + length;
	unit->version = (uint16_t)dwarf_number(&cursor, 2);
	if (unit->version >= 5) {
		type = dwarf_number(&cursor, 1);
		unit->address_size = (uint8_t)dwarf_number(&cursor, 1);
	}
	unit->abbreviations = dwarf_number(&cursor, unit->offset_size);
	if (unit->version < 5)
		unit->address_size = (uint8_t)dwarf_number(&cursor, 1);
	if (type == DW_UT_skeleton || type == DW_UT_split_compile)
		dwarf_skip(&cursor, 8);
	else if (type == DW_UT_type || type == DW_UT_split_type)
		dwarf_skip(&cursor, 8u + unit->offset_size);
	unit->first = (uint64_t)(cursor.at - begin);
	return !cursor.bad && unit->version >= 2 && unit->version <= 5 &&
	       (unit->address_size == 8 || unit->address_size == 4);
}

/* What its first entry says of all others: once more when it is known where its strings are. */
static void read_unit(struct dwarf *dwarf, struct dwarf_unit *unit)
{
	struct dwarf_entry entry;

	unit->str_offsets = unit->addresses = unit->lines = DWARF_NONE;
	unit->rnglists = unit->loclists = DWARF_NONE;
	for (unsigned i = 0; i < 2; i++) {
		if (!dwarf_read(dwarf, unit, unit->first, &entry))
			return;
		unit->str_offsets = entry.str_offsets;
		unit->addresses = entry.addresses;
		unit->rnglists = entry.rnglists;
		unit->loclists = entry.loclists;
	}
	unit->base = entry.low_pc == DWARF_NONE ? 0 : entry.low_pc;
	unit->lines = entry.lines;
	unit->language = entry.language;
	unit->folder = entry.folder ? entry.folder : "";
}

static size_t count_units(const struct dwarf *dwarf)
{
	struct dwarf_unit unit;
	size_t count = 0;

	for (uint64_t at = 0; read_header(dwarf, at, &unit); at = unit.next)
		count++;
	return count;
}

static bool list_units(struct dwarf *dwarf)
{
	size_t count = count_units(dwarf);
	void *memory;

	dwarf->units_size = count * (sizeof(*dwarf->units) + sizeof(*dwarf->wanted));
	if (!count)
		return false;
	memory = sys_mmap(dwarf->units_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1);
	if (sys_is_error((long)memory))
		return false;
	dwarf->units = memory;
	dwarf->wanted = (bool *)(dwarf->units + count);
	for (uint64_t at = 0;
	     dwarf->unit_count < count && read_header(dwarf, at, &dwarf->units[dwarf->unit_count]);
	     at = dwarf->units[dwarf->unit_count++].next)
		read_unit(dwarf, &dwarf->units[dwarf->unit_count]);
	return true;
}

const struct dwarf_unit *dwarf_unit_of(const struct dwarf *dwarf, uint64_t entry)
{
	size_t low = 0, high = dwarf->unit_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (dwarf->units[middle].offset <= entry)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && entry < dwarf->units[low - 1].next ? &dwarf->units[low - 1] : NULL;
}

bool dwarf_open(struct dwarf *dwarf, const struct elf_file *file)
{
	static const char *const names[DWARF_SECTIONS] = {
		".debug_info",     ".debug_abbrev",      ".debug_str",  ".debug_line",
		".debug_line_str", ".debug_str_offsets", ".debug_addr", ".debug_aranges",
		".debug_ranges",   ".debug_rnglists",    ".debug_loc",  ".debug_loclists"};

	memset(dwarf, 0, sizeof(*dwarf));
	dwarf->abbreviations = DWARF_NONE;
	for (unsigned i = 0; file->image && i < DWARF_SECTIONS; i++) {
		dwarf->sections[i] = elf_file_plain(file, names[i]);
		if (i == DWARF_INFO && !dwarf->sections[i].data)
			return false;
	}
	if (file->image && dwarf->sections[DWARF_ABBREV].data && list_units(dwarf))
		return true;
	dwarf_close(dwarf);
	return false;
}

void dwarf_close(struct dwarf *dwarf)
{
	for (unsigned i = 0; i < DWARF_SECTIONS; i++)
		elf_bytes_release(&dwarf->sections[i]);
	if (dwarf->units)
		sys_munmap(dwarf->units, dwarf->units_size);
	dwarf->units = NULL;
}
