/* SPDX-License-Identifier: MIT */
/* callpresets.h - system calls by what the bpftrace tool set has a script for: what --events NAME records and `recorder2text --columns NAME` shows. */
#ifndef RECORDER_TOOLS_CALLPRESETS_H
#define RECORDER_TOOLS_CALLPRESETS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether there is one of that name; `bio` is none, as its events are no calls. */
bool callpreset_is(const char *preset, size_t length);
/* Whether a system call is of it. */
bool callpreset_has(const char *preset, size_t length, const char *call);

#endif
