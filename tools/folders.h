/* SPDX-License-Identifier: MIT */
/* folders.h - makes folders where they are missing. */
#ifndef RECORDER_TOOLS_FOLDERS_H
#define RECORDER_TOOLS_FOLDERS_H

/* The folder, and those above it. 0, also if it was there, or a negative errno. */
int folders_make(const char *path);
/* Those above the file. */
void folders_make_above(const char *file);

#endif
