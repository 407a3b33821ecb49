/* SPDX-License-Identifier: MIT */
/* kernelcalls.c - see kernelcalls.h */
#include "system/kernelcalls.h"

#include <stddef.h>
#include <sys/syscall.h>

#include "format/wire.h"

#include "kernelcalls_gen.h"

const struct kernel_call *kernel_call(unsigned number)
{
	return number < KERNEL_CALLS && kernel_calls[number].name ? &kernel_calls[number] : NULL;
}
