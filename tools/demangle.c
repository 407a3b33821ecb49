/* SPDX-License-Identifier: MIT */
/*
 * demangle.c - see demangle.h
 *
 * C++'s own library knows how. It is loaded when the first such name is met: the tools are C, and who traces C++ has it.
 */
#include "demangle.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

static cxa_demangle *find_demangler(void)
{
	static cxa_demangle *found;
	static int tried;
	void *library = NULL;

	if (!tried) {
		tried = 1;
		library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
		if (!library)
			library = dlopen("libc++abi.so.1", RTLD_NOW | RTLD_LOCAL);
	}
	if (library)
		*(void **)&found = dlsym(library, "__cxa_demangle");
	return found;
}

/* gfortran: __MODULE_MOD_PROCEDURE; submodules have dots, and are left alone. */
static char *demangle_fortran(const char *symbol)
{
	const char *middle;
	char *name;
	size_t room;

	if (strncmp(symbol, "__", 2) != 0)
		return NULL;
	middle = strstr(symbol + 2, "_MOD_");
	if (!middle || middle == symbol + 2 || !middle[5])
		return NULL;
	room = strlen(symbol);
	name = malloc(room);
	if (name)
		snprintf(name, room, "%.*s::%s", (int)(middle - symbol - 2), symbol + 2,
			 middle + 5);
	return name;
}

char *demangle(const char *symbol)
{
	char *name = demangle_fortran(symbol);
	int status = -1;

	if (!name && strncmp(symbol, "_Z", 2) == 0 && find_demangler()) {
		name = find_demangler()(symbol, NULL, NULL, &status);
		if (status) {
			free(name);
			name = NULL;
		}
	}
	return name ? name : strdup(symbol);
}

#ifdef UNIT_TEST
#include "unittest.h"

static void expect_name(const char *symbol, const char *expected)
{
	char *name = demangle(symbol);

	EXPECT(name && strcmp(name, expected) == 0);
	free(name);
}

TEST_CASE(names_of_cxx_and_fortran)
{
	expect_name("__mesh_MOD_save", "mesh::save");
	expect_name("main", "main");
	expect_name("__libc_start_main", "__libc_start_main");
	expect_name("__MOD_x", "__MOD_x");
	expect_name("_Znonsense", "_Znonsense");
	if (find_demangler())
		expect_name("_ZN3abc4saveEi", "abc::save(int)");
}
#endif
