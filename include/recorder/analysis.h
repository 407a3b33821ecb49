/* SPDX-License-Identifier: MIT */
/*
 * analysis.h - what a trace amounts to: libanalysis' public interface.
 *
 * One pass over the records makes tables: of functions, layers, ranks, files, sizes, errors. Their size depends on how many functions, ranks and files
 * there are, not on how many records.
 *
 *	struct reader *trace = reader_open("recorder-app-1", NULL);
 *	struct analysis *analysis = analysis_new(trace, NULL);
 *
 *	if (analysis_run(analysis))
 *		fprintf(stderr, "%s\n", reader_error(trace));
 *	for (unsigned i = 0; i < analysis_file_count(analysis); i++)
 *		printf("%s\n", analysis_file(analysis, i)->path);
 *	analysis_free(analysis);
 *	reader_close(trace);
 *
 * The tables are the same however many threads made them: all sums are of integers, and rows have an order of their own.
 *
 * Times are in nanoseconds. *Time* is from the begin of a call to its end, *self* is that without the recorded calls in it, so that self times of all layers
 * add up to the time that threads were in calls. A record that stands for several calls (`repeat`) counts as so many. Calls in flight do not count.
 *
 * Structures grow at their end; pointers to them live as long as the analysis. Threads: an analysis that has run may be read by several; analysis_run() is for one,
 * and nothing else may use the trace exclusively meanwhile.
 */
#ifndef RECORDER_ANALYSIS_H
#define RECORDER_ANALYSIS_H

#include <recorder/reader.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct analysis;

struct analysis_options {
	size_t sz; /* sizeof(struct analysis_options) */
	/* Of its conditions all hold; order, part and piece are ignored. NULL: everything. */
	const struct reader_filter *filter;
	unsigned jobs; /* threads, 0: one */
	/* Called now and then, by any of the threads, one at a time: `done` of `all` records; NULL: nobody asks. */
	void (*progress)(void *data, uint64_t done, uint64_t all);
	void *progress_data;
	/* Of processes that share the work, each reads the streams of its share, number `part` from 0 of `parts`, see analysis_add(). 0 parts: everything. */
	unsigned part, parts;
};

/** An analysis of a trace, which must outlive it; `options` may be NULL. NULL: errno is EINVAL (sz) or ENOMEM. */
struct analysis *analysis_new(struct reader *trace, const struct analysis_options *options);
void analysis_free(struct analysis *analysis);
/** Reads the trace, once. 0 or a negative errno; damage is no error, see reader_problem_count(). */
int analysis_run(struct analysis *analysis);

/**
 * What an analysis that has run found, as bytes that are to be given to free(); NULL: out of memory. Another process of the same build adds it to its own
 * analysis of the same trace.
 */
void *analysis_save(const struct analysis *analysis, size_t *size);
/**
 * Adds such bytes to an analysis that has run: when those of all parts are together, in any order, it is as if one had read everything. Rows that were got before are
 * gone. 0; -EBADMSG: they are of another trace or build; -ENOMEM; after an error the analysis is to be freed.
 */
int analysis_add(struct analysis *analysis, const void *bytes, size_t size);

/* What calls do ---------------------------------------------------------------- */

enum analysis_operation {
	ANALYSIS_OTHER,
	ANALYSIS_OPEN,
	ANALYSIS_CLOSE,
	ANALYSIS_READ,
	ANALYSIS_WRITE,
	ANALYSIS_COPY, /* from one descriptor to another: a read of the first file and a write of the second */
	ANALYSIS_SEEK,
	ANALYSIS_SYNC,
	ANALYSIS_METADATA, /* of files: what they are called, who may use them, how large they are ... */
	ANALYSIS_MAP,      /* memory, also that of files */
	ANALYSIS_PROCESS,    /* begin, end and wait for processes; load libraries */
	ANALYSIS_COMPLETION, /* wait or ask for what was begun before */
	ANALYSIS_POINT_TO_POINT,
	ANALYSIS_COLLECTIVE,
	ANALYSIS_ONE_SIDED,
	ANALYSIS_OPERATIONS /* how many there are */
};

