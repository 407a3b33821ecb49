/* SPDX-License-Identifier: MIT */
/*
 * image.h - whether a preload reaches a program, judged by the first bytes of its file.
 */
#ifndef RECORDER_FORMAT_IMAGE_H
#define RECORDER_FORMAT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#define IMAGE_HEAD 1024u /* bytes that tell enough of any usual program */

/* Why it does not: "static", "32-bit", "musl", "other-machine". NULL: it does, or these bytes do not tell. */
const char *image_untraced(const void *head, size_t size);
/* The interpreter of a script ("#! /bin/sh"), with a zero at its end. False: it is none, or does not fit. */
bool image_interpreter(const void *head, size_t size, char *path, size_t room);

#endif
