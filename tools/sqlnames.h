/* SPDX-License-Identifier: MIT */
/*
 * sqlnames.h - what records of a database refer to by number: files, communicators and call sites.
 *
 * Numbers count from 1 in the order in which they are first asked for. Files are those of a path; what else is known of one comes from the first call
 * that had it open. Communicators are those of an identity, which all members have.
 */
#ifndef RECORDER_TOOLS_SQLNAMES_H
#define RECORDER_TOOLS_SQLNAMES_H

#include "sqlbase.h"
#include "walk.h"

struct sqlnames;

struct sqlnames *sqlnames_new(const struct reader *trace);
void sqlnames_free(struct sqlnames *names);

/* How near to the kernel a layer moves bytes of files; those of the lowest one count. */
enum sql_height { HEIGHT_SYSTEM, HEIGHT_MPIIO, HEIGHT_ABOVE, HEIGHT_NONE };

/* 0: the record has none. `height`: of who moves bytes, else HEIGHT_NONE. */
int64_t sqlnames_file(struct sqlnames *names, const struct recorder_record *record,
		      enum sql_height height);
int64_t sqlnames_comm(struct sqlnames *names, const struct recorder_record *record);
int64_t sqlnames_callsite(struct sqlnames *names, const struct recorder_record *record);

/* Fills the tables files, comms and callsites. */
void sqlnames_write(const struct sqlnames *names, struct sqlbase *base);

#endif
