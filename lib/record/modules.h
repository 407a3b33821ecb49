/* SPDX-License-Identifier: MIT */
/*
 * modules.h - which mapped file an address lies in: the program and its libraries.
 *
 * Read from /proc/self/maps, which needs no lock of the loader: once when the stream is opened, again after dlopen and dlclose, and when an
 * address is met that lies in no known one.
 */
#ifndef RECORDER_RECORD_MODULES_H
#define RECORDER_RECORD_MODULES_H

#include <stdbool.h>

#include "format/signatures_encode.h"

/* Reads the mappings and defines the new ones. */
void modules_refresh(void);
/* The module and offset of an address; module 0 and the address itself if it is in none. */
struct encode_site modules_find(uint64_t address);

/* Where the object that an address lies in begins in memory. False: it lies in none that is there now. */
struct cfi_image;
bool modules_image(uint64_t address, struct cfi_image *image);
/* A library is about to be loaded; one has gone, and others may come to lie where it was. */
void modules_opening(void);
void modules_closed(void);
/* How often either was said. */
uint32_t modules_changes(void);
/* In a forked child: the same mappings, to be defined in a new stream. */
void modules_forked(void);

#endif
