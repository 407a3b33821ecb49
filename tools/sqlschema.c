/* SPDX-License-Identifier: MIT */
/* sqlschema.c - see sqlschema.h */
#include "sqlschema.h"

const char sql_tables[] =
	"CREATE TABLE trace (name TEXT PRIMARY KEY, value) WITHOUT ROWID;"
	"CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT, world INTEGER, rank INTEGER, "
	"size INTEGER,\n"
	"  main INTEGER, pid INTEGER, ppid INTEGER, parent INTEGER REFERENCES streams, image "
	"INTEGER, host TEXT,\n"
	"  exe TEXT, argv TEXT, cwd TEXT, state TEXT, reason TEXT, exit_status INTEGER, records "
	"INTEGER,\n"
	"  stored INTEGER, in_flight INTEGER, lost INTEGER, unreadable INTEGER, threads INTEGER, "
	"start INTEGER,\n"
	"  \"end\" INTEGER, clock_error INTEGER, aside INTEGER, outer_pid INTEGER);"
	"CREATE TABLE threads (stream INTEGER REFERENCES streams, thread INTEGER, tid INTEGER, "
	"name TEXT,\n"
	"  main INTEGER, records INTEGER, lost INTEGER, start INTEGER, module TEXT, PRIMARY KEY "
	"(stream, thread))\n"
	"  WITHOUT ROWID;"
	"CREATE TABLE metadata (stream INTEGER REFERENCES streams, name TEXT, value);"
	"CREATE TABLE losses (stream INTEGER REFERENCES streams, reason TEXT, records INTEGER);"
	"CREATE TABLE absent (world INTEGER, first INTEGER, last INTEGER, size INTEGER);"
	"CREATE TABLE problems (text TEXT);"
	"CREATE TABLE functions (id INTEGER PRIMARY KEY, layer TEXT, name TEXT, operation TEXT, "
	"result TEXT,\n"
	"  arguments TEXT, category TEXT);"
	"CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT, class TEXT, lowest INTEGER, type "
	"TEXT, fs TEXT, mount TEXT, "
	"device INTEGER,\n"
	"  inode INTEGER, size INTEGER, block_size INTEGER);"
	"CREATE TABLE comms (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, size INTEGER, "
	"remote_size INTEGER);"
	"CREATE TABLE callsites (id INTEGER PRIMARY KEY, place TEXT, function TEXT, file TEXT, "
	"line INTEGER,\n"
	"  module TEXT, \"offset\" INTEGER);"
	"CREATE TABLE records (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES records,\n"
	"  stream INTEGER REFERENCES streams, world INTEGER, rank INTEGER, tid INTEGER, thread "
	"INTEGER,\n"
	"  level INTEGER, layer TEXT, function TEXT, operation TEXT, tstart INTEGER, tend INTEGER, "
	"duration INTEGER,\n"
	"  self INTEGER, calls INTEGER, ret, errno TEXT, file INTEGER REFERENCES files, bytes "
	"INTEGER,\n"
	"  \"offset\" INTEGER, to_file INTEGER REFERENCES files, to_offset INTEGER,\n"
	"  peer INTEGER, peer_world INTEGER, tag INTEGER,\n"
	"  comm INTEGER REFERENCES comms, sent INTEGER, received INTEGER, callsite INTEGER "
	"REFERENCES callsites,\n"
	"  epoch INTEGER, step INTEGER, sample INTEGER, note TEXT, args TEXT);"
	"CREATE TABLE in_flight (id INTEGER PRIMARY KEY, parent INTEGER, stream INTEGER REFERENCES "
	"streams,\n"
	"  world INTEGER, rank INTEGER, tid INTEGER, thread INTEGER, level INTEGER, layer TEXT, "
	"function TEXT,\n"
	"  operation TEXT, tstart INTEGER, tend INTEGER, duration INTEGER, file INTEGER REFERENCES "
	"files,\n"
	"  peer INTEGER, peer_world INTEGER, tag INTEGER, comm INTEGER REFERENCES comms,\n"
	"  callsite INTEGER REFERENCES callsites, args TEXT);";

const char *const sql_indices[] = {
	"CREATE INDEX records_by_time ON records (tstart)",
	"CREATE INDEX records_by_function ON records (function)",
	"CREATE INDEX records_by_file ON records (file) WHERE file IS NOT NULL",
	"CREATE INDEX records_by_errno ON records (errno) WHERE errno IS NOT NULL",
	"CREATE INDEX records_by_parent ON records (parent) WHERE parent IS NOT NULL",
	"CREATE INDEX files_by_path ON files (path)",
	NULL,
};

const char sql_statistics[] = "PRAGMA analysis_limit = 1000; ANALYZE";
