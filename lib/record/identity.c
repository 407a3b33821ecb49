/* SPDX-License-Identifier: MIT */
/* identity.c - who this process is. */
#include "record/identity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "record/config.h"
#include "record/sys.h"
#include "record/text.h"

struct identity identity;

static const char *const launchers[] = {"mpirun", "mpiexec",  "mpiexec.*", "orterun", "orted",
					"prte*",  "prun",     "hydra_*",   "srun",    "slurmstepd",
					"sbatch", "flux*",    "palsd",     "jsrun",   "aprun",
					"ssh",    "recorder", NULL};

static const struct rank_source {
	const char *rank, *size;
} rank_sources[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
		    {"PMIX_RANK", NULL},
		    {"PMI_RANK", "PMI_SIZE"},
		    {"SLURM_PROCID", "SLURM_NTASKS"},
		    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE"},
		    {"PALS_RANKID", "PALS_SIZE"},
		    {"RANK", "WORLD_SIZE"}};

/* Variables whose value all ranks of one job share and no two jobs do. */
static const char *const job_variables[] = {"OMPI_MCA_orte_precondition_transports",
					    "PMIX_NAMESPACE",
					    "PALS_APID",
					    "FLUX_JOB_ID",
					    "PMI_JOBID",
					    NULL};

static bool environment_number(const char *name, int32_t *value)
{
	const char *text = name ? getenv(name) : NULL;
	uint64_t number;

	if (!text || !text_read_u64(&text, &number) || *text || number > INT32_MAX)
		return false;
	*value = (int32_t)number;
	return true;
}

static void copy_name(char *to, size_t size, const char *from)
{
	struct textbuf text = text_in(to, size);

	if (from)
		text_add(&text, from);
}

static void read_rank(void)
{
	identity.rank = 0;
	identity.size = -1;
	identity.rank_source = "none";
	for (size_t i = 0; i < sizeof(rank_sources) / sizeof(rank_sources[0]); i++) {
		if (!environment_number(rank_sources[i].rank, &identity.rank))
			continue;
		identity.rank_source = rank_sources[i].rank;
		environment_number(rank_sources[i].size, &identity.size);
		return;
	}
}

bool identity_is_launcher(void)
{
	for (const char *const *pattern = launchers; *pattern; pattern++)
		if (text_matches(*pattern, strlen(*pattern), identity.program))
			return true;
	return false;
}

static const char *launcher_job(void)
{
	for (const char *const *name = job_variables; *name; name++) {
		const char *value = getenv(*name);

		if (value && *value)
			return value;
	}
	return NULL;
}

static void read_world(void)
{
	const char *name = getenv("PMIX_NAMESPACE");

	if (!name)
		name = launcher_job();
	copy_name(identity.world, sizeof(identity.world), name);
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
	read_world();
	read_main();
}

/* Field 22 of /proc/PID/stat; the second one, the program's name, may hold blanks and brackets. */
static uint64_t read_start_time(void)
{
	char buffer[1024];
	const char *p;
	uint64_t value = 0;
	unsigned field = 2;

	sys_read_file("/proc/self/stat", buffer, sizeof(buffer));
	p = strrchr(buffer, ')');
	for (; p && *p; p++)
		if (*p == ' ' && ++field == 22) {
			p++;
			text_read_u64(&p, &value);
			break;
		}
	return value;
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
}

static void make_stream_id(void)
{
	uint64_t parts[3] = {identity.pid, identity.pid_start, identity.image};

	identity.stream_id = text_hash(parts, sizeof(parts),
				       text_hash(identity.boot_id, strlen(identity.boot_id), 0));
	if (identity.stream_id == 0)
		identity.stream_id = 1;
}

/* "host-pid-start", of the process at the root of a run that no launcher names. */
static void make_own_run_id(void)
{
	struct textbuf text = text_in(identity.run_id, sizeof(identity.run_id));

	text_add_name(&text, identity.host);
	text_add(&text, "-");
	text_add_u64(&text, identity.pid);
	text_add(&text, "-");
	text_add_u64(&text, identity.pid_start);
}

static void make_job_name(void)
{
	struct textbuf text = text_in(identity.job, sizeof(identity.job));

	if (config.run_id)
		text_add_name(&text, config.run_id);
	else if (identity.world[0])
		text_add_name(&text, identity.world);
	else
		text_add_u64(&text, identity.pid);
}

void identity_complete(void)
{
	const char *job = launcher_job();

	read_host();
	identity.pid_start = read_start_time();
	if (config.run_id)
		copy_name(identity.run_id, sizeof(identity.run_id), config.run_id);
	else if (job)
		copy_name(identity.run_id, sizeof(identity.run_id), job);
	else
		make_own_run_id();
	make_job_name();
	make_stream_id();
}

void identity_export(void)
{
	char value[IDENTITY_NAME_MAX + 64];
	struct textbuf text = text_in(value, sizeof(value));

	if (identity.main) {
		text_add_u64(&text, identity.pid);
		text_add(&text, ":");
		text_add_u64(&text, identity.launcher);
		text_add(&text, "@");
		text_add(&text, job_place());
		setenv("RECORDER_MAIN_PID", value, 1);
	}
	if (!config.run_id && !launcher_job())
		setenv("RECORDER_RUN_ID", identity.run_id, 1);
}

void identity_forked(void)
{
	identity.parent_stream = identity.stream_id;
	identity.pid = (uint32_t)sys_getpid();
	identity.ppid = (uint32_t)sys_getppid();
	identity.image = 0;
	identity.main = false;
	if (identity.boot_id[0]) {
		identity.pid_start = read_start_time();
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