/** "read", "point-to-point" ... */
const char *analysis_operation_name(enum analysis_operation operation);

/* Sums of calls. Bytes of MPI: received and sent. */
struct analysis_sums {
	uint64_t calls, errors;
	int64_t time, self;
	int64_t bytes_read, bytes_written;
};

/* Layers ----------------------------------------------------------------------- */

/* Where calls were made: by the thread that runs main() of a rank's own process, or by another one, one of a child or one beside the ranks. */
enum analysis_where { ANALYSIS_MAIN, ANALYSIS_ELSEWHERE, ANALYSIS_PLACES };

struct analysis_layer {
	const char *name;
	int is_storage;  /* its calls work on files */
	int is_messages; /* it is MPI, without MPI-IO */
	int is_program;  /* functions that the program has named itself: time in them is its own */
	struct analysis_sums sums; /* time: calls within calls of the layer count, too */
	int64_t self[ANALYSIS_PLACES];
};

/** Layers in the order in which the trace defines functions of them; those without calls are there, too. */
unsigned analysis_layer_count(const struct analysis *analysis);
/** NULL: no such layer. */
const struct analysis_layer *analysis_layer(const struct analysis *analysis, unsigned index);

enum analysis_direction { ANALYSIS_READS, ANALYSIS_WRITES, ANALYSIS_DIRECTIONS };

/* Access sizes are counted in these classes, each up to its limit (not included): 100, 1 KB, 10 KB, 100 KB, 1 MB, 4 MB, 10 MB, 100 MB, 1 GB (powers of ten), more:
 * those of Darshan. */
#define ANALYSIS_SIZES 10

/** The least size of a class, the words for it ("1K-10K"). */
int64_t analysis_size_least(unsigned size_class);
const char *analysis_size_name(unsigned size_class);

struct analysis_sizes {
	uint64_t reads[ANALYSIS_SIZES],
		writes[ANALYSIS_SIZES]; /* calls that moved so much; of MPI receives and sends */
};

/** Of the calls of a layer. NULL: no such layer. */
const struct analysis_sizes *analysis_layer_sizes(const struct analysis *analysis, unsigned layer);

/* Transfers of one size. Of a layer up to 4,096 different sizes are told apart in each direction; if there are more, those that are alike in their leading bits are one:
 * from `size` to `last`. */
struct analysis_size {
	int64_t size, last; /* equal: it is exact */
	uint64_t calls;
};

/** How many different sizes calls of a layer have read, or written (of MPI received, or sent). 0: none, or no such layer. */
unsigned analysis_layer_size_count(const struct analysis *analysis, unsigned layer,
				   enum analysis_direction direction);
/** The most frequent first; of those that are as frequent the least first. NULL: no such size. */
const struct analysis_size *analysis_layer_size(const struct analysis *analysis, unsigned layer,
						enum analysis_direction direction, unsigned index);
/** Whether all sizes of a layer are told apart, in both directions. */
int analysis_layer_sizes_are_exact(const struct analysis *analysis, unsigned layer);

/* Functions -------------------------------------------------------------------- */

struct analysis_function {
	const struct reader_function_info *function;
	enum analysis_operation operation;
	unsigned layer; /* analysis_layer() */
	struct analysis_sums sums;
	int64_t least, most;   /* time of one call */
	int64_t most_in_files; /* the same of those on files of data or software, 0: none */
};

/** Functions with calls, by self time, most first. */
unsigned analysis_function_count(const struct analysis *analysis);
const struct analysis_function *analysis_function(const struct analysis *analysis, unsigned index);
/** Time that a share of its calls, 0 to 1, did not exceed, within 1/32; -1: no such function. Of records that stand for several calls each takes the mean. */
int64_t analysis_function_quantile(const struct analysis *analysis, unsigned index, double share);

