/* SPDX-License-Identifier: MIT */
/*
 * show_names.h - values as text by the names that they have: those of the stream, of its system and MPI, of single bits.
 */
#ifndef RECORDER_READ_SHOW_NAMES_H
#define RECORDER_READ_SHOW_NAMES_H

#include <stdint.h>

#include <recorder/reader.h>

#include "read/text_out.h"

struct stream;

/* What is shown, and where its objects are defined. */
struct shown {
	const struct stream *stream;
	const struct recorder_arg *arg;
	const char *kind_name;
	int kind; /* -1: one that we do not know */
};

/* A name as it is, or in quotes where it would not be told apart from what stands around it. */
void show_name(struct text_out *out, const char *name);
/* "dict[3]": as a name, with what stands behind those of types. */
void show_bare(struct text_out *out, const struct recorder_arg *arg);
/* The name that the stream defines or that the kind has, else a decimal number. */
void show_symbol(struct text_out *out, const struct shown *shown, int64_t value);
/* The name that the kind has, else a hexadecimal number. */
void show_hex_symbol(struct text_out *out, const struct shown *shown, uint64_t value);
/* Bits of `value` that have names; the rest as a number. */
void show_flags(struct text_out *out, const struct shown *shown, uint64_t value);

#endif
