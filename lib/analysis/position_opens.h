/* SPDX-License-Identifier: MIT */
/* position_opens.h - calls that make, copy and end descriptors and streams of stdio, or give them to another process (positions.h). */
#ifndef RECORDER_ANALYSIS_POSITION_OPENS_H
#define RECORDER_ANALYSIS_POSITION_OPENS_H

#include <recorder/reader.h>

#include "analysis/open_files.h"
#include "analysis/position_facts.h"

/* Follows a call of a role from POSITION_OPENS to POSITION_CLOSES_FROM, POSITION_FORKS or POSITION_SPAWNS. 0 or -ENOMEM. */
int position_opens(struct open_files *files, const struct position_facts *facts,
		   const struct recorder_record *record);

#endif