/* A kind of failure of a function. */
struct analysis_error {
	const struct reader_function_info *function;
	int err;
	const char *name; /* "ENOENT" */
	uint64_t calls;
	int64_t time;
	/* of them those on files that are not data: modules that are looked for along a path, for instance */
	uint64_t calls_apart;
	int64_t time_apart;
};

/** By number of calls, most first. */
unsigned analysis_error_count(const struct analysis *analysis);
const struct analysis_error *analysis_error(const struct analysis *analysis, unsigned index);

/* Ranks ------------------------------------------------------------------------ */

struct analysis_rank {
	int32_t world, rank;
	unsigned streams;
	unsigned main_stream; /* its own process; the first one if that is not in the trace */
	int64_t start,
		end; /* of that stream, as of reader_stream(); the same of one that is left out */
	int left_out; /* 1: conditions of the analysis choose some ranks, and no call is of this one */
	struct analysis_sums
		sums; /* of all its threads and processes; bytes: of files, see struct analysis_file */
	int64_t storage
		[ANALYSIS_PLACES]; /* self time of calls on files, as ANALYSIS_USE_STORAGE has it */
	int64_t messages[ANALYSIS_PLACES];         /* of MPI */
	int64_t others[ANALYSIS_PLACES];           /* of other layers and calls */
	int64_t by_operation[ANALYSIS_OPERATIONS]; /* self time, everywhere */
	int beside; /* 1: processes of no job beside those of one: the script that launches it, mostly. They are no rank, and what they do is elsewhere in sums over all ranks */
};

/** By world and rank. */
unsigned analysis_rank_count(const struct analysis *analysis);
const struct analysis_rank *analysis_rank(const struct analysis *analysis, unsigned index);
/** How long it ran, ns: from `start` to `end`, 0 where a trace has its end before its begin. */
int64_t analysis_rank_wall(const struct analysis_rank *rank);

/*
 * What the threads of a process did at the same time, ns: each instant of its life is in one of these, so that they add up to it. Intervals are united, however
 * many threads and calls there are. *In files* is a call on a file of data or of software, with all that is in it; a thread *computes* that is in no
 * recorded call, or in none but functions that the program has named itself: the main thread from the begin of its process to the end, others from their first call to their last one, but for threads of MPI's own libraries. Where conditions of the analysis hide
 * calls, their time counts as computing, and that of other threads until the process ends.
 */
struct analysis_overlap {
	int64_t files_alone; /* in files, and no thread computes or is in MPI: unoverlapped I/O */
	int64_t files_with_program; /* in files while another thread computes */
	int64_t files_with_mpi;     /* in files while another thread is in MPI, and none computes */
	int64_t program;            /* some thread computes, none is in files */
	int64_t mpi;                /* some thread is in MPI, none in files or computes */
	int64_t waiting;            /* all are in other calls, or there is none */
};

/** Of the rank's own processes (ANALYSIS_MAIN), or of the others, each process on its own and summed up. NULL: no such rank. */
const struct analysis_overlap *analysis_overlap(const struct analysis *analysis, unsigned rank,
						enum analysis_where where);
/** Of all of them, those beside the ranks elsewhere: analysis_overlap_total(analysis, ANALYSIS_PLACES) of both places. */
struct analysis_overlap analysis_overlap_total(const struct analysis *analysis,
					       enum analysis_where where);

/* A process, or what one was before and after it executed another program. */
struct analysis_process {
	unsigned stream; /* reader_stream() */
	int parent;      /* analysis_process() that started it, -1: that is not in the trace */
	unsigned depth;  /* 0: no parent */
	int executed; /* 1: its parent's process executed a program and became this; 0: it is a new process */
	uint64_t calls, errors;
	int64_t storage, messages,
		others; /* self time: in calls on files, of MPI, of other layers and calls */
	struct analysis_overlap overlap;
};

