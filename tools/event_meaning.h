/* SPDX-License-Identifier: MIT */
/*
 * event_meaning.h - what a call of MPI means, among the arguments of an event: ranks in the world, bytes, and the calls whose requests it completed.
 */
#ifndef RECORDER_TOOLS_EVENT_MEANING_H
#define RECORDER_TOOLS_EVENT_MEANING_H

#include "meaning.h"
#include "outputs.h"

/* ,"dest_world":5,"sent":8,"completes":["MPI_Isend"],.. of a record: beside "dest":1, the rank in the communicator, stands that in the world. */
void event_meaning(struct out_events *events, const struct recorder_record *record,
		   const struct meaning_call *call);

#endif
