/* SPDX-License-Identifier: MIT */
/* interpreter.c - see interpreter.h */
#include "native/interpreter.h"

#include <stdatomic.h>
#include <string.h>

#include "native/library_symbol.h"
#include "record/sys.h"

enum { UNKNOWN, NO, YES };

/* A function of Python that all can see, 0: there is none. Asked for once: targets are compared with each symbol. */
static uintptr_t python_function(void)
{
	static _Atomic bool asked;
	static _Atomic uintptr_t known;

	if (!atomic_load_explicit(&asked, memory_order_acquire)) {
		atomic_store(&known, (uintptr_t)library_symbol("Py_IsInitialized", NULL));
		atomic_store_explicit(&asked, true, memory_order_release);
	}
	return atomic_load(&known);
}

/* "python3.11", also as it is installed under a name of one's own. */
static bool is_called_python(void)
{
	char path[4096];
	const char *slash;
	long size = sys_readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (size <= 0)
		return false;
	path[size] = '\0';
	slash = strrchr(path, '/');
	return strstr(slash ? slash : path, "python") != NULL;
}

bool interpreter_is_program(void)
{
	static _Atomic int known;
	int answer = atomic_load(&known);

	if (answer == UNKNOWN) {
		answer = is_called_python() && python_function() ? YES : NO;
		atomic_store(&known, answer);
	}
	return answer == YES;
}

bool interpreter_is_object(const struct elf_object *object)
{
	uintptr_t function;

	if (!strncmp(object->name, "libpython", 9))
		return true;
	function = object->program ? python_function() : 0;
	return function && function >= object->start && function < object->end;
}

bool interpreter_lets(const struct target *target)
{
	return target->name[strspn(target->name, "*?.:")] || !interpreter_is_program();
}
