/* SPDX-License-Identifier: MIT */
/*
 * definitions.h - what the ids in a stream's records stand for.
 */
#ifndef RECORDER_READ_DEFINITIONS_H
#define RECORDER_READ_DEFINITIONS_H

#include "format/defs.h"
#include "format/defs_mpi.h"
#include "read/functions.h"
#include "read/comm_group.h"
#include "read/index.h"
#include "read/pool.h"

struct known_comm {
	struct def_comm def;
	struct comm_group local, remote;
};

#define NAMED_KINDS 64u

/* Texts end in a zero byte, besides their length. */
struct definitions {
	const struct function **functions; /* by id in the stream, NULL not defined */
	uint32_t function_count;
	struct idmap files;      /* struct def_file, by id */
	struct idmap comms;      /* struct known_comm */
	struct idmap datatypes;  /* struct def_datatype */
	struct idmap modules;    /* struct def_module */
	struct idmap threads;    /* struct def_thread, by index */
	struct idmap strings;    /* struct def_string */
	struct idmap stacks;     /* struct def_stack */
	struct idmap mpifiles;   /* struct def_mpifile */
	struct idmap objects;    /* struct def_object */
	struct idmap wins;       /* struct def_win */
	struct idmap sources;    /* struct def_source, by function */
	struct def_name **names; /* found by (kind, id) */
	uint32_t name_count, name_capacity;
	struct index name_index;
	/* What has a name, roughly: by kind, a bit for the last ones of the number. Most numbers have none, and are asked for again and again. */
	uint64_t named[NAMED_KINDS];
	const struct def_module **by_address; /* modules by start, made by definitions_finish() */
	uint32_t by_address_count;
	struct def_directory
		*directories; /* by thread and ticks, once definitions_finish() is done */
	uint32_t directory_count, directory_capacity;
	struct pool pool;
	bool unknown; /* an entry of a type that we do not know was there */
};

/* Where definitions stand. In an arena some may not be complete, and are left out. */
enum definitions_of {
	DEFINITIONS_OF_CHUNK,
	DEFINITIONS_OF_DEAD, /* in the arena of a process that is gone: what follows one that was never begun can be told */
	DEFINITIONS_OF_RUNNING, /* in a copy, of which parts may be later than others: it ends at what was not begun */
};

/*
 * Takes the definitions of a DEFS body in. `where` and `offset` name it in problems. What is
 * malformed is left out and noted. *count: entries, padding included.
 * 0 or -ENOMEM; -EFBIG: more than `limit` bytes of memory are in use.
 */
int definitions_load(struct definitions *defs, struct reader *trace, struct bytes entries,
		     const char *where, uint64_t offset, enum definitions_of from, uint64_t limit,
		     uint32_t *count);
/* To be called after the last load. 0 or -ENOMEM. */
int definitions_finish(struct definitions *defs);
void definitions_release(struct definitions *defs);

/* The function of that id, NULL not defined. */
static inline const struct function *definitions_function(const struct definitions *defs,
							  unsigned id)
{
	return id < defs->function_count ? defs->functions[id] : NULL;
}

/* The module that holds an address; NULL unknown. */
const struct def_module *definitions_module_at(const struct definitions *defs, uint64_t address);
/* The text of value `id` of arguments of kind `kind`; NULL not defined. */
const char *definitions_name(const struct definitions *defs, const char *kind, uint32_t id);

#endif
