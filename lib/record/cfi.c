/* SPDX-License-Identifier: MIT */
/*
 * cfi.c - see cfi.h
 *
 * The formats are those of the Linux Standard Base (.eh_frame, .eh_frame_hdr) and of DWARF 5, section 6.4:
 *
 *	program headers ──> .eh_frame_hdr: sorted table of functions ──> FDE: one function ──> CIE: what many share
 *
 * What the instructions in these two come to is cfi_rows.h.
 */
#include "record/cfi.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "record/cfi_encoding.h"
#include "record/cfi_rows.h"
#include "record/readable.h"
#include "record/sanitizer.h"

#define PHDRS_MAX 32u
#define ENTRY_MAX (64u << 10) /* bytes of an FDE or CIE */

/* Encodings of addresses that all linkers use. */
enum { PCREL_SDATA4 = 0x1b, DATAREL_SDATA4 = 0x3b, UDATA4 = 0x03 };

/* An address as far from where it stands as the four bytes there say. */
static uintptr_t take_pcrel(struct bytes *input)
{
	uintptr_t here = (uintptr_t)input->p;

	return here + (uintptr_t)bytes_i32(input);
}

/* ---- what many functions share, and one function ---- */

struct common {
	struct bytes instructions;
	uint64_t code_unit;
	int64_t data_unit;
	uint8_t encoding;   /* of addresses in FDEs */
	bool signal, sized; /* the FDE has a sized block for languages */
};

/* The bytes of an entry behind its length; false: no entry that can be read. */
static bool open_entry(uintptr_t address, struct bytes *entry)
{
	uint32_t length;

	if (!readable((const void *)address, sizeof(length)))
		return false;
	memcpy(&length, (const void *)address, sizeof(length));
	if (length < 4 || length > ENTRY_MAX ||
	    !readable((const void *)(address + sizeof(length)), length))
		return false;
	entry->p = (const uint8_t *)(address + sizeof(length));
	entry->end = entry->p + length;
	entry->bad = false;
	return true;
}

/* The letters of a CIE's augmentation, each with its data. */
static bool read_augmentation(struct common *common, struct bytes *entry, const char *letters)
{
	struct bytes data;

	if (!letters[0])
		return true;
	if (letters[0] != 'z')
		return false;
	common->sized = true;
	data = cfi_take(entry, bytes_varint(entry));
	for (const char *letter = letters + 1; *letter; letter++) {
		if (*letter == 'R') {
			common->encoding = bytes_u8(&data);
		} else if (*letter == 'L') {
			bytes_u8(&data);
		} else if (*letter == 'P') {
			/* a pointer of four or eight bytes; indirect or not, it is not followed */
			uint8_t form = bytes_u8(&data) & 0x0f;

			cfi_take(&data, form == 0x03 || form == 0x0b ? 4 : 8);
		} else if (*letter == 'S') {
			common->signal = true;
		} else if (*letter != 'B' && *letter != 'G') {
			return false;
		}
	}
	return !data.bad;
}

static bool read_common(uintptr_t address, struct common *common)
{
	struct bytes entry;
	const char *letters;
	uint8_t version;

	memset(common, 0, sizeof(*common));
	if (!open_entry(address, &entry) || bytes_u32(&entry) != 0)
		return false;
	version = bytes_u8(&entry);
	if (version != 1 && version != 3)
		return false;
	letters = (const char *)entry.p;
	while (bytes_u8(&entry) != 0)
		;
	if (entry.bad)
		return false;
	common->code_unit = bytes_varint(&entry);
	common->data_unit = cfi_sleb(&entry);
	if ((version == 1 ? bytes_u8(&entry) : bytes_varint(&entry)) != REGISTER_RA)
		return false;
	if (!read_augmentation(common, &entry, letters) || common->encoding != PCREL_SDATA4)
		return false;
	common->instructions = entry;
	return !entry.bad;
}

static bool find_row(uintptr_t fde, uintptr_t pc, struct cfi_row *row)
{
	struct common common;
	struct cfi_code code;
	struct bytes entry;
	uintptr_t field, begin;
	uint32_t size;

	if (!open_entry(fde, &entry))
		return false;
	field = (uintptr_t)entry.p;
	if (!read_common(field - bytes_u32(&entry), &common))
		return false;
	begin = take_pcrel(&entry);
	size = bytes_u32(&entry);
	if (common.sized)
		cfi_take(&entry, bytes_varint(&entry));
	if (entry.bad || pc - begin >= size)
		return false;
	code = (struct cfi_code){common.instructions, entry, common.code_unit, common.data_unit,
				 begin};
	if (!cfi_row_at(&code, pc, row))
		return false;
	row->signal = common.signal;
	return true;
}

/* ---- from the object to the function ---- */

struct table_entry {
	int32_t function, fde; /* from the begin of the table's section */
};

