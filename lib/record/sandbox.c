/* SPDX-License-Identifier: MIT */
/* sandbox.c - entering and leaving the state without system calls. */
#include "record/sandbox.h"

#include <errno.h>

#include "record/function.h"
#include "record/lifecycle.h"
#include "record/selection.h"
#include "record/sys.h"

bool sandbox_enter(void)
{
	int saved = errno;

	/* A child of vfork is not to be what makes its parent stop. */
	if (sys_forbidden || !lifecycle_seal("seccomp"))
		return false;
	symbol_resolve_plain();
	errno = saved;
	sys_forbidden = true;
	return true;
}

void sandbox_without_clock(void)
{
	selection_none();
}

void sandbox_leave(void)
{
	sys_forbidden = false;
}

bool sandbox_active(void)
{
	return sys_forbidden;
}
