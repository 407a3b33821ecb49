/* SPDX-License-Identifier: MIT */
/* sqlnames.c - see sqlnames.h */
#include "sqlnames.h"

static void write_files(const struct rownames *names, struct sqlbase *base)
{
	sqlite3_stmt *insert =
		sqlbase_prepare(base, "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	struct row_file file;

	for (uint32_t i = 1; rownames_file_at(names, i, &file); i++) {
		int64_t none = file.type ? INT64_MIN : 0;

		sqlbase_integer(base, insert, 1, i);
		sqlbase_text(base, insert, 2, file.path);
		sqlbase_word(base, insert, 3, file.class);
		sqlbase_known(base, insert, 4, file.lowest, HEIGHT_NONE);
		sqlbase_word(base, insert, 5, file.type);
		sqlbase_text(base, insert, 6, file.fs);
		sqlbase_text(base, insert, 7, file.mount);
		sqlbase_known(base, insert, 8, (int64_t)file.device, none);
		sqlbase_known(base, insert, 9, (int64_t)file.inode, none);
		sqlbase_known(base, insert, 10, (int64_t)file.size, none);
		sqlbase_known(base, insert, 11, file.block_size, none);
		sqlbase_step(base, insert);
	}
	sqlite3_finalize(insert);
}

static void write_comms(const struct rownames *names, struct sqlbase *base)
{
	sqlite3_stmt *insert = sqlbase_prepare(base, "INSERT INTO comms VALUES (?, ?, ?, ?, ?)");
	struct row_comm comm;

	for (uint32_t i = 1; rownames_comm_at(names, i, &comm); i++) {
		if (!comm.used)
			continue;
		sqlbase_integer(base, insert, 1, i);
		sqlbase_text(base, insert, 2, *comm.name ? comm.name : NULL);
		sqlbase_text(base, insert, 3, comm.kind);
		sqlbase_known(base, insert, 4, comm.size, -1);
		sqlbase_known(base, insert, 5, comm.remote_size, 0);
		sqlbase_step(base, insert);
	}
	sqlite3_finalize(insert);
}

static void write_callsites(const struct rownames *names, struct sqlbase *base)
{
	sqlite3_stmt *insert =
		sqlbase_prepare(base, "INSERT INTO callsites VALUES (?, ?, ?, ?, ?, ?, ?)");
	const struct callsite *site;

	for (uint32_t i = 1; (site = rownames_callsite_at(names, i)); i++) {
		const struct source_line *line = site->source;

		sqlbase_integer(base, insert, 1, i);
		sqlbase_text(base, insert, 2, site->text);
		sqlbase_text(base, insert, 3, line && *line->function ? line->function : NULL);
		sqlbase_text(base, insert, 4, line && *line->file ? line->file : NULL);
		sqlbase_known(base, insert, 5, line ? line->line : 0, 0);
		sqlbase_text(base, insert, 6, *site->module ? site->module : NULL);
		sqlbase_integer(base, insert, 7, (int64_t)site->offset);
		sqlbase_step(base, insert);
	}
	sqlite3_finalize(insert);
}

void sqlnames_write(const struct rownames *names, struct sqlbase *base)
{
	write_files(names, base);
	write_comms(names, base);
	write_callsites(names, base);
}
