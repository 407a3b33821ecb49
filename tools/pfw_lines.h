/* SPDX-License-Identifier: MIT */
/*
 * pfw_lines.h - what lines of .pfw have in common, in the order in which it stands there; the whole line is in out_pfw.c.
 */
#ifndef RECORDER_TOOLS_PFW_LINES_H
#define RECORDER_TOOLS_PFW_LINES_H

#include "marks.h"
#include "outputs.h"

/* A call and the file it works on. */
struct pfw_call {
	const struct recorder_record *record;
	uint32_t tid; /* of its lane */
	bool has_file;
	uint64_t file_hash;
};

/* {"id":7 of a call. */
void pfw_put_number(struct out_events *events, const struct pfw_call *call);
/* From there to the time: ,"name":"pwrite","cat":"POSIX","pid":7,"tid":7,"ts": */
void pfw_put_head(struct out_events *events, const struct pfw_call *call);
/* ,"ph":"X" and the like, up to what belongs to the kind of event. */
void pfw_put_phase(struct out_events *events, enum mark mark);
/* The phase of a call and what stands in front of its arguments: ,"ph":"X","args":{"hhash":"0..","fhash":"0..", */
void pfw_put_hashes(struct out_events *events, const struct pfw_call *call);

void pfw_put_ids(struct out_events *events, uint32_t pid, uint32_t tid);
/* The key, which ends in a quote, and a hash with the quote behind it. */
void pfw_put_hash(struct out_events *events, const char *key, uint64_t hash);
/* Where arguments begin: ,"args":{"hhash":"0.." of the stream's host. */
void pfw_put_host(struct out_events *events, uint32_t stream);

#endif
