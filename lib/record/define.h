/* SPDX-License-Identifier: MIT */
/*
 * define.h - numbering and storing what records refer to: communicators, datatypes, names ...
 */
#ifndef RECORDER_RECORD_DEFINE_H
#define RECORDER_RECORD_DEFINE_H

#include <stddef.h>
#include <stdint.h>

#include "format/wire.h"

/* The next free id of definitions of this type in this stream, from 1. */
uint32_t definition_next_id(enum def_type type);
/* Stores a definition (a payload packed by format/defs.h). It reaches the stream before the data that uses it. */
void definition_put(enum def_type type, const void *payload, size_t size);

/* Sees to it that the stream knows the function; the first call of each goes through here. */
void definition_function(unsigned function);
/* In a forked child, whose stream defines everything anew. */
void definitions_forked(void);

#endif
