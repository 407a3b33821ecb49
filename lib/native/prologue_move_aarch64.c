/* SPDX-License-Identifier: MIT */
/*
 * prologue_move_aarch64.c - see prologue_cpu.h: what is written, in place of a function's begin and for elsewhere.
 *
 * x16 and x17 are anybody's between a call and the function's begin (linkers use them): the stub and, where the moved instructions do not name them, these do, too.
 */
#ifdef __aarch64__
#include "native/prologue_cpu.h"

#include <string.h>

#include "native/words_aarch64.h"

#define CHECKS 0x80u       /* autiasp and autibsp: paciasp and pacibsp with this bit */
#define ENTRY_REGISTER 17u /* the number of the stub, for native_entry */
#define JUMP_REGISTER 16u

static void put(struct prologue_writer *writer, uint32_t word)
{
	prologue_put(writer, &word, sizeof(word));
}

/* ldr xn, from a word behind the code. */
static void put_address(struct prologue_writer *writer, unsigned reg, uintptr_t address)
{
	size_t place = PROLOGUE_MOVED_MAX - ++writer->words * sizeof(address);

	memcpy(writer->bytes + place, &address, sizeof(address));
	put(writer, 0x58000000 | (uint32_t)((place - writer->length) / 4) << 5 | reg);
}

static uint32_t branch_to(uintptr_t from, uintptr_t to)
{
	return 0x14000000 | ((uint32_t)((int64_t)(to - from) >> 2) & 0x3ffffff);
}

bool prologue_reaches(uintptr_t from, uintptr_t to)
{
	int64_t offset = (int64_t)(to - from);

	return offset >= -(1 << 27) && offset < 1 << 27;
}

static bool put_branch(struct prologue_writer *writer, uintptr_t target)
{
	if (prologue_reaches(writer->to + writer->length, target)) {
		put(writer, branch_to(writer->to + writer->length, target));
		return true;
	}
	if (!writer->scratch)
		return false;
	put_address(writer, writer->scratch, target);
	put(writer, 0xd65f0000 | writer->scratch << 5); /* ret: it may go where no bti is */
	return true;
}

/* The other way round, over a branch that reaches farther. */
static bool put_condition(struct prologue_writer *writer, uint32_t word, uintptr_t target)
{
	size_t at = writer->length;
	bool tests_bit = IS(word, 0x7e000000, 0x36000000);
	uint32_t over;

	put(writer, 0);
	if (!put_branch(writer, target))
		return false;
	over = (uint32_t)(writer->length - at) / 4;
	word ^= IS(word, 0xff000000, 0x54000000) ? 1 : 1 << 24;
	word = (word & ~((tests_bit ? 0x3fffu : 0x7ffffu) << 5)) | over << 5;
	memcpy(writer->bytes + at, &word, sizeof(word));
	return true;
}

/* ldr of a literal: from its address, which the register itself can have where it is one of the general ones. */
static bool put_load(struct prologue_writer *writer, uint32_t word, uintptr_t address)
{
	static const uint32_t general[] = {0xb9400000, 0xf9400000, 0xb9800000};
	static const uint32_t vector[] = {0xbd400000, 0xfd400000, 0x3dc00000};
	unsigned size = word >> 30, reg = word & 31, base = reg;
	bool is_vector = word >> 26 & 1;

	if (size == 3)
		return true; /* prfm: a hint */
	if (is_vector || reg == 31)
		base = writer->scratch;
	if (!base && (is_vector || reg == 31))
		return false;
	put_address(writer, base, address);
	put(writer, (is_vector ? vector : general)[size] | base << 5 | reg);
	return true;
}

static uintptr_t address_of(uint32_t word, const struct insn *insn, uintptr_t from)
{
	int64_t pages;

	if (insn->base)
		return from + (uintptr_t)insn->target;
	pages = (int64_t)((uint64_t)word << 40) >> 45; /* 19 bits from 5 on */
	pages = pages * 4 + (word >> 29 & 3);
	return (from & ~(uintptr_t)4095) + (uintptr_t)(pages * 4096);
}

/* The return address is behind the call in the function. */
static bool put_call(struct prologue_writer *writer, uint32_t word, const struct insn *insn,
		     uintptr_t from)
{
	unsigned reg = word >> 5 & 31;

	if (insn->flow == INSN_CALL) {
		put_address(writer, RETURN_REGISTER, from + insn->length);
		return put_branch(writer, from + (uintptr_t)insn->target);
	}
	if (reg == RETURN_REGISTER) {
		if (!writer->scratch)
			return false;
		put(writer, 0xaa1e03e0 | writer->scratch); /* mov, from x30 */
		reg = writer->scratch;
	}
	put_address(writer, RETURN_REGISTER, from + insn->length);
	put(writer, 0xd61f0000 | reg << 5);
	return true;
}

