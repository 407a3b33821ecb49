/* SPDX-License-Identifier: MIT */
/*
 * modules.h - which mapped file an address lies in: the program and its libraries.
 *
 * Read from /proc/self/maps, which needs no lock of the loader: once when the stream is opened, again after dlopen and dlclose, and when an
 * address is met that lies in no known one.
 */
#ifndef RECORDER_RECORD_MODULES_H
#define RECORDER_RECORD_MODULES_H

#include "format/columns_encode.h"

/* Reads the mappings and defines the new ones. */
void modules_refresh(void);
/* The module and offset of an address; module 0 and the address itself if it is in none. */
struct encode_site modules_find(uint64_t address);
/* In a forked child: the same mappings, to be defined in a new stream. */
void modules_forked(void);

#endif
