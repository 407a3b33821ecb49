/* SPDX-License-Identifier: MIT */
/* metavalue.h - values of metadata where one that is missing is as good as an empty one. */
#ifndef RECORDER_TOOLS_METAVALUE_H
#define RECORDER_TOOLS_METAVALUE_H

#include <stdbool.h>
#include <stdint.h>

#include <recorder/reader.h>

/* `stream` may be READER_GLOBAL. "" and 0: not there, or of another type. The text lives as long as the trace. */
static inline const char *meta_text(const struct reader *trace, unsigned stream, const char *key)
{
	struct reader_value value;

	return !reader_meta(trace, stream, key, &value) && value.type == READER_BYTES ? value.bytes
										      : "";
}

static inline uint64_t meta_number(const struct reader *trace, unsigned stream, const char *key)
{
	struct reader_value value;

	if (reader_meta(trace, stream, key, &value))
		return 0;
	return value.type == READER_U64   ? value.u64
	       : value.type == READER_I64 ? (uint64_t)value.i64
					  : 0;
}

/* Of streams 0 to `streams` - 1. */
static inline uint64_t meta_sum(const struct reader *trace, unsigned streams, const char *key)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < streams; i++)
		sum += meta_number(trace, i, key);
	return sum;
}

/* Whether a stream was recorded from outside the process: by the kernel or from /proc. */
static inline bool meta_is_from_outside(const struct reader *trace, unsigned stream)
{
	return *meta_text(trace, stream, "source") != '\0';
}

#endif
