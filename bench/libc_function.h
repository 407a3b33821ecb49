/* SPDX-License-Identifier: MIT */
/*
 * libc_function.h - libc's own functions, behind the back of whatever is preloaded.
 */
#ifndef BENCH_LIBC_FUNCTION_H
#define BENCH_LIBC_FUNCTION_H

/* Never NULL: without it the program ends. */
void *libc_function(const char *name);

#endif
