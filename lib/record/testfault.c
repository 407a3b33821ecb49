/* SPDX-License-Identifier: MIT */
/* testfault.c - which call is to fail, and how. */
#include "record/testfault.h"

#ifdef RECORDER_TEST_HOOKS

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/variable.h"
#include "record/sys.h"
#include "record/text.h"

#define SLOW 20000000 /* ns */

/* What the runtime calls and the kernel may refuse. What cannot fail (getpid, sched_yield ...) is not here. */
static const struct {
	const char *name;
	long number;
} calls[] = {
	{"openat", SYS_openat},
	{"close", SYS_close},
	{"read", SYS_read},
	{"write", SYS_write},
	{"writev", SYS_writev},
	{"pread64", SYS_pread64},
	{"pwrite64", SYS_pwrite64},
	{"renameat2", SYS_renameat2},
	{"fstat", SYS_fstat},
	{"newfstatat", SYS_newfstatat},
	{"statfs", SYS_statfs},
	{"fstatfs", SYS_fstatfs},
	{"ftruncate", SYS_ftruncate},
	{"fallocate", SYS_fallocate},
	{"fcntl", SYS_fcntl},
	{"faccessat", SYS_faccessat},
	{"readlinkat", SYS_readlinkat},
	{"fchmod", SYS_fchmod},
	{"fchmodat", SYS_fchmodat},
	{"getrandom", SYS_getrandom},
	{"unlinkat", SYS_unlinkat},
	{"linkat", SYS_linkat},
	{"mkdirat", SYS_mkdirat},
	{"getcwd", SYS_getcwd},
	{"mmap", SYS_mmap},
	{"mmap_file", SYS_mmap},
	{"munmap", SYS_munmap},
	{"madvise", SYS_madvise},
	{"madvise_populate", SYS_madvise},
	{"membarrier", SYS_membarrier},
	{"process_vm_readv", SYS_process_vm_readv},
	{"sigaltstack", SYS_sigaltstack},
	{"prlimit64", SYS_prlimit64},
	{"prctl", SYS_prctl},
	{"clone", SYS_clone},
	{"getdents64", SYS_getdents64},
};

static const struct {
	const char *name;
	int number;
} errors[] = {
	{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EINTR", EINTR},   {"EMFILE", EMFILE},
	{"ENOMEM", ENOMEM}, {"EDQUOT", EDQUOT}, {"ENODEV", ENODEV}, {"EACCES", EACCES},
	{"ENOENT", ENOENT}, {"EROFS", EROFS},   {"ESTALE", ESTALE}, {"EAGAIN", EAGAIN},
	{"ENOSYS", ENOSYS}, {"EPERM", EPERM},   {"EFBIG", EFBIG},   {"EINVAL", EINVAL},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum way { WAY_ERROR, WAY_SHORT, WAY_SLOW };

static struct plan {
	bool read, active;
	const char *call; /* NULL: any */
	uint64_t from;
	bool onwards;
	enum way way;
	int error;
	const char *log;
} plan;

static _Atomic uint64_t made;

static int error_named(const char *name)
{
	for (size_t i = 0; i < COUNT(errors); i++)
		if (!strcmp(errors[i].name, name))
			return errors[i].number;
	return EIO;
}

/* A test that says it wrong finds that nothing fails. */
static void read_plan(void)
{
	static char text[64];
	struct textbuf copy = text_in(text, sizeof(text));
	const char *wanted = variable_get("RECORDER_TEST_FAIL"), *rest = text;
	char *colon;

	plan.read = true;
	plan.log = variable_get("RECORDER_TEST_FAIL_LOG");
	if (!wanted)
		return;
	text_add(&copy, wanted);
	colon = strchr(text, ':');
	if (colon && (text[0] < '0' || text[0] > '9')) {
		*colon = '\0';
		plan.call = text;
		rest = colon + 1;
	}
	if (!text_read_u64(&rest, &plan.from))
		return;
	plan.onwards = *rest == '+';
	rest += plan.onwards;
	rest += *rest == ':';
	plan.way = !strcmp(rest, "short")  ? WAY_SHORT
		   : !strcmp(rest, "slow") ? WAY_SLOW
					   : WAY_ERROR;
	plan.error = error_named(rest);
	plan.active = true;
}

static const char *name_of(long number, const long *args)
{
	for (size_t i = 0; i < COUNT(calls); i++)
		if (calls[i].number == number)
			return number == SYS_mmap && args[4] >= 0 ? "mmap_file"
			       : number == SYS_madvise && args[2] == MADV_POPULATE_WRITE
				       ? "madvise_populate"
				       : calls[i].name;
	return NULL;
}

static bool is_meant(const char *name)
{
	size_t length = plan.call ? strlen(plan.call) : 0;

	return !plan.call ||
	       (!strncmp(plan.call, name, length) && (name[length] == '\0' || name[length] == '_'));
}

/* The descriptor is of the moment only: a number that the program might get is free again. */
static void write_log(const char *name, uint64_t number)
{
	char line[64];
	struct textbuf text = text_in(line, sizeof(line));
	long fd = sys_raw(SYS_openat, AT_FDCWD, (long)plan.log,
			  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600, 0, 0);

	text_add_u64(&text, number);
	text_add(&text, " ");
	text_add(&text, name);
	text_add(&text, "\n");
	if (fd < 0)
		return;
	sys_raw(SYS_write, fd, (long)line, (long)text.length, 0, 0, 0);
	sys_raw(SYS_close, fd, 0, 0, 0, 0, 0);
}

static long write_half(long number, const long *args)
{
	const struct iovec *parts = (const struct iovec *)args[1];
	struct iovec half[3];
	size_t left = 0;
	int count = 0;

	if (number != SYS_writev)
		return sys_raw(number, args[0], args[1], args[2] / 2, args[3], 0, 0);
	for (long i = 0; i < args[2]; i++)
		left += parts[i].iov_len;
	for (left /= 2; left > 0 && count < args[2] && count < 3; count++) {
		half[count] = parts[count];
		if (half[count].iov_len > left)
			half[count].iov_len = left;
		left -= half[count].iov_len;
	}
	return sys_raw(SYS_writev, args[0], (long)half, count, 0, 0, 0);
}

static bool is_write(long number)
{
	return number == SYS_write || number == SYS_writev || number == SYS_pwrite64;
}

bool test_fault(long number, const long *args, long *result)
{
	struct timespec pause = {0, SLOW};
	const char *name;
	uint64_t nth;

	if (!plan.read && environ)
		read_plan();
	name = plan.active ? name_of(number, args) : NULL;
	if (!name || !is_meant(name) || (plan.way == WAY_SHORT && !is_write(number)))
		return false;
	nth = atomic_fetch_add(&made, 1) + 1;
	if (plan.from && nth != plan.from && !(plan.onwards && nth > plan.from))
		return false;
	if (plan.log)
		write_log(name, nth);
	if (plan.from == 0)
		return false;
	if (plan.way == WAY_SLOW) {
		sys_raw(SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
		return false;
	}
	if (plan.way == WAY_SHORT) {
		*result = write_half(number, args);
		return true;
	}
	if (number == SYS_close)
		sys_raw(SYS_close, args[0], 0, 0, 0, 0, 0);
	*result = -plan.error;
	return true;
}

#endif
