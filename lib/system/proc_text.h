/* SPDX-License-Identifier: MIT */
/*
 * proc_text.h - files of /proc that are read again and again: kept open, and taken apart without making strings of them.
 */
#ifndef RECORDER_SYSTEM_PROC_TEXT_H
#define RECORDER_SYSTEM_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/pile.h"

/* Its descriptor, or a negative errno. Close it. */
int proc_open(const char *path);
/* The whole text, with a zero behind it, in the pile from its beginning; NULL: it cannot be read, or there is no memory. */
const char *proc_read(int fd, struct pile *text);

/* The number at *at, behind blanks, which is moved behind it; 0 where there is none. */
uint64_t proc_number(const char **at);
/* Moves *at behind so many words of its line. */
void proc_skip(const char **at, unsigned words);
/* The begin of the next line; NULL: there is none. */
const char *proc_line(const char *at);
/* Behind `word` if the text begins with it, else NULL. */
const char *proc_behind(const char *at, const char *word);

#endif