/** All of the trace as a tree: parents right before what they started, by begin. */
unsigned analysis_process_count(const struct analysis *analysis);
const struct analysis_process *analysis_process(const struct analysis *analysis, unsigned index);

/* Messages --------------------------------------------------------------------- */

struct analysis_comm {
	uint64_t identity; /* on all its members */
	const char *name;  /* "MPI_COMM_WORLD"; "" if it has none */
	int32_t size;
	struct analysis_sums
		sums; /* of calls of MPI that have it, without those on files; self is not known */
	int64_t collective; /* of their time */
};

/** Communicators with calls, by time, most first. */
unsigned analysis_comm_count(const struct analysis *analysis);
const struct analysis_comm *analysis_comm(const struct analysis *analysis, unsigned index);

/* What a rank gave another one: point to point, and one-sided. */
struct analysis_message {
	unsigned from, to; /* analysis_rank() */
	uint64_t calls;
	int64_t bytes;
};

/* Calls of a function from one place in the program, of all ranks. */
struct analysis_site {
	const struct reader_function_info *function;
	const char *module_path; /* of the program or library; "" not known */
	uint64_t
		offset; /* in that file, of the instruction to which the call returns; or its address */
	uint32_t stream, module;   /* where it was seen, for reader_module(); module 0: not known */
	struct analysis_sums sums; /* self is not known */
};

/**
 * Places that calls were made from, by time, most first. Where there are more than 65,536, a share of them that does not depend on time or order: sums of all are
 * those of the functions.
 */
unsigned analysis_site_count(const struct analysis *analysis);
const struct analysis_site *analysis_site(const struct analysis *analysis, unsigned index);

/** Pairs of ranks of the trace between which something was sent, by bytes, most first. */
unsigned analysis_message_count(const struct analysis *analysis);
const struct analysis_message *analysis_message(const struct analysis *analysis, unsigned index);

/* Waits in MPI ------------------------------------------------------------------ */

/*
 * Messages are matched as MPI does it: by communicator, source, destination and tag, in the order in which they were sent and receives were posted; calls of collective
 * operations by their order on each communicator. A wait is the time of a call from its begin to when the one came that it needed, as far as the
 * call lasted. What is not longer than the clocks of the two ranks may differ is none. A call that completes several requests waits for the last of them.
 */
enum analysis_wait_kind {
	ANALYSIS_LATE_SENDER,   /* a receive, for what had not been sent */
	ANALYSIS_LATE_RECEIVER, /* a send, for its receive */
	ANALYSIS_LATE_MEMBER,   /* a collective call, for the last member or for the root */
	ANALYSIS_WAITS
};

/** "late sender", "late receiver", "late member". */
const char *analysis_wait_name(enum analysis_wait_kind kind);

struct analysis_wait_sums {
	uint64_t calls;
	int64_t time;
};

/* How far messages could be matched. */
struct analysis_matching {
	int conditions; /* not at all: conditions leave out calls that matching needs */
	/* Sends and receives; what members did in collective calls. Where there are more than 2^20 a share of them is looked at, from all of the run: sums of waits are of that alone. */
	uint64_t sides, sides_looked_at;
	uint64_t members, members_looked_at;
	uint64_t messages;   /* matched */
	uint64_t unmatched;  /* sends and receives without a partner */
	uint64_t collective; /* calls of which all members are there */
	uint64_t incomplete; /* others */
	uint64_t
		reversed; /* were received before they were sent: by more than the clocks may differ */
	uint64_t unknown;  /* between ranks whose clocks may differ by nobody knows how much */
	unsigned left_out; /* processes of which calls are lost, or were recorded without times */
	unsigned
		given_up; /* processes with too many requests or channels: what came later was left out */
};

const struct analysis_matching *analysis_matching(const struct analysis *analysis);

struct analysis_comm_wait {
	uint64_t identity;
	const char *name;
	int32_t size;
	uint64_t messages, collective; /* matched, as above */
	struct analysis_wait_sums waits[ANALYSIS_WAITS];
	int64_t time; /* of all three */
	int64_t most; /* the longest one; its ranks are analysis_rank() numbers: */
	unsigned most_rank, most_cause;
};

