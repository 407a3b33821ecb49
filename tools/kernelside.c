/* SPDX-License-Identifier: MIT */
/* kernelside.c - see kernelside.h */
#include "kernelside.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/probes.h"
#include "eventchoice.h"
#include "format/scaled.h"
#include "kernelmode.h"
#include "message.h"
#include "quietthread.h"
#include "rundir.h"
#include "system/call_record.h"
#include "system/kernelcalls.h"
#include "system/watched.h"

#define URGENT (-15)                    /* its priority, for functions */
#define LOOK_EVERY 20                   /* ms: at the ring */
#define FLUSH_AFTER 10000000000ull      /* ns: records that are older are written */
#define JOIN_EVERY 500000000ull         /* ns: who has come into the cgroup */
#define LOOK_FOR_JOB_EVERY 500000000ull /* ns: who of it is there, by /proc */
#define THREADS_WAIT 1000000000u        /* ns: for other threads when the last one has ended */
#define STRAGGLERS_WAIT 3000000000u     /* ns: for what the command leaves behind */

struct kernelside {
	struct watch_place place;
	struct watched *watched;
	struct probes *probes;
	pthread_t taker;
	bool takes;
	sem_t ready;      /* it does */
	atomic_bool over; /* the command has ended */
	atomic_bool idle; /* no process is there any more */
	bool joins;       /* the job is not ours: nobody waits for it */
	uint64_t cgroup;  /* whose processes it is; 0: those that are followed */
	const struct functionpoints *functions; /* NULL: none are asked for */
	bool functions_alone;
	char path[PATH_MAX], run_id[512];
};

/* Options -------------------------------------------------------------------------- */

static uint64_t ring_size = 16u << 20;

int kernelside_parse_ring(const char *value)
{
	uint64_t size;

	if (!scaled_size(value, &size) || size < 4096 || size > UINT32_MAX || (size & (size - 1)))
		return -EINVAL;
	ring_size = size;
	return 0;
}

/* Opening -------------------------------------------------------------------------- */

/* What is kept of each system call in the kernel. */
static void make_rules(const struct kernelside *side, struct call_rule rules[EVENT_CALLS_MAX])
{
	for (unsigned number = 0; number < EVENT_CALLS_MAX; number++) {
		const struct kernel_call *call = kernel_call(number);

		rules[number] = (struct call_rule){.wanted = !side->functions_alone &&
							     eventchoice_call(number)};
		if (!call)
			continue;
		rules[number].descriptor = call->descriptor;
		rules[number].text = call->text;
		rules[number].makes = call->makes;
		rules[number].moves = call_record_moves((uint16_t)number);
	}
}

static void take_event(void *data, const void *event, size_t size)
{
	struct kernelside *side = data;
	const struct event_head *head = event;
	const struct fork_event *begun = event;
	const struct exit_event *ended = event;

	if (size >= sizeof(*begun) && head->kind == EVENT_FORK &&
	    begun->child_pid == begun->child_tid)
		probes_process_begun(side->probes, begun->child_pid, (int)begun->numbers.here);
	if (size >= sizeof(*ended) && head->kind == EVENT_EXIT && ended->last)
		probes_process_ended(side->probes, head->pid);
	watched_event(side->watched, event, size);
}

static uint32_t groups_of(const struct kernelside *side)
{
	return side->functions_alone ? 0 : eventchoice_groups();
}

/* 0, or a negative errno with *why. */
static int load(struct kernelside *side, char *why, size_t room)
{
	static struct call_rule rules[EVENT_CALLS_MAX];
	struct probe_options wanted = {
		.ring_size = ring_size,
		.rules = rules,
		.groups = groups_of(side),
		.calls = kernelmode_traces(),
		.sums = kernelmode_profiles(),
		.interval = kernelmode_interval(),
		.interval_shift = kernelmode_shift(),
		.points = side->functions ? side->functions->points : NULL,
		.point_count = side->functions ? side->functions->point_count : 0,
		.cgroup = side->cgroup,
		.event = take_event,
		.data = side,
	};
	char said[512] = "";
	int error;

	make_rules(side, rules);
	error = probes_open(&side->probes, &wanted, said, sizeof(said));
	if (error == -EPERM && geteuid() != 0)
		snprintf(why, room, "it takes root, or CAP_BPF and CAP_PERFMON");
	else if (error)
		snprintf(why, room, "%s%s%s", strerror(-error), *said ? ": " : "", said);
	return error;
}

/* What is recorded, and what of it the kernel does not tell. */
static void tell_choice(struct kernelside *side)
{
	const char *missing = probes_missing(side->probes);

	eventchoice_names(groups_of(side), side->place.events, sizeof(side->place.events));
	snprintf(side->place.missing, sizeof(side->place.missing), "%s", missing);
	if (*missing)
		message_warn("the kernel does not tell of all that is to be recorded: %s", missing);
}

