/* SPDX-License-Identifier: MIT */
/* native.c - see native.h */
#include "native/native.h"

#include <link.h>
#include <string.h>

#include "native/cpu.h"
#include "native/dry_run.h"
#include "native/embedding.h"
#include "native/finding.h"
#include "native/hot.h"
#include "native/library_symbol.h"
#include "native/native_names.h"
#include "native/thunks.h"
#include "record/bulk.h"
#include "record/config.h"
#include "record/lifecycle.h"
#include "record/note.h"
#include "record/sys.h"
#include "record/targets.h"
#include "record/text.h"
#include "record/thread.h"
#include "record/unwind.h"

#define OBJECTS_MAX 1024u
#define LOADER_FUNCTION (NATIVE_FUNCTIONS_MAX - 1) /* its place in native_functions */
#define OWN_FIRST 2                                /* links of /proc/self/task beside the threads */

uint8_t native_has_more_vectors;
static struct native_object objects[OBJECTS_MAX] BULK;
static unsigned object_count;
static enum finding_mode mode;
static bool later; /* the constructor is through */
static _Atomic bool looking;

const char *native_obstacle(void)
{
	static const char *obstacle;
	static bool asked;

	if (!native_hot_is_general)
		return "the recorder's compiler was too old";
	if (!asked)
		obstacle = cpu_obstacle();
	asked = true;
	return obstacle;
}

static bool threads_run(void)
{
	struct stat status;

	return sys_stat("/proc/self/task", &status) || status.st_nlink != OWN_FIRST + 1;
}

/* ---- objects ---- */

static void report(const struct native_finding *finding)
{
	if (config.dry_run)
		dry_run_tell(finding);
	else if (finding->way != NATIVE_NONE)
		return;
	else if (finding->target < targets_count() && target_at(finding->target)->plain)
		note("'", finding->name, "' of ", finding->object,
		     " is not traced: ", finding->reason, NULL);
	else
		note_verbose("'", finding->name, "' of ", finding->object,
			     " is not traced: ", finding->reason, NULL);
}

static struct native_object *find_kept(const struct elf_object *object, uint64_t path)
{
	for (unsigned i = 0; i < object_count; i++)
		if (objects[i].base == object->base && objects[i].start == object->start &&
		    objects[i].end == object->end && objects[i].path == path)
			return &objects[i];
	return NULL;
}

static struct native_object *keep(const struct elf_object *object, uint64_t path)
{
	struct native_object *kept = NULL;

	for (unsigned i = 0; i < object_count && !kept; i++)
		if (!objects[i].end)
			kept = &objects[i];
	if (!kept && object_count < OBJECTS_MAX)
		kept = &objects[object_count++];
	if (kept)
		*kept = (struct native_object){.base = object->base,
					       .start = object->start,
					       .end = object->end,
					       .path = path};
	return kept;
}

static void visit(const struct elf_object *object, void *unused)
{
	uint64_t path = text_hash(object->path, strlen(object->path), 0);
	struct native_object *kept = find_kept(object, path);

	(void)unused;
	if (!kept) {
		kept = keep(object, path);
		if (kept)
			finding_object(object, kept, mode, later, report);
		if (kept && mode == FINDING_ALL)
			embedding_look(object);
	}
	if (kept)
		kept->seen = true;
}

/* Those that have gone take with them what jumped to their stubs. */
static void look_again(void)
{
	for (unsigned i = 0; i < object_count; i++)
		objects[i].seen = false;
	elf_objects(visit, NULL);
	for (unsigned i = 0; i < object_count; i++) {
		if (objects[i].seen || !objects[i].end)
			continue;
		stubs_free(&objects[i].area);
		objects[i].end = objects[i].start = objects[i].base = 0;
	}
}

/* Weak, so that the loader is not needed by its name: where it is another one (musl's) the library is refused at the first symbol that is lacking, and processes run on. */
extern struct r_debug _r_debug __attribute__((weak));

/* The loader has changed its list of objects; it holds its lock. */
static void loader_changed(void)
{
	if (_r_debug.r_state != RT_CONSISTENT || atomic_exchange(&looking, true))
		return;
	runtime_enter();
	look_again();
	runtime_leave();
	atomic_store(&looking, false);
}

/* ---- the loader ---- */

/* It calls a function that does nothing, for debuggers, whenever its list has changed: behind its return there is room up to the next one. */
static void hook_loader(void)
{
	static struct stub_area area;
	uintptr_t address = &_r_debug ? _r_debug.r_brk : 0;
	struct native_function *function = &native_functions[LOADER_FUNCTION];
	struct prologue plan;
	struct stub stub;
	size_t size;

	if (!address || native_obstacle())
		return;
	size = prologue_empty((const uint8_t *)address);
	if (!size || prologue_plan((const uint8_t *)address, size, 16, &plan) ||
	    stubs_open(&area, address, address + size, 1))
		return;
	if (!stub_write(&area, LOADER_FUNCTION, address, &plan, &stub) || stubs_close(&area)) {
		stubs_free(&area);
		return;
	}
	function->resume = stub.resume;
	function->hook = loader_changed;
	function->aside = true;
	code_jump(address + plan.at, &stub);
}

/* ---- start ---- */

static uintptr_t hidden_word(uintptr_t pc)
{
	uint32_t thunk = thunk_of(pc);

	return thunk == THUNK_NONE ? 0 : (uintptr_t)&native_words[thunk].real;
}

static void start(void)
{
	mode = config.dry_run ? FINDING_DRY : threads_run() ? FINDING_WORDS : FINDING_ALL;
	native_has_more_vectors = cpu_has_more_vectors();
	thunks_init();
	unwind_hidden = hidden_word;
	native_names_init();
	finding_wrappers(report);
	look_again();
	later = true;
	if (config.dry_run)
		dry_run_end();
	mode = FINDING_ALL; /* of libraries that are just loaded no code is running */
	hook_loader();
}

__attribute__((constructor)) static void constructor(void)
{
	if (!lifecycle_start() || !(targets_count() + targets_arguments() + targets_results()))
		return;
	runtime_enter();
	start();
	runtime_leave();
}
