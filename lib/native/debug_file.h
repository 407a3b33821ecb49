/* SPDX-License-Identifier: MIT */
/*
 * debug_file.h - where what was stripped of an object is.
 *
 *	/usr/lib/debug/.build-id/ab/cdef.debug                          by its build-id
 *	NAME   .debug/NAME   /usr/lib/debug/FOLDER/NAME                 by .gnu_debuglink, in the object's folder
 *	.gnu_debugdata                                                  in the object itself, packed by xz: symbols alone
 *
 * A file is taken if it has the object's build-id; where one of them has none, if its checksum is what .gnu_debuglink says.
 */
#ifndef RECORDER_NATIVE_DEBUG_FILE_H
#define RECORDER_NATIVE_DEBUG_FILE_H

#include "native/elf_file.h"

/* `path`: the object's. False: there is none. */
bool debug_file_open(struct elf_file *debug, const struct elf_file *object, const char *path);

/*
 * The symbols of .gnu_debugdata, but those of .dynsym. By liblzma, which is opened for it and closed again; `may_load`: it may be loaded for that, else it has to be there.
 */
bool debug_data_open(struct elf_file *debug, const struct elf_file *object, bool may_load);

#endif
