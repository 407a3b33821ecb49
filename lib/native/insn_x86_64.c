/* SPDX-License-Identifier: MIT */
/* insn_x86_64.c - see insn.h. Compiled for all CPUs that have none of their own, too; nothing asks for it there. */
#ifndef __aarch64__
#include "native/insn.h"

#include <string.h>

/* What follows an opcode. */
enum {
	NONE = 0,
	MODRM = 1,
	IMM8 = 2,
	IMMZ = 4, /* 4 bytes, 2 with the prefix 66 */
	IMMV = 8, /* IMMZ, or 8 bytes with REX.W */
	IMM16 = 16,
	OFFSET = 32, /* an address of 8 bytes, 4 with the prefix 67 */
	BAD = 64,
	GROUP3 = 128, /* an immediate in two of its eight forms */
};

#define M MODRM
#define M8 (MODRM | IMM8)
#define MZ (MODRM | IMMZ)
#define ARITHMETIC M, M, M, M, IMM8, IMMZ, BAD, BAD

/* Prefixes and escapes are BAD: they have been taken off before. */
/* clang-format off */
static const uint8_t one_byte[256] = {
	/* 00 */ ARITHMETIC, ARITHMETIC,
	/* 10 */ ARITHMETIC, ARITHMETIC,
	/* 20 */ ARITHMETIC, ARITHMETIC,
	/* 30 */ ARITHMETIC, ARITHMETIC,
	/* 40 */ BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
	/* 50 */ NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
	/* 60 */ BAD, BAD, BAD, M, BAD, BAD, BAD, BAD, IMMZ, MZ, IMM8, M8, NONE, NONE, NONE, NONE,
	/* 70 */ IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8,
	/* 80 */ M8, MZ, BAD, M8, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 90 */ NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, BAD, NONE, NONE, NONE, NONE, NONE,
	/* a0 */ OFFSET, OFFSET, OFFSET, OFFSET, NONE, NONE, NONE, NONE, IMM8, IMMZ, NONE, NONE, NONE, NONE, NONE, NONE,
	/* b0 */ IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMMV, IMMV, IMMV, IMMV, IMMV, IMMV, IMMV, IMMV,
	/* c0 */ M8, M8, IMM16, NONE, BAD, BAD, M8, MZ, IMM16 | IMM8, NONE, IMM16, NONE, NONE, IMM8, BAD, NONE,
	/* d0 */ M, M, M, M, BAD, BAD, BAD, NONE, M, M, M, M, M, M, M, M,
	/* e0 */ IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMMZ, IMMZ, BAD, IMM8, NONE, NONE, NONE, NONE,
	/* f0 */ BAD, NONE, BAD, BAD, NONE, NONE, M | GROUP3, M | GROUP3, NONE, NONE, NONE, NONE, NONE, NONE, M, M,
};
/* clang-format on */

/* Those behind 0f that are not MODRM alone. */
static uint8_t form_of_0f(uint8_t opcode)
{
	static const uint8_t none[] = {0x05, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x0e,
				       0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x37,
				       0x77, 0xa0, 0xa1, 0xa2, 0xa8, 0xa9, 0xaa};
	static const uint8_t bad[] = {0x04, 0x0a, 0x0c, 0x24, 0x25, 0x26, 0x27, 0x36,
				      0x39, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f, 0xa6, 0xa7};
	static const uint8_t byte[] = {0x0f, 0x70, 0x71, 0x72, 0x73, 0xa4,
				       0xac, 0xba, 0xc2, 0xc4, 0xc5, 0xc6};

	if (memchr(none, opcode, sizeof(none)) || (opcode >= 0xc8 && opcode <= 0xcf))
		return NONE;
	if (memchr(bad, opcode, sizeof(bad)))
		return BAD;
	if ((opcode & 0xf0) == 0x80)
		return IMMZ;
	return memchr(byte, opcode, sizeof(byte)) ? M8 : M;
}

struct reader {
	const uint8_t *code;
	size_t size, at;
	bool short_operand, short_address, wide; /* prefixes 66 and 67, REX.W */
};

static bool take(struct reader *reader, uint8_t *byte)
{
	if (reader->at >= reader->size || reader->at >= INSN_MAX)
		return false;
	*byte = reader->code[reader->at++];
	return true;
}

