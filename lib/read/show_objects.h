/* SPDX-License-Identifier: MIT */
/*
 * show_objects.h - what stands for a file or an object of a library, as text by what the stream defines of it.
 */
#ifndef RECORDER_READ_SHOW_OBJECTS_H
#define RECORDER_READ_SHOW_OBJECTS_H

#include <stdint.h>

#include "read/show_names.h"
#include "read/text_out.h"

/* A descriptor and its file; a FILE * or DIR * by theirs. */
void show_fd(struct text_out *out, const struct shown *shown);
/* The file that is mapped. */
void show_mapped(struct text_out *out, const struct shown *shown);
/* The name that it has in MPI, else its kind and number. */
void show_handle(struct text_out *out, const struct shown *shown, int64_t value);
/* A handle by what it stands for. */
void show_object(struct text_out *out, const struct shown *shown);
/* A number by which a library knows a file or what is in it, and that one's name. */
void show_numbered(struct text_out *out, const struct shown *shown);

#endif
