/* SPDX-License-Identifier: MIT */
/*
 * insn_aarch64.c - see insn.h.
 *
 * All are of 32 bits, and only three kinds mean another thing in another place: branches, loads from behind the code (literals) and adr. Those that compute may be of any extension; in the
 * groups where branches are, the unknown ones are refused, as newer CPUs have more of them.
 */
#ifdef __aarch64__
#include "native/insn.h"

#include <string.h>

#include "native/words_aarch64.h"

/* A signed field of `bits` bits that begins at `at`. */
static int64_t field(uint32_t word, unsigned at, unsigned bits)
{
	return (int64_t)((uint64_t)word << (64 - at - bits)) >> (64 - bits);
}

static bool decode_branch(uint32_t word, struct insn *insn)
{
	if (IS(word, 0x7c000000, 0x14000000)) { /* b, bl */
		insn->flow = word >> 31 ? INSN_CALL : INSN_JUMP;
		insn->target = field(word, 0, 26) * 4;
	} else if (IS(word, 0xff000000,
		      0x54000000)) { /* b.cond, bc.cond; cond 14 and 15 are always */
		insn->flow = (word & 14) == 14 ? INSN_JUMP : INSN_BRANCH;
		insn->target = field(word, 5, 19) * 4;
	} else if (IS(word, 0x7e000000, 0x34000000)) { /* cbz, cbnz */
		insn->flow = INSN_BRANCH;
		insn->target = field(word, 5, 19) * 4;
	} else if (IS(word, 0x7e000000, 0x36000000)) { /* tbz, tbnz */
		insn->flow = INSN_BRANCH;
		insn->target = field(word, 5, 14) * 4;
	} else {
		return false;
	}
	return true;
}

/* br, blr, ret and their forms that check signatures */
static bool decode_register_branch(uint32_t word, struct insn *insn)
{
	switch (word >> 21 & 15) {
	case 0:
	case 8:
		insn->flow = INSN_JUMP_INDIRECT;
		return true;
	case 1:
	case 9:
		insn->flow = INSN_CALL_INDIRECT;
		return true;
	case 2:
		insn->flow = INSN_RETURN;
		return true;
	default: /* of kernels */
		insn->flow = INSN_TRAP;
		return true;
	}
}

/* Branches, exceptions, and what has to do with the system. */
static bool decode_control(uint32_t word, struct insn *insn)
{
	if (IS(word, 0xff000000, 0xd5000000)) { /* registers of the system, hints, barriers */
		insn->nop = word == 0xd503201f;
		return true;
	}
	if (IS(word, 0xff000000, 0xd4000000)) {
		insn->flow = word >> 21 & 7 ? INSN_TRAP : INSN_NEXT; /* brk, hlt ...; svc */
		return true;
	}
	if (IS(word, 0xfe000000, 0xd6000000))
		return decode_register_branch(word, insn);
	return decode_branch(word, insn);
}

static bool moves_stack(uint32_t word)
{
	/* sub sp, sp, #n; and stores of one or two registers below it */
	return (IS(word, 0xff800000, 0xd1000000) && IS(word, 0x3ff, 0x3ff)) ||
	       (IS(word, 0x3be00c00, 0x38000c00) && IS(word >> 5, 31, STACK_POINTER) &&
		field(word, 12, 9) < 0) ||
	       (IS(word, 0x3bc00000, 0x29800000) && IS(word >> 5, 31, STACK_POINTER) &&
		field(word, 15, 7) < 0);
}

