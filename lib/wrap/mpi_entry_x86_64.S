/* SPDX-License-Identifier: MIT */
/*
 * mpi_entry_x86_64.S - mpi_entry_detour: goes where mpi_entry_target() says, with all arguments as the caller gave them. See mpi_entry.h.
 */
#ifdef __x86_64__

#define SAVED 192 /* eight registers of 8 bytes and eight of 16 */

	.text
	.globl	mpi_entry_detour
	.hidden	mpi_entry_detour
	.hidden	mpi_entry_target
	.type	mpi_entry_detour, @function
	.p2align 4
mpi_entry_detour:			/* the entry's data in %r11 */
	.cfi_startproc
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$SAVED, %rsp
	movq	%rdi, (%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
	movq	%rcx, 24(%rsp)
	movq	%r8, 32(%rsp)
	movq	%r9, 40(%rsp)
	movq	%r10, 48(%rsp)		/* static chain */
	movq	%rax, 56(%rsp)		/* how many vectors there are among variable arguments */
	movaps	%xmm0, 64(%rsp)
	movaps	%xmm1, 80(%rsp)
	movaps	%xmm2, 96(%rsp)
	movaps	%xmm3, 112(%rsp)
	movaps	%xmm4, 128(%rsp)
	movaps	%xmm5, 144(%rsp)
	movaps	%xmm6, 160(%rsp)
	movaps	%xmm7, 176(%rsp)
	movq	%r11, %rdi
	movq	8(%rbp), %rsi		/* the return address */
	call	mpi_entry_target
	movq	%rax, %r11
	movq	(%rsp), %rdi
	movq	8(%rsp), %rsi
	movq	16(%rsp), %rdx
	movq	24(%rsp), %rcx
	movq	32(%rsp), %r8
	movq	40(%rsp), %r9
	movq	48(%rsp), %r10
	movq	56(%rsp), %rax
	movaps	64(%rsp), %xmm0
	movaps	80(%rsp), %xmm1
	movaps	96(%rsp), %xmm2
	movaps	112(%rsp), %xmm3
	movaps	128(%rsp), %xmm4
	movaps	144(%rsp), %xmm5
	movaps	160(%rsp), %xmm6
	movaps	176(%rsp), %xmm7
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	jmp	*%r11
	.cfi_endproc
	.size	mpi_entry_detour, . - mpi_entry_detour
#endif
	.section .note.GNU-stack, "", %progbits
