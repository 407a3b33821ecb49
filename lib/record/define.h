/* SPDX-License-Identifier: MIT */
/*
 * define.h - the definitions of functions, made at the first call of each.
 */
#ifndef RECORDER_RECORD_DEFINE_H
#define RECORDER_RECORD_DEFINE_H

#include <stdbool.h>

/* Sees to it that the stream knows the function; the first call of each goes through here. False: there is no room for its definition, so that the call cannot be recorded. */
bool definition_function(unsigned function);
/* In a forked child, whose stream defines everything anew. */
void definitions_forked(void);

#endif
