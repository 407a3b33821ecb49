/* SPDX-License-Identifier: MIT */
/*
 * pfw_meta.h - metadata lines of .pfw: names that others refer to by hash or number, each given once before them, and what the format has no event for.
 */
#ifndef RECORDER_TOOLS_PFW_META_H
#define RECORDER_TOOLS_PFW_META_H

#include "lanes.h"
#include "outputs.h"

/* A line up to its value: {"id":0,"name":"CM","cat":"dftracer","pid":7,"tid":7,"ph":"M","args":{"hhash":"0..","name":"in_flight" */
void pfw_meta(struct out_events *events, const char *kind, unsigned stream, uint32_t tid,
	      const char *name, size_t size);

/* Names the stream's host, command and process; once in a part. */
void pfw_give_stream(struct out_events *events, unsigned index);
/* Names the thread of the lane that the record is on. */
void pfw_name_lane(struct out_events *events, const struct recorder_record *record,
		   const struct lane *lane);
/* The hash of a path, which is defined. Calls in a row are mostly on the same file. */
uint64_t pfw_file(struct out_events *events, unsigned stream, const char *path);

/* A call that had not returned. */
void pfw_in_flight(struct out_events *events, const struct recorder_record *record, uint32_t tid);
/* How many records of the stream are lost, by reason. */
void pfw_losses(struct out_events *events, unsigned index);

#endif
