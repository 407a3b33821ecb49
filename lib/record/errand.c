/* SPDX-License-Identifier: MIT */
/* errand.c - a child for work that needs a descriptor. */
#include "record/errand.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "record/signals.h"
#include "record/sys.h"

#define TABLE_MAX 4096 /* a higher number would cost the kernel a large table of descriptors */

struct errand {
	int (*work)(void *data);
	void *data;
	int result;
};

static int limit_of(struct rlimit *limit)
{
	return (int)sys_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)limit, 0, 0);
}

static void set_limit(const struct rlimit *limit)
{
	sys_call(SYS_prlimit64, 0, RLIMIT_NOFILE, (long)limit, 0, 0, 0);
}

static __attribute__((noinline)) void run(struct errand *errand)
{
	errand->result = errand->work(errand->data);
}

/*
 * Without SIGCHLD, only a wait for clone children finds the child, and all signals are blocked, which it inherits: no handler of the program can run in it.
 * To the compiler the child comes back from run() as the parent does, so what lives across the call is kept for both.
 */
static int send(struct errand *errand, long flags)
{
	uint64_t blocked;
	long pid;

	errand->result = -EIO;
	blocked = signals_block();
	pid = sys_call(SYS_clone, flags | CLONE_VM | CLONE_VFORK, 0, 0, 0, 0, 0);
	if (pid == 0) {
		run(errand);
		sys_call(SYS_exit, 0, 0, 0, 0, 0, 0);
	}
	if (pid > 0)
		sys_call(SYS_wait4, pid, 0, __WCLONE, 0, 0, 0);
	signals_restore(blocked);
	return pid < 0 ? (int)pid : errand->result;
}

/* In a table of our own: number 0 is below any limit, and who closes it here keeps it in the program. */
static int make_room_and_work(void *data)
{
	const struct errand *errand = data;
	struct rlimit limit;

	if (!limit_of(&limit)) {
		limit.rlim_cur = limit.rlim_max;
		set_limit(&limit);
	}
	sys_close(0);
	return errand->work(errand->data);
}

int errand_run(int (*work)(void *data), void *data)
{
	struct errand inner = {work, data, 0};
	struct errand errand = {make_room_and_work, &inner, 0};
	struct rlimit limit;
	int result = work(data);

	/* No descriptors at all, for good: a sandbox, in which a new process would be one call too many. */
	if (result != -EMFILE || limit_of(&limit) || limit.rlim_max == 0)
		return result;
	return send(&errand, 0);
}

struct duplicate {
	int fd, least;
	struct rlimit limit;
};

/* In the program's table, with a limit of our own. */
static int duplicate(void *data)
{
	const struct duplicate *job = data;

	set_limit(&job->limit);
	return sys_fcntl(job->fd, F_DUPFD_CLOEXEC, job->least);
}

int errand_dup_beyond(int fd, int least)
{
	struct duplicate job = {.fd = fd, .least = least};
	struct errand errand = {duplicate, &job, 0};

	if (limit_of(&job.limit) || job.limit.rlim_cur > TABLE_MAX)
		return -ERANGE;
	if (job.limit.rlim_cur > (rlim_t)least)
		job.least = (int)job.limit.rlim_cur;
	/* room for a few that are there already */
	job.limit.rlim_cur = (rlim_t)job.least + 32;
	if (job.limit.rlim_max < job.limit.rlim_cur)
		job.limit.rlim_max = job.limit.rlim_cur;
	return send(&errand, CLONE_FILES);
}
