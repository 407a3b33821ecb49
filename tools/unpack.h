/* SPDX-License-Identifier: MIT */
/*
 * unpack.h - a file of a packed trace as it was before it was packed.
 */
#ifndef RECORDER_TOOLS_UNPACK_H
#define RECORDER_TOOLS_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

struct packed;

/*
 * Writes it to `fd`, an empty file. True: it is the same byte by byte; false: another zlib than the recorder's compresses otherwise, and some chunks hold the same
 * but are not. Ends the process with a message if something cannot be read or written.
 */
bool unpack_file(struct packed *packed, uint32_t file, int fd, const char *name);

#endif
