/* SPDX-License-Identifier: MIT */
/*
 * names.h - lines that an output must have once, before what refers to them: definitions of files and hosts, names of threads. Who converts
 * a part of a trace does not know which of them stand in a part before, so they are kept apart, each with a key.
 */
#ifndef RECORDER_TOOLS_NAMES_H
#define RECORDER_TOOLS_NAMES_H

#include "buffer.h"
#include "hashes.h"
#include "output.h"

struct name {
	uint64_t key; /* not 0 */
	uint32_t size;
};

struct names {
	struct output text;
	struct buffer list; /* of struct name, in the order of the text */
	struct hash_set *known;
	size_t begin; /* of the one that is being written */
};

/* The key of a name: what it is of, and its number among such, of which 56 bits count. */
static inline uint64_t names_key(char what, uint64_t number)
{
	return (uint64_t)(unsigned char)what << 56 | (number & (UINT64_MAX >> 8));
}

/* 0 or -ENOMEM. */
int names_init(struct names *names);
void names_release(struct names *names);
/* None is known any more. 0 or -ENOMEM. */
int names_forget(struct names *names);
/* Drops the text and the list of what is known, which stays so. */
void names_clear(struct names *names);

/* True: the key is new, and its line is to be written to names->text, and ended with names_add(). */
static inline bool names_begin(struct names *names, uint64_t key)
{
	if (!hash_set_add(names->known, key))
		return false;
	names->begin = (size_t)(names->text.next - names->text.buffer);
	return true;
}

void names_add(struct names *names, uint64_t key);

#endif