/** Communicators with something that could be matched, by time waited, most first. */
unsigned analysis_comm_wait_count(const struct analysis *analysis);
const struct analysis_comm_wait *analysis_comm_wait(const struct analysis *analysis,
						    unsigned index);

struct analysis_rank_wait {
	struct analysis_wait_sums waited[ANALYSIS_WAITS]; /* by this rank */
	struct analysis_wait_sums caused[ANALYSIS_WAITS]; /* by others, for this one */
	int64_t time, time_caused;                        /* of all three */
	uint64_t came_last; /* to collective calls in which somebody waited for it */
};

/** Of analysis_rank() number `rank`; NULL: no such rank. */
const struct analysis_rank_wait *analysis_rank_wait(const struct analysis *analysis, unsigned rank);

/* Who waited for whom. */
struct analysis_wait_pair {
	unsigned waiter, cause; /* analysis_rank() */
	struct analysis_wait_sums waits[ANALYSIS_WAITS];
	int64_t time;
};

/** By time, most first. */
unsigned analysis_wait_pair_count(const struct analysis *analysis);
const struct analysis_wait_pair *analysis_wait_pair(const struct analysis *analysis,
						    unsigned index);

/* Files ------------------------------------------------------------------------ */

enum analysis_file_class {
	ANALYSIS_DATA,
	ANALYSIS_SOFTWARE, /* programs, libraries, modules, settings */
	ANALYSIS_SYSTEM,   /* of the kernel, devices, terminals */
	ANALYSIS_PIPE,
	ANALYSIS_SOCKET,
	ANALYSIS_FILE_CLASSES
};

/** "data", "software" ... */
const char *analysis_file_class_name(enum analysis_file_class class_);
/** Names of classes, separated by commas, or "all": bit i of the set is class i. 0: it names something else, or nothing. */
unsigned analysis_file_class_set(const char *names);

/* Where transfers began, each compared with the one before of the same process, file, layer and direction. */
struct analysis_pattern {
	uint64_t consecutive; /* where that ended */
	uint64_t strided;     /* else: as far from its begin as that was from the one before it */
	uint64_t forward;     /* else: behind its end */
	uint64_t backward;    /* else */
	uint64_t
		first; /* there was none before, or from the begin of the file, which was opened since */
	uint64_t unknown; /* offset not known: the descriptor was inherited, for instance */
	uint64_t
		unaligned; /* of all those that are known: not at a multiple of the file's block size, or of 4,096 */
};

/* Calls on a file. A layer's calls count in `calls` of what they do and in `sums`. */
struct analysis_access {
	struct analysis_sums sums;
	uint64_t opens, reads, writes; /* opens: those that worked */
	uint64_t seeks, syncs, asks;   /* asks: what it is called and is */
	uint64_t metadata; /* opens, closes, seeks, syncs and all of ANALYSIS_METADATA together */
	/* metadata_time of posix and stdio: without the calls that lie in one, as those that ftw() makes */
	int64_t read_time, write_time, metadata_time;
	int64_t seek_time, ask_time; /* parts of the last one */
	/* Sums of when calls that moved bytes began, in units of 1,024 ns: divided by their number, when they did on average. */
	int64_t read_begins, write_begins;
	struct analysis_sizes sizes;
	struct analysis_pattern read_pattern, write_pattern;
};

struct analysis_file {
	const char *path;
	enum analysis_file_class class_;
	unsigned ranks;        /* that have calls on it, of the job of which the most have */
	unsigned moving_ranks; /* that moved bytes of it, in the same way */
	int64_t first, last;   /* begin of the first call on it, end of the last */
	/* What the lowest layer did that moved bytes: posix and stdio, else mpiio, else what is above; of a file of which no bytes were moved everything. */
	struct analysis_access access;
};

