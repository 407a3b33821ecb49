/* SPDX-License-Identifier: MIT */
/*
 * thunks_x86_64.S - where functions that are traced by name enter and return. See thunks.h and hot.h.
 *
 * Callers within one object may know which registers a function leaves alone (-fipa-ra): so all that a call may change by the ABI are as they were, flags aside. The
 * handlers are compiled to use general registers only; what they cannot do by these alone is done by others, around which the vector registers are saved.
 */
#ifdef __x86_64__

#define THUNKS 16384		/* THUNKS_MAX */
#define XSAVE_SIZE 2752		/* up to the registers of AVX-512, and what is left for alignment by 64 */
#define XSAVE_PARTS 0xe7	/* x87, SSE, AVX, AVX-512 */

	/* struct native_frame of hot.h */
	.macro	save_all
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	pushq	%r9
	.cfi_adjust_cfa_offset 8
	pushq	%r10
	.cfi_adjust_cfa_offset 8
	pushq	%r11
	.cfi_adjust_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	.endm

	.macro	restore_all
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	popq	%r11
	.cfi_adjust_cfa_offset -8
	popq	%r10
	.cfi_adjust_cfa_offset -8
	popq	%r9
	.cfi_adjust_cfa_offset -8
	popq	%r8
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	popq	%rax
	.cfi_adjust_cfa_offset -8
	.endm

	.text

/*
 * native_aside(function, frame): calls function(frame, vectors) with the vector and floating-point registers saved, where `vectors` is; they are put back as the function has
 * left them there. Gives what it gives.
 */
	.globl	native_aside
	.hidden	native_aside
	.type	native_aside, @function
	.p2align 4
native_aside:
	.cfi_startproc
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$XSAVE_SIZE, %rsp
	andq	$-64, %rsp
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rax, %rbx
	cmpb	$0, native_has_more_vectors(%rip)
	je	1f
	xorl	%eax, %eax		/* the header: of what is saved it must say nothing else */
	movq	%rax, 512(%rsp)
	movq	%rax, 520(%rsp)
	movq	%rax, 528(%rsp)
	movq	%rax, 536(%rsp)
	movq	%rax, 544(%rsp)
	movq	%rax, 552(%rsp)
	movq	%rax, 560(%rsp)
	movq	%rax, 568(%rsp)
	movl	$XSAVE_PARTS, %eax
	xorl	%edx, %edx
	xsave64	(%rsp)
	movq	%rsp, %rsi
	call	*%rbx
	movl	%eax, %ebx
	movl	$XSAVE_PARTS, %eax
	xorl	%edx, %edx
	xrstor64 (%rsp)
	jmp	2f
1:	fxsave64 (%rsp)
	movq	%rsp, %rsi
	call	*%rbx
	movl	%eax, %ebx
	fxrstor64 (%rsp)
2:	movl	%ebx, %eax
	leave
	.cfi_def_cfa %rsp, 16
	.cfi_restore %rbp
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_endproc
	.size	native_aside, . - native_aside

/* A traced function has been called: on the stack are the number of its stub, and where it returns to. The stub jumps here. */
	.globl	native_entry
	.hidden	native_entry
	.type	native_entry, @function
	.p2align 4
native_entry:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	save_all
	movq	%rsp, %rdi
	call	native_enter
	testl	%eax, %eax
	jz	1f
	restore_all
	leaq	16(%rsp), %rsp		/* as before the call: the thunk makes it again */
	.cfi_adjust_cfa_offset -16
	jmp	*-16(%rsp)
	.cfi_adjust_cfa_offset 96
1:	restore_all
	leaq	8(%rsp), %rsp
	.cfi_adjust_cfa_offset -8
	jmp	*-8(%rsp)
	.cfi_endproc
	.size	native_entry, . - native_entry

/* The same, called by a function at its begin (-pg -mfentry): behind that call it goes on. */
	.globl	__fentry__
	.type	__fentry__, @function
	.p2align 4
__fentry__:
	.cfi_startproc
	cmpb	$0, native_instrumented_off(%rip)
	jne	2f
	.cfi_def_cfa_offset 16
	save_all
	movq	%rsp, %rdi
	call	native_fentry_enter
	testl	%eax, %eax
	jz	1f
	restore_all
	ret	$8			/* to the thunk: a return, as the CPU expects of a call */
	.cfi_adjust_cfa_offset 80
1:	restore_all
2:	ret
	.cfi_endproc
	.size	__fentry__, . - __fentry__

/* Called by a function that has made its frame (-pg): the word for the return address is above what %rbp points to. gprof's own goes on counting. */
	.globl	mcount
	.globl	_mcount
	.type	mcount, @function
	.type	_mcount, @function
	.p2align 4
mcount:
_mcount:
	.cfi_startproc
	cmpb	$0, native_instrumented_off(%rip)
	jne	1f
	.cfi_def_cfa_offset 16
	save_all
	leaq	8(%rbp), %rax
	movq	%rax, (%rsp)
	movq	%rsp, %rdi
	call	native_mcount_enter
	restore_all
1:	cmpq	$0, native_next_mcount(%rip)
	je	2f
	jmp	*native_next_mcount(%rip)
2:	ret
	.cfi_endproc
	.size	mcount, . - mcount
	.size	_mcount, . - _mcount

/* A traced function has returned, to its thunk: on the stack are an address in that, and a word for where the caller goes on. */
	.type	native_return, @function
	.p2align 4
native_return:
	.cfi_startproc
	.cfi_undefined %rip
	.cfi_def_cfa_offset 16
	save_all
	movq	%rsp, %rdi
	call	native_leave
	restore_all
	ret
	.cfi_endproc
	.size	native_return, . - native_return

/*
 * The caller's address is in the thunk's word, at 8: the word is where the thunk's first instruction says, 32 bits counted from its end, which is where functions
 * return to. So the rule for the return address needs nothing but that register itself (16).
 *
 * A thunk has no frame; but unwinders tell frames apart by their CFA, so it says that it has half of one, in its caller's, where no frame of aligned stacks ends.
 */
	.type	native_thunks, @function
	.globl	native_thunks
	.hidden	native_thunks
	.p2align 6
native_thunks:
	.cfi_startproc
	.cfi_personality 0x1b, native_personality
	.cfi_def_cfa %rsp, 8
	.cfi_escape 0x14, 7, 1		/* %rsp is the CFA - 8; not all assemblers have .cfi_val_offset */
	/* expression of 14 bytes: breg16 0; breg16 -4; deref; const4u 2^32 - 1; and; plus; lit8; plus. (Valgrind warns of deref_size.) */
	.cfi_escape 0x10, 0x10, 14, 0x80, 0x00, 0x80, 0x7c, 0x06, 0x0c, 0xff, 0xff, 0xff, 0xff, 0x1a, 0x22, 0x38, 0x22
	.set	word, 0
	.rept	THUNKS
	call	*native_words+word(%rip)
	pushq	%rax			/* room for an address; 6 bytes from the begin */
	call	native_return
	ret
	.p2align 4
	.set	word, word + 16
	.endr
	.cfi_endproc
	.size	native_thunks, . - native_thunks
#endif
	.section .note.GNU-stack, "", @progbits
