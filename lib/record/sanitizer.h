/* SPDX-License-Identifier: MIT */
/*
 * sanitizer.h - what AddressSanitizer and ThreadSanitizer must be told when the recorder is built with them.
 *
 * AddressSanitizer marks the stack around the local variables of our functions, and unmarks it when they return.
 * Those that are left - by a longjmp of the program, by exec in the child of a vfork, by the end of
 * a thread - leave their marks, and the program, built without it, does not unmark them either. So
 * the wrappers have no marks of their own (m4/link.m4) and clear the dead stack below them before
 * they go on into the runtime.
 *
 * ThreadSanitizer does not see our own system calls, nor libc's: to it, who gets the addresses that another thread gave back - as a stack,
 * for instance - races with that one. So addresses are not used twice.
 */
#ifndef RECORDER_RECORD_SANITIZER_H
#define RECORDER_RECORD_SANITIZER_H

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define RECORDER_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define RECORDER_TSAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define RECORDER_ASAN 1
#endif
#ifdef __SANITIZE_THREAD__
#define RECORDER_TSAN 1
#endif

/* a function that reads whole blocks, in which what it looks for begins or ends */
#if defined(RECORDER_ASAN) || defined(RECORDER_TSAN)
#define sanitizer_reads_around __attribute__((no_sanitize("address", "thread")))
#else
#define sanitizer_reads_around
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

#ifdef RECORDER_TSAN
/* in the part of memory that it leaves to programs, far below what the kernel gives by itself */
#define SANITIZER_FIRST_ADDRESS 0x7e9000000000
#define SANITIZER_PAGE 4096ul

extern unsigned long sanitizer_next;

static inline long sanitizer_address(unsigned long size)
{
	size = (size + 2 * SANITIZER_PAGE - 1) & ~(SANITIZER_PAGE - 1);
	return (long)__atomic_fetch_add(&sanitizer_next, size, __ATOMIC_RELAXED);
}

/* a function that looks at what another thread may be changing, and knows it */
#define sanitizer_race_known __attribute__((noinline, no_sanitize("thread")))
#else
#define sanitizer_address(size) 0
#define sanitizer_race_known
#endif

#endif