/* The last one of them that is not a REX, which counts only where it stands last. False: too many. */
static bool take_prefixes(struct reader *reader, uint8_t *opcode)
{
	static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
					   0x66, 0x67, 0xf0, 0xf2, 0xf3};

	for (;;) {
		if (!take(reader, opcode))
			return false;
		if ((*opcode & 0xf0) == 0x40) {
			reader->wide = (*opcode & 8) != 0;
			return take(reader, opcode);
		}
		if (!memchr(prefixes, *opcode, sizeof(prefixes)))
			return true;
		reader->short_operand |= *opcode == 0x66;
		reader->short_address |= *opcode == 0x67;
	}
}

/* VEX and EVEX: prefix, escape bytes and REX in one. *map: 1 is 0f, 2 is 0f 38, 3 is 0f 3a. */
static bool take_vector_prefix(struct reader *reader, uint8_t first, uint8_t *map, uint8_t *opcode)
{
	uint8_t bytes[3];

	if (!take(reader, &bytes[0]))
		return false;
	*map = first == 0xc5 ? 1 : bytes[0] & (first == 0x62 ? 7 : 31);
	for (int more = first == 0x62 ? 2 : first == 0xc4 ? 1 : 0; more > 0; more--)
		if (!take(reader, &bytes[more]))
			return false;
	return take(reader, opcode);
}

static uint8_t form_of_vector(uint8_t map, uint8_t opcode)
{
	if (map == 1)
		return opcode == 0x77 ? NONE : form_of_0f(opcode) & M8;
	if (map == 2 || map == 5 || map == 6)
		return M;
	return map == 3 ? M8 : BAD;
}

/* Moves behind it, and behind the displacement. */
static bool take_modrm(struct reader *reader, struct insn *insn, uint8_t *modrm)
{
	uint8_t sib;
	unsigned mode, base;

	if (!take(reader, modrm))
		return false;
	mode = *modrm >> 6;
	base = *modrm & 7;
	if (mode == 3)
		return true;
	if (base == 4) {
		if (!take(reader, &sib))
			return false;
		if (mode == 0 && (sib & 7) == 5)
			reader->at += 4;
	} else if (mode == 0 && base == 5) {
		insn->displacement = (uint8_t)reader->at;
		reader->at += 4;
	}
	reader->at += mode == 1 ? 1 : mode == 2 ? 4 : 0;
	return true;
}

static size_t immediate_size(const struct reader *reader, uint8_t form, uint8_t opcode,
			     uint8_t modrm)
{
	size_t word = reader->short_operand && !reader->wide ? 2 : 4, size = 0;

	if ((form & GROUP3) && (modrm >> 3 & 7) < 2)
		size += opcode == 0xf6 ? 1 : word;
	if (form & IMM8)
		size += 1;
	if (form & IMM16)
		size += 2;
	if (form & IMMZ)
		size += word;
	if (form & IMMV)
		size += reader->wide ? 8 : word;
	if (form & OFFSET)
		size += reader->short_address ? 4 : 8;
	return size;
}

static int64_t relative(const struct insn *insn, const uint8_t *code, size_t size)
{
	int32_t offset;

	if (size == 1)
		return insn->length + (int8_t)code[insn->length - 1];
	memcpy(&offset, code + insn->length - 4, 4);
	return (int64_t)insn->length + offset;
}

static void flow_of_one_byte(struct insn *insn, const uint8_t *code, uint8_t opcode, uint8_t modrm)
{
	unsigned reg = modrm >> 3 & 7;

	if ((opcode & 0xf0) == 0x70 || opcode == 0xeb || (opcode >= 0xe0 && opcode <= 0xe3)) {
		insn->flow = opcode == 0xeb   ? INSN_JUMP
			     : opcode >= 0xe0 ? INSN_COUNTED
					      : INSN_BRANCH;
		insn->condition = opcode & 15;
		insn->target = relative(insn, code, 1);
	} else if (opcode == 0xe8 || opcode == 0xe9 || (opcode == 0xc7 && modrm == 0xf8)) {
		insn->flow = opcode == 0xe8 ? INSN_CALL : opcode == 0xe9 ? INSN_JUMP : INSN_COUNTED;
		insn->target = relative(insn, code, 4);
	} else if (opcode == 0xff && (reg == 2 || reg == 3)) {
		insn->flow = INSN_CALL_INDIRECT;
	} else if (opcode == 0xff && (reg == 4 || reg == 5)) {
		insn->flow = INSN_JUMP_INDIRECT;
	} else if (opcode == 0xc2 || opcode == 0xc3 || opcode == 0xca || opcode == 0xcb ||
		   opcode == 0xcf) {
		insn->flow = INSN_RETURN;
	} else if (opcode == 0xcc || opcode == 0xcd || opcode == 0xf1 || opcode == 0xf4) {
		insn->flow = INSN_TRAP;
	}
}

