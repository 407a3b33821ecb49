/* SPDX-License-Identifier: MIT */
/* pycall.c - see pycall.h */
#include "pycalls/pycall.h"

#include <sys/resource.h>

#include "pycalls/pyargs.h"
#include "record/args.h"
#include "record/config.h"
#include "record/named.h"
#include "record/note.h"
#include "record/sys.h"
#include "record/text.h"

enum { USAGE_CPU_START, USAGE_CPU_END, USAGE_RSS };

bool pycall_is_rich;

void pycall_init(void)
{
	pycall_is_rich = config.usage || config.verbose;
}

/* ns that the process has computed in its own code, as Python's os.times().user. */
static int64_t user_time(void)
{
	struct rusage usage;

	if (sys_getrusage(RUSAGE_SELF, &usage))
		return 0;
	return usage.ru_utime.tv_sec * 1000000000ll + usage.ru_utime.tv_usec * 1000ll;
}

/* The second number of /proc/self/statm, in bytes. 0: not known. */
static int64_t resident_bytes(void)
{
	int fd = sys_open("/proc/self/statm", O_RDONLY | O_CLOEXEC, 0);
	char line[128];
	const char *cursor = line;
	uint64_t pages = 0;
	long size;

	if (fd < 0)
		return 0;
	size = sys_read(fd, line, sizeof(line) - 1);
	sys_close(fd);
	line[size > 0 ? size : 0] = '\0';
	if (!text_read_u64(&cursor, &pages) || *cursor++ != ' ' || !text_read_u64(&cursor, &pages))
		return 0;
	return (int64_t)pages * 4096;
}

uint32_t pycall_with_usage(uint32_t number)
{
	static const char *const names[PYCALL_USAGE] = {"cpu_start", "cpu_end", "rss"};

	for (unsigned i = 0; config.usage && i < PYCALL_USAGE && number != NAMED_NONE; i++)
		number = named_with(number, names[i], KIND_uint);
	return number;
}

/* They are the last ones until the result comes. */
static void put_usage(struct call *call, unsigned which, int64_t value)
{
	arg_int(call, call->record->arg_count - PYCALL_USAGE + which, value);
}

bool pycall_enter_rich(struct call *call, const struct pycode *code, const void *frame)
{
	unsigned usage = config.usage ? PYCALL_USAGE : 0;

	if (!(code->request ? pyargs_enter(call, code, frame)
			    : pushed_enter(call, code->number, usage, 0)))
		return false;
	note_verbose("call ", code->path, NULL);
	if (usage) {
		put_usage(call, USAGE_CPU_START, user_time());
		put_usage(call, USAGE_CPU_END, 0);
		put_usage(call, USAGE_RSS, 0);
	}
	return true;
}

void pycall_end_rich(struct call *call, const struct pycode *code, enum pyending ending,
		     PyObject *value)
{
	static const char *const words[] = {"return ", "exception ", "yield "};

	if (config.usage) {
		put_usage(call, USAGE_CPU_END, user_time());
		put_usage(call, USAGE_RSS, resident_bytes());
	}
	if (code->request && ending != PYENDING_EXCEPTION)
		pyargs_result(call, code->request, ending == PYENDING_YIELD ? "yield" : "return",
			      value);
	note_verbose(words[ending], code->path, NULL);
}

void pycall_mark(uint32_t number, uint64_t id)
{
	struct call call;

	if (number == NAMED_NONE || !pushed_enter(&call, number, 1, 0))
		return;
	arg_int(&call, 0, (int64_t)id);
	pushed_start(&call);
	thread_set_busy(call.thread);
	call.record->tend = call.record->tstart;
	pushed_leave(&call);
}
