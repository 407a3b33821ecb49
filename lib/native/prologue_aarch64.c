/* SPDX-License-Identifier: MIT */
/* prologue_aarch64.c - see prologue_cpu.h: what a function begins with. */
#ifdef __aarch64__
#include "native/prologue_cpu.h"
#include "native/words_aarch64.h"

/* bti, of any kind; paciasp and pacibsp are one, too */
size_t prologue_landing(const uint8_t *code, size_t size, struct prologue *plan)
{
	uint32_t word = size >= sizeof(word) ? word_at(code) : 0;

	if (word == PACIASP || word == PACIBSP)
		plan->sign = word;
	return plan->sign || IS(word, 0xffffff3f, 0xd503241f) ? sizeof(word) : 0;
}

/* Places in tables are counted from an address in the code, which insn->base tells. */
bool prologue_has_table(const uint8_t *code, size_t size, size_t at, const struct insn *insn,
			size_t end)
{
	(void)code;
	(void)size;
	(void)at;
	(void)insn;
	(void)end;
	return false;
}

/* ---- where the return address is kept ---- */

/* Of `sub sp, sp, #n` and `add sp, sp, #n`; 0: neither. */
static int64_t stack_moved(uint32_t word)
{
	int64_t by = (int64_t)(word >> 10 & 4095) << (word >> 22 & 1 ? 12 : 0);

	if (!IS(word, 0x3ff, 0x3ff) || !IS(word, 0xbf800000, 0x91000000))
		return 0;
	return word >> 30 & 1 ? -by : by;
}

/* Of a store of one or two registers of 8 bytes to the stack; false: it is none. *moves: by how much the stack pointer is moved before. */
static bool is_store(uint32_t word, int64_t *moves, int64_t *offset)
{
	bool pair = IS(word, 0xfe400000, 0xa8000000), single = IS(word, 0xffe00c00, 0xf8000c00);
	int64_t scaled = (int64_t)((uint64_t)word << 42) >> 57; /* 7 bits from 15 on */

	*moves = *offset = 0;
	if (!IS(word >> 5, 31, STACK_POINTER))
		return false;
	if (pair && (word >> 23 & 3) == 3)
		*moves = scaled * 8;
	else if (pair && (word >> 23 & 3) == 2)
		*offset = scaled * 8;
	else if (single)
		*moves = (int64_t)((uint64_t)word << 43) >> 55; /* 9 bits from 12 on */
	else if (IS(word, 0xffc00000, 0xf9000000))
		*offset = (int64_t)(word >> 10 & 4095) * 8;
	else
		return false;
	return true;
}

/* How far into what is stored the return address is; -1: it is not. */
static int place_in_store(uint32_t word)
{
	if ((word & 31) == RETURN_REGISTER)
		return 0;
	return IS(word, 0xfe400000, 0xa8000000) && (word >> 10 & 31) == RETURN_REGISTER ? 8 : -1;
}

/* The first place where it is stored, and what has become of the stack pointer until then. In loops (which probe large stacks) or where it is moved in other ways, that is not known. */
void prologue_look(const uint8_t *code, size_t size, struct prologue *plan)
{
	int64_t stack = 0, moves, offset;
	bool calls = false;
	struct insn insn;

	plan->saved = PROLOGUE_SAVED_UNKNOWN;
	for (size_t at = 0; insn_decode(code + at, size - at, &insn); at += insn.length) {
		uint32_t word = word_at(code + at);

		calls |= insn.flow == INSN_CALL || insn.flow == INSN_CALL_INDIRECT;
		stack += stack_moved(word);
		/* sub sp, sp, xn; addvl; and the like */
		if ((insn.flow == INSN_BRANCH && insn.target < 0) ||
		    IS(word, 0xff2003ff, 0xcb2003ff) || IS(word, 0xffe0f01f, 0x0420501f))
			return;
		if (!is_store(word, &moves, &offset))
			continue;
		stack += moves;
		if (place_in_store(word) >= 0) {
			offset += stack + place_in_store(word);
			if (offset < 0)
				plan->saved = (uint32_t)-offset;
			return;
		}
	}
	if (!calls)
		plan->saved = PROLOGUE_SAVED_NOWHERE;
}

/* ---- what can be moved ---- */

const char *prologue_cannot_move(const uint8_t *code, const struct insn *insn, bool last)
{
	switch (insn->flow) {
	case INSN_CALL:
		return last ? NULL : "a call at its begin";
	case INSN_CALL_INDIRECT: /* blr alone */
		return last && IS(word_at(code), 0xfffffc1f, 0xd63f0000) ? NULL
									 : "a call at its begin";
	case INSN_TRAP:
		return "a trap at its begin";
	default:
		return NULL;
	}
}

#ifdef UNIT_TEST
#include "unittest.h"

