/* SPDX-License-Identifier: MIT */
/*
 * packed.h - a trace directory and its live files as one string of bytes: entries of
 *
 *	u32 number of the name, modulo PACKED_NAMES; u32 size; the contents
 *
 * the last one cut off where the string ends. Of a live file only the first 256 bytes of its
 * header of 4096 are there, the rest is zeros.
 */
#ifndef TEST_FUZZ_PACKED_H
#define TEST_FUZZ_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACKED_NAMES 15u
#define PACKED_NODE "trace/n.node"
#define PACKED_HEADER 256u /* bytes of a live file's header */

/* "trace/recorder.gm", "recorder-0-0123456789abcdef/a.defs" ... */
extern const char *const packed_names[PACKED_NAMES];

struct packed_entry {
	uint32_t name;
	uint32_t size;
	const uint8_t *data;
};

/* Takes the entry at *p, which moves on; false at the end. */
bool packed_next(const uint8_t **p, const uint8_t *end, struct packed_entry *entry);
bool packed_is_live(uint32_t name);
/* PACKED_NODE, in which what says whose a chunk is is made right. */
void packed_put_node(const uint8_t *data, size_t size);
/* Fills the scratch directory. */
void packed_unpack(const uint8_t *data, size_t size);

#endif
