/* SPDX-License-Identifier: MIT */
/*
 * vfork_aarch64.S - vfork() without a frame. See vfork.h.
 */
#ifdef __aarch64__
#include <sys/syscall.h>

#define VFORK_FLAGS 0x4111 /* CLONE_VM | CLONE_VFORK | SIGCHLD */

	.text
	.globl	vfork, __vfork
	.type	vfork, %function
	.type	__vfork, %function
	.p2align 4
vfork:
__vfork:
	.cfi_startproc
	stp	x29, x30, [sp, -16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	mov	x0, x30			/* the call site */
	bl	vfork_enter
	ldp	x29, x30, [sp], 16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x29
	.cfi_restore x30
	mov	w9, w0			/* the level; the kernel keeps all but x0 */
	mov	x0, VFORK_FLAGS
	mov	x1, 0			/* the same stack */
	mov	x8, SYS_clone
	svc	0
	cbz	x0, 1f
	mov	w1, w9
	b	vfork_leave
1:	ret
	.cfi_endproc
	.size	vfork, . - vfork
	.size	__vfork, . - __vfork
#endif
	.section .note.GNU-stack, "", %progbits
