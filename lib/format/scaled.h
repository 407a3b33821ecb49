/* SPDX-License-Identifier: MIT */
/*
 * scaled.h - numbers with a unit in settings: "64k", "1.5ms", "1e-7".
 *
 * Exact, without floating point, which a preloaded library had better leave alone.
 */
#ifndef RECORDER_FORMAT_SCALED_H
#define RECORDER_FORMAT_SCALED_H

#include <stdbool.h>
#include <stdint.h>

/* Each reads a whole text; false: it is none, or too large. What is below one unit is cut off. */
/* Bytes: k m g, with or without "ib"; a bare number is bytes. */
bool scaled_size(const char *text, uint64_t *bytes);
/* The same, but a bare number is MiB. */
bool scaled_megabytes(const char *text, uint64_t *bytes);
/* Nanoseconds: ns us ms s; a bare number is seconds. */
bool scaled_time(const char *text, uint64_t *ns);

#endif
