/* SPDX-License-Identifier: MIT */
/*
 * Functions this project does not call, with what it calls instead. Included by the compiler in
 * front of every source but the wrappers (which define some of them).
 *
 * The headers that declare them come first: a poisoned name may not even be declared.
 */
#ifndef RECORDER_BANNED_H
#define RECORDER_BANNED_H
#ifndef __ASSEMBLER__

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* no bound: snprintf, memcpy */
#pragma GCC poison strcpy strcat stpcpy sprintf vsprintf gets
/* a bound, but no end or a surprising one: snprintf, memcpy */
#pragma GCC poison strncpy strncat stpncpy
/* hidden state, unsafe with threads: strtok_r, gmtime_r, localtime_r, strftime */
#pragma GCC poison strtok gmtime localtime ctime asctime
/* no error result: strtol and its relatives */
#pragma GCC poison atoi atol atoll atof
/* a race by design: mkstemp, mkdtemp, tmpfile */
#pragma GCC poison mktemp tmpnam tempnam

#endif
#endif
