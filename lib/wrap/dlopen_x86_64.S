/* SPDX-License-Identifier: MIT */
/*
 * dlopen_x86_64.S - dlopen() and dlmopen(), which jump to the real ones. See posix_loading.h.
 */
#ifdef __x86_64__

	/* `site`: the register of the argument behind the last one */
	.macro	jump_through name, enter, site
	.globl	\name
	.type	\name, @function
	.p2align 4
\name:
	.cfi_startproc
	pushq	%rdi			/* three of them: aligned for the call */
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	movq	24(%rsp), \site		/* the call site */
	call	\enter
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	jmp	*%rax
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.text
	jump_through dlopen, dlopen_enter, %rdx
	jump_through dlmopen, dlmopen_enter, %rcx
#endif
	.section .note.GNU-stack, "", @progbits
