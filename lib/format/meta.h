/* SPDX-License-Identifier: MIT */
/*
 * meta.h - entries of META chunks, doc/format.md section 8: a key and a typed value.
 */
#ifndef RECORDER_FORMAT_META_H
#define RECORDER_FORMAT_META_H

#include "format/bytes.h"

struct meta_entry {
	struct text key;
	enum meta_type type;
	uint64_t u64;
	int64_t i64;
	double f64;
	struct text bytes; /* in the buffer that was read */
};

void meta_put_u64(struct packer *packer, const char *key, uint64_t value);
void meta_put_i64(struct packer *packer, const char *key, int64_t value);
void meta_put_f64(struct packer *packer, const char *key, double value);
void meta_put_bytes(struct packer *packer, const char *key, const void *bytes, size_t size);
/* A zero-terminated string, as bytes without the zero. */
void meta_put_str(struct packer *packer, const char *key, const char *text);

/* The next entry; false at the end, with entries->bad set if that is no proper end. */
bool meta_next(struct bytes *entries, struct meta_entry *entry);

#endif
