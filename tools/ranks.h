/* SPDX-License-Identifier: MIT */
/*
 * ranks.h - processes that share the work of one command: those that -j asks for, or the ranks of a launcher (mpirun recorder pack). Ranks find each
 * other by the launcher's environment and the folder that the output is written to: tools are not linked with MPI.
 */
#ifndef RECORDER_TOOLS_RANKS_H
#define RECORDER_TOOLS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANKS_WAIT_STEP 20000000L /* ns between two looks for another one's file */
#define RANKS_WAIT_MOST 6000u     /* looks without any sign of life: 2 minutes */

struct ranks {
	unsigned count;  /* processes that take part */
	unsigned number; /* this one, from 0; 0 is the leader */
	bool launched;   /* ranks of a launcher */
	char *base;      /* of the names of their files; NULL: they have none */
};

/* Who takes part: the ranks of the launcher, else at most `jobs` processes, and not more than there are `parts`. `path`: of the output. */
void ranks_init(struct ranks *ranks, const char *path, unsigned jobs, uint32_t parts);
void ranks_release(struct ranks *ranks);
/* The name of a file that a rank writes for others. */
void ranks_file(const struct ranks *ranks, unsigned number, const char *suffix, char *name,
		size_t size);
/* Whether this is one of ranks of a launcher, and not the first: what is said once is not for it to say. */
bool ranks_follows(void);
/* Of a command whose work is not shared: leaves it to the first rank. */
void ranks_leave_to_first(void);
/* It gave no sign of life. */
_Noreturn void ranks_absent(const struct ranks *ranks, unsigned number);

#endif
