/* SPDX-License-Identifier: MIT */
/*
 * identity.h - who this process is: process, host, rank, run, world.
 *
 * All of it is known without communication, from the kernel and from the
 * environment that launchers set.
 */
#ifndef RECORDER_RECORD_IDENTITY_H
#define RECORDER_RECORD_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct textbuf;

#define IDENTITY_NAME_MAX 256

struct identity {
	uint32_t pid, ppid;
	uint64_t pid_start; /* clock ticks since boot */
	/* as /proc has it: another where that is not of this process-number space */
	uint32_t outer_pid;
	uint64_t pid_ns; /* the space of process numbers, 0 not known */
	uint32_t image;  /* execs before this one */
	uint64_t stream_id;
	uint64_t parent_stream;  /* of the process that forked this one, 0 none */
	uint64_t forked;         /* when it did, ticks */
	int32_t rank, size;      /* by the launcher or MPI; 0 and -1 without */
	const char *rank_source; /* name of the variable, "MPI", "none" */
	bool main;               /* the rank's own process, not a child of it */
	uint32_t launcher;       /* the process that started that one */
	char host[65];
	char boot_id[40];
	char run_id[IDENTITY_NAME_MAX];
	bool run_id_is_own;              /* no launcher nor setting gave it */
	int64_t run_began;               /* then: on CLOCK_MONOTONIC, ns, or somewhat earlier */
	size_t run_host_length;          /* then: of what all such runs of this host begin with */
	char world[IDENTITY_NAME_MAX];   /* the launcher's name of the job, "" without */
	char program[IDENTITY_NAME_MAX]; /* base name of the program */
	char job[64];                    /* short name of the job for the default trace directory */
};

extern struct identity identity;

/* At start: what is cheap and needed by every process (pid, program, rank). Environment only. */
void identity_init(void);
/* Before the first record: host, boot id, start time, run id, stream identity. */
void identity_complete(void);
/* Tells child processes, by environment, which run they belong to and that they are children. */
void identity_export(void);
/* The space of process numbers that the process is in, as the inode number of its name; 0 not known. */
uint64_t identity_pid_ns(void);
/* Whether the calling process is the one that the stream belongs to: not so in the child of a vfork. */
bool identity_is_own(void);
/* In a forked child, at once: it began now. */
void identity_begins(void);
/* In a forked child, before its first record: a new process of the same rank. It began now if the fork was not seen. */
void identity_forked(void);
/* Which image of which process this is, for the next one. */
void identity_write_image(struct textbuf *text);
/* Another image of the same process was found in the trace: this is the next one. */
void identity_next_image(void);
/* What MPI itself says. */
void identity_set_rank(int32_t rank, int32_t size);

/* Whether the program only starts others and must stay untraced (mpirun, orted, srun ...). */
bool identity_is_launcher(void);
/* Whether it is Slurm's TaskProlog: it has all variables of the rank, and is none. */
bool identity_is_prolog(void);

#endif
