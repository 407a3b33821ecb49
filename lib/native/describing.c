/* SPDX-License-Identifier: MIT */
/* describing.c - see describing.h */
#include "native/describing.h"

#include <string.h>

#include "native/asked.h"
#include "native/declared.h"
#include "native/hot.h"
#include "record/note.h"
#include "record/sources.h"
#include "record/sys.h"
#include "record/targets.h"

#define PACKED_MAX (4u << 20) /* bytes of debugging information that are inflated unasked */

/* Mapped at the first one: memory is there for those that are used. */
static struct native_spec *specs;
static unsigned specs_used;

/* ---- DWARF ---- */

struct room {
	struct dwarf dwarf;
	struct declared declared;
};

/* All, or by their names; else by places and formats. */
static bool is_by_declaration(const char *list)
{
	struct native_spec spec = {.arg_count = 0};

	return !list || !(spec_arguments(&spec, list) || spec_result(&spec, list));
}

/* Whether arguments or results are to be had by it. */
static bool is_asked_for(void)
{
	for (unsigned i = 0; i < targets_arguments(); i++)
		if (is_by_declaration(target_argument_at(i)->list))
			return true;
	for (unsigned i = 0; i < targets_results(); i++)
		if (is_by_declaration(target_result_at(i)->list))
			return true;
	return false;
}

/* To be inflated at each start, where only file and line are to be had by it. */
static bool is_slow(const struct elf_file *file)
{
	const ElfW(Shdr) *section = elf_file_section(file, ".debug_info");

	return section && (section->sh_flags & SHF_COMPRESSED) && section->sh_size > PACKED_MAX;
}

void describing_begin(struct describing *describing, const struct elf_object *object,
		      struct elf_symbols *symbols, struct dwarf_place *places, size_t count)
{
	const struct elf_file *file = elf_with_dwarf(symbols, object);
	struct room *room;

	*describing = (struct describing){.object = object};
	if (file && !is_asked_for() && is_slow(file))
		file = NULL;
	for (size_t i = 0; i < count; i++)
		places[i].entry = DWARF_NONE;
	room = file ? sys_mmap(sizeof(*room), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1)
		    : NULL;
	if (!room || sys_is_error((long)room))
		return;
	if (!dwarf_open(&room->dwarf, file)) {
		sys_munmap(room, sizeof(*room));
		return;
	}
	describing->dwarf = &room->dwarf;
	describing->declared = &room->declared;
	dwarf_find(describing->dwarf, places, count, is_asked_for());
}

void describing_end(struct describing *describing)
{
	if (!describing->dwarf)
		return;
	dwarf_close(describing->dwarf);
	sys_munmap(describing->dwarf, sizeof(struct room));
	describing->dwarf = NULL;
}

/* Calls of such a copy do not pass what was declared. */
static bool is_copy(const char *symbol)
{
	return strstr(symbol, ".constprop.") || strstr(symbol, ".isra.");
}

void describing_read(struct describing *describing, const struct described_name *name)
{
	describing->has_declared = describing->dwarf && name->entry != DWARF_NONE &&
				   declared_read(describing->dwarf, name->entry, name->address,
						 is_copy(name->symbol), describing->declared);
}

const char *describing_refused(const struct describing *describing, const char **why)
{
	*why = describing->has_declared ? describing->declared->refused : NULL;
	return *why ? describing->declared->refused_name : NULL;
}

/* ---- arguments and results ---- */

/* "n,name" */
static bool is_in_list(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (!strncmp(list, name, length) && (list[length] == ',' || !list[length]))
			return true;
	return false;
}

static bool take_arguments(const struct describing *describing, struct native_spec *spec,
			   const char *list)
{
	const struct native_spec *declared = &describing->declared->spec;

	if (list && spec_arguments(spec, list))
		return true;
	if (!describing->has_declared)
		return false;
	spec->arg_count = 0;
	for (unsigned i = 0; i < declared->arg_count; i++)
		if (!list || is_in_list(list, declared->args[i].name))
			spec->args[spec->arg_count++] = declared->args[i];
	return spec->arg_count > 0;
}

static bool take_result(const struct describing *describing, struct native_spec *spec,
			const char *list)
{
	if (list && spec_result(spec, list))
		return true;
	if (!describing->has_declared || !describing->declared->spec.has_result)
		return false;
	spec->result = describing->declared->spec.result;
	spec->has_result = true;
	return true;
}

static void tell_refused(const struct describing *describing, const struct native_name *name,
			 const char *list, bool result)
{
	const struct declared *declared = describing->declared;
	const char *refused = result ? declared->refused_result : declared->refused;

	if (!describing->has_declared)
		note(result ? "the result of '" : "arguments of '", name->text,
		     "' cannot be recorded: there is no debugging information of it", NULL);
	else if (refused && list && !is_in_list(list, declared->refused_name))
		return;
	else if (refused && !result && *declared->refused_name)
		note("the argument '", declared->refused_name, "' of '", name->text,
		     "' cannot be recorded: ", refused, NULL);
	else if (refused)
		note(result ? "the result of '" : "arguments of '", name->text,
		     "' cannot be recorded: ", refused, NULL);
}

static struct native_spec *new_spec(void)
{
	if (!specs) {
		void *memory = sys_mmap(sizeof(*specs) * SPECS_MAX, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

		if (sys_is_error((long)memory))
			return NULL;
		specs = memory;
	}
	return specs_used < SPECS_MAX ? &specs[specs_used] : NULL;
}

static bool is_meant(const struct describing *describing, const struct target_request *request,
		     const struct described_name *name)
{
	return asked_means_name(&request->target, describing->object, name->name, name->symbol);
}

const struct native_spec *describing_spec(const struct describing *describing,
					  const struct described_name *name, bool tell)
{
	struct native_spec *spec = new_spec();
	bool any = false;

	if (!spec)
		return NULL;
	*spec = (struct native_spec){.arg_count = 0};
	for (unsigned i = 0; i < targets_arguments(); i++) {
		const struct target_request *request = target_argument_at(i);

		if (!is_meant(describing, request, name))
			continue;
		any |= take_arguments(describing, spec, request->list);
		if (tell && request->target.plain && is_by_declaration(request->list))
			tell_refused(describing, name->name, request->list, false);
	}
	for (unsigned i = 0; i < targets_results(); i++) {
		const struct target_request *request = target_result_at(i);

		if (!is_meant(describing, request, name))
			continue;
		any |= take_result(describing, spec, request->list);
		if (tell && request->target.plain && is_by_declaration(request->list))
			tell_refused(describing, name->name, NULL, true);
	}
	specs_used += any;
	return any ? spec : NULL;
}

/* ---- source ---- */

void describing_source(const struct describing *describing, const struct described_name *name,
		       uint32_t number)
{
	const struct declared *declared = describing->declared;
	struct def_source source = {.module = text_of(describing->object->name)};
	char path[2 * NATIVE_NAME_MAX];
	struct textbuf text = text_in(path, sizeof(path));

	text_add(&text, name->name->text);
	text_add(&text, name->name->parameters);
	source.path = text_of(path);
	if (describing->has_declared) {
		source.line = declared->line;
		source.file = text_of(declared->file);
		source.args = text_of(declared->args);
	}
	source_set(number, &source);
}