/* Where in an instruction registers can be named, as bits: bit n is five bits from bit n on. */
#define FIRST (1u << 0)
#define BASE (1u << 5)
#define SECOND (1u << 10)
#define OFFSET (1u << 16)

/* Numbers in an instruction are no registers: of the kinds that functions begin with it is known where these are, of others any place counts. */
static unsigned places_of_registers(uint32_t word)
{
	static const struct {
		uint32_t mask, is;
		unsigned places;
	} kinds[] = {
		{0x7c000000, 0x14000000, 0},                     /* b, bl */
		{0xff000000, 0x54000000, 0},                     /* b.cond */
		{0x7c000000, 0x34000000, FIRST},                 /* cbz, cbnz, tbz, tbnz */
		{0x1f000000, 0x10000000, FIRST},                 /* adr, adrp */
		{0x3b000000, 0x18000000, FIRST},                 /* ldr of a literal */
		{0x1f800000, 0x12800000, FIRST},                 /* movz, movn, movk */
		{0x1f800000, 0x11000000, FIRST | BASE},          /* add, sub of a number */
		{0x3b000000, 0x39000000, FIRST | BASE},          /* ldr, str at an offset */
		{0x3a000000, 0x28000000, FIRST | BASE | SECOND}, /* ldp, stp */
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (IS(word, kinds[i].mask, kinds[i].is))
			return kinds[i].places;
	return FIRST | BASE | SECOND | OFFSET;
}

/* Whether an instruction may name a register. */
static bool names(uint32_t word, unsigned reg)
{
	unsigned places = places_of_registers(word);

	for (unsigned bit = 0; places >> bit; bit++)
		if (places >> bit & 1 && (word >> bit & 31) == reg)
			return true;
	return false;
}

void prologue_move_begin(struct prologue_writer *writer, const uint8_t *code,
			 const struct prologue *plan)
{
	size_t end = plan->at + (size_t)(plan->far ? plan->far_length : plan->length);

	for (unsigned reg = JUMP_REGISTER; reg <= ENTRY_REGISTER && !writer->scratch; reg++) {
		writer->scratch = reg;
		for (size_t at = plan->at; at < end; at += 4)
			if (names(word_at(code + at), reg))
				writer->scratch = 0;
	}
	if (plan->sign)
		put(writer, plan->sign);
}

bool prologue_move_one(struct prologue_writer *writer, const uint8_t *code, const struct insn *insn,
		       uintptr_t from)
{
	uint32_t word = word_at(code);

	if (insn->flow == INSN_JUMP)
		return put_branch(writer, from + (uintptr_t)insn->target);
	if (insn->flow == INSN_BRANCH)
		return put_condition(writer, word, from + (uintptr_t)insn->target);
	if (insn->flow == INSN_CALL || insn->flow == INSN_CALL_INDIRECT)
		return put_call(writer, word, insn, from);
	if (!insn->displacement)
		put(writer, word);
	else if (IS(word, 0x1f000000, 0x10000000))
		put_address(writer, word & 31, address_of(word, insn, from));
	else
		return put_load(writer, word, from + (uintptr_t)insn->target);
	return true;
}

bool prologue_move_end(struct prologue_writer *writer, uintptr_t target)
{
	return put_branch(writer, target);
}

/* [autiasp]; mov w17, #number; ldr x16, *head; br x16 */
void prologue_entry(uint8_t *bytes, const struct prologue *plan, uint32_t number,
		    const uintptr_t *head)
{
	uint32_t code[] = {plan && plan->sign ? plan->sign | CHECKS : NOP,
			   0x52800000 | number << 5 | ENTRY_REGISTER, 0x58000050, 0xd61f0200};

	memset(bytes, 0, PROLOGUE_ENTRY_SIZE);
	memcpy(bytes, code, sizeof(code));
	memcpy(bytes + sizeof(code), head, sizeof(*head));
}

/* b; or ldr x16, .+8; br x16; the address */
size_t prologue_jump(uint8_t bytes[PROLOGUE_JUMP_MAX], uintptr_t from, uintptr_t to, bool far)
{
	uint32_t code[] = {far ? 0x58000050 : branch_to(from, to), 0xd61f0200};

	memcpy(bytes, code, sizeof(code));
	memcpy(bytes + sizeof(code), &to, sizeof(to));
	return far ? PROLOGUE_FAR : PROLOGUE_JUMP;
}

#ifdef UNIT_TEST
#include <sys/mman.h>

#include "unittest.h"

#define FAR ((uintptr_t)1 << 32)

/* Functions that begin in each of the ways that have to be changed. */
__asm__(".pushsection .text.moved, \"ax\"\n"
	".macro moved name, body:vararg\n"
	"	.p2align 4\n"
	"moved_\\name:\n"
	"	\\body\n"
	"	.p2align 3\n"
	".endm\n"
	".macro known name\n"
	"	.pushsection .data.rel.ro.moved, \"aw\"\n"
	"	.quad moved_\\name, 9b - moved_\\name\n"
	"	.asciz \"\\name\"\n"
	"	.p2align 4\n"
	"	.popsection\n"
	".endm\n"
	".pushsection .data.rel.ro.moved, \"aw\"\n"
	".p2align 4\n"
	"moved_first:\n"
	".popsection\n"
	"moved adr, adr x1, 1f; ldr x2, [x1]; add x0, x0, x2; ret; .p2align 3; 1: .quad 100; 9:\n"
	"known adr\n"
	"moved adrp, adrp x1, moved_word; ldr x1, [x1, :lo12:moved_word]; add x0, x0, x1; ret; 9:\n"
	"known adrp\n"
	"moved ldr, ldr x1, 1f; add x0, x0, x1; ret; .p2align 3; 1: .quad 300; 9:\n"
	"known ldr\n"
	"moved ldrw, ldr w1, 1f; add x0, x0, x1; ret; 1: .word -400, 0; 9:\n"
	"known ldrw\n"
	"moved ldrsw, ldrsw x1, 1f; add x0, x0, x1; ret; 1: .word -500, 0; 9:\n"
	"known ldrsw\n"
	"moved ldrs, ldr s0, 1f; fcvtzs x1, s0; add x0, x0, x1; ret; 1: .float 600; 9:\n"
	"known ldrs\n"
	"moved ldrd, ldr d0, 1f; fcvtzs x1, d0; add x0, x0, x1; ret; .p2align 3; 1: .double 700; "
	"9:\n"
	"known ldrd\n"
	"moved ldrq, ldr q0, 1f; mov x1, v0.d[1]; add x0, x0, x1; ret; .p2align 4; 1: .quad 0, "
	"800; 9:\n"
	"known ldrq\n"
	"moved prfm, prfm pldl1keep, 1f; add x0, x0, 9; 1: ret; nop; nop; 9:\n"
	"known prfm\n"
	"moved b, b 1f; nop; nop; nop; 1: add x0, x0, 10; ret; 9:\n"
	"known b\n"
	"moved cbz, cbz x0, 1f; nop; nop; add x0, x0, 11; 1: add x0, x0, 12; ret; 9:\n"
	"known cbz\n"
	"moved cbnz, cbnz w0, 1f; nop; nop; add x0, x0, 13; 1: add x0, x0, 14; ret; 9:\n"
	"known cbnz\n"
	"moved tbz, tbz x0, 33, 1f; nop; nop; add x0, x0, 15; 1: add x0, x0, 16; ret; 9:\n"
	"known tbz\n"
	"moved tbnz, tbnz w0, 1, 1f; nop; nop; add x0, x0, 17; 1: add x0, x0, 18; ret; 9:\n"
	"known tbnz\n"
	"moved cond, cmp x0, 3; b.eq 1f; b.hi 1f; b.al 1f; add x0, x0, 19; 1: cinc x0, x0, eq; "
	"ret; 9:\n"
	"known cond\n"
	"moved bl, stp x29, x30, [sp, -16]!; add x0, x0, 1; nop; bl moved_b; ldp x29, x30, [sp], "
	"16; ret; 9:\n"
	"known bl\n"
	"moved blr, stp x29, x30, [sp, -16]!; adrp x1, moved_b; add x1, x1, :lo12:moved_b; blr x1; "
	"ldp x29, x30, [sp], 16; ret; 9:\n"
	"known blr\n"
	"moved blr30, str x30, [sp, -16]!; adrp x30, moved_b; add x30, x30, :lo12:moved_b; blr "
	"x30; ldr x30, [sp], 16; ret; 9:\n"
	"known blr30\n"
	"moved x16, mov x16, x0; adrp x17, moved_word; nop; nop; ldr x17, [x17, :lo12:moved_word]; "
	"add x0, x16, x17; ret; 9:\n"
	"known x16\n"
	"moved pac, hint 25; stp x29, x30, [sp, -16]!; add x0, x0, 1; nop; nop; bl moved_b; ldp "
	"x29, x30, [sp], 16; hint 29; ret; 9:\n"
	"known pac\n"
	"moved bti, hint 34; hint 25; stp x29, x30, [sp, -16]!; bl moved_b; ldp x29, x30, [sp], "
	"16; hint 29; ret; 9:\n"
	"known bti\n"
	".pushsection .data.rel.ro.moved, \"aw\"\n"
	"moved_end:\n"
	".popsection\n"
	".pushsection .data.moved, \"aw\"\n"
	".p2align 3\n"
	"moved_word: .quad 200\n"
	".popsection\n"
	".popsection\n");

struct moved {
	uintptr_t address, size;
	char name[16];
};

extern const struct moved moved_first[] __attribute__((visibility("hidden"))),
	moved_end[] __attribute__((visibility("hidden")));

static long call(uintptr_t address, long x)
{
	long (*function)(long);

	memcpy(&function, &address, sizeof(function));
	return function(x);
}

/* Runs a function from another place, and compares what it gives. */
static void run_moved(const struct moved *moved, const struct prologue *plan, uint8_t *bytes)
{
	static const long arguments[] = {0, 1, 2, 3, 4, 1l << 33, -1};
	size_t size = prologue_move((const uint8_t *)moved->address, moved->address, plan, bytes,
				    (uintptr_t)bytes);

	/* no register is left for an address */
	if (!size && plan->far && !strcmp(moved->name, "x16"))
		return;
	if (!size || size > PROLOGUE_MOVED_MAX - 8) {
		test_failed(__FILE__, __LINE__, "%s is not moved", moved->name);
		return;
	}
	__builtin___clear_cache((char *)bytes, (char *)bytes + PROLOGUE_MOVED_MAX);
	for (unsigned i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++)
		if (call((uintptr_t)bytes, arguments[i]) != call(moved->address, arguments[i]))
			test_failed(__FILE__, __LINE__, "%s(%ld)%s", moved->name, arguments[i],
				    plan->far ? ", far" : "");
}

static uint8_t *memory_near(uintptr_t address, uintptr_t from, uintptr_t step)
{
	for (uintptr_t i = 1; i < 64; i++) {
		void *at = (void *)((address + from + i * step) & ~(uintptr_t)0xffff);
		uint8_t *memory = mmap(at, PROLOGUE_MOVED_MAX, PROT_READ | PROT_WRITE | PROT_EXEC,
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

		if (memory == at)
			return memory;
	}
	return NULL;
}

TEST_CASE(numbers_are_no_registers)
{
	EXPECT(names(0x90000011, 17));  /* adrp x17, . */
	EXPECT(!names(0x90000201, 16)); /* adrp x1, . + 16 << 14 */
	EXPECT(!names(0x90000221, 17));
	EXPECT(!names(0xf9404021, 16)); /* ldr x1, [x1, 128] */
	EXPECT(names(0xf9400211, 16));  /* ldr x17, [x16] */
	EXPECT(!names(0x91104021, 16)); /* add x1, x1, 1040 */
	EXPECT(!names(0x14000010, 16)); /* b . + 64 */
	EXPECT(!names(0x54000200, 16)); /* b.eq . + 64 */
	EXPECT(names(0xb4000010, 16));  /* cbz x16, . */
	EXPECT(!names(0xd2820200, 16)); /* mov x0, 4112 */
	EXPECT(names(0xa9bf47f0, 17));  /* stp x16, x17, [sp, -16]! */
	EXPECT(!names(0xa9107bfd, 16)); /* stp x29, x30, [sp, 256] */
	EXPECT(names(0x8b110000, 17));  /* add x0, x0, x17 */
	EXPECT(!names(0x8b010000, 17));
}

/* By both kinds of jumps, near and where short ones do not reach. */
TEST_CASE(prologue_runs_elsewhere)
{
	uintptr_t address = moved_first->address;
	uint8_t *near = memory_near(address, 0, -(uintptr_t)(1 << 20));
	uint8_t *far = memory_near(address, FAR, 1 << 20);
	unsigned fars = 0;

	REQUIRE(near && far);
	EXPECT(prologue_reaches(address, (uintptr_t)near));
	EXPECT(!prologue_reaches(address, (uintptr_t)far));
	for (const struct moved *moved = moved_first; moved < moved_end; moved++) {
		struct prologue plan;
		const char *reason = prologue_plan((const uint8_t *)moved->address, moved->size,
						   moved->size, &plan);

		if (reason) {
			test_failed(__FILE__, __LINE__, "%s: %s", moved->name, reason);
			continue;
		}
		run_moved(moved, &plan, near);
		run_moved(moved, &plan, far);
		plan.far = plan.far_length != 0;
		fars += plan.far;
		if (plan.far)
			run_moved(moved, &plan, far);
	}
	EXPECT_EQ(moved_end - moved_first, 21);
	EXPECT(fars >= 12);
	munmap(near, PROLOGUE_MOVED_MAX);
	munmap(far, PROLOGUE_MOVED_MAX);
}
#endif
#endif
