/* SPDX-License-Identifier: MIT */
/* finding.c - see finding.h */
#include "native/finding.h"

#include <string.h>

#include "native/asked.h"
#include "native/finding_state.h"
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

/* ---- one function ---- */

static const char *const instrumented = "instrumented";

uint32_t finding_number(const struct elf_object *object, const char *name)
{
	return named_find(NAMED_NATIVE, KIND_none, name, object->program ? NULL : object->name);
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

/* The words that a function is called by. */
static struct got_words words_of(const struct object_search *search, const struct pending *pending)
{
	const ElfW(Sym) *symbol = &search->symbols.table[pending->symbol];
	struct got_words words = {.real = search->object->base + symbol->st_value};

	if (is_exported(symbol))
		words.symbol = finding_symbol(search, pending);
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

static void plan_way(struct object_search *search, struct pending *pending)
{
	struct native_name name;

	native_name(&name, finding_symbol(search, pending), search->symbols.fortran);
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

/* What would be recorded with it. */
static void describe_arguments(struct object_search *search, const struct pending *pending,
			       const struct native_name *name, struct native_finding *finding,
			       struct textbuf *with)
{
	struct described_name named = {name, finding->symbol, pending->entry,
				       search->symbols.table[pending->symbol].st_value};
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
	struct native_finding finding = {.symbol = finding_symbol(search, pending),
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
		finding_apply(search, &pendings);
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
