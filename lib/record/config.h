/* SPDX-License-Identifier: MIT */
/*
 * config.h - the settings in force: the RECORDER_* environment variables, read once at start.
 * doc/environment.md describes each; the table in config.c is the one list of their names.
 */
#ifndef RECORDER_RECORD_CONFIG_H
#define RECORDER_RECORD_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "format/secrets.h"

struct config {
	bool enable;
	bool quiet;
	bool verbose;
	bool paused;       /* at start */
	bool flight;       /* keep only the latest */
	bool summed_times; /* histograms in place of time stamps */
	bool log_pointer;
	bool fold;              /* identical calls in a row become one record */
	uint8_t clock_sync;     /* CONFIG_CLOCK_... */
	uint8_t aggregate;      /* CONFIG_AGGREGATE_... */
	const char *traces_dir; /* as given, %x not expanded; NULL: default name */
	const char *run_id;
	/* PID:LAUNCHER@RANK.JOB of the rank's own process; set by it for its children */
	const char *main_pid;
	const char *image;
	const char *layers;
	const char *functions;
	const char *include;
	const char *exclude;
	const char *ranks;
	const char *programs;
	const char *live_dir;
	unsigned
		traces_mode; /* of the files of the trace; its directory can be searched, too, by who may read them */
	const char *log_argv; /* "raw": without masking; "0": not at all */
	const char *log_env;  /* names and globs of the environment variables to be stored */
	const char *tags;
	const char *targets; /* functions by name; this and the next two: targets.h */
	const char *arguments, *results;
	bool dry_run;             /* says what would become of the targets, and ends */
	bool usage;               /* CPU time and memory at each call of a target */
	uint64_t min_duration;    /* ns */
	uint64_t mem_interval;    /* ns, of the sums of layer mem */
	uint64_t time_resolution; /* ns */
	uint64_t buffer_size;     /* bytes, the largest ring */
	uint64_t live_max;        /* bytes, all rings of the process */
	uint64_t flush;           /* ns, age at which a ring is sealed */
	uint64_t max_size;        /* bytes of a stream file, 0: no limit */
	uint64_t rotate_size;     /* bytes of a segment, 0: not by size */
	uint64_t rotate_time;     /* ns of a segment, 0: not by time */
	uint64_t keep;            /* closed segments, 0: all */
	uint64_t stacks;          /* frames of a record's stack, 0: none */
	uint64_t min_free;        /* bytes of the trace's file system, or CONFIG_DEFAULT */
};

#define CONFIG_KEEP_MAX 64
#define CONFIG_AGGREGATE_AUTO 0 /* one file of a node with many streams */
#define CONFIG_AGGREGATE_NONE 1
#define CONFIG_AGGREGATE_NODE 2
#define CONFIG_CLOCK_AUTO 1    /* one rank of each node measures its clock */
#define CONFIG_CLOCK_ALL 2     /* each rank does */
#define CONFIG_CLOCK_BARRIER 4 /* at barriers, too */
#define CONFIG_DEPTH_MAX 128
#define CONFIG_MEM_INTERVAL_MIN 100000u
#define CONFIG_LIVE_MAX_MIN (512u << 10) /* the definitions and one ring */
#define CONFIG_DEFAULT UINT64_MAX        /* where the default is no constant */

extern struct config config;

/* What becomes of command lines. */
static inline enum secrets_kept config_secrets(void)
{
	return secrets_kept_by(config.log_argv);
}

/* Reads the environment. Values that make no sense leave the default and are noted by config_warn(). */
void config_init(void);
/* Notes unknown RECORDER_* names and bad values, one line each; for one process of a run. */
void config_warn(void);
/* Calls `visit` with name and value of each RECORDER_* variable that is set. */
void config_each(void (*visit)(void *data, const char *name, const char *value), void *data);

#endif
