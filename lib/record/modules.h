/* SPDX-License-Identifier: MIT */
/*
 * modules.h - which mapped file an address lies in: the program and its libraries.
 *
 * Read from /proc/self/maps, which needs no lock of the loader: once when the stream is opened, again some time after dlopen and dlclose, and when an
 * address is met that lies in no known one. A forked child has what its parent had, which looks before it forks, once for all its children: a program of Python with
 * PyTorch has 1,700 mappings, and to list them and read the build-ids of its libraries took each worker 5 ms.
 */
#ifndef RECORDER_RECORD_MODULES_H
#define RECORDER_RECORD_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include "format/signatures_encode.h"

/* Defines all that is mapped, in a stream that begins. */
void modules_begin(void);
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
/*
 * Now and then, with the newest records of the thread: if libraries were opened or closed, though none since the last time, as a program may open
 * hundreds in a row, and one of the calls was made in what is not known, looks what is mapped. Libraries that call nothing are not defined for that: they
 * lie elsewhere in each rank, which would make ranks that do the same different.
 */
void modules_attend(const uint8_t *records, const uint8_t *end);
/* The thread, which records, is about to fork: looks if libraries came or went. */
void modules_forking(void);
/* In a forked child: the same mappings, to be defined in a new stream. */
void modules_forked(void);

#endif