static const char *plan_of(const uint32_t *code, size_t count, struct prologue *plan)
{
	return prologue_plan((const uint8_t *)code, count * 4, count * 4, plan);
}

#define PLAN(plan, ...)                                                                            \
	plan_of((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4, plan)

#define RET 0xd65f03c0
#define BTI_C 0xd503245f
#define PUSH 0xa9bf7bfd /* stp x29, x30, [sp, #-16]! */
#define BL_NEXT 0x94000001

TEST_CASE(prologue_is_measured)
{
	struct prologue plan;

	EXPECT(!PLAN(&plan, PUSH, BL_NEXT, RET));
	EXPECT_EQ(plan.at, 0);
	EXPECT_EQ(plan.length, 4);
	EXPECT_EQ(plan.far_length, 0); /* three only, and a call among them */
	EXPECT(!PLAN(&plan, BTI_C, PACIASP, PUSH, RET));
	EXPECT_EQ(plan.at, 4);
	EXPECT(!plan.sign);
	EXPECT(!PLAN(&plan, PACIASP, PUSH, 0xd10043ff, 0xd10043ff, 0xd10043ff, RET));
	EXPECT_EQ(plan.at, 4);
	EXPECT_EQ(plan.sign, PACIASP);
	EXPECT_EQ(plan.far_length, 16);
	EXPECT(!PLAN(&plan, NOP, NOP, 0x17ffffff, RET)); /* room, whatever comes behind it */
	EXPECT(plan.nops);
	EXPECT(!PLAN(&plan, RET));
}

TEST_CASE(prologue_is_refused)
{
	struct prologue plan;

	EXPECT_STR(PLAN(&plan, BTI_C), "too short");
	EXPECT_STR(PLAN(&plan, 0xd1000400, 0xb5ffffe0, RET), "a jump back to its begin"); /* cbnz */
	EXPECT_STR(PLAN(&plan, BTI_C, 0xd1000400, 0x54ffffe1, RET), "a jump back to its begin");
	EXPECT_STR(PLAN(&plan, 0xd4200000, RET), "a trap at its begin");
	EXPECT_STR(PLAN(&plan, 0x74010001, RET), "an unknown instruction");
	EXPECT_STR(PLAN(&plan, 0xd1000400, 0x10000041, 0xd61f0040, RET), "jumps by a table");
	EXPECT(!PLAN(&plan, PUSH, 0x10000041, 0xd61f0040, RET));
	EXPECT(!PLAN(&plan, 0xd1000400, 0xd61f0040)); /* br: a call at its end */
	EXPECT(!PLAN(&plan, PUSH, 0x97ffffff, RET));  /* it calls itself */
}

TEST_CASE(prologue_finds_the_return_address)
{
	struct prologue plan;

	EXPECT(!PLAN(&plan, PUSH, BL_NEXT, RET));
	EXPECT_EQ(plan.saved, 8);
	EXPECT(!PLAN(&plan, PACIASP, 0xa9bd7bfd, BL_NEXT, RET)); /* stp x29, x30, [sp, #-48]! */
	EXPECT_EQ(plan.saved, 40);
	EXPECT(!PLAN(&plan, 0xd10103ff, 0xa9027bfd, BL_NEXT, RET)); /* sub sp, 64; stp at 32 */
	EXPECT_EQ(plan.saved, 24);
	EXPECT(!PLAN(&plan, 0xd1400bff, 0xd10043ff, 0xf90003fe, BL_NEXT,
		     RET)); /* sub 2 pages, 16; str x30 */
	EXPECT_EQ(plan.saved, 8208);
	EXPECT(!PLAN(&plan, 0xf81f0ffe, BL_NEXT, RET)); /* str x30, [sp, #-16]! */
	EXPECT_EQ(plan.saved, 16);
	EXPECT(!PLAN(&plan, 0xa9bf4ffe, BL_NEXT, RET)); /* stp x30, x19, [sp, #-16]! */
	EXPECT_EQ(plan.saved, 16);
	EXPECT(!PLAN(&plan, 0x8b000000, RET));
	EXPECT_EQ(plan.saved, PROLOGUE_SAVED_NOWHERE);
	EXPECT(!PLAN(&plan, 0x8b000000, BL_NEXT, RET));
	EXPECT_EQ(plan.saved, PROLOGUE_SAVED_UNKNOWN);
	EXPECT(!PLAN(&plan, 0xcb2c63ff, PUSH, BL_NEXT, RET)); /* sub sp, sp, x12 */
	EXPECT_EQ(plan.saved, PROLOGUE_SAVED_UNKNOWN);
	EXPECT(!PLAN(&plan, NOP, 0xd14043ff, 0x54ffffe1, PUSH, BL_NEXT, RET)); /* pages in a loop */
	EXPECT_EQ(plan.saved, PROLOGUE_SAVED_UNKNOWN);
}
#endif
#endif
