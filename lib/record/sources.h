/* SPDX-License-Identifier: MIT */
/*
 * sources.h - what is known once of a function by name: file, line, arguments ...; it goes into each stream with the function's definition.
 */
#ifndef RECORDER_RECORD_SOURCES_H
#define RECORDER_RECORD_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "format/defs.h"

/* Of a named function (named.h) that no stream knows yet; of one without arguments it is that of all with some, too, that have none of their own. Texts are copied, those that are too long are cut; `source->function` is not looked at. */
void source_set(uint32_t function, const struct def_source *source);
/* Into the stream, if there is something. False: no room. */
bool source_define(uint32_t function);
/* In a forked child: nobody else is at work here. */
void sources_forked(void);

#endif
