/* SPDX-License-Identifier: MIT */
/*
 * sanitizer.h - what AddressSanitizer must be told when the recorder is built with it.
 *
 * It marks the stack around the local variables of our functions, and unmarks it when they return.
 * Those that are left - by a longjmp of the program, by exec in the child of a vfork, by the end of
 * a thread - leave their marks, and the program, built without it, does not unmark them either. So
 * the wrappers have no marks of their own (m4/link.m4) and clear the dead stack below them before
 * they go on into the runtime.
 */
#ifndef RECORDER_RECORD_SANITIZER_H
#define RECORDER_RECORD_SANITIZER_H

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define RECORDER_ASAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define RECORDER_ASAN 1
#endif

#ifdef RECORDER_ASAN
#include <sanitizer/asan_interface.h>

/* deeper than any path through the runtime */
#define STACK_BELOW (64u << 10)

#define sanitizer_forget_left()                                                                    \
	__asan_unpoison_memory_region((char *)__builtin_frame_address(0) - STACK_BELOW, STACK_BELOW)
#else
#define sanitizer_forget_left() ((void)0)
#endif

#endif
