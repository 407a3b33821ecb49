/* SPDX-License-Identifier: MIT */
/*
 * posix_loading.c - libraries that come and go. One that goes takes its functions with it: what scope.c found in it, or for it, is
 * forgotten.
 */
#include "wrap/wrapper.h"

#include <link.h>
#include <string.h>

#include "record/modules.h"
#include "record/pushed.h"
#include "record/stacks.h"
#include "record/unloading.h"
#include "wrap/posix_loading.h"

/* The recorder opens libraries, too, to look for functions. */
static bool is_own(uintptr_t site)
{
	extern const char __ehdr_start[] __attribute__((visibility("hidden")));
	extern const char _end[] __attribute__((visibility("hidden")));

	return site >= (uintptr_t)__ehdr_start && site < (uintptr_t)_end;
}

/* A name without a slash is looked for, and no path of a file. */
static void arg_library(struct call *call, unsigned index, const char *file)
{
	size_t length;

	if (file && readable_string(file, &length) && memchr(file, '/', length))
		arg_path(call, index, file);
	else
		arg_string(call, index, file);
}

dlopen_function *dlopen_enter(const char *file, int flags, uintptr_t site)
{
	dlopen_function *next = function_next(SYM_dlopen);
	struct call call;

	if (!is_own(site) && pushed_enter(&call, FN_dlopen, 2, site)) {
		arg_library(&call, 0, file);
		arg_int(&call, 1, flags);
		call_store_noreturn(&call);
	}
	modules_opening(); /* as the last: the record's own stack may have looked */
	return next;
}

dlmopen_function *dlmopen_enter(Lmid_t space, const char *file, int flags, uintptr_t site)
{
	dlmopen_function *next = function_next(SYM_dlmopen);
	struct call call;

	if (!is_own(site) && pushed_enter(&call, FN_dlmopen, 3, site)) {
		arg_int(&call, 0, space);
		arg_library(&call, 1, file);
		arg_int(&call, 2, flags);
		call_store_noreturn(&call);
	}
	modules_opening();
	return next;
}

/* The file of a library, empty for the program itself: glibc's handles, and musl's, are what debuggers are told of it. */
static void arg_handle(struct call *call, unsigned index, const struct link_map *handle)
{
	if (handle && readable(handle, sizeof(*handle)))
		arg_path(call, index, handle->l_name);
	else
		arg_path(call, index, NULL);
}

static void closing(const struct link_map *handle)
{
	if (handle && readable(handle, sizeof(*handle)))
		unloading(handle);
}

static void closed(void)
{
	scopes_closed();
	readable_forget_all();
	stacks_closed();
}

WRAPPER int dlclose(void *handle)
{
	__typeof__(dlclose) *next = function_next(SYM_dlclose);
	struct call call;
	int result;

	if (!is_own(CALL_SITE))
		closing(handle);
	if (is_own(CALL_SITE) || !pushed_enter(&call, FN_dlclose, 2, CALL_SITE)) {
		result = next(handle);
		closed();
		return result;
	}
	arg_pointer(&call, 0, handle);
	arg_handle(&call, 1, handle);
	pushed_start(&call);
	result = next(handle);
	pushed_stop(&call);
	closed();
	result_int(&call, result, false);
	pushed_leave(&call);
	return result;
}
