/* SPDX-License-Identifier: MIT */
/* sys.c - whether system calls may be made. */
#include "record/sys.h"

bool sys_forbidden;
