/* SPDX-License-Identifier: MIT */
/*
 * aliases.h - names of settings in job scripts that were written for Recorder of UIUC or for DFTracer: what they ask for is done.
 *
 * A setting by its own name comes before. What Recorder has to be asked for and is always done here, or what there is no choice of here, is
 * known and changes nothing. doc/environment.md lists them; those of DFTracer, doc/dftracer.md.
 */
#ifndef RECORDER_RECORD_ALIASES_H
#define RECORDER_RECORD_ALIASES_H

#include <stdbool.h>
#include <stddef.h>

#include "record/config.h"

/* Whether a name (without RECORDER_) is such a one; *understood: whether its value makes sense. */
bool aliases_know(const char *name, size_t length, const char *value, bool *understood);
/* Takes what the environment has of them, where `into` has nothing of its own. */
void aliases_apply(struct config *into);

#endif
