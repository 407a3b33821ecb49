/* SPDX-License-Identifier: MIT */
/*
 * mpi_entry_aarch64.S - mpi_entry_detour: goes where mpi_entry_target() says, with all arguments as the caller gave them. See mpi_entry.h.
 */
#ifdef __aarch64__

#define SAVED 224 /* frame, ten registers of 8 bytes and eight of 16 */

	.text
	.globl	mpi_entry_detour
	.hidden	mpi_entry_detour
	.hidden	mpi_entry_target
	.type	mpi_entry_detour, %function
	.p2align 4
mpi_entry_detour:			/* the entry's data in x17 */
	.cfi_startproc
	stp	x29, x30, [sp, -SAVED]!
	.cfi_adjust_cfa_offset SAVED
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	mov	x29, sp
	stp	x0, x1, [sp, 16]
	stp	x2, x3, [sp, 32]
	stp	x4, x5, [sp, 48]
	stp	x6, x7, [sp, 64]
	stp	x8, x18, [sp, 80]	/* address of a large result; static chain */
	stp	q0, q1, [sp, 96]
	stp	q2, q3, [sp, 128]
	stp	q4, q5, [sp, 160]
	stp	q6, q7, [sp, 192]
	mov	x0, x17
	mov	x1, x30			/* the return address */
	bl	mpi_entry_target
	mov	x16, x0
	ldp	x0, x1, [sp, 16]
	ldp	x2, x3, [sp, 32]
	ldp	x4, x5, [sp, 48]
	ldp	x6, x7, [sp, 64]
	ldp	x8, x18, [sp, 80]
	ldp	q0, q1, [sp, 96]
	ldp	q2, q3, [sp, 128]
	ldp	q4, q5, [sp, 160]
	ldp	q6, q7, [sp, 192]
	ldp	x29, x30, [sp], SAVED
	.cfi_adjust_cfa_offset -SAVED
	.cfi_restore x29
	.cfi_restore x30
	br	x16
	.cfi_endproc
	.size	mpi_entry_detour, . - mpi_entry_detour
#endif
	.section .note.GNU-stack, "", %progbits
