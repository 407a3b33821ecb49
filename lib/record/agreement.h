/* SPDX-License-Identifier: MIT */
/*
 * agreement.h - which ranks do something together, agreed on without MPI.
 *
 * A collective call of MPI waits for ever for a rank that does not make it: because it runs without the recorder, has it switched off, or
 * has ended. So before the first one who takes part puts a file RANK.WEIGHT into a directory in that of the trace, which all of
 * them share if they are one trace. Rank 0 waits until the weights make up the whole, or for a while, and links the list of those who
 * are there into it under one name; the others wait for that. Who has waited too long links an empty list. As link(2) makes
 * one name once there is one list, and all go by that: whoever is in it will read it, and whoever reads another will not be waited for.
 */
#ifndef RECORDER_RECORD_AGREEMENT_H
#define RECORDER_RECORD_AGREEMENT_H

#include <stdint.h>

#define AGREEMENT_MAX 4096 /* ranks */

/*
 * For rank `rank`, once, under a name that no other group has. `weight`: how many of `whole` it stands for, 0 not known. Returns how many
 * ranks take part, those in `ranks`, rising; 0: this one does not.
 */
int agreement_reach(const char *name, int32_t rank, int32_t weight, int32_t whole,
		    int32_t ranks[AGREEMENT_MAX]);
/* By rank 0, once all of them have read it; by another that takes no part, at its end. */
void agreement_forget(const char *name);

#endif
