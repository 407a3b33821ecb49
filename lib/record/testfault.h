/* SPDX-License-Identifier: MIT */
/*
 * testfault.h - system calls of the runtime that fail because a test wants it.
 *
 * Only in the tests' build (RECORDER_TEST_HOOKS). RECORDER_TEST_FAIL=[CALL:]N[+]:WHAT, CALL being a name as strace has it, or
 * "mmap_file" for mappings of files alone, "madvise_populate" for memory of live files: the N-th call of the process image (of that name), or each from the N-th on, ends as
 * WHAT says:
 *
 *	EIO, ENOSPC ...   with that error, without being made (a close is made)
 *	short             a write of half the bytes
 *	slow              as always, 20 ms later
 *
 * RECORDER_TEST_FAIL_LOG=FILE has a line for each call that was chosen; with N=0 for every call.
 */
#ifndef RECORDER_RECORD_TESTFAULT_H
#define RECORDER_RECORD_TESTFAULT_H

#include <stdbool.h>

#ifdef RECORDER_TEST_HOOKS
/* Whether the call is dealt with, with *result as its result; else it is to be made. `args`: six of them. */
bool test_fault(long number, const long *args, long *result);
#endif

#endif
