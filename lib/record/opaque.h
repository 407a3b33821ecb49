/* SPDX-License-Identifier: MIT */
/* opaque.h - functions of which compilers know no more than how they are declared. */
#ifndef RECORDER_RECORD_OPAQUE_H
#define RECORDER_RECORD_OPAQUE_H

/* No copies are made of it, it is not inlined, and no call is left out, joined with another or moved across what is volatile. */
#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

#endif