/** Files of data before all others, and in both by time in `access`, most first. */
unsigned analysis_file_count(const struct analysis *analysis);
const struct analysis_file *analysis_file(const struct analysis *analysis, unsigned index);
/** What a layer did with a file: one of those with calls, `index` from 0. NULL: no more. */
const struct analysis_access *analysis_file_layer(const struct analysis *analysis, unsigned file,
						  unsigned index, unsigned *layer);

/* What a rank did with a file, in the lowest layer. */
struct analysis_file_rank {
	unsigned rank; /* analysis_rank() */
	uint64_t calls;
	int64_t time, bytes_read, bytes_written;
};

/** Rank `index` from 0 of those with calls on a file, in the order of ranks. NULL: no more. */
const struct analysis_file_rank *analysis_file_rank(const struct analysis *analysis, unsigned file,
						    unsigned index);

/* Where in a file bytes were moved: a grid of offset by time or by rank. */
enum analysis_axis { ANALYSIS_BY_TIME, ANALYSIS_BY_RANK };

/* Bytes that were moved in a column's time, or by its ranks, in a row's part of the file. */
struct analysis_cell {
	unsigned column, row;
	int64_t bytes_read, bytes_written;
};

struct analysis_grid {
	unsigned columns,
		rows; /* with cells from column 0 and row 0 on; at most 128 (64 of ranks) and 96 */
	int64_t column_begin; /* of the first column: ns, or analysis_rank() */
	int64_t column_width; /* ns, or ranks */
	int64_t row_bytes;    /* a power of two; the first row begins at 0 */
	unsigned cell_count;
	struct analysis_cell
		*cells; /* those with bytes, by column and row; to be given to free() */
};

/**
 * The grid of what a file of data's `access` moved, as far as it is known where: bytes of transfers spread evenly over their time. 0; -ERANGE: no such file or axis;
 * -ENOMEM. Of other files it has no cells.
 */
int analysis_file_grid(const struct analysis *analysis, unsigned file, enum analysis_axis axis,
		       struct analysis_grid *grid);

/* Bytes of several ranks ---------------------------------------------------------- */

/*
 * Two ranks conflict on a file if they touch the same bytes and one of them writes. What one has to do so that the other one sees it is said by the consistency
 * model of a file system; doc/consistency.md defines these. Order is that of time, by clocks as far as they agree: a conflict that is in order here may still be so by chance.
 */
enum analysis_model {
	ANALYSIS_MODEL_POSIX,   /* one after the other */
	ANALYSIS_MODEL_COMMIT,  /* and a sync or close of the writer between */
	ANALYSIS_MODEL_SESSION, /* and its close, and then an opening of the other one */
	ANALYSIS_MODEL_MPIIO, /* and MPI_File_sync or close, and then a sync or opening of the other one */
	ANALYSIS_MODELS
};

/** "posix", "commit", "session", "mpi-io". */
const char *analysis_model_name(enum analysis_model model);

/* Counts are of pairs of touches: transfers of a rank to bytes in a row, or in strides, between two openings, syncs or closes. */
struct analysis_conflicts {
	uint64_t write_write, write_read, read_write; /* by which came first */
	uint64_t together;                            /* at the same time, as far as is known */
	uint64_t violates[ANALYSIS_MODELS];
	uint64_t
		uncertain; /* of touches that say only from where to where: bytes, or order, are not known */
};

/* On a file. */
struct analysis_rank_conflict {
	const char *path;
	unsigned one, other; /* analysis_rank(), one < other */
	struct analysis_conflicts conflicts;
	int64_t begin, end; /* the first bytes of the file that both touch */
};

/** By path and ranks. */
unsigned analysis_rank_conflict_count(const struct analysis *analysis);
const struct analysis_rank_conflict *analysis_rank_conflict(const struct analysis *analysis,
							    unsigned index);

enum analysis_verdict { ANALYSIS_FINE, ANALYSIS_UNKNOWN, ANALYSIS_VIOLATED };

