/* SPDX-License-Identifier: MIT */
/*
 * dictionary.h - numbers for keys that are bytes, in the order in which they were first asked for: 0, 1, 2 ...
 */
#ifndef RECORDER_ANALYSIS_DICTIONARY_H
#define RECORDER_ANALYSIS_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

#include "read/index.h"

struct dictionary_key {
	size_t at; /* in `bytes` */
	uint32_t size;
};

/* Zeroed: empty. */
struct dictionary {
	uint32_t count;
	/* inside */
	uint32_t room;
	struct dictionary_key *keys;
	struct index by_hash;
	char *bytes; /* of all keys, a zero behind each */
	size_t used, bytes_room;
};

/* The number of a key; -1: it has none. */
int64_t dictionary_find(const struct dictionary *dictionary, const void *key, size_t size);
/* The number of a key, which gets the next one, `count`, if it is new. 0 or -ENOMEM. */
int dictionary_number(struct dictionary *dictionary, const void *key, size_t size,
		      uint32_t *number);
/* A key and its size; a zero is behind it. Valid until the next new key. */
const char *dictionary_key(const struct dictionary *dictionary, uint32_t number, size_t *size);
void dictionary_release(struct dictionary *dictionary);

#endif
