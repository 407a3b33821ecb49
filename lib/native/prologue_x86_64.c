/* SPDX-License-Identifier: MIT */
/* prologue_x86_64.c - see prologue_cpu.h. For all CPUs that have none of their own, too. */
#ifndef __aarch64__
#include "native/prologue_cpu.h"

#include <string.h>

#include "record/readable.h"

/* endbr64 */
size_t prologue_landing(const uint8_t *code, size_t size, struct prologue *plan)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};

	(void)plan;
	return size >= sizeof(endbr64) && !memcmp(code, endbr64, sizeof(endbr64)) ? sizeof(endbr64)
										  : 0;
}

void prologue_look(const uint8_t *code, size_t size, struct prologue *plan)
{
	(void)code;
	(void)size;
	(void)plan;
}

/* ---- tables ---- */

#define PLACES_MAX 1024u /* of a table that are looked at */

/* Where a place of a table leads, counted from the function: its words are addresses, or 32 bits that are counted from the table. */
static bool read_place(uintptr_t table, size_t index, bool addresses, uintptr_t function,
		       uint64_t *target)
{
	const uint8_t *place = (const uint8_t *)table + index * (addresses ? 8 : 4);
	int32_t offset;

	if (!readable(place, addresses ? 8 : 4))
		return false;
	if (addresses) {
		memcpy(target, place, sizeof(*target));
	} else {
		memcpy(&offset, place, sizeof(offset));
		*target = table + (uintptr_t)(intptr_t)offset;
	}
	*target -= function;
	return true;
}

/* lea table(%rip), or jmp *table(, %rax, 8); a table ends where its words lead elsewhere. */
bool prologue_has_table(const uint8_t *code, size_t size, size_t at, const struct insn *insn,
			size_t end)
{
	const uint8_t *bytes = code + at, *behind = bytes + insn->length;
	bool addresses = insn->flow == INSN_JUMP_INDIRECT && insn->length >= 7 &&
			 behind[-7] == 0xff && behind[-6] == 0x24 && (behind[-5] & 7) == 5;
	uintptr_t table = 0;
	uint64_t target;
	int32_t offset;

	if (!addresses && (insn->displacement < 2 || bytes[insn->displacement - 2] != 0x8d))
		return false;
	memcpy(&offset, behind - sizeof(offset), sizeof(offset));
	if (!addresses)
		table = (uintptr_t)behind;
	table += (uintptr_t)(intptr_t)offset;
	for (size_t i = 0; i < PLACES_MAX; i++) {
		if (!read_place(table, i, addresses, (uintptr_t)code, &target) || target >= size)
			return false;
		if (target < end)
			return true;
	}
	return false;
}

/* Its operand is counted from the stack pointer, which a return address on the stack moves. */
static bool calls_by_stack(const uint8_t *code, const struct insn *insn)
{
	const uint8_t *modrm;
	size_t at = (code[0] & 0xf0) == 0x40; /* REX */

	if (insn->length < at + 2 || code[at] != 0xff)
		return true;
	modrm = code + at + 1;
	return (modrm[0] >> 6) != 3 && (modrm[0] & 7) == 4;
}

const char *prologue_cannot_move(const uint8_t *code, const struct insn *insn, bool last)
{
	switch (insn->flow) {
	case INSN_COUNTED:
		return "a loop instruction at its begin";
	case INSN_CALL:
		return last ? NULL : "a call at its begin";
	case INSN_CALL_INDIRECT:
		return last && !calls_by_stack(code, insn) ? NULL : "a call at its begin";
	case INSN_TRAP:
		return "a trap at its begin";
	default:
		return NULL;
	}
}

/* The 32 bits at the end of an instruction that ends `behind` bytes further; false: too far. */
static bool put_relative(struct prologue_writer *writer, uintptr_t target, size_t behind)
{
	int64_t offset = (int64_t)(target - (writer->to + writer->length + 4 + behind));
	int32_t stored = (int32_t)offset;

	if (stored != offset)
		return false;
	prologue_put(writer, &stored, sizeof(stored));
	return true;
}

static bool move_jump(struct prologue_writer *writer, const struct insn *insn, uintptr_t from)
{
	uint8_t opcode[2] = {0x0f, (uint8_t)(0x80 | insn->condition)};

	if (insn->flow == INSN_JUMP)
		prologue_put(writer, "\xe9", 1);
	else
		prologue_put(writer, opcode, 2);
	return put_relative(writer, from + (uintptr_t)insn->target, 0);
}

/* Its operand lies where it lay. */
static bool move_displaced(struct prologue_writer *writer, const uint8_t *code,
			   const struct insn *insn, uintptr_t from)
{
	size_t behind = insn->length - insn->displacement - 4u;
	int32_t offset;

	memcpy(&offset, code + insn->displacement, sizeof(offset));
	prologue_put(writer, code, insn->displacement);
	if (!put_relative(writer, from + insn->length + (uintptr_t)(int64_t)offset, behind))
		return false;
	prologue_put(writer, code + insn->displacement + 4, behind);
	return true;
}