bool insn_decode(const uint8_t *code, size_t size, struct insn *insn)
{
	uint32_t word;

	memset(insn, 0, sizeof(*insn));
	if (size < sizeof(word))
		return false;
	memcpy(&word, code, sizeof(word));
	insn->length = sizeof(word);
	switch (word >> 25 & 15) {
	case 0: /* what computes with matrices; udf, and what is given to none: data, mostly */
		insn->flow = word >> 31 ? INSN_NEXT : INSN_TRAP;
		return true;
	case 1:
	case 3:
		insn->flow = INSN_TRAP;
		return true;
	case 5:
	case 13: /* data of registers: 5 and 13; signatures that the address is a part of are not moved */
		return !IS(word, 0xffff8000, 0xdac18000);
	case 8:
	case 9:
		if (IS(word, 0x1f000000, 0x10000000)) { /* adr, adrp */
			insn->displacement = 1;
			insn->base = !(word >> 31);
			insn->target = word >> 31 ? 0 : field(word, 5, 19) * 4 + (word >> 29 & 3);
		}
		insn->frame = moves_stack(word);
		return !IS(word, 0xff800000, 0xf3800000); /* signatures, again */
	case 10:
	case 11:
		return decode_control(word, insn);
	case 4:
	case 6:
	case 12:
	case 14:
		if (IS(word, 0x3b000000, 0x18000000)) { /* ldr literal, and its like */
			insn->displacement = 1;
			insn->target = field(word, 5, 19) * 4;
			return !IS(word, 0xc4000000, 0xc4000000);
		}
		insn->frame = moves_stack(word);
		return true;
	default: /* vectors */
		return true;
	}
}

