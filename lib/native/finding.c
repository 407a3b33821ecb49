/* SPDX-License-Identifier: MIT */
/* finding.c - see finding.h */
#include "native/finding.h"

#include <string.h>

#include "native/asked.h"
#include "native/describing.h"
#include "native/got.h"
#include "native/hot.h"
#include "native/inlined.h"
#include "native/instrumentation.h"
#include "native/interpreter.h"
#include "native/library_symbol.h"
#include "native/native_names.h"
#include "native/object_names.h"
#include "native/specs.h"
#include "record/config.h"
#include "record/function.h"
#include "record/named.h"
#include "record/sys.h"
#include "record/targets.h"
#include "record/text.h"

#define OFFERS_MAX 20000u /* names that are compared with a target that none is of */
#define WITH_MAX 512u     /* of names of arguments */

static _Atomic uint32_t function_count_used =
	1; /* in native_functions; 0 is for all that have no stub */

/* ---- one function ---- */

struct object_search {
	const struct elf_object *object;
	struct elf_symbols symbols;
	struct native_object *kept;
	enum finding_mode mode;
	bool later;
	report_function *report;
	bool no_area;
	struct describing describing;
	uintptr_t instrumentation[INSTRUMENTATION_WORDS];
};

static const char *const no_memory = "no memory within reach";
static const char *const instrumented = "instrumented";

uint32_t finding_number(const struct elf_object *object, const char *name)
{
	return named_find(NAMED_NATIVE, KIND_none, name, object->program ? NULL : object->name);
}

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

static bool is_exported(const ElfW(Sym) * symbol)
{
	return ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
	       (ELF64_ST_VISIBILITY(symbol->st_other) == STV_DEFAULT ||
		ELF64_ST_VISIBILITY(symbol->st_other) == STV_PROTECTED);
}

/* Whether the function begins with a call of __fentry__, which a jump can replace. */
static bool is_room(const struct object_search *search, uintptr_t address, size_t size,
		    struct prologue *plan)
{
	memset(plan, 0, sizeof(*plan));
	plan->nops = true;
	plan->at = prologue_begin((const uint8_t *)address, size);
	plan->length = instrumentation_begins(search->object, address + plan->at, size - plan->at,
					      search->instrumentation);
	return plan->length >= PROLOGUE_JUMP && search->mode != FINDING_WORDS;
}

static const char *judge(const struct object_search *search, const ElfW(Sym) * symbol,
			 const struct native_name *name, struct prologue *plan)
{
	uintptr_t address = search->object->base + symbol->st_value, room;

	if (native_obstacle())
		return native_obstacle();
	if (name->part)
		return !strcmp(name->part, "cold") ? "a part of another function"
						   : "what is left of an inlined function";
	if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
		return "chosen at run time (IFUNC)";
	if (!symbol->st_size)
		return "of unknown size";
	if (!elf_is_code(search->object, address, symbol->st_size))
		return "no code";
	/* what follows a function is known for sure where all are named */
	room = search->symbols.full
		       ? elf_next_begin(&search->symbols, symbol->st_value) - symbol->st_value
		       : ((symbol->st_value + symbol->st_size + 15) & ~15ul) - symbol->st_value;
	if (room > 4096 + symbol->st_size)
		room = symbol->st_size;
	if (room > symbol->st_size && !elf_is_code(search->object, address, room))
		room = symbol->st_size;
	if (instrumentation_calls(search->object, address, symbol->st_size,
				  search->instrumentation))
		return is_room(search, address, symbol->st_size, plan) ? NULL : instrumented;
	if (search->mode == FINDING_WORDS)
		return "threads are running";
	return prologue_plan((const uint8_t *)address, symbol->st_size, room, plan);
}

/* ---- all functions of an object ---- */

struct pending {
	uint32_t symbol; /* in the table */
	unsigned target;
	struct prologue plan;
	struct stub stub;
	const char *reason; /* why not by its code */
	enum native_way way;
	struct got_words words;
	uint64_t entry; /* of DWARF */
};

struct pendings {
	struct pending *list;
	size_t size; /* bytes */
	unsigned count, max;
};

static bool is_catalogued(const struct object_search *search, const char *symbol)
{
	if (search->object->program)
		return false;
	for (unsigned i = 0; i < symbol_count; i++)
		if (!strcmp(symbol_table[i].name, symbol))
			return true;
	return false;
}

