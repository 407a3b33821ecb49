/* SPDX-License-Identifier: MIT */
/*
 * sqlnames.h - the tables of a database that rows of records refer to: files, comms and callsites.
 */
#ifndef RECORDER_TOOLS_SQLNAMES_H
#define RECORDER_TOOLS_SQLNAMES_H

#include "rownames.h"
#include "sqlbase.h"

void sqlnames_write(const struct rownames *names, struct sqlbase *base);

#endif
