/* SPDX-License-Identifier: MIT */
/* cfi_rows.c - see cfi_rows.h */
#include "record/cfi_rows.h"

#include "record/cfi_encoding.h"

#define REMEMBERED_MAX 4u

struct machine {
	struct cfi_row row, initial, remembered[REMEMBERED_MAX];
	unsigned depth;
	const struct cfi_code *code;
	uintptr_t location; /* where the row begins to hold */
};

static struct cfi_where *of_register(struct cfi_row *row, uint64_t number)
{
	if (number == REGISTER_FP)
		return &row->frame_pointer;
	return number == REGISTER_RA ? &row->return_address : NULL;
}

static void set_register(struct machine *machine, uint64_t number, uint8_t place, int64_t offset)
{
	struct cfi_where *where = of_register(&machine->row, number);

	if (where)
		*where = (struct cfi_where){(int32_t)offset, place};
}

static void restore_register(struct machine *machine, uint64_t number)
{
	struct cfi_where *where = of_register(&machine->row, number);

	if (where)
		*where = *of_register(&machine->initial, number);
}

static uint8_t place_by(uint64_t number)
{
	if (number == REGISTER_SP)
		return CFI_AT_SP;
	return number == REGISTER_FP ? CFI_AT_FP : CFI_UNKNOWN;
}

static void set_cfa(struct machine *machine, uint64_t number, int64_t offset)
{
	machine->row.cfa = (struct cfi_where){(int32_t)offset, place_by(number)};
	machine->row.cfa_in_memory = false;
	machine->row.cfa_more = 0;
}

/* "register plus offset", alone or as the first part of an expression. */
static struct cfi_where take_sum(struct bytes *code)
{
	uint8_t op = bytes_u8(code);

	if (op < OP_BREG0 || op > OP_BREG31)
		return (struct cfi_where){0, CFI_UNKNOWN};
	return (struct cfi_where){(int32_t)cfi_sleb(code), place_by(op - OP_BREG0)};
}

static void set_cfa_expression(struct machine *machine, struct bytes code)
{
	struct cfi_row *row = &machine->row;

	row->cfa = take_sum(&code);
	row->cfa_more = 0;
	row->cfa_in_memory = code.p < code.end && *code.p == OP_DEREF;
	if (row->cfa_in_memory)
		code.p++;
	if (code.p < code.end && *code.p == OP_PLUS_CONST) {
		code.p++;
		row->cfa_more = (int32_t)bytes_varint(&code);
	}
	if (code.bad || code.p != code.end)
		row->cfa.place = CFI_UNKNOWN;
}

static void set_register_expression(struct machine *machine, uint64_t number, struct bytes code)
{
	struct cfi_where where = take_sum(&code);

	if (code.bad || code.p != code.end)
		where.place = CFI_UNKNOWN;
	set_register(machine, number, where.place, where.offset);
}

/* The instructions that name a register and say where it is. */
static bool step_register(struct machine *machine, unsigned op, struct bytes *code)
{
	uint64_t number = bytes_varint(code);

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		set_register(machine, number, CFI_AT_CFA,
			     (int64_t)bytes_varint(code) * machine->code->data_unit);
		return true;
	case CFA_OFFSET_EXTENDED_SF:
		set_register(machine, number, CFI_AT_CFA,
			     cfi_sleb(code) * machine->code->data_unit);
		return true;
	case CFA_RESTORE_EXTENDED:
		restore_register(machine, number);
		return true;
	case CFA_UNDEFINED:
		set_register(machine, number, CFI_UNDEFINED, 0);
		return true;
	case CFA_SAME_VALUE:
		set_register(machine, number, CFI_SAME, 0);
		return true;
	case CFA_EXPRESSION:
		set_register_expression(machine, number, cfi_take(code, bytes_varint(code)));
		return true;
	case CFA_VAL_EXPRESSION:
		cfi_take(code, bytes_varint(code));
		break;
	case CFA_REGISTER:
	case CFA_VAL_OFFSET:
		bytes_varint(code);
		break;
	case CFA_VAL_OFFSET_SF:
		cfi_sleb(code);
		break;
	default:
		return false;
	}
	set_register(machine, number, CFI_UNKNOWN, 0);
	return true;
}

static bool step_cfa(struct machine *machine, unsigned op, struct bytes *code)
{
	struct cfi_row *row = &machine->row;
	uint64_t number;

	switch (op) {
	case CFA_DEF_CFA:
		number = bytes_varint(code);
		set_cfa(machine, number, (int64_t)bytes_varint(code));
		return true;
	case CFA_DEF_CFA_SF:
		number = bytes_varint(code);
		set_cfa(machine, number, cfi_sleb(code) * machine->code->data_unit);
		return true;
	case CFA_DEF_CFA_REGISTER:
		set_cfa(machine, bytes_varint(code), row->cfa.offset);
		return true;
	case CFA_DEF_CFA_OFFSET:
		row->cfa.offset = (int32_t)bytes_varint(code);
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		row->cfa.offset = (int32_t)(cfi_sleb(code) * machine->code->data_unit);
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		set_cfa_expression(machine, cfi_take(code, bytes_varint(code)));
		return true;
	case CFA_REMEMBER:
		if (machine->depth == REMEMBERED_MAX)
			return false;
		machine->remembered[machine->depth++] = *row;
		return true;
	case CFA_RESTORE_STATE:
		if (machine->depth == 0)
			return false;
		*row = machine->remembered[--machine->depth];
		return true;
	}
	return step_register(machine, op, code);
}

/* One instruction. False: it is not understood. */
static bool step(struct machine *machine, struct bytes *code)
{
	uint8_t op = bytes_u8(code);
	unsigned low = op & 0x3f;

	switch (op >> 6) {
	case 1:
		machine->location += low * machine->code->code_unit;
		return true;
	case 2:
		set_register(machine, low, CFI_AT_CFA,
			     (int64_t)bytes_varint(code) * machine->code->data_unit);
		return true;
	case 3:
		restore_register(machine, low);
		return true;
	}
	switch (op) {
	case 0:
	case CFA_AARCH64_SIGN: /* signatures are taken off whether they are there or not */
		return true;
	case CFA_ADVANCE1:
		machine->location += bytes_u8(code) * machine->code->code_unit;
		return true;
	case CFA_ADVANCE2:
		machine->location += bytes_u16(code) * machine->code->code_unit;
		return true;
	case CFA_ADVANCE4:
		machine->location += bytes_u32(code) * machine->code->code_unit;
		return true;
	case CFA_GNU_ARGS_SIZE:
		bytes_varint(code);
		return true;
	case CFA_SET_LOC:
		return false;
	}
	return step_cfa(machine, op, code);
}

/* Runs instructions up to the row of `pc`. */
static bool run(struct machine *machine, struct bytes code, uintptr_t pc)
{
	while (code.p < code.end && machine->location <= pc)
		if (!step(machine, &code) || code.bad)
			return false;
	return true;
}

bool cfi_row_at(const struct cfi_code *code, uintptr_t pc, struct cfi_row *row)
{
	struct machine machine = {.code = code};

	machine.row.frame_pointer.place = CFI_SAME;
	machine.row.return_address.place = CFI_SAME;
	if (!run(&machine, code->common, UINTPTR_MAX))
		return false;
	machine.initial = machine.row;
	machine.location = code->begin;
	if (!run(&machine, code->own, pc))
		return false;
	*row = machine.row;
	return row->cfa.place != CFI_UNKNOWN;
}
