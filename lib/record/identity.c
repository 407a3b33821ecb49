/* SPDX-License-Identifier: MIT */
/* identity.c - who this process is. */
#include "record/identity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "format/job.h"
#include "format/variable.h"
#include "format/wire.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/procstat.h"
#include "record/sys.h"
#include "record/testpoint.h"
#include "record/text.h"
#include "record/variables.h"

struct identity identity;

static const char *const launchers[] = {"mpirun",  "mpirun.*", "mpiexec",    "mpiexec.*",
					"orterun", "orted",    "prte*",      "prun",
					"hydra_*", "srun",     "slurmstepd", "sbatch",
					"flux*",   "palsd",    "jsrun",      "aprun",
					"ssh",     "recorder", NULL};

static void copy_name(char *to, size_t size, const char *from)
{
	struct textbuf text = text_in(to, size);

	if (from)
		text_add(&text, from);
}

static void read_rank(void)
{
	struct job_rank rank = job_rank();

	identity.rank = rank.rank;
	identity.size = rank.size;
	identity.rank_source = rank.source ? rank.source : "none";
}

bool identity_is_prolog(void)
{
	const char *task = variable_get("SLURM_TASK_PID");
	char path[40], parent[32];
	struct textbuf text = text_in(path, sizeof(path));
	uint64_t pid;

	/* the child of what will become the rank; "prolog_task" alone is in the rank's environment, too */
	if (!variable_get("SLURM_SCRIPT_CONTEXT") || !task || !text_read_u64(&task, &pid) ||
	    pid != identity.ppid)
		return false;
	text_add(&text, "/proc/");
	text_add_u64(&text, pid);
	text_add(&text, "/comm");
	sys_read_file(path, parent, sizeof(parent));
	return !strcmp(parent, "slurmstepd\n");
}

bool identity_is_launcher(void)
{
	for (const char *const *pattern = launchers; *pattern; pattern++)
		if (text_matches(*pattern, strlen(*pattern), identity.program))
			return true;
	return false;
}

/* The place in the launcher's job, "RANK.JOB": two processes of one place are ancestor and child. */
static const char *job_place(void)
{
	static char place[IDENTITY_NAME_MAX + 24];
	struct textbuf text = text_in(place, sizeof(place));

	text_add_u64(&text, (uint64_t)identity.rank);
	text_add(&text, ".");
	text_add(&text, identity.world);
	return place;
}

/*
 * Whether the rank's own process is this one: the first in its place, or a later image of that; and who started that. What
 * the first one tells the others is "PID:LAUNCHER@PLACE".
 */
static void read_main(void)
{
	const char *cursor = config.main_pid;
	uint64_t pid, launcher;

	identity.main = true;
	identity.launcher = identity.ppid;
	if (!cursor || !text_read_u64(&cursor, &pid) || *cursor++ != ':' ||
	    !text_read_u64(&cursor, &launcher) || *cursor++ != '@' ||
	    strcmp(cursor, job_place()) != 0)
		return;
	identity.main = pid == identity.pid;
	identity.launcher = (uint32_t)launcher;
}

void identity_init(void)
{
	identity.pid = (uint32_t)sys_getpid();
	identity.ppid = (uint32_t)sys_getppid();
	copy_name(identity.program, sizeof(identity.program), program_invocation_short_name);
	read_rank();
	job_world_name(identity.world, sizeof(identity.world));
	read_main();
}

static void read_host(void)
{
	struct utsname names;
	char *newline;

	if (!uname(&names))
		copy_name(identity.host, sizeof(identity.host), names.nodename);
	sys_read_file("/proc/sys/kernel/random/boot_id", identity.boot_id,
		      sizeof(identity.boot_id));
	newline = strchr(identity.boot_id, '\n');
	if (newline)
		*newline = '\0';
	test_machine(identity.boot_id, sizeof(identity.boot_id));
}

static void make_stream_id(void)
{
	uint64_t parts[4] = {identity.pid, identity.pid_start, identity.image, identity.outer_pid};

	identity.stream_id = text_hash(parts, sizeof(parts),
				       text_hash(identity.boot_id, strlen(identity.boot_id), 0));
	if (identity.stream_id == 0)
		identity.stream_id = 1;
}

uint64_t identity_pid_ns(void)
{
	struct stat status;

	return sys_stat("/proc/self/ns/pid", &status) ? 0 : status.st_ino;
}

static void read_own_start(void)
{
	struct process_stat stat = process_stat_of_self();

	identity.pid_start = stat.start;
	identity.outer_pid = (uint32_t)stat.pid;
	/* of a forked child known: in a space of its own it would see no parent */
	if (identity.pid_ns == 0 || identity.ppid == 0)
		identity.pid_ns = identity_pid_ns();
}