/* The name, of those at one address, that is meant; of several the first. */
static bool choose(const struct object_search *search, size_t begin, size_t end,
		   struct pending *pending)
{
	for (size_t i = begin; i < end; i++) {
		uint32_t at = search->symbols.by_address[i];
		const char *symbol = elf_name(&search->symbols, &search->symbols.table[at]);
		unsigned target;

		if (!*symbol || object_has_of_compiler(symbol) || is_catalogued(search, symbol) ||
		    !asked_for(search->object, symbol, search->symbols.fortran, &target))
			continue;
		*pending = (struct pending){.symbol = at, .target = target};
		return true;
	}
	return false;
}

static void collect(const struct object_search *search, struct pendings *pendings)
{
	const struct elf_symbols *symbols = &search->symbols;

	for (size_t begin = 0, end; begin < symbols->sorted; begin = end) {
		const ElfW(Sym) *first = &symbols->table[symbols->by_address[begin]];

		for (end = begin + 1;
		     end < symbols->sorted &&
		     symbols->table[symbols->by_address[end]].st_value == first->st_value;
		     end++)
			;
		if (pendings->count < pendings->max &&
		    choose(search, begin, end, &pendings->list[pendings->count]))
			pendings->count++;
	}
}

static const char *symbol_of(const struct object_search *search, const struct pending *pending)
{
	return elf_name(&search->symbols, &search->symbols.table[pending->symbol]);
}

/* The words that a function is called by. */
static struct got_words words_of(const struct object_search *search, const struct pending *pending)
{
	const ElfW(Sym) *symbol = &search->symbols.table[pending->symbol];
	struct got_words words = {.real = search->object->base + symbol->st_value};

	if (is_exported(symbol))
		words.symbol = symbol_of(search, pending);
	if (ELF64_ST_TYPE(symbol->st_info) != STT_GNU_IFUNC)
		return words;
	words.resolver = words.real;
	words.real = got_chosen(search->object, words.resolver);
	if (!words.real && words.symbol)
		words.real = (uintptr_t)library_symbol(words.symbol, NULL);
	return words;
}

static void plan_words(struct object_search *search, struct pending *pending,
		       const struct native_name *name)
{
	if (name->part || search->later || native_obstacle())
		return;
	pending->words = words_of(search, pending);
	if (!pending->words.real || !got_replace(&pending->words, 0))
		return;
	pending->way = pending->words.resolver ? NATIVE_IFUNC : NATIVE_GOT;
	if (pending->way == NATIVE_IFUNC)
		pending->reason = NULL;
}

static bool is_by_words(const struct pending *pending)
{
	return pending->way == NATIVE_GOT || pending->way == NATIVE_IFUNC;
}

static void plan_way(struct object_search *search, struct pending *pending)
{
	struct native_name name;

	native_name(&name, symbol_of(search, pending), search->symbols.fortran);
	pending->reason =
		judge(search, &search->symbols.table[pending->symbol], &name, &pending->plan);
	if (pending->reason == instrumented) {
		pending->reason = NULL;
		pending->way = NATIVE_INSTRUMENTED;
	} else if (pending->reason) {
		plan_words(search, pending, &name);
	} else {
		pending->way = pending->plan.nops ? NATIVE_NOPS : NATIVE_PROLOGUE;
	}
}

