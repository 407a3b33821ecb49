/* SPDX-License-Identifier: MIT */
/*
 * thunks_aarch64.S - where functions that are traced by name enter and return. See thunks.h and hot.h.
 *
 * Callers within one object may know which registers a function leaves alone (-fipa-ra): so all that a call may change by the ABI are as they were, flags, x16 and x17 aside, which compilers
 * take for lost, as linkers use them. The handlers are compiled to use general registers only; what they cannot do by these alone is done by others, around which the vector registers are saved.
 */
#ifdef __aarch64__

#define THUNKS 16384	/* THUNKS_MAX */
#define FRAME 160	/* struct native_frame of native_frame.h */
#define FRAME_AT 152
#define VECTORS 544	/* q0 to q31; fpcr and fpsr */

	.arch_extension sve

	/* x16 has what is to be at the end of it */
	.macro	save_all
	sub	sp, sp, FRAME
	.cfi_adjust_cfa_offset FRAME
	stp	x29, x30, [sp]
	.cfi_rel_offset x29, 0
	stp	x0, x1, [sp, 16]
	stp	x2, x3, [sp, 32]
	stp	x4, x5, [sp, 48]
	stp	x6, x7, [sp, 64]
	stp	x8, x9, [sp, 80]
	stp	x10, x11, [sp, 96]
	stp	x12, x13, [sp, 112]
	stp	x14, x15, [sp, 128]
	stp	x18, x16, [sp, 144]
	mov	x29, sp
	.endm

	.macro	restore_all
	ldp	x0, x1, [sp, 16]
	ldp	x2, x3, [sp, 32]
	ldp	x4, x5, [sp, 48]
	ldp	x6, x7, [sp, 64]
	ldp	x8, x9, [sp, 80]
	ldp	x10, x11, [sp, 96]
	ldp	x12, x13, [sp, 112]
	ldp	x14, x15, [sp, 128]
	ldr	x18, [sp, 144]
	ldp	x29, x30, [sp]
	add	sp, sp, FRAME
	.cfi_adjust_cfa_offset -FRAME
	.cfi_restore x29
	.endm

	/* z0 to z31, and p0 to p15 below them */
	.macro	each_vector move
	\move	p0, [sp, 0, mul vl]
	\move	p1, [sp, 1, mul vl]
	\move	p2, [sp, 2, mul vl]
	\move	p3, [sp, 3, mul vl]
	\move	p4, [sp, 4, mul vl]
	\move	p5, [sp, 5, mul vl]
	\move	p6, [sp, 6, mul vl]
	\move	p7, [sp, 7, mul vl]
	\move	p8, [sp, 8, mul vl]
	\move	p9, [sp, 9, mul vl]
	\move	p10, [sp, 10, mul vl]
	\move	p11, [sp, 11, mul vl]
	\move	p12, [sp, 12, mul vl]
	\move	p13, [sp, 13, mul vl]
	\move	p14, [sp, 14, mul vl]
	\move	p15, [sp, 15, mul vl]
	\move	z0, [sp, 2, mul vl]
	\move	z1, [sp, 3, mul vl]
	\move	z2, [sp, 4, mul vl]
	\move	z3, [sp, 5, mul vl]
	\move	z4, [sp, 6, mul vl]
	\move	z5, [sp, 7, mul vl]
	\move	z6, [sp, 8, mul vl]
	\move	z7, [sp, 9, mul vl]
	\move	z8, [sp, 10, mul vl]
	\move	z9, [sp, 11, mul vl]
	\move	z10, [sp, 12, mul vl]
	\move	z11, [sp, 13, mul vl]
	\move	z12, [sp, 14, mul vl]
	\move	z13, [sp, 15, mul vl]
	\move	z14, [sp, 16, mul vl]
	\move	z15, [sp, 17, mul vl]
	\move	z16, [sp, 18, mul vl]
	\move	z17, [sp, 19, mul vl]
	\move	z18, [sp, 20, mul vl]
	\move	z19, [sp, 21, mul vl]
	\move	z20, [sp, 22, mul vl]
	\move	z21, [sp, 23, mul vl]
	\move	z22, [sp, 24, mul vl]
	\move	z23, [sp, 25, mul vl]
	\move	z24, [sp, 26, mul vl]
	\move	z25, [sp, 27, mul vl]
	\move	z26, [sp, 28, mul vl]
	\move	z27, [sp, 29, mul vl]
	\move	z28, [sp, 30, mul vl]
	\move	z29, [sp, 31, mul vl]
	\move	z30, [sp, 32, mul vl]
	\move	z31, [sp, 33, mul vl]
	.endm

	.text

/*
 * native_aside(function, frame): calls function(frame, vectors) with the vector and floating-point registers saved, where `vectors` is. Gives what it gives. Where there is more of these registers than
 * q0 to q31 show, all of it is put back, from below.
 */
	.globl	native_aside
	.hidden	native_aside
	.type	native_aside, %function
	.p2align 4