static int place_it(struct kernelside *side, const struct kernelside_job *job, char *why,
		    size_t room)
{
	int fd = rundir_open(job->asked, side->run_id, job->command, side->path), error;

	if (fd < 0) {
		snprintf(why, room, "cannot make '%s': %s", job->asked, strerror(-fd));
		return fd;
	}
	error = watch_place_init(&side->place, fd, side->run_id);
	if (!error)
		tell_choice(side);
	side->place.interval = kernelmode_interval();
	side->place.secrets = secrets_kept_by(job->log_argv);
	side->watched = error ? NULL : watched_new(&side->place);
	if (!side->watched)
		snprintf(why, room, "out of memory");
	if (side->watched && side->functions)
		watched_functions(side->watched, side->functions->names,
				  side->functions->name_count);
	return side->watched ? 0 : -ENOMEM;
}

static void release(struct kernelside *side)
{
	if (side->place.work)
		close(side->place.dir_fd);
	watch_place_release(&side->place);
	probes_close(side->probes);
	free(side);
}

struct kernelside *kernelside_open(const struct kernelside_job *job, char *why, size_t room)
{
	struct kernelside *side = calloc(1, sizeof(*side));

	if (!side) {
		snprintf(why, room, "out of memory");
		return NULL;
	}
	snprintf(side->run_id, sizeof(side->run_id), "%s", job->run_id);
	side->joins = job->joins;
	side->cgroup = job->cgroup;
	side->functions = job->functions;
	side->functions_alone = job->functions_alone;
	/* the directory last: where the kernel takes no programs there is to be none */
	if (load(side, why, room) || place_it(side, job, why, room)) {
		release(side);
		return NULL;
	}
	return side;
}

const char *kernelside_path(const struct kernelside *side)
{
	return side->path;
}

/* Meanwhile ------------------------------------------------------------------------ */

/* What the thread knows of the job. */
struct job_watch {
	uint64_t joined; /* when it was looked who has come into the cgroup */
	uint64_t looked; /* when it was looked who goes on */
	uint64_t seen;   /* when one was seen to go on */
};

/* Nobody waits for a job that is not ours: it is over when none of its processes is there, which may be before the first look. What they have begun may end later, or never as far as is seen (bpf/block.bpf.h). */
static bool is_over(const struct kernelside *side, struct job_watch *job, uint64_t now)
{
	if (!watched_has_root(side->watched))
		return false;
	if (watched_alive(side->watched) == 0)
		return true;
	if (!side->joins || now < job->looked + LOOK_FOR_JOB_EVERY)
		return false;
	job->looked = now;
	if (!job->seen || watched_goes_on(side->watched))
		job->seen = now;
	return now > job->seen + STRAGGLERS_WAIT;
}

static void join_more(const struct kernelside *side, struct job_watch *job, uint64_t now)
{
	if (!side->cgroup || now < job->joined + JOIN_EVERY)
		return;
	probes_join(side->probes);
	job->joined = now;
}

/* Until the command is over, and what it started has ended, or that goes on for long. */
static void *take_all(void *data)
{
	struct kernelside *side = data;
	struct job_watch job = {.seen = 0};
	uint64_t deadline = UINT64_MAX;

	if (side->functions) /* what forks has to be known before it is forked from again */
		setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), URGENT);
	sem_post(&side->ready);

	for (;;) {
		bool over = atomic_load(&side->over);
		uint64_t now = watch_now();

		if (watched_waits(side->watched))
			probes_want_sums(side->probes);
		if (probes_take(side->probes, LOOK_EVERY) < 0)
			break;
		clock_log_go_on(&side->place.work->clocks, now);
		watched_flush(side->watched, now > FLUSH_AFTER ? now - FLUSH_AFTER : 0);
		watched_overdue(side->watched, now > THREADS_WAIT ? now - THREADS_WAIT : 0);
		join_more(side, &job, now);
		atomic_store(&side->idle, is_over(side, &job, now));
		if (over && deadline == UINT64_MAX)
			deadline = side->joins ? 0 : now + STRAGGLERS_WAIT;
		if (over && (watched_alive(side->watched) == 0 || now > deadline))
			break;
	}
	return NULL;
}

static int begin_taking(struct kernelside *side)
{
	int error;

	sem_init(&side->ready, 0, 0);
	error = quietthread_start(&side->taker, take_all, side);
	while (!error && sem_wait(&side->ready) && errno == EINTR)
		;
	side->takes = !error;
	return error;
}

/* One for each process. The command has been forked, and has the limit that it had. */
static void allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void follow_functions(struct kernelside *side, pid_t pid)
{
	char why[512] = "";

	if (!side->functions)
		return;
	allow_descriptors();
	if (probes_follow_functions(side->probes, pid, why, sizeof(why)))
		message_warn("without functions: %s", why);
}

