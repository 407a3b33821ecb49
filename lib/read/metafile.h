/* SPDX-License-Identifier: MIT */
/*
 * metafile.h - the key-value pairs of a .lm or .gm file.
 */
#ifndef RECORDER_READ_METAFILE_H
#define RECORDER_READ_METAFILE_H

#include <stdbool.h>

#include <recorder/reader.h>

#include "format/meta.h"
#include "read/index.h"
#include "read/pool.h"

struct metadata_item {
	const char *key;
	struct reader_value value;
	bool of_end; /* a chunk with the flag FINAL has it */
};

/* Zeroed memory is empty metadata. */
struct metadata {
	struct metadata_item *items;
	uint32_t count, capacity;
	struct index index;
	bool final;   /* a chunk with the flag FINAL was read */
	bool damaged; /* there are bytes that are no whole chunk */
};

struct file_header;

/*
 * Reads the file `name` of the trace directory. What is damaged is noted as a problem and left
 * out. Strings are put into the pool. `header` is all zeros if that of the file is damaged.
 * 0; -EINVAL: a file of another kind; -EPROTO: of a newer version; or another negative errno. The
 * text of reader_error() is set.
 */
int metadata_load(struct metadata *metadata, struct reader *trace, const char *name,
		  enum file_kind kind, struct pool *pool, struct file_header *header);
void metadata_release(struct metadata *metadata);

/* Adds or replaces; bytes of the value must live as long as the pool. 0 or -ENOMEM. */
int metadata_set(struct metadata *metadata, const char *key, size_t length,
		 const struct reader_value *value, struct pool *pool);
const struct reader_value *metadata_get(const struct metadata *metadata, const char *key);
/* Numbers of any type as that type; `otherwise` where the key is missing or no number. */
uint64_t metadata_u64(const struct metadata *metadata, const char *key, uint64_t otherwise);
int64_t metadata_i64(const struct metadata *metadata, const char *key, int64_t otherwise);
/* "" where the key is missing or a number. */
const char *metadata_text(const struct metadata *metadata, const char *key);

#endif