/* lea -8(%rsp), %rsp; movl ..., (%rsp); movl ..., 4(%rsp) */
static void put_return_address(struct prologue_writer *writer, uintptr_t address)
{
	uint32_t low = (uint32_t)address, high = (uint32_t)((uint64_t)address >> 32);

	prologue_put(writer, "\x48\x8d\x64\x24\xf8\xc7\x04\x24", 8);
	prologue_put(writer, &low, sizeof(low));
	prologue_put(writer, "\xc7\x44\x24\x04", 4);
	prologue_put(writer, &high, sizeof(high));
}

/* The call becomes a jump: of those that have an operand the opcode is in three bits of it. */
static bool move_call(struct prologue_writer *writer, const uint8_t *code, const struct insn *insn,
		      uintptr_t from)
{
	uint8_t jump[INSN_MAX];
	size_t modrm = (code[0] & 0xf0) == 0x40 ? 2 : 1;

	put_return_address(writer, from + insn->length);
	if (insn->flow == INSN_CALL) {
		prologue_put(writer, "\xe9", 1);
		return put_relative(writer, from + (uintptr_t)insn->target, 0);
	}
	memcpy(jump, code, insn->length);
	jump[modrm] = (uint8_t)((jump[modrm] & ~0x38) | 4 << 3);
	if (insn->displacement)
		return move_displaced(writer, jump, insn, from);
	prologue_put(writer, jump, insn->length);
	return true;
}

/* At most five instructions, which grow by at most four bytes. */
void prologue_move_begin(struct prologue_writer *writer, const uint8_t *code,
			 const struct prologue *plan)
{
	(void)writer;
	(void)code;
	(void)plan;
}

bool prologue_move_one(struct prologue_writer *writer, const uint8_t *code, const struct insn *insn,
		       uintptr_t from)
{
	if (insn->flow == INSN_JUMP || insn->flow == INSN_BRANCH)
		return move_jump(writer, insn, from);
	if (insn->flow == INSN_CALL || insn->flow == INSN_CALL_INDIRECT)
		return move_call(writer, code, insn, from);
	if (insn->displacement)
		return move_displaced(writer, code, insn, from);
	prologue_put(writer, code, insn->length);
	return true;
}

bool prologue_move_end(struct prologue_writer *writer, uintptr_t target)
{
	prologue_put(writer, "\xe9", 1);
	return put_relative(writer, target, 0);
}

/* push $number; jmp *head */
void prologue_entry(uint8_t *bytes, const struct prologue *plan, uint32_t number,
		    const uintptr_t *head)
{
	int32_t offset = (int32_t)((uintptr_t)head - (uintptr_t)bytes - 11);

	(void)plan;
	memset(bytes, 0xcc, PROLOGUE_ENTRY_SIZE);
	bytes[0] = 0x68;
	memcpy(bytes + 1, &number, sizeof(number));
	bytes[5] = 0xff;
	bytes[6] = 0x25;
	memcpy(bytes + 7, &offset, sizeof(offset));
}

size_t prologue_jump(uint8_t bytes[PROLOGUE_JUMP_MAX], uintptr_t from, uintptr_t to, bool far)
{
	int32_t offset = (int32_t)(to - from - PROLOGUE_JUMP);

	(void)far;
	bytes[0] = 0xe9;
	memcpy(bytes + 1, &offset, sizeof(offset));
	return PROLOGUE_JUMP;
}

bool prologue_reaches(uintptr_t from, uintptr_t to)
{
	int64_t offset = (int64_t)(to - from - PROLOGUE_JUMP);

	return offset == (int32_t)offset;
}

#ifdef UNIT_TEST
#include "unittest.h"

static const char *plan_of(const char *bytes, size_t size, size_t room, struct prologue *plan)
{
	return prologue_plan((const uint8_t *)bytes, size, room, plan);
}

TEST_CASE(prologue_is_measured)
{
	struct prologue plan;

	/* push %rbp; mov %rsp,%rbp; sub $16,%rsp; ret */
	EXPECT(!plan_of("\x55\x48\x89\xe5\x48\x83\xec\x10\xc3", 9, 9, &plan));
	EXPECT_EQ(plan.at, 0);
	EXPECT_EQ(plan.length, 8);
	EXPECT(!plan.nops);
	EXPECT(!plan_of("\xf3\x0f\x1e\xfa\x55\x48\x89\xe5\x53\xc3", 10, 10, &plan));
	EXPECT_EQ(plan.at, 4);
	EXPECT_EQ(plan.length, 5);
	EXPECT(!plan_of("\x90\x90\x90\x90\x90\x74\xfe\xeb\xf9", 9, 9, &plan));
	EXPECT(plan.nops);
}

