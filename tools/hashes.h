/* SPDX-License-Identifier: MIT */
/*
 * hashes.h - numbers for names: 52 bits, because readers of .pfw pass them through doubles.
 */
#ifndef RECORDER_TOOLS_HASHES_H
#define RECORDER_TOOLS_HASHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAME_HASH_DIGITS 13u /* hexadecimal */

/* Depends on the bytes alone: equal on all ranks and in all traces. Never 0. */
uint64_t name_hash(const char *bytes, size_t size);

struct hash_set;

struct hash_set *hash_set_new(void);
void hash_set_free(struct hash_set *set);
bool hash_set_is_empty(const struct hash_set *set);
/* Whether `hash` (not 0) is new to the set, which has it from then on; out of memory it is always new. */
bool hash_set_add(struct hash_set *set, uint64_t hash);

#endif