/* Where .eh_frame_hdr lies in memory; 0: nowhere. */
static uintptr_t find_header(const struct cfi_image *image)
{
	ElfW(Ehdr) elf;
	ElfW(Phdr) segment;
	uintptr_t first = UINTPTR_MAX, header = 0;

	if (!readable((const void *)image->base, sizeof(elf)))
		return 0;
	memcpy(&elf, (const void *)image->base, sizeof(elf));
	if (memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_phentsize != sizeof(segment) ||
	    elf.e_phnum > PHDRS_MAX ||
	    !readable((const void *)(image->base + elf.e_phoff), elf.e_phnum * sizeof(segment)))
		return 0;
	for (unsigned i = 0; i < elf.e_phnum; i++) {
		memcpy(&segment, (const char *)image->base + elf.e_phoff + i * sizeof(segment),
		       sizeof(segment));
		if (segment.p_type == PT_LOAD && first == UINTPTR_MAX)
			first = segment.p_vaddr - segment.p_offset;
		if (segment.p_type == PT_GNU_EH_FRAME)
			header = segment.p_vaddr;
	}
	return header && first != UINTPTR_MAX ? image->base - first + header : 0;
}

/* The FDE of the last function that begins at or before `pc`; 0: none. */
static uintptr_t search_table(uintptr_t header, uintptr_t pc)
{
	const struct table_entry *table = (const struct table_entry *)(header + 12);
	uint8_t head[12];
	uint32_t low = 0, high;

	if (!readable((const void *)header, sizeof(head)))
		return 0;
	memcpy(head, (const void *)header, sizeof(head));
	if (head[0] != 1 || head[1] != PCREL_SDATA4 || head[2] != UDATA4 ||
	    head[3] != DATAREL_SDATA4)
		return 0;
	memcpy(&high, head + 8, sizeof(high));
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (!readable(&table[middle], sizeof(table[middle])))
			return 0;
		if (header + (uintptr_t)table[middle].function <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 ? 0 : header + (uintptr_t)table[low - 1].fde;
}

bool cfi_find(const struct cfi_image *image, uintptr_t pc, struct cfi_row *row)
{
	uintptr_t header = find_header(image);
	uintptr_t fde = header ? search_table(header, pc) : 0;

	return fde && find_row(fde, pc, row);
}

#ifdef UNIT_TEST
#include "unittest.h"

/* An object of one page: headers, the table of one function, its FDE, the CIE. */
struct fake_object {
	ElfW(Ehdr) elf;
	ElfW(Phdr) segments[2];
	struct {
		uint8_t encodings[4];
		int32_t eh_frame;
		uint32_t count;
		struct table_entry entry;
	} table;
	uint8_t cie[64], fde[64];
};

#define FUNCTION 0x400 /* where the function would be, from the object's begin */

static _Alignas(4096) union {
	struct fake_object object;
	uint8_t bytes[4096];
} page;

static void put_entry(uint8_t *entry, uint32_t id, const void *bytes, size_t size)
{
	uint32_t length = (uint32_t)(sizeof(id) + size);

	memcpy(entry, &length, sizeof(length));
	memcpy(entry + 4, &id, sizeof(id));
	memcpy(entry + 8, bytes, size);
}

/* An object whose function, of 64 bytes, has these instructions. */
static void make_object(const char *letters, const uint8_t *code, size_t size)
{
	struct fake_object *object = &page.object;
	uint8_t common[40] = {1}, function[48] = {0};
	size_t at = 1 + strlen(letters) + 1;
	int32_t begin;

	memset(&page, 0, sizeof(page));
	memcpy(object->elf.e_ident, ELFMAG, SELFMAG);
	object->elf.e_phoff = offsetof(struct fake_object, segments);
	object->elf.e_phnum = 2;
	object->elf.e_phentsize = sizeof(object->segments[0]);
	object->segments[0] = (ElfW(Phdr)){.p_type = PT_LOAD, .p_vaddr = 0x10000};
	object->segments[1] =
		(ElfW(Phdr)){.p_type = PT_GNU_EH_FRAME,
			     .p_vaddr = 0x10000 + offsetof(struct fake_object, table)};
	memcpy(object->table.encodings, (uint8_t[]){1, PCREL_SDATA4, UDATA4, DATAREL_SDATA4}, 4);
	object->table.count = 1;
	object->table.entry.function = FUNCTION - (int32_t)offsetof(struct fake_object, table);
	object->table.entry.fde =
		(int32_t)(offsetof(struct fake_object, fde) - offsetof(struct fake_object, table));
	/* code unit 1, data unit -8; the CFA is sp + 8, the return address right below it */
	memcpy(common + 1, letters, strlen(letters));
	memcpy(common + at,
	       (uint8_t[]){1, 0x78, REGISTER_RA, 1, PCREL_SDATA4, CFA_DEF_CFA, REGISTER_SP, 8,
			   0x80 | REGISTER_RA, 1},
	       10);
	put_entry(object->cie, 0, common, at + 10);
	begin = FUNCTION - (int32_t)(offsetof(struct fake_object, fde) + 8);
	memcpy(function, &begin, 4);
	function[4] = 64;
	memcpy(function + 9, code, size);
	put_entry(object->fde,
		  (uint32_t)(offsetof(struct fake_object, fde) + 4 -
			     offsetof(struct fake_object, cie)),
		  function, 9 + size);
}

static bool find(uintptr_t offset, struct cfi_row *row)
{
	struct cfi_image image = {(uintptr_t)&page};

	readable_forget_all();
	return cfi_find(&image, (uintptr_t)&page + FUNCTION + offset, row);
}

TEST_CASE(cfi_rows_follow_the_code)
{
	static const uint8_t code[] = {0x40 | 1,
				       CFA_DEF_CFA_OFFSET,
				       16,
				       0x80 | REGISTER_FP,
				       2, /* push fp */
				       0x40 | 3,
				       CFA_DEF_CFA_REGISTER,
				       REGISTER_FP, /* mov fp, sp */
				       CFA_ADVANCE1,
				       20,
				       CFA_REMEMBER,
				       CFA_DEF_CFA,
				       REGISTER_SP,
				       8,
				       0xc0 | REGISTER_FP,
				       0x40 | 1,
				       CFA_RESTORE_STATE};
	struct cfi_row row;

	make_object("zR", code, sizeof(code));
	REQUIRE(find(0, &row));
	EXPECT(row.cfa.place == CFI_AT_SP && row.cfa.offset == 8 && !row.signal);
	EXPECT(row.return_address.place == CFI_AT_CFA && row.return_address.offset == -8);
	EXPECT_EQ(row.frame_pointer.place, CFI_SAME);
	REQUIRE(find(1, &row));
	EXPECT(row.cfa.place == CFI_AT_SP && row.cfa.offset == 16);
	EXPECT(row.frame_pointer.place == CFI_AT_CFA && row.frame_pointer.offset == -16);
	REQUIRE(find(23, &row));
	EXPECT(row.cfa.place == CFI_AT_FP && row.cfa.offset == 16);
	REQUIRE(find(24, &row)); /* after the epilogue */
	EXPECT(row.cfa.place == CFI_AT_SP && row.cfa.offset == 8);
	EXPECT_EQ(row.frame_pointer.place, CFI_SAME);
	REQUIRE(find(63, &row)); /* another way through the function */
	EXPECT(row.cfa.place == CFI_AT_FP && row.cfa.offset == 16);
	EXPECT(!find(64, &row) && !find((uintptr_t)-1, &row));
}

TEST_CASE(cfi_expressions_of_signals_and_aligned_frames)
{
	static const uint8_t code[] = {CFA_DEF_CFA_EXPRESSION,
				       3,
				       OP_BREG0 + REGISTER_FP,
				       0x78,
				       OP_DEREF,
				       CFA_EXPRESSION,
				       REGISTER_FP,
				       2,
				       OP_BREG0 + REGISTER_FP,
				       0,
				       CFA_UNDEFINED,
				       REGISTER_RA};
	static const uint8_t strange[] = {CFA_DEF_CFA_EXPRESSION, 2, 0x30, 0x31};
	struct cfi_row row;

	make_object("zRS", code, sizeof(code));
	REQUIRE(find(5, &row));
	EXPECT(row.signal && row.cfa_in_memory);
	EXPECT(row.cfa.place == CFI_AT_FP && row.cfa.offset == -8);
	EXPECT(row.frame_pointer.place == CFI_AT_FP && row.frame_pointer.offset == 0);
	EXPECT_EQ(row.return_address.place, CFI_UNDEFINED);
	make_object("zR", strange, sizeof(strange));
	EXPECT(!find(5, &row));
	make_object("zRx", code, sizeof(code)); /* unknown letters */
	EXPECT(!find(5, &row));
}

/* AddressSanitizer: what can be read is not yet what may be. ThreadSanitizer has no notes of all that can. */
#if !defined(RECORDER_ASAN) && !defined(RECORDER_TSAN)
/* Whatever the bytes say, nothing is read that cannot be, and the work is bounded. */
TEST_CASE(cfi_survives_any_bytes)
{
	static const uint8_t code[] = {0x40 | 1,    CFA_DEF_CFA_EXPRESSION,
				       3,           OP_BREG0 + REGISTER_FP,
				       0x78,        OP_DEREF,
				       CFA_REMEMBER};
	struct cfi_row row;
	uint32_t dice = 1;

	for (unsigned i = 0; i < 200000; i++) {
		if (i % 8 == 0)
			make_object("zR", code, sizeof(code));
		dice = dice * 1664525 + 1013904223;
		page.bytes[sizeof(page.object.elf) +
			   (dice >> 8) % (sizeof(page.object) - sizeof(page.object.elf))] =
			(uint8_t)(dice >> 24);
		find(dice % 70, &row);
	}
	EXPECT(true);
}
#endif
#endif
