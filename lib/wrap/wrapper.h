/* SPDX-License-Identifier: MIT */
/*
 * wrapper.h - to be included first by every file of wrappers, generated or by hand.
 *
 * A wrapper defines a function of libc under its own name, so nothing in the headers may
 * redirect or define that name: neither 64-bit file offsets (the catalogue has both names), nor
 * checked or inline versions.
 */
#ifndef RECORDER_WRAP_WRAPPER_H
#define RECORDER_WRAP_WRAPPER_H

#undef _FILE_OFFSET_BITS
#undef _TIME_BITS
#undef _FORTIFY_SOURCE
#include <features.h>
#undef __USE_EXTERN_INLINES

#include <sys/types.h>

#include "functions_gen.h"
#include "record/args.h"
#include "record/call.h"
#include "record/call_far.h"
#include "record/counted.h"
#include "record/readable.h"
#include "record/repeat.h"
#include "record/scope.h"
#include "record/untraced.h"

_Static_assert(sizeof(off_t) == 8, "open and open64 are taken as the same on 64-bit systems only");

#define WRAPPER __attribute__((visibility("default")))

/* Entry points of old and of checked programs (__xstat, __read_chk) are in no header. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
/* That a function is out of fashion is no reason not to trace it. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#endif
