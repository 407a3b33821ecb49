/* SPDX-License-Identifier: MIT */
/*
 * sqlinsert.h - rows put into the tables records and in_flight.
 */
#ifndef RECORDER_TOOLS_SQLINSERT_H
#define RECORDER_TOOLS_SQLINSERT_H

#include <stdbool.h>

#include "callrows.h"
#include "sqlbase.h"

struct sql_insert {
	struct sqlbase *base;
	sqlite3_stmt *insert, *insert_open;
	uint64_t wanted, wanted_open; /* columns, bit i for number i; bit 0: rows at all */
};

void sql_insert_begin(struct sql_insert *into, struct sqlbase *base, uint64_t wanted,
		      uint64_t wanted_open);
/* Whether a column of that name is wanted in one of the tables. */
bool sql_insert_wants(struct sql_insert *into, const char *column);
/* Takes a row, as struct call_rows has it. */
void sql_insert_row(void *into, const struct call_row *row);
void sql_insert_end(struct sql_insert *into);

#endif