/*
 * The process at the root of a run that no launcher names: this one, or what started the ranks of this node (MPICH tells them their
 * ranks, but no name of the job).
 */
static uint32_t root_of_run(void)
{
	bool is_rank = strcmp(identity.rank_source, "none") != 0;

	return is_rank ? identity.launcher : identity.pid;
}

/* When a process began, on CLOCK_MONOTONIC, which stands still while the machine sleeps: then it is earlier. */
static int64_t mono_of_start(uint64_t start)
{
	int64_t age = sys_clock_ns(CLOCK_BOOTTIME) - (int64_t)start * PID_START_TICK;

	return clock_mono() - age;
}

/* "host-pid-start" of that. */
static void make_own_run_id(void)
{
	struct textbuf text = text_in(identity.run_id, sizeof(identity.run_id));
	uint32_t root = root_of_run();
	uint64_t start = root == identity.pid ? identity.pid_start : process_stat_of(root).start;

	text_add_name(&text, identity.host);
	text_add(&text, "-");
	identity.run_host_length = text.length;
	text_add_u64(&text, root);
	text_add(&text, "-");
	text_add_u64(&text, start);
	identity.run_began = mono_of_start(start);
}

static void make_run_id(void)
{
	if (config.run_id)
		copy_name(identity.run_id, sizeof(identity.run_id), config.run_id);
	else
		job_run_name(identity.run_id, sizeof(identity.run_id));
	identity.run_id_is_own = !identity.run_id[0];
	if (identity.run_id_is_own)
		make_own_run_id();
}

static void make_job_name(void)
{
	struct textbuf text = text_in(identity.job, sizeof(identity.job));
	char run[IDENTITY_NAME_MAX];

	if (config.run_id)
		text_add_name(&text, config.run_id);
	else if (job_run_name(run, sizeof(run)), run[0]) /* what is a world alone comes again */
		text_add_name(&text, identity.world);
	else
		text_add_u64(&text, root_of_run());
}

/* An image before this one left its number, unless it was one of another process. */
static void read_image(void)
{
	const char *cursor = config.image;
	uint64_t pid, start, image;

	if (cursor && text_read_u64(&cursor, &pid) && *cursor++ == '.' &&
	    text_read_u64(&cursor, &start) && *cursor++ == '.' && text_read_u64(&cursor, &image) &&
	    !*cursor && pid == identity.pid && start == identity.pid_start && image < UINT32_MAX)
		identity.image = (uint32_t)image + 1;
}

void identity_write_image(struct textbuf *text)
{
	text_add_u64(text, identity.pid);
	text_add(text, ".");
	text_add_u64(text, identity.pid_start);
	text_add(text, ".");
	text_add_u64(text, identity.image);
}

void identity_complete(void)
{
	read_host();
	read_own_start();
	read_image();
	make_run_id();
	make_job_name();
	make_stream_id();
}

void identity_export(void)
{
	static char main_pid[IDENTITY_NAME_MAX + 88], run_id[IDENTITY_NAME_MAX + 24];
	struct textbuf text = text_in(main_pid, sizeof(main_pid));

	if (identity.main) {
		text_add(&text, "RECORDER_MAIN_PID=");
		text_add_u64(&text, identity.pid);
		text_add(&text, ":");
		text_add_u64(&text, identity.launcher);
		text_add(&text, "@");
		text_add(&text, job_place());
		variable_put(main_pid);
	}
	if (identity.run_id_is_own) {
		text = text_in(run_id, sizeof(run_id));
		text_add(&text, "RECORDER_RUN_ID=");
		text_add(&text, identity.run_id);
		variable_put(run_id);
	}
}

bool identity_is_own(void)
{
	return (uint32_t)sys_getpid() == identity.pid;
}

/* The process that has begun last, and when: also of one that makes no record, and whose children do. */
static struct {
	uint32_t pid;
	uint64_t ticks;
} begun;

void identity_begins(void)
{
	begun.pid = (uint32_t)sys_getpid();
	begun.ticks = clock_ticks();
}

void identity_forked(void)
{
	identity.parent_stream = identity.stream_id;
	identity.pid = (uint32_t)sys_getpid();
	if (begun.pid != identity.pid)
		identity_begins();
	identity.forked = begun.ticks;
	identity.ppid = (uint32_t)sys_getppid();
	identity.image = 0;
	identity.main = false;
	if (identity.boot_id[0]) {
		read_own_start();
		make_stream_id();
	}
}

void identity_next_image(void)
{
	identity.image++;
	make_stream_id();
}

void identity_set_rank(int32_t rank, int32_t size)
{
	identity.rank = rank;
	identity.size = size;
	identity.rank_source = "MPI";
}
