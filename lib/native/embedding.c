/* SPDX-License-Identifier: MIT */
/* embedding.c - see embedding.h */
#include "native/embedding.h"

#include <string.h>

#include "native/hot.h"
#include "native/interpreter.h"
#include "native/native.h"
#include "native/stubs.h"
#include "record/arrivals.h"

/* All ways to begin go through one of these. */
static const char *const names[NATIVE_EMBEDDING_FUNCTIONS] = {"Py_InitializeEx",
							      "Py_InitializeFromConfig"};

static const ElfW(Sym) * find(const struct elf_symbols *symbols, const char *name)
{
	for (size_t i = 0; i < symbols->count; i++)
		if (elf_is_function(&symbols->table[i]) &&
		    !strcmp(elf_name(symbols, &symbols->table[i]), name))
			return &symbols->table[i];
	return NULL;
}

/* A jump at its begin to a stub that calls us and goes on. */
static void hook(const struct elf_object *object, const ElfW(Sym) * symbol, uint32_t number)
{
	uintptr_t address = object->base + symbol->st_value;
	struct native_function *function = &native_functions[number];
	struct stub_area area = {0};
	struct prologue plan;
	struct stub stub;

	if (!elf_is_code(object, address, symbol->st_size) ||
	    prologue_plan((const uint8_t *)address, symbol->st_size, symbol->st_size, &plan) ||
	    stubs_open(&area, object->start, object->end, 1))
		return;
	if (!stub_write(&area, number, address, &plan, &stub) || stubs_close(&area)) {
		stubs_free(&area);
		return;
	}
	function->resume = stub.resume;
	function->hook = arrivals_python_begins;
	function->aside = true;
	code_jump(address + plan.at, &stub);
}

void embedding_look(const struct elf_object *object)
{
	struct elf_symbols symbols;

	if (native_obstacle() || interpreter_is_program() || !interpreter_is_object(object) ||
	    !elf_open(&symbols, object, false))
		return;
	for (uint32_t i = 0; i < NATIVE_EMBEDDING_FUNCTIONS; i++) {
		const ElfW(Sym) *symbol = find(&symbols, names[i]);

		if (symbol)
			hook(object, symbol, NATIVE_FUNCTIONS_ROOM + i);
	}
	elf_close(&symbols);
}