native_aside:
	.cfi_startproc
	stp	x29, x30, [sp, -32]!
	.cfi_adjust_cfa_offset 32
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	str	x19, [sp, 16]
	.cfi_rel_offset x19, 16
	mov	x29, sp
	.cfi_def_cfa_register x29
	mov	x9, x0
	mov	x0, x1
	sub	sp, sp, VECTORS
	stp	q0, q1, [sp, 0]
	stp	q2, q3, [sp, 32]
	stp	q4, q5, [sp, 64]
	stp	q6, q7, [sp, 96]
	stp	q8, q9, [sp, 128]
	stp	q10, q11, [sp, 160]
	stp	q12, q13, [sp, 192]
	stp	q14, q15, [sp, 224]
	stp	q16, q17, [sp, 256]
	stp	q18, q19, [sp, 288]
	stp	q20, q21, [sp, 320]
	stp	q22, q23, [sp, 352]
	stp	q24, q25, [sp, 384]
	stp	q26, q27, [sp, 416]
	stp	q28, q29, [sp, 448]
	stp	q30, q31, [sp, 480]
	mrs	x10, fpcr
	mrs	x11, fpsr
	stp	x10, x11, [x29, -16]
	mov	x1, sp
	adrp	x19, native_has_more_vectors
	ldrb	w19, [x19, :lo12:native_has_more_vectors]
	cbz	w19, 1f
	addvl	sp, sp, -17
	addvl	sp, sp, -17
	each_vector str
1:	blr	x9
	cbz	w19, 2f
	each_vector ldr
	addvl	sp, sp, 17
	addvl	sp, sp, 17
	b	3f
2:	ldp	q0, q1, [sp, 0]
	ldp	q2, q3, [sp, 32]
	ldp	q4, q5, [sp, 64]
	ldp	q6, q7, [sp, 96]
	ldp	q8, q9, [sp, 128]
	ldp	q10, q11, [sp, 160]
	ldp	q12, q13, [sp, 192]
	ldp	q14, q15, [sp, 224]
	ldp	q16, q17, [sp, 256]
	ldp	q18, q19, [sp, 288]
	ldp	q20, q21, [sp, 320]
	ldp	q22, q23, [sp, 352]
	ldp	q24, q25, [sp, 384]
	ldp	q26, q27, [sp, 416]
	ldp	q28, q29, [sp, 448]
	ldp	q30, q31, [sp, 480]
3:	ldp	x10, x11, [x29, -16]
	msr	fpcr, x10
	msr	fpsr, x11
	mov	sp, x29
	.cfi_def_cfa_register sp
	ldr	x19, [sp, 16]
	.cfi_restore x19
	ldp	x29, x30, [sp], 32
	.cfi_adjust_cfa_offset -32
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size	native_aside, . - native_aside

/* A traced function has been called: x17 has the number of its stub, x30 where it returns to. The stub jumps here. On to the thunk, or to the function. */
	.globl	native_entry
	.hidden	native_entry
	.type	native_entry, %function
	.p2align 4
native_entry:
	.cfi_startproc
	mov	x16, x17
	save_all
	.cfi_rel_offset x30, 8
	mov	x0, sp
	bl	native_enter
	ldr	x16, [sp, FRAME_AT]
	cbz	w0, 1f
	adrp	x0, native_thunks	/* it calls by x17 */
	add	x0, x0, :lo12:native_thunks
	adrp	x17, native_words
	add	x17, x17, :lo12:native_words
	sub	x0, x16, x0
	ldr	x17, [x17, x0]
1:	restore_all
	.cfi_restore x30
	br	x16
	.cfi_endproc
	.size	native_entry, . - native_entry

/* Called by a function that has made its frame (-pg), to which x29 points. gprof's own goes on counting. */
	.globl	_mcount
	.type	_mcount, %function
	.p2align 4
_mcount:
	.cfi_startproc
	adrp	x16, native_instrumented_off
	ldrb	w16, [x16, :lo12:native_instrumented_off]
	cbnz	w16, 1f
	mov	x16, x30
	save_all
	.cfi_rel_offset x30, 8
	mov	x0, sp
	bl	native_mcount_enter
	restore_all
	.cfi_restore x30
1:	adrp	x16, native_next_mcount
	ldr	x16, [x16, :lo12:native_next_mcount]
	cbz	x16, 2f
	br	x16
2:	ret
	.cfi_endproc
	.size	_mcount, . - _mcount

/* A traced function has returned, to the thunk that x16 lies in. */
	.type	native_return, %function
	.p2align 4
native_return:
	.cfi_startproc
	.cfi_undefined x30
	save_all
	mov	x0, sp
	bl	native_leave
	restore_all
	ret
	.cfi_endproc
	.size	native_return, . - native_return

/*
 * The caller's address is in the thunk's word, at 8. How far that is from where functions return to stands behind the thunk's code, 8 bytes from there. So the rule for the return address needs nothing but
 * that register itself (30), of which the upper 16 bits may be a signature.
 *
 * A thunk has no frame; but unwinders tell frames apart by their CFA, so it says that it has half of one, in its caller's, where no frame ends.
 */
	.type	native_thunks, %function
	.globl	native_thunks
	.hidden	native_thunks
	.p2align 6
native_thunks:
	.cfi_startproc
	.cfi_personality 0x1b, native_personality
	.cfi_def_cfa sp, 8
	.cfi_escape 0x14, 31, 1		/* sp is the CFA - 8; not all assemblers have .cfi_val_offset */
	/* expression of 18 bytes: breg30 0; const8u 2^48 - 1; and; dup; plus_uconst 8; deref_size 4; plus */
	.cfi_escape 0x10, 30, 18, 0x8e, 0x00, 0x0e, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x1a, 0x12, 0x23, 0x08, 0x94, 0x04, 0x22
	.set	word, 0
	.rept	THUNKS
	blr	x17
	adr	x16, .			/* 4 bytes from the begin: functions return to here */
	b	native_return
	.word	native_words + word + 8 - (. - 8)
	.set	word, word + 16
	.endr
	.cfi_endproc
	.size	native_thunks, . - native_thunks
#endif
	.section .note.GNU-stack, "", %progbits
