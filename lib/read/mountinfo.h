/* SPDX-License-Identifier: MIT */
/*
 * mountinfo.h - lines of /proc/self/mountinfo, see proc(5): NUMBER PARENT MAJOR:MINOR ROOT DIRECTORY OPTIONS [WORDS] - TYPE SOURCE OPTIONS
 */
#ifndef RECORDER_READ_MOUNTINFO_H
#define RECORDER_READ_MOUNTINFO_H

/* The next word of the line, with \040 and the like resolved, into *room, which as many bytes as the line has are enough for, and one for each word. */
const char *mountinfo_word(const char **line, char **room);

#endif
