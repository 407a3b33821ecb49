/* SPDX-License-Identifier: MIT */
/*
 * dwarf.h - what compilers say of a program's functions (DWARF 2 to 5): units, their entries, and of those the attributes that are asked for here.
 *
 *	.debug_info:  unit | unit | ...       unit:  header, entry, entry, ...     entry:  number of an abbreviation, values
 *	.debug_abbrev:  number -> tag, names and forms of the values
 *
 * An own reader: the process gets no library by it, and no thread, no malloc(). It reads what is mapped, and each offset in there is checked before it is followed;
 * what is wrong or not known ends a unit. Units in other files (.dwo, dwz) and types in units of their own are not followed.
 */
#ifndef RECORDER_NATIVE_DWARF_H
#define RECORDER_NATIVE_DWARF_H

#include "native/elf_file.h"

#define DWARF_NONE UINT64_MAX /* no entry */
#define DWARF_ABBREVIATIONS 4096u

enum dwarf_section {
	DWARF_INFO,
	DWARF_ABBREV,
	DWARF_STR,
	DWARF_LINE,
	DWARF_LINE_STR,
	DWARF_STR_OFFSETS,
	DWARF_ADDR,
	DWARF_ARANGES,
	DWARF_RANGES,
	DWARF_RNGLISTS,
	DWARF_LOC,
	DWARF_LOCLISTS,
	DWARF_SECTIONS
};

struct dwarf_unit {
	uint64_t offset, first, next; /* of its header, its first entry, the next unit */
	uint64_t abbreviations;       /* where they are */
	uint16_t version;
	uint8_t address_size, offset_size;
	uint64_t str_offsets, addresses, rnglists, loclists; /* where its own begin */
	uint64_t base;                                       /* what ranges are counted from */
	uint64_t lines, language;
	const char *folder; /* that it was compiled in; "" not known */
};

/* What is open. The units are known by where they begin. */
struct dwarf {
	struct elf_bytes sections[DWARF_SECTIONS];
	struct dwarf_unit *units; /* in the order of the file */
	size_t unit_count, units_size;
	bool *wanted;           /* a flag each */
	uint64_t abbreviations; /* that the places below are of */
	uint32_t abbreviation_at[DWARF_ABBREVIATIONS];
};

/* One entry; what it does not have is 0, NULL or DWARF_NONE. */
struct dwarf_entry {
	uint64_t offset, next; /* behind it: its first child, or what follows */
	uint32_t tag;          /* 0: the end of a list of children */
	bool children;
	const char *name, *linkage_name, *folder;
	uint64_t type, origin, specification, sibling; /* entries */
	uint64_t low_pc, ranges, location;             /* DWARF_NONE */
	struct elf_bytes expression;                   /* of the location */
	uint64_t byte_size, encoding, inlined, convention, language;
	uint64_t decl_file, decl_line, call_file, call_line, member_location;
	uint64_t lines, str_offsets, addresses, rnglists, loclists; /* DWARF_NONE */
	uint64_t virtuality, defaulted;
	bool artificial, declaration, bit_field, deleted, external, constant;
};

/* The memory is too much for a stack. False: nothing is there, or no memory. */
bool dwarf_open(struct dwarf *dwarf, const struct elf_file *file);
void dwarf_close(struct dwarf *dwarf);

/* The unit that an entry is in; NULL: in none. */
const struct dwarf_unit *dwarf_unit_of(const struct dwarf *dwarf, uint64_t entry);
/* False: it is not there, or wrong. */
bool dwarf_read(struct dwarf *dwarf, const struct dwarf_unit *unit, uint64_t offset,
		struct dwarf_entry *entry);

#endif