static void flow_of_0f(struct insn *insn, const uint8_t *code, uint8_t opcode)
{
	if ((opcode & 0xf0) == 0x80) {
		insn->flow = INSN_BRANCH;
		insn->condition = opcode & 15;
		insn->target = relative(insn, code, 4);
	} else if (opcode == 0x0b || opcode == 0xb9 || opcode == 0xff) {
		insn->flow = INSN_TRAP;
	}
}

bool insn_decode(const uint8_t *code, size_t size, struct insn *insn)
{
	struct reader reader = {.code = code, .size = size};
	uint8_t opcode = 0, modrm = 0, map = 0, form;
	bool vector = false;

	memset(insn, 0, sizeof(*insn));
	if (!take_prefixes(&reader, &opcode))
		return false;
	if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62) {
		vector = true;
		if (!take_vector_prefix(&reader, opcode, &map, &opcode))
			return false;
	} else if (opcode == 0x0f) {
		map = 1;
		if (!take(&reader, &opcode))
			return false;
		if (opcode == 0x38 || opcode == 0x3a) {
			map = opcode == 0x38 ? 2 : 3;
			if (!take(&reader, &opcode))
				return false;
		}
	}
	form = vector     ? form_of_vector(map, opcode)
	       : map == 0 ? one_byte[opcode]
	       : map == 1 ? form_of_0f(opcode)
			  : (uint8_t)(map == 2 ? M : M8);
	if (form & BAD)
		return false;
	/* branches are of 32 bits whatever the prefix 66 says; not so on all CPUs */
	if (reader.short_operand && !reader.wide && !vector && form == IMMZ &&
	    ((map == 0 && (opcode == 0xe8 || opcode == 0xe9)) || map == 1))
		return false;
	if ((form & MODRM) && !take_modrm(&reader, insn, &modrm))
		return false;
	if (map == 0 && opcode == 0x8f && (modrm >> 3 & 7))
		return false; /* XOP */
	if (insn->displacement && reader.short_address)
		return false;
	reader.at += immediate_size(&reader, form, opcode, modrm);
	if (reader.at > size || reader.at > INSN_MAX)
		return false;
	insn->length = (uint8_t)reader.at;
	if (map == 0)
		flow_of_one_byte(insn, code, opcode, modrm);
	else if (map == 1 && !vector)
		flow_of_0f(insn, code, opcode);
	insn->nop =
		(map == 0 && opcode == 0x90 && !(code[0] == 0xf3) && (code[0] & 0xf1) != 0x41) ||
		(map == 1 && !vector && opcode == 0x1f);
	return true;
}

uintptr_t insn_word(struct insn_words *words, const uint8_t *code, const struct insn *insn,
		    uintptr_t address)
{
	int32_t offset;

	(void)words;
	if (!insn->displacement ||
	    (insn->flow != INSN_CALL_INDIRECT && insn->flow != INSN_JUMP_INDIRECT))
		return 0;
	memcpy(&offset, code + insn->displacement, sizeof(offset));
	return address + insn->length + (uintptr_t)(intptr_t)offset;
}

#ifdef UNIT_TEST
#include "unittest.h"

static unsigned length_of(const char *bytes, size_t size)
{
	struct insn insn;

	return insn_decode((const uint8_t *)bytes, size, &insn) ? insn.length : 0;
}

#define LENGTH(bytes) length_of(bytes, sizeof(bytes) - 1)

