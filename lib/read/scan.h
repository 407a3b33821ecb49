/* SPDX-License-Identifier: MIT */
/*
 * scan.h - from chunk header to chunk header through a .rec file. Definitions, losses and
 * calls in flight are taken in on the way; of records only the headers of their chunks.
 */
#ifndef RECORDER_READ_SCAN_H
#define RECORDER_READ_SCAN_H

#include "read/body.h"
#include "read/trace.h"

/*
 * Scans the .rec of one of the stream's segments (stream_segment()) from where the last scan ended (at first: its begin) to its end.
 * `growing`: the process may be writing, an incomplete end is no damage. `killed`: the process died
 * and its live files are there; a chunk that it was just writing is no damage, its records are still
 * in the ring (were they not, their numbers would be missing). 0; -EPROTO: a newer version; -ENOMEM
 * or another negative errno. Damage is noted.
 */
int scan_segment(struct stream *stream, uint32_t number, struct body *body, bool growing,
		 bool killed);

#endif
