/* SPDX-License-Identifier: MIT */
/* finding_apply.c - functions that were found are traced (finding_state.h): stubs, and what goes to them. */
#include "native/finding_state.h"
#include "native/hot.h"
#include "native/native_names.h"
#include "native/specs.h"
#include "record/named.h"

static _Atomic uint32_t function_count_used =
	1; /* in native_functions; 0 is for all that have no stub */

static const char *const no_memory = "no memory within reach";

/* With the arguments and the result that are asked for. */
static uint32_t number_of(const struct object_search *search, const struct native_name *name,
			  const struct native_spec *spec, uint8_t *arg_count)
{
	bool has_result = spec && spec->has_result && spec->result.kind != KIND_string;
	uint32_t number =
		named_find(NAMED_NATIVE, has_result ? spec->result.kind : KIND_none, name->text,
			   search->object->program ? NULL : search->object->name);

	*arg_count = 0;
	for (unsigned i = 0; spec && i < spec->arg_count && number != NAMED_NONE; i++) {
		number = named_with(number, spec->args[i].name, spec->args[i].kind);
		++*arg_count;
	}
	if (spec && spec->has_result && !has_result && number != NAMED_NONE) {
		number = named_with(number, spec->result.name, KIND_string);
		++*arg_count;
	}
	return number;
}

/* Room in native_functions; 0: none. */
static uint32_t new_function(struct object_search *search, const struct described_name *named)
{
	uint32_t place = atomic_fetch_add(&function_count_used, 1);
	struct native_function *function = &native_functions[place];

	if (place >= NATIVE_FUNCTIONS_ROOM) {
		atomic_store(&function_count_used, NATIVE_FUNCTIONS_ROOM);
		return 0;
	}
	describing_read(&search->describing, named);
	function->spec = describing_spec(&search->describing, named, true);
	for (unsigned i = 0; function->spec && i < function->spec->arg_count; i++)
		function->aside |= !spec_is_quick(&function->spec->args[i]);
	function->aside_result = function->spec && function->spec->has_result &&
				 !spec_is_quick(&function->spec->result);
	function->aside |= function->aside_result; /* a string is an argument, too */
	function->number = number_of(search, named->name, function->spec, &function->arg_count);
	if (function->number == NAMED_NONE)
		return 0;
	describing_source(&search->describing, named, function->number);
	return place;
}

/* The jump is not there yet: written to *stub when it is to be. */
static const char *prepare(struct object_search *search, uintptr_t address,
			   const struct described_name *named, const struct prologue *plan,
			   struct stub *stub)
{
	uint32_t place;

	if (search->no_area)
		return no_memory;
	place = new_function(search, named);
	if (!place)
		return "too many functions";
	if (!stub_write(&search->kept->area, place, address, plan, stub))
		return "an operand that is out of reach";
	native_functions[place].resume = stub->resume;
	native_functions[place].saved = plan->saved;
	return NULL;
}

/* A word for all others that call it. */
static const char *take_words(struct object_search *search, const struct described_name *named,
			      uintptr_t real)
{
	struct stub stub;
	uint32_t place;

	if (search->no_area)
		return no_memory;
	place = new_function(search, named);
	if (!place || !stub_write_plain(&search->kept->area, place, &stub))
		return "too many functions";
	native_functions[place].resume = real;
	/* before the area is executable nothing may go there; see flush() */
	(void)stub;
	return NULL;
}

static bool is_by_words(const struct pending *pending)
{
	return pending->way == NATIVE_GOT || pending->way == NATIVE_IFUNC;
}

static void write_stub(struct object_search *search, struct pending *pending)
{
	const ElfW(Sym) *symbol = &search->symbols.table[pending->symbol];
	struct native_name name;
	struct described_name named = {&name, finding_symbol(search, pending), pending->entry,
				       symbol->st_value};
	const char *reason = NULL;

	native_name(&name, named.symbol, search->symbols.fortran);
	pending->stub.entry = (uintptr_t)search->kept->area.memory + search->kept->area.used;
	if (is_by_words(pending))
		reason = take_words(search, &named, pending->words.real);
	else if (pending->way != NATIVE_NONE && pending->way != NATIVE_INSTRUMENTED)
		reason = prepare(search, search->object->base + symbol->st_value, &named,
				 &pending->plan, &pending->stub);
	if (!reason)
		return;
	pending->reason = reason;
	pending->way = NATIVE_NONE;
}

static void switch_on(struct object_search *search, struct pending *pending)
{
	const ElfW(Sym) *symbol = &search->symbols.table[pending->symbol];
	int error = 0;

	if (is_by_words(pending)) {
		if (!got_replace(&pending->words, pending->stub.entry))
			pending->way = NATIVE_NONE;
		return;
	}
	if (pending->way != NATIVE_NONE && pending->way != NATIVE_INSTRUMENTED)
		error = code_jump(search->object->base + symbol->st_value + pending->plan.at,
				  &pending->stub);
	if (!error)
		return;
	pending->reason = "the system does not let code be changed";
	pending->way = NATIVE_NONE;
}

void finding_apply(struct object_search *search, struct pendings *pendings)
{
	search->no_area = stubs_open(&search->kept->area, search->object->start,
				     search->object->end, pendings->count) != 0;
	for (unsigned i = 0; i < pendings->count; i++)
		write_stub(search, &pendings->list[i]);
	if (!search->no_area && stubs_close(&search->kept->area)) {
		for (unsigned i = 0; i < pendings->count; i++) {
			pendings->list[i].way = NATIVE_NONE;
			pendings->list[i].reason = "the system does not let code be made";
		}
		stubs_free(&search->kept->area);
	}
	for (unsigned i = 0; i < pendings->count; i++)
		switch_on(search, &pendings->list[i]);
}
