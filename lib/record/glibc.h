/* SPDX-License-Identifier: MIT */
/*
 * glibc.h - functions that glibc alone has.
 *
 * An exported LD_PRELOAD brings the library into programs of other libcs, too: musl ends a program in which a symbol is missing. So these are
 * weak, and NULL there; the recorder then stays passive. test/launchers/untraced.sh fails where one is forgotten.
 */
#ifndef RECORDER_RECORD_GLIBC_H
#define RECORDER_RECORD_GLIBC_H

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

#pragma weak __curbrk
#pragma weak __libc_single_threaded
#pragma weak __libc_stack_end
#pragma weak dlvsym
#pragma weak gnu_get_libc_version
#pragma weak on_exit
#pragma weak strerrordesc_np
#pragma weak strerrorname_np

/* Where the arguments of a process begin: their number, they themselves, the environment, the auxiliary vector. */
extern void *__libc_stack_end;
/* Where the heap ends that brk(2) moves. */
extern void *__curbrk;

static inline bool glibc_is_here(void)
{
	return gnu_get_libc_version != NULL;
}

#endif