static void write_stub(struct object_search *search, struct pending *pending)
{
	const ElfW(Sym) *symbol = &search->symbols.table[pending->symbol];
	struct native_name name;
	struct described_name named = {&name, symbol_of(search, pending), pending->entry};
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

/* What would be recorded with it. */
static void describe_arguments(struct object_search *search, const struct pending *pending,
			       const struct native_name *name, struct native_finding *finding,
			       struct textbuf *with)
{
	struct described_name named = {name, finding->symbol, pending->entry};
	const struct native_spec *spec;

	if (search->mode != FINDING_DRY || finding->way == NATIVE_NONE)
		return;
	describing_read(&search->describing, &named);
	spec = describing_spec(&search->describing, &named, false);
	for (unsigned i = 0; spec && i < spec->arg_count; i++) {
		text_add(with, with->length ? ", " : "");
		text_add(with, spec->args[i].name);
	}
	if (spec && spec->has_result)
		text_add(with, with->length ? ", result" : "result");
	finding->with = with->length ? with->buffer : NULL;
	if (spec)
		finding->without = describing_refused(&search->describing, &finding->why);
}

static void tell(struct object_search *search, const struct pending *pending)
{
	struct native_finding finding = {.symbol = symbol_of(search, pending),
					 .object = search->object->name,
					 .way = pending->way,
					 .reason = pending->reason,
					 .target = pending->target};
	struct native_name name;
	char room[WITH_MAX];
	struct textbuf with = text_in(room, sizeof(room));

	native_name(&name, finding.symbol, search->symbols.fortran);
	finding.name = name.text;
	if (name.part && !strcmp(name.part, "cold"))
		return;
	describe_arguments(search, pending, &name, &finding, &with);
	search->report(&finding);
}

static void apply(struct object_search *search, struct pendings *pendings)
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

/* Names of the program's own that a target may have been meant for. */
static void offer_names(const struct object_search *search)
{
	struct native_name name;

	if (!targets_seek() || asked_by_name_alone(search->object))
		return;
	for (size_t i = 0; i < search->symbols.sorted && i < OFFERS_MAX; i++) {
		const char *symbol =
			elf_name(&search->symbols,
				 &search->symbols.table[search->symbols.by_address[i]]);

		if (object_has_of_compiler(symbol))
			continue;
		native_name(&name, symbol, search->symbols.fortran);
		if (!name.part)
			targets_offer(name.plain);
	}
}

/* They are in the order of their addresses. */
static void describe(struct object_search *search, struct pendings *pendings)
{
	size_t size = pendings->count * sizeof(struct dwarf_place);
	struct dwarf_place *places =
		sys_mmap(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	for (unsigned i = 0; i < pendings->count; i++)
		pendings->list[i].entry = DWARF_NONE;
	if (sys_is_error((long)places))
		return;
	for (unsigned i = 0; i < pendings->count; i++)
		places[i].address = search->symbols.table[pendings->list[i].symbol].st_value;
	describing_begin(&search->describing, search->object, &search->symbols, places,
			 pendings->count);
	for (unsigned i = 0; i < pendings->count; i++)
		pendings->list[i].entry = places[i].entry;
	sys_munmap(places, size);
}

static void search_object(struct object_search *search)
{
	struct pendings pendings = {.max = (unsigned)search->symbols.sorted};
	void *memory;

	pendings.size = (pendings.max + 1) * sizeof(*pendings.list);
	memory = sys_mmap(pendings.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (sys_is_error((long)memory))
		return;
	pendings.list = memory;
	collect(search, &pendings);
	if (pendings.count)
		instrumentation_find(search->object, search->instrumentation);
	for (unsigned i = 0; i < pendings.count; i++)
		plan_way(search, &pendings.list[i]);
	if (pendings.count)
		describe(search, &pendings);
	if (search->mode != FINDING_DRY && pendings.count)
		apply(search, &pendings);
	for (unsigned i = 0; i < pendings.count; i++)
		tell(search, &pendings.list[i]);
	describing_end(&search->describing);
	sys_munmap(memory, pendings.size);
	offer_names(search);
}

void finding_object(const struct elf_object *object, struct native_object *kept,
		    enum finding_mode mode, bool later, report_function *report)
{
	struct object_search search = {.object = object,
				       .kept = kept,
				       .mode = mode,
				       .later = later,
				       .report = report,
				       .describing = {.object = object}};

	if (!asked_of(object) || !elf_open(&search.symbols, object, !later))
		return;
	if (elf_sort(&search.symbols)) {
		search_object(&search);
		if (mode == FINDING_DRY)
			inlined_report(object, &search.symbols, report);
	}
	elf_close(&search.symbols);
}

/* ---- functions of the catalogue ---- */

void finding_wrappers(report_function *report)
{
	for (unsigned i = 0; i < targets_count(); i++) {
		const struct target *target = target_at(i);

		if (target->name && !interpreter_lets(target))
			continue;
		for (unsigned k = 0; !target->object && target->name && k < function_count; k++) {
			const char *name = function_table[k].name;

			if (!text_matches(target->name, strlen(target->name), name))
				continue;
			if (function_state_of(k) == FUNCTION_OFF && !target->plain)
				continue;
			if (function_state_of(k) == FUNCTION_OFF)
				function_set_state(k, FUNCTION_NEW);
			if (!config.dry_run)
				target_matched(i);
			report(&(struct native_finding){.name = name,
							.symbol = name,
							.object = "",
							.way = NATIVE_WRAPPER,
							.target = i});
		}
	}
}
