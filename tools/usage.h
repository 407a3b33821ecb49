/* SPDX-License-Identifier: MIT */
/*
 * usage.h - what machines and a job's processes used over time, from the records of samplers (doc/format.md, "Streams of samplers"): cumulative values become rates and shares.
 *
 * A value holds between two samples. It is kept in bins of the time that is looked at, and as least, mean (by time) and most of all intervals. Memory depends on nodes, bins and devices, not on the trace's length. What
 * cannot be used - a value that goes back, as of a device that was taken away - is left out, not guessed.
 */
#ifndef RECORDER_TOOLS_USAGE_H
#define RECORDER_TOOLS_USAGE_H

#include <stdbool.h>
#include <stdint.h>

/* name, unit */
#define USAGE_KINDS(K)                                                                             \
	K(cpu_user, "%") /* of all CPUs; nice included, guests not, as mpstat has it */            \
	K(cpu_system, "%")                                                                         \
	K(cpu_iowait, "%")                                                                         \
	K(cpu_steal, "%")                                                                          \
	K(cpu_idle, "%")                                                                           \
	K(gpu_sm, "%") /* mean of the GPUs that tell it */                                         \
	K(gpu_memory_busy, "%")                                                                    \
	K(gpu_used, "B") /* of all GPUs */                                                         \
	K(gpu_power, "W")                                                                          \
	K(memory_used, "B") /* what is not available */                                            \
	K(disk_read, "B/s")                                                                        \
	K(disk_written, "B/s")                                                                     \
	K(network_received, "B/s") /* without the loopback */                                      \
	K(network_sent, "B/s")                                                                     \
	K(pressure_cpu, "%") /* of time in which some task waited */                               \
	K(pressure_io, "%")                                                                        \
	K(pressure_memory, "%")                                                                    \
	/* by group of processes, the program's own and, behind them, those that it forked */      \
	K(program_cpu, "%") /* 100: one CPU */                                                     \
	K(program_rss, "B")                                                                        \
	K(program_reads, "B/s") /* by calls */                                                     \
	K(program_writes, "B/s")                                                                   \
	K(program_read, "B/s") /* from block devices */                                            \
	K(program_written, "B/s")                                                                  \
	K(worker_cpu, "%")                                                                         \
	K(worker_rss, "B")                                                                         \
	K(worker_reads, "B/s")                                                                     \
	K(worker_writes, "B/s")                                                                    \
	K(worker_read, "B/s")                                                                      \
	K(worker_written, "B/s")

enum usage_kind {
#define KIND(name, unit) USAGE_##name,
	USAGE_KINDS(KIND)
#undef KIND
		USAGE_COUNT
};

struct usage_value {
	double least, most, sum; /* sum: of value x ns */
	int64_t time;            /* ns in which it is known */
	double *bins;            /* value x ns in each */
	double *known;           /* ns of each in which it is known */
};

struct usage_node {
	char host[256];
	unsigned stream;
	unsigned samples;
	int64_t begin, end; /* of the first and of the last sample; ns since the trace's start */
	unsigned programs, workers; /* processes of each group */
	/* what calls moved, and requests to block devices: from the kernel's events, else from /proc/PID/io */
	bool calls_from_kernel, blocks_from_kernel;
	struct usage_value values[USAGE_COUNT];
};

/* A region that the program has named, over time. */
#define USAGE_REGIONS 12u
struct usage_region {
	char name[64];
	int64_t time, first_begin, first_end; /* of the first one */
	double *bins;                         /* ns in each */
};

struct usage {
	int64_t begin, width; /* of the bins, ns */
	unsigned bins;
	struct usage_node *nodes;
	unsigned node_count;
	struct usage_region
		regions[USAGE_REGIONS]; /* of the first rank's main thread: the longest */
	unsigned region_count;
};

/* `value` x ns, from one time to another, into bins of the usage. */
void usage_add_to_bins(const struct usage *usage, double *bins, int64_t from, int64_t to,
		       double value);
/* A value that holds from one time to another; what cannot be one, or has no memory, is left out. */
void usage_add_value(const struct usage *usage, struct usage_value *value, int64_t from, int64_t to,
		     double is);
/* Frees what it holds, not the struct itself. */
void usage_release(struct usage *usage);

const char *usage_name(enum usage_kind kind);
const char *usage_unit(enum usage_kind kind);
/* A program that only starts others. */
bool usage_is_shell(const char *command);
/* The mean over time; NaN: it is not known at all. */
double usage_mean(const struct usage_value *value);
/* That of a bin; NaN: not known then. */
double usage_at(const struct usage_value *value, unsigned bin);

#endif
