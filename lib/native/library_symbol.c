/* SPDX-License-Identifier: MIT */
/* library_symbol.c - see library_symbol.h */
#include "native/library_symbol.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#include "record/thread.h"

void *library_symbol(const char *name, const char *library)
{
	int saved = errno;
	void *symbol, *handle;

	runtime_enter();
	symbol = dlsym(RTLD_DEFAULT, name);
	if (!symbol && library) {
		handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
		symbol = handle ? dlsym(handle, name) : NULL;
		if (handle)
			dlclose(handle);
	}
	runtime_leave();
	errno = saved;
	return symbol;
}