uintptr_t insn_word(struct insn_words *words, const uint8_t *code, const struct insn *insn,
		    uintptr_t address)
{
	uint32_t word;

	(void)insn;
	memcpy(&word, code, sizeof(word));
	if (IS(word, 0x9f000000, 0x90000000)) { /* adrp */
		int64_t pages = field(word, 5, 19) * 4 + (word >> 29 & 3);

		words->pages[word & 31] = (address & ~(uintptr_t)4095) + (uintptr_t)(pages * 4096);
	} else if (IS(word, 0xffc00000, 0xf9400000)) { /* ldr xt, [xn, #n] */
		uintptr_t page = words->pages[word >> 5 & 31];

		return page ? page + (word >> 10 & 4095) * 8 : 0;
	}
	return 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

static bool decode(uint32_t word, struct insn *insn)
{
	return insn_decode((const uint8_t *)&word, sizeof(word), insn);
}

static int flow_of(uint32_t word, int64_t target)
{
	struct insn insn;

	if (!decode(word, &insn) || insn.length != 4)
		return -1;
	return insn.target == target ? insn.flow : -2;
}

TEST_CASE(insn_flow)
{
	EXPECT_EQ(flow_of(0x14000002, 8), INSN_JUMP);          /* b .+8 */
	EXPECT_EQ(flow_of(0x17ffffff, -4), INSN_JUMP);         /* b .-4 */
	EXPECT_EQ(flow_of(0x95ffffff, 0x7fffffc), INSN_CALL);  /* bl .+128 MiB - 4 */
	EXPECT_EQ(flow_of(0x54000040, 8), INSN_BRANCH);        /* b.eq .+8 */
	EXPECT_EQ(flow_of(0x54ffffe1, -4), INSN_BRANCH);       /* b.ne .-4 */
	EXPECT_EQ(flow_of(0x5400004e, 8), INSN_JUMP);          /* b.al .+8 */
	EXPECT_EQ(flow_of(0xb4ffffc0, -8), INSN_BRANCH);       /* cbz x0, .-8 */
	EXPECT_EQ(flow_of(0x35000041, 8), INSN_BRANCH);        /* cbnz w1, .+8 */
	EXPECT_EQ(flow_of(0x36000040, 8), INSN_BRANCH);        /* tbz w0, #0, .+8 */
	EXPECT_EQ(flow_of(0xb73fffe5, -4), INSN_BRANCH);       /* tbnz x5, #39, .-4 */
	EXPECT_EQ(flow_of(0xd61f0200, 0), INSN_JUMP_INDIRECT); /* br x16 */
	EXPECT_EQ(flow_of(0xd71f0a11, 0), INSN_JUMP_INDIRECT); /* braa x16, x17 */
	EXPECT_EQ(flow_of(0xd63f0060, 0), INSN_CALL_INDIRECT); /* blr x3 */
	EXPECT_EQ(flow_of(0xd65f03c0, 0), INSN_RETURN);        /* ret */
	EXPECT_EQ(flow_of(0xd65f0bff, 0), INSN_RETURN);        /* retaa */
	EXPECT_EQ(flow_of(0xd4000001, 0), INSN_NEXT);          /* svc #0 */
	EXPECT_EQ(flow_of(0xd4200000, 0), INSN_TRAP);          /* brk #0 */
	EXPECT_EQ(flow_of(0x00000000, 0), INSN_TRAP);          /* udf #0 */
	EXPECT_EQ(flow_of(0xd503233f, 0), INSN_NEXT);          /* paciasp */
	EXPECT_EQ(flow_of(0x74010001, 0), -1);                 /* cbgt w1, w1, .: of newer CPUs */
	EXPECT_EQ(flow_of(0x02000000, 0), INSN_TRAP);          /* not given to any */
}

TEST_CASE(insn_of_addresses)
{
	struct insn insn;

	REQUIRE(decode(0x10000060, &insn)); /* adr x0, .+12 */
	EXPECT(insn.displacement);
	EXPECT_EQ(insn.target, 12);
	REQUIRE(decode(0x70ffffe3, &insn)); /* adr x3, .-1 */
	EXPECT_EQ(insn.target, -1);
	REQUIRE(decode(0x90000001, &insn)); /* adrp x1, . */
	EXPECT(insn.displacement);
	REQUIRE(decode(0x58000041, &insn)); /* ldr x1, .+8 */
	EXPECT(insn.displacement);
	EXPECT_EQ(insn.target, 8);
	REQUIRE(decode(0x9cffffe2, &insn)); /* ldr q2, .-4 */
	EXPECT_EQ(insn.target, -4);
	REQUIRE(decode(0xf9400021, &insn)); /* ldr x1, [x1] */
	EXPECT(!insn.displacement && !insn.frame);
	REQUIRE(decode(0xd503201f, &insn));
	EXPECT(insn.nop);
}

TEST_CASE(insn_of_frames)
{
	static const uint32_t frames[] = {0xa9bf7bfd,  /* stp x29, x30, [sp, #-16]! */
					  0xd10043ff,  /* sub sp, sp, #16 */
					  0xf81f0ffe,  /* str x30, [sp, #-16]! */
					  0x6dbf27e8}; /* stp d8, d9, [sp, #-16]! */
	static const uint32_t others[] = {0xa9007bfd,  /* stp x29, x30, [sp] */
					  0xd1004021,  /* sub x1, x1, #16 */
					  0xa8c17bfd,  /* ldp x29, x30, [sp], #16 */
					  0xa9bf7c3d,  /* stp x29, x31, [x1, #-16]! */
					  0x910043ff}; /* add sp, sp, #16 */
	struct insn insn;

	for (unsigned i = 0; i < sizeof(frames) / sizeof(frames[0]); i++)
		EXPECT(decode(frames[i], &insn) && insn.frame);
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		EXPECT(decode(others[i], &insn) && !insn.frame);
}

TEST_CASE(insn_words_of_linkers)
{
	/* adrp x16, .+1 page; ldr x17, [x16, #0x18] */
	static const uint32_t code[] = {0xb0000010, 0xf9400e11};
	struct insn_words words = {{0}};
	struct insn insn;

	for (unsigned i = 0; i < 2; i++) {
		REQUIRE(decode(code[i], &insn));
		EXPECT_EQ(insn_word(&words, (const uint8_t *)&code[i], &insn, 0x41234 + 4 * i),
			  i ? 0x42018 : 0);
	}
}
#endif
#endif
