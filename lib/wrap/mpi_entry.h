/* SPDX-License-Identifier: MIT */
/*
 * mpi_entry.h - what stands in front of the wrappers of MPI functions.
 *
 * A wrapper is compiled for one MPI, whose handles it takes: pointers in Open MPI, ints in MPICH. Under another one it must not be entered,
 * since it would cut what it passes on. So the exported MPI_X is a few instructions of assembler (mpi_entries.c), behind which are
 *
 *	wrap_MPI_X, the wrapper       in a process of the MPI that it was built for: one test of `mpi_way`, and a jump;
 *	the next definition of MPI_X  in that of another: with registers and stack as they were (mpi_entry_detour);
 *	either                        at the first calls, by which it is found out what MPI it is (mpi_foreign.c).
 *
 * Fortran's names in spellings that may mean something else in the program always take the detour (mpi_namesake.h).
 *
 * In C wrappers have the name MPI_X: it is the label of their code that is another one (mpi_library.h).
 */
#ifndef RECORDER_WRAP_MPI_ENTRY_H
#define RECORDER_WRAP_MPI_ENTRY_H

#define MPI_WAY_OWN 0 /* the assembler knows it as the only one that leads to the wrapper */
#define MPI_WAY_UNKNOWN 1
#define MPI_WAY_FOREIGN 2

/* How a call was spelled that takes the detour: 0, or one of these, in the lowest bits of its entry's address. */
#define MPI_SPELLED_BARE 1    /* mpi_x, of the entry of mpi_x_ */
#define MPI_SPELLED_CAPITAL 2 /* MPI_X */
#define MPI_SPELLINGS 2

#ifndef __ASSEMBLER__
#include <stdatomic.h>
#include <stdint.h>

extern _Atomic uint8_t mpi_way;

/* Says where its wrapper is by how far that is from here: 1,500 addresses would be changed at the load of each process, in five pages. */
struct mpi_entry {
	int32_t wrapper;
	uint32_t symbol; /* SYM_* */
};

/* Where a call is to go that came to an entry, by its address and how it was spelled; `caller`: its return address. Keeps errno. Called by mpi_entry_detour. */
void *mpi_entry_target(uintptr_t entry, const void *caller);

/*
 * The code of an entry. It leaves as they were all registers that can hold an argument, or the chain of a nested function of Fortran; the detour
 * finds the address of the entry's data in one of those that are free between functions.
 */
#if defined(__x86_64__)
#define MPI_ENTRY_BEGIN "	endbr64\n"
#define MPI_ENTRY_DETOUR(symbol, spelling)                                                         \
	"	leaq	mpi_entry_" symbol "+" spelling "(%rip), %r11\n"                           \
	"	jmp	mpi_entry_detour\n"
#define MPI_ENTRY_JUMP(symbol)                                                                     \
	"	cmpb	$0, mpi_way(%rip)\n"                                                                \
	"	je	wrap_" symbol "\n" MPI_ENTRY_DETOUR(symbol, "0")
#elif defined(__aarch64__)
#define MPI_ENTRY_BEGIN "	hint	34\n" /* bti c */
#define MPI_ENTRY_DETOUR(symbol, spelling)                                                         \
	"	adrp	x17, mpi_entry_" symbol "+" spelling "\n"                                  \
	"	add	x17, x17, :lo12:mpi_entry_" symbol "+" spelling "\n"                       \
	"	b	mpi_entry_detour\n"
#define MPI_ENTRY_JUMP(symbol)                                                                     \
	"	adrp	x16, mpi_way\n"                                                                     \
	"	ldrb	w16, [x16, :lo12:mpi_way]\n"                                                        \
	"	cbnz	w16, 1f\n"                                                                          \
	"	b	wrap_" symbol "\n"                                                         \
	"1:\n" MPI_ENTRY_DETOUR(symbol, "0")
#else
#error "no entry for this CPU"
#endif

/* The data of an entry, with `symbol_number` as the operand 0 of the assembler's. */
#define MPI_ENTRY_DATA(name, symbol_number)                                                        \
	__asm__ volatile("	.pushsection .rodata\n"                                                 \
			 "	.p2align 2\n"                                                           \
			 "mpi_entry_" name ":\n"                                                   \
			 "	.long	wrap_" name " - .\n"                                       \
			 "	.long	%c0\n"                                                            \
			 "	.popsection\n"                                                          \
			 :                                                                         \
			 : "i"(symbol_number));

#define MPI_ENTRY_FUNCTION(name, code)                                                             \
	__asm__("	.pushsection .text\n"                                                            \
		"	.p2align 4\n"                                                                    \
		"	.globl	" name "\n"                                                        \
		"	.type	" name ", %function\n" name ":\n"                                  \
		"	.cfi_startproc\n" MPI_ENTRY_BEGIN code "	.cfi_endproc\n"                   \
		"	.size	" name ", . - " name "\n"                                          \
		"	.popsection\n");

#define MPI_ENTRY_CODE(symbol)                                                                     \
	__asm__("	.hidden	wrap_" symbol "\n");                                               \
	MPI_ENTRY_FUNCTION(symbol, MPI_ENTRY_JUMP(symbol))

/* Another spelling of an entry's name, one of MPI_SPELLED_*. */
#define MPI_ENTRY_SPELLED(name, symbol, spelling) MPI_ENTRY_SPELLED_BY(name, symbol, spelling)
#define MPI_ENTRY_SPELLED_BY(name, symbol, spelling)                                               \
	MPI_ENTRY_FUNCTION(name, MPI_ENTRY_DETOUR(symbol, #spelling))

/* Another name of an entry. */
#define MPI_ENTRY_ALIAS(name, symbol)                                                              \
	__asm__("	.globl	" name "\n"                                                        \
		"	.type	" name ", %function\n"                                             \
		"	.set	" name ", " symbol "\n");

#endif
#endif
