/* SPDX-License-Identifier: MIT */
/* inlined.c - see inlined.h */
#include "native/inlined.h"

#include "native/asked.h"
#include "native/dwarf_inlined.h"
#include "native/native_names.h"
#include "record/sys.h"

#define FUNCTIONS_MAX 1024u /* that are told of */
#define PLACES_MAX 4u       /* of each; of more their number is told */
#define REASON_MAX 1280u

struct counted {
	uint64_t entry;
	const char *symbol;
	unsigned places, target;
};

/* Too much for a stack. */
struct inlining {
	struct dwarf dwarf;
	const struct elf_object *object;
	bool fortran;
	report_function *report;
	uint64_t other; /* the last entry that nobody asked for */
	unsigned count;
	struct counted functions[FUNCTIONS_MAX];
};

static void report(const struct inlining *inlining, const struct counted *counted,
		   const char *reason)
{
	struct native_name name;

	native_name(&name, counted->symbol, inlining->fortran);
	inlining->report(&(struct native_finding){.name = name.text,
						  .symbol = counted->symbol,
						  .object = inlining->object->name,
						  .way = NATIVE_NONE,
						  .reason = reason,
						  .target = counted->target});
}

/* NULL: no target means it. */
static struct counted *find(struct inlining *inlining, const struct dwarf_inlined *inlined)
{
	unsigned target;

	for (unsigned i = 0; i < inlining->count; i++)
		if (inlining->functions[i].entry == inlined->entry)
			return &inlining->functions[i];
	if (inlining->count < FUNCTIONS_MAX &&
	    asked_for(inlining->object, inlined->symbol, inlining->fortran, &target)) {
		inlining->functions[inlining->count] =
			(struct counted){inlined->entry, inlined->symbol, 0, target};
		return &inlining->functions[inlining->count++];
	}
	inlining->other = inlined->entry;
	return NULL;
}

static void visit(void *data, const struct dwarf_inlined *inlined)
{
	struct inlining *inlining = data;
	struct counted *counted =
		inlined->entry == inlining->other ? NULL : find(inlining, inlined);
	struct native_name into;
	char room[REASON_MAX];
	struct textbuf reason = text_in(room, sizeof(room));

	if (!counted || counted->places++ >= PLACES_MAX)
		return;
	native_name(&into, inlined->into, inlining->fortran);
	text_add(&reason, "inlined into ");
	text_add(&reason, into.text);
	if (inlined->line) {
		text_add(&reason, " at ");
		if (dwarf_file(&inlining->dwarf, inlined->unit, inlined->file, &reason))
			text_add(&reason, ":");
		else
			text_add(&reason, "line ");
		text_add_u64(&reason, inlined->line);
	}
	report(inlining, counted, room);
}

static void report_rest(const struct inlining *inlining)
{
	for (unsigned i = 0; i < inlining->count; i++) {
		unsigned places = inlining->functions[i].places;
		char room[64];
		struct textbuf reason = text_in(room, sizeof(room));

		if (places <= PLACES_MAX)
			continue;
		text_add(&reason, "inlined in ");
		text_add_u64(&reason, places - PLACES_MAX);
		text_add(&reason, places - PLACES_MAX == 1 ? " more place" : " more places");
		report(inlining, &inlining->functions[i], room);
	}
}

void inlined_report(const struct elf_object *object, struct elf_symbols *symbols,
		    report_function *told)
{
	const struct elf_file *file = elf_with_dwarf(symbols, object);
	struct inlining *inlining;

	if (!file)
		return;
	inlining = sys_mmap(sizeof(*inlining), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1);
	if (sys_is_error((long)inlining))
		return;
	inlining->object = object;
	inlining->fortran = symbols->fortran;
	inlining->report = told;
	inlining->other = DWARF_NONE;
	if (dwarf_open(&inlining->dwarf, file)) {
		dwarf_each_inlined(&inlining->dwarf, visit, inlining);
		report_rest(inlining);
		dwarf_close(&inlining->dwarf);
	}
	sys_munmap(inlining, sizeof(*inlining));
}