TEST_CASE(prologue_is_refused)
{
	struct prologue plan;

	EXPECT_STR(plan_of("\x8d\x04\x37\xc3", 4, 4, &plan), "too short"); /* lea; ret */
	EXPECT_STR(plan_of("\x8d\x04\x37\xc3\x55", 4, 5, &plan), "too short");
	EXPECT(!plan_of("\x8d\x04\x37\xc3\x90", 4, 5, &plan)); /* padding behind it */
	EXPECT_EQ(plan.length, 4);
	EXPECT(!plan_of("\xe8\0\0\0\0\xc3", 6, 6, &plan));
	EXPECT_STR(plan_of("\xff\xd0\x55\x90\x90\xc3", 6, 6, &plan), "a call at its begin");
	EXPECT_STR(plan_of("\x55\xff\x54\x24\x08\xc3", 6, 6, &plan), "a call at its begin");
	EXPECT(!plan_of("\x55\x53\xff\x53\x08\x90\xc3", 7, 7, &plan)); /* by %rbx */
	EXPECT_STR(plan_of("\x55\x48\xff\xc7\x90\x75\xfa\xc3", 8, 8, &plan),
		   "a jump back to its begin"); /* to the inc */
	EXPECT_STR(plan_of("\x55\x06\x90\x90\x90\xc3", 6, 6, &plan), "an unknown instruction");
	EXPECT_STR(plan_of("\x48\xff\xc7\x90\x90\x75\xf9\xc3", 8, 8, &plan),
		   "a jump back to its begin"); /* a loop */
	EXPECT_STR(plan_of("\x55\x74\x01\x90\x90\x90\xc3", 7, 7, &plan),
		   "a jump back to its begin"); /* from it into it */
}

TEST_CASE(prologue_is_moved)
{
	/* mov 16(%rip),%rax; then je +4, which becomes long */
	static const uint8_t code[] = {0x48, 0x8b, 0x05, 0x10, 0, 0, 0, 0xc3};
	static const uint8_t jump[] = {0x85, 0xff, 0x74, 0x10, 0x55, 0xc3};
	uint8_t bytes[PROLOGUE_MOVED_MAX];
	struct prologue plan;
	int32_t offset;

	EXPECT(!prologue_plan(code, sizeof(code), sizeof(code), &plan));
	EXPECT_EQ(prologue_move(code, 0x10000, &plan, bytes, 0x20000), 12);
	memcpy(&offset, bytes + 3, 4);
	EXPECT_EQ(0x20007 + offset, 0x10017);
	memcpy(&offset, bytes + 8, 4);
	EXPECT_EQ(0x2000c + offset, 0x10007);
	EXPECT_EQ(prologue_move(code, 0x10000, &plan, bytes, 0x200000000), 0);

	EXPECT(!prologue_plan(jump, sizeof(jump), sizeof(jump), &plan));
	EXPECT_EQ(plan.length, 5);
	EXPECT_EQ(prologue_move(jump, 0x10000, &plan, bytes, 0x20000), 14);
	EXPECT_MEM(bytes, "\x85\xff\x0f\x84", 4);
	memcpy(&offset, bytes + 4, 4);
	EXPECT_EQ(0x20008 + offset, 0x10014);
	EXPECT_EQ(bytes[8], 0x55);
}

TEST_CASE(prologue_calls_by_jumps)
{
	/* sub $8,%rsp; call +0x100; and push %rbx; call *8(%rip) */
	static const uint8_t direct[] = {0x48, 0x83, 0xec, 8, 0xe8, 0, 1, 0, 0, 0xc3};
	static const uint8_t indirect[] = {0x53, 0xff, 0x15, 8, 0, 0, 0, 0xc3};
	uint8_t bytes[PROLOGUE_MOVED_MAX];
	struct prologue plan;
	int32_t offset;

	EXPECT(!prologue_plan(direct, sizeof(direct), sizeof(direct), &plan));
	EXPECT_EQ(plan.length, 9);
	EXPECT_EQ(prologue_move(direct, 0x712345678, &plan, bytes, 0x712300000), 34);
	EXPECT_MEM(bytes + 4,
		   "\x48\x8d\x64\x24\xf8\xc7\x04\x24\x81\x56\x34\x12\xc7\x44\x24\x04\7\0\0\0\xe9",
		   21);
	memcpy(&offset, bytes + 25, 4);
	EXPECT_EQ(0x712300000 + 29 + offset, 0x712345678 + 9 + 0x100);
	EXPECT(!prologue_plan(indirect, sizeof(indirect), sizeof(indirect), &plan));
	EXPECT_EQ(prologue_move(indirect, 0x10000, &plan, bytes, 0x20000), 32);
	EXPECT_MEM(bytes + 21, "\xff\x25", 2);
	memcpy(&offset, bytes + 23, 4);
	EXPECT_EQ(0x20000 + 27 + offset, 0x10007 + 8);
}
#endif
#endif
