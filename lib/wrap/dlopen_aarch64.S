/* SPDX-License-Identifier: MIT */
/*
 * dlopen_aarch64.S - dlopen() and dlmopen(), which jump to the real ones. See posix_loading.h.
 */
#ifdef __aarch64__

	/* `site`: the register of the argument behind the last one */
	.macro	jump_through name, enter, site
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	stp	x29, x30, [sp, -48]!
	.cfi_adjust_cfa_offset 48
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	stp	x0, x1, [sp, 16]
	str	x2, [sp, 32]
	mov	\site, x30		/* the call site */
	bl	\enter
	mov	x16, x0
	ldr	x2, [sp, 32]
	ldp	x0, x1, [sp, 16]
	ldp	x29, x30, [sp], 48
	.cfi_adjust_cfa_offset -48
	.cfi_restore x29
	.cfi_restore x30
	br	x16
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.text
	jump_through dlopen, dlopen_enter, x2
	jump_through dlmopen, dlmopen_enter, x3
#endif
	.section .note.GNU-stack, "", %progbits
