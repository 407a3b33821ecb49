/* SPDX-License-Identifier: MIT */
/* threaddef.c - the definition of a thread. */
#include "record/threaddef.h"

#include <linux/prctl.h>
#include <pthread.h>
#include <string.h>

#include "format/defs.h"
#include "record/arena.h"
#include "record/identity.h"
#include "record/modules.h"
#include "record/pthread_field.h"
#include "record/sandbox.h"
#include "record/sys.h"
#include "record/text.h"

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
	uintptr_t routine = thread->tid == identity.pid ? 0 : pthread_field_start(pthread_self());
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