/** "fine", "unknown", "violated". */
const char *analysis_verdict_name(enum analysis_verdict verdict);

/* A file of data of which several ranks moved bytes, one of them writing. */
struct analysis_shared_file {
	const char *path;
	unsigned ranks, pairs; /* pairs: of ranks with conflicts, also uncertain ones */
	int by_mpi;            /* MPI-IO has it: else the verdict on that says nothing */
	uint64_t unknown;      /* transfers that are not known where; what was appended, too */
	int exact;             /* nothing was put together, nor left out for its amount */
	struct analysis_conflicts conflicts;
	enum analysis_verdict verdicts[ANALYSIS_MODELS];
};

/** By path. */
unsigned analysis_shared_file_count(const struct analysis *analysis);
const struct analysis_shared_file *analysis_shared_file(const struct analysis *analysis,
							unsigned index);
/** Whether conditions leave out calls without which nothing can be said: there are no shared files then. */
int analysis_conflicts_unknown(const struct analysis *analysis);

/* Epochs and steps -------------------------------------------------------------- */

/*
 * What was done in an epoch or a step, as the program says by arguments `epoch` and `step` of its regions. A call belongs to the phase of its thread, where that has none of the
 * main thread of its process, else of the process that started that one. Where there are too many rows (16,384), neighbouring numbers share one.
 */
struct analysis_phase {
	unsigned
		has; /* 1 << READER_EPOCH, 1 << READER_STEP. The first alone: the whole epoch, with its steps and what lies between them */
	int64_t epoch, epoch_last, step, step_last; /* the first and the last that share the row */
	unsigned processes;                         /* that were in it */
	unsigned stream;                            /* of the first of them */
	int64_t begin, end;                         /* ns: from the first begin to the last end */
	int64_t length; /* how long the process was in it that was longest; less than end - begin where several times have the same numbers */
	int64_t time;   /* of all its processes */
	struct analysis_overlap overlap; /* what that was */
	uint64_t loads;
	int64_t loading; /* time of waiting for data: in fetches of iterators (recorder.regions.iterate(), DFTracer's), in regions of the category `dataloader`, in PyTorch's loader if that is traced by name */
	uint64_t calls, errors;
	int64_t bytes_read, bytes_written; /* of files, by the lowest layer that moved any */
};

/** By epoch, those without first; in one the whole first, then its steps. */
unsigned analysis_phase_count(const struct analysis *analysis);
const struct analysis_phase *analysis_phase(const struct analysis *analysis, unsigned index);
/** Its processes, by stream; of more than 256 in the trace neighbouring ones share a row. */
unsigned analysis_phase_process_count(const struct analysis *analysis, unsigned phase);
const struct analysis_phase *analysis_phase_process(const struct analysis *analysis, unsigned phase,
						    unsigned index);

/* Over time -------------------------------------------------------------------- */

/* The time of the trace, or as much of it as the filter's `after` and `before` leave, is divided into bins of equal width: at most 1,024. */
struct analysis_bin {
	int64_t self;  /* of all threads: up to the bin's width each */
	int64_t calls; /* that began in it */
	int64_t metadata; /* of them those that open, close, seek, sync, or ask and change what files are called and are */
	int64_t bytes_read, bytes_written; /* spread evenly over the time of each call */
};

unsigned analysis_bin_count(const struct analysis *analysis);
/** Where the first bin begins, ns. */
int64_t analysis_bin_begin(const struct analysis *analysis);
/** ns; that of the last bin may go beyond the end of the trace. */
int64_t analysis_bin_width(const struct analysis *analysis);
/** The bins of a layer. NULL: no such layer. */
const struct analysis_bin *analysis_layer_series(const struct analysis *analysis, unsigned layer);

/** What the threads of all processes did at the same time, by bin: analysis_bin_count() of them. NULL: there are none. */
const struct analysis_overlap *analysis_overlap_series(const struct analysis *analysis);

