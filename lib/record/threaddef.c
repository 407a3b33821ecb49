/* SPDX-License-Identifier: MIT */
/* threaddef.c - the definition of a thread. */
#include "record/threaddef.h"

#include <dlfcn.h>
#include <linux/prctl.h>
#include <pthread.h>
#include <string.h>

#include "format/defs.h"
#include "record/arena.h"
#include "record/identity.h"
#include "record/modules.h"
#include "record/sandbox.h"
#include "record/sys.h"
#include "record/text.h"

/* What libc tells debuggers of the field of struct pthread that has the start routine. */
static const struct {
	uint32_t bits, elements, offset;
} * start_field;

void threaddef_init(void)
{
	thread_tls.in_runtime++;
	start_field = dlsym(RTLD_DEFAULT, "_thread_db_pthread_start_routine");
	thread_tls.in_runtime--;
}

/* 0: not known, and for the main thread. */
static uintptr_t start_routine(void)
{
	uintptr_t routine = 0;

	if (start_field && start_field->bits == 8 * sizeof(routine))
		sys_copy_from_self(&routine, (const char *)pthread_self() + start_field->offset,
				   sizeof(routine));
	return routine;
}

/* Into thread->name; false: as before. */
static bool name_changed(struct thread *thread)
{
	char name[THREAD_NAME_SIZE] = "", path[48];
	struct textbuf text = text_in(path, sizeof(path));

	if (thread->tid == (uint32_t)sys_gettid()) {
		sys_call(SYS_prctl, PR_GET_NAME, (long)name, 0, 0, 0, 0);
	} else {
		text_add(&text, "/proc/self/task/");
		text_add_u64(&text, thread->tid);
		text_add(&text, "/comm");
		sys_read_file(path, name, sizeof(name));
	}
	name[strcspn(name, "\n")] = '\0';
	if (!*name || !strcmp(name, thread->name))
		return false;
	memcpy(thread->name, name, sizeof(name));
	return true;
}

static void define(const struct thread *thread)
{
	uint8_t payload[128];
	struct def_thread def = {
		.index = thread->index,
		.tid = thread->tid,
		.start = thread->start,
		.name = text_of(thread->name),
		.module = thread->start_module,
		.offset = thread->start_offset,
	};

	if (thread->tid == identity.pid)
		def.flags |= THREAD_MAIN;
	if (thread->is_spare)
		def.flags |= THREAD_SIGNAL;
	arena_put(DEF_THREAD, payload, def_thread_pack(payload, sizeof(payload), &def));
}

void threaddef_first(struct thread *thread)
{
	uintptr_t routine = thread->tid == identity.pid ? 0 : start_routine();
	struct encode_site site = {0, 0};

	if (routine)
		site = modules_find(routine);
	thread->start_module = site.module;
	thread->start_offset = site.module ? site.offset : 0;
	thread->name[0] = '\0';
	name_changed(thread);
	define(thread);
}

void threaddef_again(struct thread *thread)
{
	if (!sandbox_active() && name_changed(thread))
		define(thread);
}