TEST_CASE(insn_lengths)
{
	EXPECT_EQ(LENGTH("\x55"), 1);                                /* push %rbp */
	EXPECT_EQ(LENGTH("\x41\x57"), 2);                            /* push %r15 */
	EXPECT_EQ(LENGTH("\x48\x89\xe5"), 3);                        /* mov %rsp,%rbp */
	EXPECT_EQ(LENGTH("\xf3\x0f\x1e\xfa"), 4);                    /* endbr64 */
	EXPECT_EQ(LENGTH("\x48\x81\xec\x00\x10\x00\x00"), 7);        /* sub $4096,%rsp */
	EXPECT_EQ(LENGTH("\x66\xb8\x01\x00"), 4);                    /* mov $1,%ax */
	EXPECT_EQ(LENGTH("\x48\xb8\1\2\3\4\5\6\7\x8"), 10);          /* movabs */
	EXPECT_EQ(LENGTH("\xf6\x47\x08\x01"), 4);                    /* testb $1,8(%rdi) */
	EXPECT_EQ(LENGTH("\xf7\xd8"), 2);                            /* neg %eax */
	EXPECT_EQ(LENGTH("\xc4\xe2\xf9\x98\xc1"), 5);                /* vfmadd132pd */
	EXPECT_EQ(LENGTH("\xc5\xf8\x77"), 3);                        /* vzeroupper */
	EXPECT_EQ(LENGTH("\xc5\xf9\x70\xc0\x00"), 5);                /* vpshufd */
	EXPECT_EQ(LENGTH("\x62\xf1\xfd\x48\x6f\x47\x01"), 7);        /* vmovdqa64 64(%rdi),%zmm0 */
	EXPECT_EQ(LENGTH("\x66\x0f\x3a\x0f\xc1\x08"), 6);            /* palignr */
	EXPECT_EQ(LENGTH("\x66\x66\x2e\x0f\x1f\x84\0\0\0\0\0"), 11); /* nop */
	EXPECT_EQ(LENGTH("\xa1\1\2\3\4\5\6\7\x8"), 9);               /* mov moffs,%eax */
	EXPECT_EQ(LENGTH("\xc8\x10\x00\x00"), 4);                    /* enter */
}

TEST_CASE(insn_refusals)
{
	EXPECT_EQ(LENGTH("\x06"), 0);
	EXPECT_EQ(LENGTH("\x48\x81\xec\x00"), 0); /* cut */
	EXPECT_EQ(LENGTH("\x0f\x04"), 0);
	EXPECT_EQ(LENGTH(""), 0);
	EXPECT_EQ(LENGTH("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90"), 0);
	EXPECT_EQ(LENGTH("\x66\xe8\x01\x02\x03\x04"), 0);
}

TEST_CASE(insn_flow)
{
	struct insn insn;

	REQUIRE(insn_decode((const uint8_t *)"\x48\x8b\x05\x10\x00\x00\x00", 7, &insn));
	EXPECT_EQ(insn.displacement, 3);
	EXPECT_EQ(insn.flow, INSN_NEXT);
	REQUIRE(insn_decode((const uint8_t *)"\x74\xfe", 2, &insn));
	EXPECT_EQ(insn.flow, INSN_BRANCH);
	EXPECT_EQ(insn.target, 0);
	REQUIRE(insn_decode((const uint8_t *)"\x0f\x8f\x00\x01\x00\x00", 6, &insn));
	EXPECT_EQ(insn.flow, INSN_BRANCH);
	EXPECT_EQ(insn.condition, 15);
	EXPECT_EQ(insn.target, 262);
	REQUIRE(insn_decode((const uint8_t *)"\xe8\xfb\xff\xff\xff", 5, &insn));
	EXPECT_EQ(insn.flow, INSN_CALL);
	EXPECT_EQ(insn.target, 0);
	REQUIRE(insn_decode((const uint8_t *)"\xff\x25\x00\x00\x00\x00", 6, &insn));
	EXPECT_EQ(insn.flow, INSN_JUMP_INDIRECT);
	EXPECT_EQ(insn.displacement, 2);
	REQUIRE(insn_decode((const uint8_t *)"\xe3\x10", 2, &insn));
	EXPECT_EQ(insn.flow, INSN_COUNTED);
	REQUIRE(insn_decode((const uint8_t *)"\xf3\xc3", 2, &insn));
	EXPECT_EQ(insn.flow, INSN_RETURN);
	REQUIRE(insn_decode((const uint8_t *)"\x0f\x1f\x40\x00", 4, &insn));
	EXPECT(insn.nop);
	REQUIRE(insn_decode((const uint8_t *)"\x41\x90", 2, &insn));
	EXPECT(!insn.nop);
}
#endif
#endif
