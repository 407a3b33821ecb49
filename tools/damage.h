/* SPDX-License-Identifier: MIT */
/*
 * damage.h - what of a trace turns out damaged while processes of a crew read a share of it each: all tell the leader, which knows then what it would know if it had read all
 * itself (reader_info(), reader_problem(), and what is said on stderr). The others keep quiet.
 */
#ifndef RECORDER_TOOLS_DAMAGE_H
#define RECORDER_TOOLS_DAMAGE_H

#include <recorder/reader.h>

#include "crew.h"

/* Another process than the leader, behind its reading. `known`: problems that the trace had when it was opened. */
void damage_tell(struct crew *crew, const struct reader *trace, unsigned known);
/* The leader: of process `number`, which has told or will. */
void damage_learn(struct crew *crew, unsigned number, struct reader *trace);

#endif
