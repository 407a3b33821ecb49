/* SPDX-License-Identifier: MIT */
/*
 * job.h - what launchers and schedulers tell a process by its environment: which rank of which job it is. Runtime and tools must
 * come to the same answer, as must all ranks of a job.
 */
#ifndef RECORDER_FORMAT_JOB_H
#define RECORDER_FORMAT_JOB_H

#include <stddef.h>
#include <stdint.h>

/*
 * Variables are looked for there from now on, "NAME=VALUE" with a zero behind each, as /proc/PID/environ has them; NULL: in the environment of this process again, as at first. Not for
 * several threads at once.
 */
void job_look_in(const char *variables, size_t size);

struct job_rank {
	int32_t rank, size; /* size: -1 not known */
	const char *source; /* name of the variable, NULL: no launcher's rank, then rank is 0 */
};

struct job_rank job_rank(void);

/* Among those of its world on its node; -1 not known. */
struct job_node {
	int32_t rank, size;
};

struct job_node job_node(void);

/* Each function: "" if nothing tells. */

/* The same for all ranks of a run, and for no other run of the machine: its job and step. */
void job_run_name(char *name, size_t size);
/* The same for all ranks of one MPI_COMM_WORLD; a run can have several (MPI_Comm_spawn). */
void job_world_name(char *name, size_t size);
/* What the scheduler calls job and step, for people. */
const char *job_scheduler_id(void);
const char *job_scheduler_step(void);

#endif
