/* SPDX-License-Identifier: MIT */
/* prologue.c - see prologue.h */
#include "native/prologue_cpu.h"

#include <string.h>

/* Behind the end of the function there may be only what compilers fill up with. */
static bool is_padding(const uint8_t *code, size_t begin, size_t end, size_t room)
{
	struct insn insn;

	while (begin < end) {
		if (begin >= room)
			return false;
		if (code[begin] == 0xcc || code[begin] == 0) {
			begin++;
			continue;
		}
		if (!insn_decode(code + begin, room - begin, &insn) || !insn.nop)
			return false;
		begin += insn.length;
	}
	return true;
}

/* What becomes of the function's begin when `jump` bytes of it are replaced. */
struct measure {
	size_t length;
	bool nops, frame;
};

/* Whole instructions from `at` on, until there is room for the jump. */
static const char *measure(const uint8_t *code, size_t size, size_t room, size_t at, size_t jump,
			   struct measure *measured)
{
	size_t begin = at, end = at + jump;
	const char *reason;
	struct insn insn;
	bool ended = false;

	*measured = (struct measure){.nops = true};
	while (at < end && at < size && !ended) {
		if (!insn_decode(code + at, size - at, &insn))
			return "an unknown instruction";
		reason = prologue_cannot_move(code + at, &insn, at + insn.length >= end);
		if (reason)
			return reason;
		measured->nops &= insn.nop;
		measured->frame |= insn.frame;
		ended = insn.flow == INSN_RETURN || insn.flow == INSN_JUMP ||
			insn.flow == INSN_JUMP_INDIRECT;
		at += insn.length;
	}
	if (at < end && (at < size || !is_padding(code, at, end, room)))
		return "too short";
	measured->length = at - begin;
	return measured->length ? NULL : "too short";
}

/* Whether it goes to what is replaced, or, as in a loop that begins where the function does, to its begin: that would look like one more call. */
static bool hits(size_t begin, size_t end, const struct insn *insn, size_t from)
{
	int64_t target = (int64_t)from + insn->target;

	switch (insn->flow) {
	case INSN_JUMP:
	case INSN_BRANCH:
	case INSN_COUNTED:
		return target >= 0 && target < (int64_t)end;
	case INSN_CALL:
		return target > (int64_t)begin && target < (int64_t)end;
	default:
		return false;
	}
}

/* Also jumps from the moved instructions to each other, which would leave them. Behind the begin of a frame there is none by a table, as they would make another. */
static const char *look_for_jumps_back(const uint8_t *code, size_t size, size_t begin,
				       const struct measure *measured)
{
	bool jumps = false, bases = false, leads = false;
	struct insn insn;

	for (size_t at = 0; at < size; at += insn.length) {
		if (!insn_decode(code + at, size - at, &insn))
			return "an unknown instruction";
		if (hits(begin, begin + measured->length, &insn, at))
			return "a jump back to its begin";
		jumps |= insn.flow == INSN_JUMP_INDIRECT;
		leads |= prologue_has_table(code, size, at, &insn, begin + measured->length);
		bases |= insn.base && (uint64_t)((int64_t)at + insn.target) <= size;
	}
	return jumps && (leads || (bases && !measured->frame)) ? "jumps by a table" : NULL;
}

static const char *judge(const uint8_t *code, size_t size, size_t room, size_t at, size_t jump,
			 struct measure *measured)
{
	const char *reason = measure(code, size, room, at, jump, measured);

	if (reason || measured->nops)
		return reason;
	return look_for_jumps_back(code, size, at, measured);
}

uint8_t prologue_begin(const uint8_t *code, size_t size)
{
	struct prologue plan = {0};

	return (uint8_t)prologue_landing(code, size, &plan);
}

const char *prologue_plan(const uint8_t *code, size_t size, size_t room, struct prologue *plan)
{
	struct measure measured;
	const char *reason;

	memset(plan, 0, sizeof(*plan));
	plan->at = (uint8_t)prologue_landing(code, size, plan);
	reason = judge(code, size, room, plan->at, PROLOGUE_JUMP, &measured);
	if (reason)
		return reason;
	plan->length = (uint8_t)measured.length;
	plan->nops = measured.nops;
	prologue_look(code, size, plan);
	if (PROLOGUE_FAR && !judge(code, size, room, plan->at, PROLOGUE_FAR, &measured))
		plan->far_length = (uint8_t)measured.length;
	return NULL;
}

size_t prologue_empty(const uint8_t *code)
{
	struct prologue plan = {0};
	struct insn insn;
	size_t at = prologue_landing(code, INSN_MAX, &plan);

	return insn_decode(code + at, INSN_MAX, &insn) && insn.flow == INSN_RETURN
		       ? at + insn.length
		       : 0;
}

/* ---- moving ---- */

void prologue_put(struct prologue_writer *writer, const void *bytes, size_t size)
{
	memcpy(writer->bytes + writer->length, bytes, size);
	writer->length += size;
}

size_t prologue_move(const uint8_t *code, uintptr_t address, const struct prologue *plan,
		     uint8_t *bytes, uintptr_t to)
{
	struct prologue_writer writer = {.bytes = bytes, .to = to};
	size_t end = plan->at + (size_t)(plan->far ? plan->far_length : plan->length);
	size_t at = plan->nops && !plan->far ? end : plan->at;
	struct insn insn;

	prologue_move_begin(&writer, code, plan);
	for (; at < end; at += insn.length)
		if (!insn_decode(code + at, end - at, &insn) ||
		    !prologue_move_one(&writer, code + at, &insn, address + at))
			return 0;
	return prologue_move_end(&writer, address + end) ? writer.length : 0;
}
