/* SPDX-License-Identifier: MIT */
/* sys.c - whether system calls may be made. */
#include "record/sys.h"

bool sys_forbidden;
__thread bool sys_forbidden_here __attribute__((tls_model("initial-exec")));

#ifdef RECORDER_TSAN
unsigned long sanitizer_next = SANITIZER_FIRST_ADDRESS;
#endif
