/* SPDX-License-Identifier: MIT */
/*
 * bandwidth.h - bytes that processes moved, by layer and in bins of time, as counters for viewers.
 *
 * The bytes of a call are spread evenly over its time. There are at most 512 bins, fewer with many processes or few records, so that neither memory nor output
 * grows with the length of a trace.
 */
#ifndef RECORDER_TOOLS_BANDWIDTH_H
#define RECORDER_TOOLS_BANDWIDTH_H

#include "buffer.h"
#include "lanes.h"

struct bandwidth;

/* A layer of a process from `time` on, in bytes a second. */
struct bandwidth_value {
	uint32_t pid;
	const char *layer;
	bool messages; /* received and sent, else read and written */
	int64_t time;  /* ns since the trace's start */
	uint64_t in, out;
};

/* From `begin` to `end`, ns since the trace's start. `lanes` must outlive it. NULL: no memory. */
struct bandwidth *bandwidth_new(const struct reader *trace, const struct lanes *lanes,
				int64_t begin, int64_t end);
void bandwidth_free(struct bandwidth *bandwidth);
/* `traffic`: what the record's call of MPI moved. 0 or -ENOMEM. */
int bandwidth_count(struct bandwidth *bandwidth, const struct recorder_record *record,
		    const struct reader_traffic *traffic);

typedef void bandwidth_sink(void *data, const struct bandwidth_value *value);
/* All values that differ from those before: by process, layer and time. */
void bandwidth_give(const struct bandwidth *bandwidth, bandwidth_sink *sink, void *data);
/* What was moved, as bytes that the same trace's bandwidth_add() takes in another process; they are added to `bytes`. */
void bandwidth_share(const struct bandwidth *bandwidth, struct buffer *bytes);
/* 0, -ENOMEM, or -EINVAL: they are of another trace. */
int bandwidth_add(struct bandwidth *bandwidth, const void *bytes, size_t size);
/* Nothing was moved. */
void bandwidth_forget(struct bandwidth *bandwidth);

#endif