/* A file system with calls on files of data or of software, by where it was mounted; "" of files of which that is not known. */
struct analysis_filesystem {
	const char *directory, *type, *source; /* "/scratch", "lustre", what is mounted */
	int64_t calls;                         /* reads and writes */
	int64_t metadata; /* those that open, close, seek, sync, or ask and change what files are called and are */
	int64_t bytes_read, bytes_written; /* by the lowest layer that moved any */
	const struct analysis_bin *bins;   /* when: analysis_bin_count() of them, with self 0 */
};

/** By bytes, most first. */
unsigned analysis_filesystem_count(const struct analysis *analysis);
const struct analysis_filesystem *analysis_filesystem(const struct analysis *analysis,
						      unsigned index);

/*
 * A time in which much was read from files of data, or written to them: bins with at least a tenth of what they have on average, without long gaps between
 * them: of three bins and more, half as long as most, and not short against what lies between them.
 */
struct analysis_burst {
	enum analysis_direction direction;
	int64_t begin, end; /* ns: borders of bins */
	int64_t bytes;
	int64_t files,
		files_alone; /* time of all processes in files, and of it without others at work: struct analysis_overlap */
};

/** By begin. */
unsigned analysis_burst_count(const struct analysis *analysis);
const struct analysis_burst *analysis_burst(const struct analysis *analysis, unsigned index);

/* All bursts of a direction together. */
struct analysis_rhythm {
	unsigned bursts;
	int64_t time, bytes;        /* sums */
	int64_t files, files_alone; /* as of bursts */
	int64_t period;             /* from begin to begin, the median; 0: less than two */
};

/** NULL: no such direction. */
const struct analysis_rhythm *analysis_rhythm(const struct analysis *analysis,
					      enum analysis_direction direction);

/* Ranks that follow each other, for pictures that have a line for each. At most 256. */
unsigned analysis_group_count(const struct analysis *analysis);
/** The analysis_rank() numbers of a group: from *first to *end, which is not in it. -ERANGE: no such group. */
int analysis_group(const struct analysis *analysis, unsigned group, unsigned *first, unsigned *end);

enum analysis_use {
	ANALYSIS_USE_OTHER,
	ANALYSIS_USE_STORAGE, /* calls on files: of their layers all but those on pipes, sockets and files of the system, those about processes and, of the kernel's, those that sleep, wait or are about memory */
	ANALYSIS_USE_MESSAGES, /* MPI without MPI-IO */
	ANALYSIS_USES
};

/** Self time of a group's ranks, all threads and processes, by bin. NULL: no such group or use. */
const int64_t *analysis_heat(const struct analysis *analysis, unsigned group,
			     enum analysis_use use);

/** The part of ANALYSIS_USE_STORAGE that is of reads, or of writes, of any layer. NULL: no such group or direction. */
const int64_t *analysis_heat_direction(const struct analysis *analysis, unsigned group,
				       enum analysis_direction direction);

/* Findings ---------------------------------------------------------------------- */

/* What findings look for. */
struct analysis_rule {
	const char *name;   /* "small-writes" */
	const char *when;   /* the threshold, in words */
	const char *advice; /* what to do */
	const char *
		panel; /* where the report shows more: "time", "overlap", "phases", "bursts", "layers", "functions", "ranks", "sizes", "files", "offsets", "metadata", "errors", "messages", "waits", "conflicts" */
};

unsigned analysis_rule_count(void);
/** NULL: no such rule. */
const struct analysis_rule *analysis_rule(unsigned index);

struct analysis_finding {
	const struct analysis_rule *rule;
	const char *text; /* a sentence with its evidence */
	int64_t at_stake; /* ns over all ranks: the time of the calls that it is about, of all threads and processes */
	int64_t wall; /* ns that all ranks took together, and what was beside them while none of them ran, so that one knows what that is a share of */
};

/** What was found, most time at stake first. */
unsigned analysis_finding_count(const struct analysis *analysis);
const struct analysis_finding *analysis_finding(const struct analysis *analysis, unsigned index);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
