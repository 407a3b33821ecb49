/* SPDX-License-Identifier: MIT */
/*
 * loop_turn.h - of what a learner has seen (loop_learn.h), the turn that has come twice now.
 */
#ifndef RECORDER_FORMAT_LOOP_TURN_H
#define RECORDER_FORMAT_LOOP_TURN_H

#include "format/loop_learn.h"

/* Whether the last tokens came before in the same order: then the learner's turn is set. Where it begins no call is under way that is not all the time. */
bool loop_find_turn(struct loop_learner *learner);

#endif
