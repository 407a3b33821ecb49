/* SPDX-License-Identifier: MIT */
/* pthread_field.c - fields of libc's struct pthread. */
#include "record/pthread_field.h"

#include <dlfcn.h>

#include "record/sys.h"
#include "record/thread.h"

static const struct field {
	uint32_t bits, elements, offset;
} * start_field, *tid_field;

void pthread_field_init(void)
{
	runtime_enter();
	start_field = dlsym(RTLD_DEFAULT, "_thread_db_pthread_start_routine");
	tid_field = dlsym(RTLD_DEFAULT, "_thread_db_pthread_tid");
	runtime_leave();
}

/* `value` stays as it is where the field is unknown, of another width or unreadable. */
static void read_field(pthread_t thread, const struct field *field, void *value, size_t size)
{
	if (field && field->bits == 8 * size)
		sys_copy_from_self(value, (const char *)thread + field->offset, size);
}

uintptr_t pthread_field_start(pthread_t thread)
{
	uintptr_t routine = 0;

	read_field(thread, start_field, &routine, sizeof(routine));
	return routine;
}

pid_t pthread_field_tid(pthread_t thread)
{
	pid_t tid = 0;

	read_field(thread, tid_field, &tid, sizeof(tid));
	return tid;
}
