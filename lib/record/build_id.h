/* SPDX-License-Identifier: MIT */
/*
 * build_id.h - by what linkers tell one build of a program or library from another: a note of GNU's in the image.
 *
 * Layout: elf(5), "Notes" (Nhdr); the note is NT_GNU_BUILD_ID. Linkers put headers and notes into the first page of a file, which is
 * mapped wherever the image is.
 */
#ifndef RECORDER_RECORD_BUILD_ID_H
#define RECORDER_RECORD_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

#include "format/bytes.h"

/* That of notes one behind the other, which are aligned to 4 or 8 bytes, in place; none: its length is 0. */
struct text build_id_among(const void *notes, size_t size, size_t align);

/*
 * The build-id of what is mapped at `base`, whatever that is: also if it is unmapped meanwhile. Its length in bytes; 0: there is
 * none, or it is longer than `room`. One thread at a time.
 */
size_t build_id_of(const void *base, uint8_t *id, size_t room);

#endif