/* What the process is called elsewhere, the kernel alone knows: it says so before the process is followed. */
static int meet_root(struct kernelside *side, pid_t pid, const struct watched_job *job, bool waits)
{
	int error;

	watched_await_root(side->watched, job, waits);
	error = probes_tell(side->probes, pid);
	if (error)
		return error;
	error = probes_take(side->probes, 0);
	if (error < 0)
		return error;
	return watched_has_root(side->watched) ? 0 : -ENOMEM;
}

int kernelside_follow(struct kernelside *side, pid_t pid)
{
	struct watched_job job = {.rank = job_rank()};
	int fd = (int)syscall(SYS_pidfd_open, pid, 0), error;
	char why[512] = "";

	if (fd < 0)
		return -errno;
	job_world_name(job.world, sizeof(job.world));
	error = meet_root(side, pid, &job, true);
	if (!error)
		error = probes_follow(side->probes, fd);
	close(fd);
	if (!error)
		error = probes_attach(side->probes, why, sizeof(why));
	if (!error)
		follow_functions(side, pid);
	return error ? error : begin_taking(side);
}

int kernelside_join(struct kernelside *side, pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0), error;
	char why[512];

	if (fd < 0)
		return -errno;
	watched_detach(side->watched);
	error = meet_root(side, pid, &watched_nobodys_job, false);
	/* forks are looked at before there is anybody who could fork */
	if (!error)
		error = probes_attach(side->probes, why, sizeof(why));
	if (!error)
		error = probes_follow(side->probes, fd);
	if (!error)
		error = probes_join(side->probes);
	close(fd);
	return error ? error : begin_taking(side);
}

int kernelside_join_cgroup(struct kernelside *side)
{
	char why[512];
	int error;

	watched_detach(side->watched);
	error = probes_attach(side->probes, why, sizeof(why));
	if (!error)
		error = probes_join(side->probes);
	return error ? error : begin_taking(side);
}

bool kernelside_is_idle(const struct kernelside *side)
{
	return atomic_load(&side->idle);
}

/* After ---------------------------------------------------------------------------- */

static void say_losses(const uint64_t counters[COUNTERS])
{
	uint64_t lost = counters[COUNTER_LOST] + counters[COUNTER_LOST_LATE];

	if (lost > 0)
		message_warn("%" PRIu64
			     " events were lost, as the ring was full: --ring makes it larger",
			     lost);
	if (counters[COUNTER_LOST_SUMMED] > 0)
		message_warn("%" PRIu64 " calls were lost, in sums for which the ring had no room: "
			     "--ring makes it larger",
			     counters[COUNTER_LOST_SUMMED]);
	if (counters[COUNTER_UNCOVERED] > 0)
		message_warn("%" PRIu64
			     " processes were forked by others that had begun just then: "
			     "calls of functions may be missing in them",
			     counters[COUNTER_UNCOVERED]);
	if (counters[COUNTER_NO_FUNCTION] > 0)
		message_warn("%" PRIu64 " begins and ends of functions were met of which it could "
			     "not be told whose they are",
			     counters[COUNTER_NO_FUNCTION]);
	if (counters[COUNTER_NO_MEMORY] > 0)
		message_warn("%" PRIu64 " threads could not be followed, for want of memory",
			     counters[COUNTER_NO_MEMORY]);
}

void kernelside_close(struct kernelside *side, bool tell)
{
	uint64_t counters[COUNTERS] = {0};
	struct watched_counts counts;

	atomic_store(&side->over, true);
	if (side->takes)
		pthread_join(side->taker, NULL);
	probes_detach(side->probes);
	probes_take(side->probes, 0);
	probes_counters(side->probes, counters);
	say_losses(counters);
	counts = watched_counts(side->watched);
	if (counts.too_deep > 0)
		message_warn("%" PRIu64
			     " calls of functions are counted alone: they were more than "
			     "%u deep",
			     counts.too_deep, FUNCTIONS_OPEN_MAX - 1);
	if (tell && side->functions)
		message_note("%" PRIu64 " calls of functions in %s",
			     kernelmode_traces() ? counts.functions : counts.functions_summed,
			     side->path);
	if (tell && !kernelmode_traces())
		message_note("sums of %" PRIu64 " system calls of %" PRIu64 " process%s in %s",
			     counts.summed, counts.processes, counts.processes == 1 ? "" : "es",
			     side->path);
	else if (tell)
		message_note("%" PRIu64 " system calls and %" PRIu64 " other events of %" PRIu64
			     " process%s in %s",
			     counts.calls, counts.records - counts.calls - counts.functions,
			     counts.processes, counts.processes == 1 ? "" : "es", side->path);
	watched_free(side->watched, counters[COUNTER_LOST] + counters[COUNTER_LOST_LATE] +
					    counters[COUNTER_LOST_SUMMED]);
	release(side);
}
