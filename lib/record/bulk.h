/* SPDX-License-Identifier: MIT */
/*
 * bulk.h - variables of a page and more, of which a process mostly uses the begin or nothing.
 *
 *	static char texts[TEXTS_SIZE] BULK;
 *
 * They lie behind all others, so that those, of some bytes each, have few pages in common, and each begins a page. A page costs
 * when it is written to for the first time: a microsecond, or some ten where a host keeps the page tables of its guest. Short
 * processes do little else.
 */
#ifndef RECORDER_RECORD_BULK_H
#define RECORDER_RECORD_BULK_H

#include "record/sanitizer.h"

/* The section of large variables, for which a file has no bytes: other CPUs have none, clang writes zeros for it. AddressSanitizer leaves out what has a section. */
#if defined(__x86_64__) && !defined(__clang__) && !defined(RECORDER_ASAN)
#define BULK __attribute__((section(".lbss"), aligned(4096)))
#else
#define BULK
#endif

#endif
