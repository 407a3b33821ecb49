/* SPDX-License-Identifier: MIT */
/*
 * linked.h - the libraries that a program would be loaded with, as its dynamic linker lists them.
 */
#ifndef RECORDER_TOOLS_LINKED_H
#define RECORDER_TOOLS_LINKED_H

#include <stdbool.h>

#include "program.h"

/*
 * Whether its linker may be asked. The command itself runs in any case, and so does its linker; a file that is merely named must not make
 * us run anything but what runs us. `runs`: it is the command itself.
 */
bool linked_may_ask(const struct program_facts *facts, bool runs);
/* Calls `visit` for each: the name that is needed and the path that it is found at, or what is said instead. */
void linked_each(const char *loader, const char *program,
		 void (*visit)(void *data, const char *name, const char *path), void *data);
/* A line of the list: "\tNAME => PATH (ADDRESS)", "\tNAME => not found", "\tPATH (ADDRESS)". It is changed. */
void linked_read(char *line, const char **name, const char **path);

#endif
