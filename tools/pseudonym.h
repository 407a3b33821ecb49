/* SPDX-License-Identifier: MIT */
/*
 * pseudonym.h - other names for names: the same one for the same name everywhere, from which nobody without the key comes back.
 *
 * A name becomes 12 letters and digits, by a keyed hash (SipHash) of which 60 bits are used; no table is kept. A path is
 * replaced name by name, so that depth and common beginnings stay. In other texts each word is a name; what stands
 * between words stays.
 */
#ifndef RECORDER_TOOLS_PSEUDONYM_H
#define RECORDER_TOOLS_PSEUDONYM_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"

struct pseudonyms {
	uint64_t key[2];
	bool keep_extensions; /* "run.h5" becomes "x.h5" */
};

/* A key of its own for each run; `text` (may be NULL): the same for the same text. */
void pseudonyms_init(struct pseudonyms *pseudonyms, const char *text);

/* Each appends to `out`. Empty names stay empty. */
void pseudonym_name(const struct pseudonyms *pseudonyms, struct buffer *out, const void *name,
		    size_t size);
void pseudonym_path(const struct pseudonyms *pseudonyms, struct buffer *out, const char *path,
		    size_t size);
void pseudonym_text(const struct pseudonyms *pseudonyms, struct buffer *out, const char *text,
		    size_t size);
/* `size` bytes for as many others. */
void pseudonym_bytes(const struct pseudonyms *pseudonyms, struct buffer *out, const void *bytes,
		     size_t size);
uint64_t pseudonym_number(const struct pseudonyms *pseudonyms, uint64_t number);

#endif
