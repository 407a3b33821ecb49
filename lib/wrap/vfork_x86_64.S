/* SPDX-License-Identifier: MIT */
/*
 * vfork_x86_64.S - vfork() without a frame. See vfork.h.
 */
#ifdef __x86_64__
#include <sys/syscall.h>

	.text
	.globl	vfork, __vfork
	.type	vfork, @function
	.type	__vfork, @function
	.p2align 4
vfork:
__vfork:
	.cfi_startproc
	movq	(%rsp), %rdi		/* the call site */
	subq	$8, %rsp		/* aligned for the call */
	.cfi_adjust_cfa_offset 8
	call	vfork_enter
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	movl	%eax, %edx		/* the level; the kernel keeps rdx and rdi */
	popq	%rdi			/* the return address */
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %rdi
	movl	$SYS_vfork, %eax
	syscall
	pushq	%rdi			/* the child has used this place */
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rip, 0
	testq	%rax, %rax
	jz	1f
	movq	%rax, %rdi
	movl	%edx, %esi
	jmp	vfork_leave
1:	ret
	.cfi_endproc
	.size	vfork, . - vfork
	.size	__vfork, . - __vfork
#endif
	.section .note.GNU-stack, "", @progbits
