/* SPDX-License-Identifier: MIT */
/* job.c - the variables of launchers and schedulers. */
#include "format/job.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "format/variable.h"

#define STEP_DIGITS_MAX 8 /* "batch" and its like are words, or numbers near 2^32 */

/* The first one that is set tells: from what starts single processes to what starts whole jobs. */
static const struct rank_source {
	const char *rank, *size;
	const char *with; /* counts only if this is set to a small number */
} rank_sources[] = {
	{"RANK", "WORLD_SIZE", "WORLD_SIZE"}, /* torchrun and the like; RANK alone is anybody's */
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL},
	{"PMIX_RANK", NULL, NULL},
	{"PMI_RANK", "PMI_SIZE", NULL},
	{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_ID"}, /* a batch script has one, too */
	{"FLUX_TASK_RANK", "FLUX_JOB_SIZE", NULL},
	{"PALS_RANKID", "PALS_SIZE", NULL},
	{"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", NULL},
};

/* Whole names of runs, the most exact first. */
static const struct name_source {
	const char *job;
	const char *step; /* joined by a dot; NULL: the job's name says it all */
	bool only_ranks;  /* batch scripts have it, too, and are no rank of anything */
} run_sources[] = {
	{"OMPI_MCA_orte_precondition_transports", NULL, false},
	{"PMIX_NAMESPACE", NULL, false},
	{"PALS_APID", NULL, false},
	{"FLUX_JOB_ID", NULL, false},
	{"PMI_JOBID", NULL, false},
	{"SLURM_JOB_ID", "SLURM_STEP_ID", true},
	{"LSB_JOBID", "JSM_NAMESPACE_ID", true},
	{"LSB_JOBID", NULL, true},
	{"PBS_JOBID", NULL, true},
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Whose variables are asked for; NULL: our own. */
static const char *block;
static size_t block_size;

void job_look_in(const char *variables, size_t size)
{
	block = variables;
	block_size = size;
}

static const char *block_value(const char *name)
{
	size_t length = strlen(name);

	for (size_t at = 0; at < block_size;) {
		size_t size = strnlen(block + at, block_size - at);

		if (at + size == block_size) /* cut */
			return NULL;
		if (size > length && !memcmp(block + at, name, length) && block[at + length] == '=')
			return block + at + length + 1;
		at += size + 1;
	}
	return NULL;
}

static const char *value_of(const char *name)
{
	const char *value = !name ? NULL : block ? block_value(name) : variable_get(name);

	return value && *value ? value : NULL;
}

/* A number of a rank or size; -1: it is none. */
static int32_t number_of(const char *name)
{
	const char *text = value_of(name);
	int64_t number = 0;

	for (; text && *text >= '0' && *text <= '9' && number <= INT32_MAX; text++)
		number = number * 10 + (*text - '0');
	return text && !*text && number <= INT32_MAX ? (int32_t)number : -1;
}

static bool is_small_number(const char *name)
{
	const char *text = value_of(name);

	return text && strlen(text) <= STEP_DIGITS_MAX && number_of(name) >= 0;
}

/* "4" or "4(x2)", tasks on each node; -1: they differ. */
static int32_t tasks_of(const char *name)
{
	const char *text = value_of(name);
	char *end = NULL;
	long tasks = text ? strtol(text, &end, 10) : 0;

	if (tasks <= 0 || tasks > INT32_MAX || strchr(end, ',') || (*end && *end != '('))
		return -1;
	return (int32_t)tasks;
}

struct job_node job_node(void)
{
	static const struct {
		const char *rank, *size;
	} sources[] = {
		{"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
		{"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
		{"PMI_LOCAL_RANK", "PMI_LOCAL_SIZE"},
		{"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"},
		{"JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_LOCAL_SIZE"},
		{"FLUX_TASK_LOCAL_ID", NULL},
		{"SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"},
	};

	for (size_t i = 0; i < COUNT(sources); i++)
		if (number_of(sources[i].rank) >= 0)
			return (struct job_node){number_of(sources[i].rank),
						 tasks_of(sources[i].size)};
	return (struct job_node){-1, -1};
}

struct job_rank job_rank(void)
{
	for (size_t i = 0; i < COUNT(rank_sources); i++) {
		const struct rank_source *source = &rank_sources[i];
		int32_t rank = number_of(source->rank);

		if (rank >= 0 && (!source->with || is_small_number(source->with)))
			return (struct job_rank){rank, number_of(source->size), source->rank};
	}
	return (struct job_rank){0, -1, NULL};
}

static void add(char *name, size_t size, const char *text)
{
	size_t used = strlen(name), length = strlen(text);

	if (length > size - 1 - used)
		length = size - 1 - used;
	memcpy(name + used, text, length);
	name[used + length] = '\0';
}

void job_run_name(char *name, size_t size)
{
	bool is_rank = job_rank().source != NULL;

	name[0] = '\0';
	for (size_t i = 0; i < COUNT(run_sources); i++) {
		const struct name_source *source = &run_sources[i];
		const char *job = value_of(source->job), *step = value_of(source->step);

		if (!job || (source->step && !step) || (source->only_ranks && !is_rank))
			continue;
		add(name, size, job);
		if (step)
			add(name, size, ".");
		if (step)
			add(name, size, step);
		return;
	}
}

/*
 * Of torchrun, which names no job that others would not have, too: ranks are those that it says so to, and it is none of them. Programs that set RANK for
 * themselves, as some do before they begin torch.distributed, have not this variable: what they start is no rank of another world.
 */
static const char *elastic_run(void)
{
	const char *source = job_rank().source;

	return source && source == rank_sources[0].rank ? value_of("TORCHELASTIC_RUN_ID") : NULL;
}

void job_world_name(char *name, size_t size)
{
	const char *space = value_of("PMIX_NAMESPACE");

	job_run_name(name, size);
	if (space) {
		name[0] = '\0';
		add(name, size, space);
	} else if (!name[0] && elastic_run()) {
		add(name, size, "torchrun.");
		add(name, size, elastic_run());
	}
}

static const char *first_of(const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (value_of(names[i]))
			return value_of(names[i]);
	return "";
}

const char *job_scheduler_id(void)
{
	static const char *const names[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID",
					    "COBALT_JOBID"};

	return first_of(names, COUNT(names));
}

const char *job_scheduler_step(void)
{
	static const char *const names[] = {"SLURM_STEP_ID", "PALS_APID", "JSM_NAMESPACE_ID"};

	return first_of(names, COUNT(names));
}

#ifdef UNIT_TEST
#include "unittest.h"

static void expect_node(int32_t rank, int32_t size)
{
	struct job_node node = job_node();

	EXPECT_EQ(node.rank, rank);
	EXPECT_EQ(node.size, size);
}

TEST_CASE(job_node_is_what_launchers_say)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK",
					    "MPI_LOCALRANKID",
					    "PMI_LOCAL_RANK",
					    "PALS_LOCAL_RANKID",
					    "JSM_NAMESPACE_LOCAL_RANK",
					    "FLUX_TASK_LOCAL_ID",
					    "SLURM_LOCALID"};

	for (size_t i = 0; i < COUNT(names); i++)
		unsetenv(names[i]);
	expect_node(-1, -1);
	setenv("SLURM_LOCALID", "1", 1);
	setenv("SLURM_STEP_TASKS_PER_NODE", "4(x2)", 1);
	expect_node(1, 4);
	setenv("SLURM_STEP_TASKS_PER_NODE", "4(x2),3", 1);
	expect_node(1, -1);
	setenv("FLUX_TASK_LOCAL_ID", "2", 1);
	expect_node(2, -1);
	setenv("MPI_LOCALRANKID", "0", 1);
	setenv("MPI_LOCALNRANKS", "7", 1);
	expect_node(0, 7);
	unsetenv("MPI_LOCALRANKID");
	unsetenv("FLUX_TASK_LOCAL_ID");
	unsetenv("SLURM_LOCALID");
}

/* The environment of a test: only what it sets of what is looked at here. */
static void set_job(const char *const *variables)
{
	static const char *const others[] = {"WORLD_SIZE",         "OMPI_COMM_WORLD_SIZE",
					     "PMI_SIZE",           "SLURM_NTASKS",
					     "FLUX_JOB_SIZE",      "PALS_SIZE",
					     "SLURM_STEP_ID",      "JSM_NAMESPACE_ID",
					     "JSM_NAMESPACE_SIZE", "TORCHELASTIC_RUN_ID"};

	for (size_t i = 0; i < COUNT(rank_sources); i++)
		unsetenv(rank_sources[i].rank);
	for (size_t i = 0; i < COUNT(run_sources); i++)
		unsetenv(run_sources[i].job);
	for (size_t i = 0; i < COUNT(others); i++)
		unsetenv(others[i]);
	for (; *variables; variables += 2)
		setenv(variables[0], variables[1], 1);
}

#define SET(...) set_job((const char *const[]){__VA_ARGS__, NULL})

static void expect_job(const char *source, int32_t rank, int32_t size, const char *run,
		       const char *world)
{
	struct job_rank found = job_rank();
	char name[64];

	EXPECT_STR(found.source ? found.source : "none", source);
	EXPECT_EQ(found.rank, rank);
	EXPECT_EQ(found.size, size);
	job_run_name(name, sizeof(name));
	EXPECT_STR(name, run);
	job_world_name(name, sizeof(name));
	EXPECT_STR(name, world);
}

TEST_CASE(job_of_launchers)
{
	set_job((const char *const[]){NULL});
	expect_job("none", 0, -1, "", "");
	SET("OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "4", "PMIX_RANK", "3",
	    "PMIX_NAMESPACE", "77", "OMPI_MCA_orte_precondition_transports", "a-b");
	expect_job("OMPI_COMM_WORLD_RANK", 3, 4, "a-b", "77");
	SET("PMIX_RANK", "2", "PMIX_NAMESPACE", "slurm.pmix.12.0", "SLURM_PROCID", "2",
	    "SLURM_JOB_ID", "12", "SLURM_STEP_ID", "0");
	expect_job("PMIX_RANK", 2, -1, "slurm.pmix.12.0", "slurm.pmix.12.0");
	SET("PMI_RANK", "1", "PMI_SIZE", "2", "PMI_JOBID", "12.5");
	expect_job("PMI_RANK", 1, 2, "12.5", "12.5");
	SET("PMI_RANK", "1", "PMI_SIZE", "2");
	expect_job("PMI_RANK", 1, 2, "", "");
	SET("FLUX_TASK_RANK", "5", "FLUX_JOB_SIZE", "6", "FLUX_JOB_ID", "f2x");
	expect_job("FLUX_TASK_RANK", 5, 6, "f2x", "f2x");
	SET("PALS_RANKID", "0", "PALS_APID", "e4", "PBS_JOBID", "9.server");
	expect_job("PALS_RANKID", 0, -1, "e4", "e4");
	SET("JSM_NAMESPACE_RANK", "1", "JSM_NAMESPACE_SIZE", "2", "JSM_NAMESPACE_ID", "4",
	    "LSB_JOBID", "100");
	expect_job("JSM_NAMESPACE_RANK", 1, 2, "100.4", "100.4");
	SET("PMI_RANK", "1", "PBS_JOBID", "9.server");
	expect_job("PMI_RANK", 1, -1, "9.server", "9.server");
}

TEST_CASE(job_of_slurm_steps)
{
	SET("SLURM_PROCID", "7", "SLURM_NTASKS", "8", "SLURM_JOB_ID", "12", "SLURM_STEP_ID", "3");
	expect_job("SLURM_PROCID", 7, 8, "12.3", "12.3");
	/* the batch script, in the ways of two versions */
	SET("SLURM_PROCID", "0", "SLURM_NTASKS", "8", "SLURM_JOB_ID", "12");
	expect_job("none", 0, -1, "", "");
	SET("SLURM_PROCID", "0", "SLURM_JOB_ID", "12", "SLURM_STEP_ID", "4294967291");
	expect_job("none", 0, -1, "", "");
	EXPECT_STR(job_scheduler_id(), "12");
}

TEST_CASE(job_of_torchrun)
{
	SET("RANK", "9", "WORLD_SIZE", "16", "SLURM_PROCID", "1", "SLURM_NTASKS", "2",
	    "SLURM_JOB_ID", "12", "SLURM_STEP_ID", "0");
	expect_job("RANK", 9, 16, "12.0", "12.0");
	SET("RANK", "9", "WORLD_SIZE", "16", "TORCHELASTIC_RUN_ID", "none");
	expect_job("RANK", 9, 16, "", "torchrun.none");
	SET("RANK", "9", "PMI_RANK", "1");
	expect_job("PMI_RANK", 1, -1, "", "");
	SET("PMI_RANK", "1x", "PMIX_RANK", "99999999999");
	expect_job("none", 0, -1, "", "");
}

TEST_CASE(job_of_another_process)
{
	static const char variables[] =
		"HOME=/\0PMI_RANK=3\0PMI_RANKS=7\0PMI_SIZE=4\0PMI_JOBID=cut";

	SET("RANK", "9", "WORLD_SIZE", "16");
	job_look_in(variables, sizeof(variables) - 1);
	expect_job("PMI_RANK", 3, 4, "", ""); /* the last one has no end: it may be cut */
	job_look_in(variables, sizeof(variables));
	expect_job("PMI_RANK", 3, 4, "cut", "cut");
	job_look_in("", 0);
	expect_job("none", 0, -1, "", "");
	job_look_in(NULL, 0);
	expect_job("RANK", 9, 16, "", "");
}
#endif
