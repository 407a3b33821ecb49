/* SPDX-License-Identifier: MIT */
/*
 * link_parcels.h - parcels behind those of records (parcels.h): what went on in each process, some calls a parcel, and the messages between all.
 */
#ifndef RECORDER_TOOLS_LINK_PARCELS_H
#define RECORDER_TOOLS_LINK_PARCELS_H

#include "outputs.h"
#include "parcels.h"

/* Up to PARCEL_RECORDS calls of a process; the last one has all that are left. */
struct link_parcel {
	uint32_t process; /* first stream of it */
	bool begins, ends;
};

struct link_parcels {
	struct link_parcel *operations;
	uint32_t first_operation, first_message; /* numbers of parcels */
};

/* Puts them behind `parcels`; if nothing goes on there are none. What they are depends on the trace alone. 0 or -ENOMEM. */
int link_parcels_add(struct link_parcels *links, struct parcels *parcels,
		     const struct out_events *events);
void link_parcels_release(struct link_parcels *links);

#endif
