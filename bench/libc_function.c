/* SPDX-License-Identifier: MIT */
/* libc_function.c - see libc_function.h */
#include "libc_function.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#include "measure.h"

void *libc_function(const char *name)
{
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	void *function = libc ? dlsym(libc, name) : NULL;

	if (!function) {
		errno = ENOSYS;
		die(name);
	}
	return function;
}
