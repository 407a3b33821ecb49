/* SPDX-License-Identifier: MIT */
/*
 * define.h - the definitions of functions, made at the first call of each.
 */
#ifndef RECORDER_RECORD_DEFINE_H
#define RECORDER_RECORD_DEFINE_H

/* Sees to it that the stream knows the function; the first call of each goes through here. */
void definition_function(unsigned function);
/* In a forked child, whose stream defines everything anew. */
void definitions_forked(void);

#endif
