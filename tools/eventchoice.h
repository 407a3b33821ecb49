/* SPDX-License-Identifier: MIT */
/*
 * eventchoice.h - which events `recorder system` and `recorder run --system` record: --events LIST.
 *
 * A list names all that is recorded: groups of events ("calls,block"), presets of system calls ("openat,read"; callpresets.h) and calls by their names, and `default` or `all` for more of them at once; "-GROUP" takes one away. A list whose first word begins with + or - changes the default.
 */
#ifndef RECORDER_TOOLS_EVENTCHOICE_H
#define RECORDER_TOOLS_EVENTCHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

/* A row of options for it. 0 or -EINVAL. */
int eventchoice_parse(const char *list);
#define EVENTCHOICE_OPTION                                                                         \
	{                                                                                          \
		OPTION_CALL, 0, "events", "LIST",                                                  \
			"what is recorded: calls, block, writeback, iouring; page, "               \
			"fault, ext4, xfs, sched; all; bio, openat, close, create-del, mmap, "     \
			"read, write, names of system calls",                                      \
			NULL, eventchoice_parse                                                    \
	}

/* Whether a system call of that number is recorded. */
bool eventchoice_call(unsigned number);
/* Bits of enum event_group. */
uint32_t eventchoice_groups(void);
/* Their names, with commas between. */
void eventchoice_names(uint32_t groups, char *text, size_t room);

#endif
