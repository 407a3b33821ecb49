/* SPDX-License-Identifier: MIT */
/*
 * reader.h - read a trace: libreader's public interface.
 *
 * A *trace* is a directory written by the recorder. It holds *streams*, one for each
 * process image; a stream has *threads*; a thread made *records*, one for each call.
 *
 *	struct reader *trace = reader_open("recorder-app-1", NULL);
 *	struct reader_cursor *cursor = reader_cursor_new(trace, NULL);
 *	const struct recorder_record *record;
 *
 *	while ((record = reader_next(cursor)))
 *		printf("%s\n", reader_function(trace, record)->name);
 *	if (reader_cursor_status(cursor))
 *		fprintf(stderr, "%s\n", reader_error(trace));
 *	reader_cursor_free(cursor);
 *	reader_close(trace);
 *
 * Traces are untrusted input: no trace, however damaged, makes a function of this
 * library crash, hang or use unbounded memory. Damage is skipped, counted and described (reader_problem_count()).
 * A trace that is still being written is read as the consistent prefix that is there when it is opened; the newest
 * calls of processes on this machine come from their live files. Reading changes nothing.
 *
 * Errors: functions return 0 or a negative errno value, or a pointer or NULL with errno
 * set; reader_error() tells the rest.
 *
 * Threads: different traces are independent. One trace may be used by several threads as long as each cursor is used by
 * one thread at a time; functions that take a cursor or are marked "exclusive" are the only ones that change anything.
 */
#ifndef RECORDER_READER_H
#define RECORDER_READER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct reader;
struct reader_cursor;

/* Opening ------------------------------------------------------------------- */

enum reader_work { READER_OPENING, READER_VERIFYING };

struct reader_options {
	size_t sz; /* sizeof(struct reader_options): lets the structure grow */
	/* Called for each problem as it is found (damage, loss, version), with a line of text without newline that names file
	 * and offset; NULL: problems are only counted. */
	void (*problem)(void *data, const char *text);
	void *problem_data;
	int ignore_live; /* do not look for live files */
	/* Called now and then by reader_open() and reader_verify(): `done` of `all` streams or records; NULL: nobody asks. */
	void (*progress)(void *data, enum reader_work work, uint64_t done, uint64_t all);
	void *progress_data;
};

/**
 * Opens the trace directory `dir`. `options` may be NULL. Reads metadata and the
 * chunk headers of all streams, no records.
 * Returns NULL and sets errno: ENOENT or ENOTDIR (no such directory), EINVAL (not a trace: nothing in it has the format),
 * EPROTO (a newer major version), ENOMEM, or what open(2) gave. reader_error(NULL) then tells more, per thread.
 */
struct reader *reader_open(const char *dir, const struct reader_options *options);

/** Frees the trace and all that was got from it. All its cursors must be freed before. NULL is allowed. */
void reader_close(struct reader *trace);

/** The text of the last error of this thread on `trace` (NULL: of reader_open()). Never NULL; valid until the next call. */
const char *reader_error(const struct reader *trace);

/** Version of the library, "1.0.0". */
const char *reader_version(void);

/* The trace ------------------------------------------------------------------ */

struct reader_info {
	size_t sz; /* in: sizeof(struct reader_info) */
	const char *dir;
	const char *run_id; /* "" if unknown */
	unsigned format_major, format_minor;
	int complete; /* every stream clean, nothing lost, all ranks and streams there, no problem found so far */
	int running;          /* a process of it is alive on this machine */
	int unverified_clock; /* streams of several machines were put together by the time of day */
	unsigned ranks;       /* distinct (world, rank) of main streams */
	unsigned worlds;
	unsigned streams;
	/* calls, those stored as one repeated record counted one by one; without calls in flight */
	uint64_t records;
	uint64_t stored; /* records as stored */
	uint64_t in_flight;
	uint64_t lost;
	uint64_t unreadable;      /* records in damaged chunks, as far as known */
	int64_t start;            /* time zero of the trace, Unix time in ns */
	int64_t duration;         /* last tend, in ns since start */
	uint64_t summed;          /* of the stored ones those with RECORDER_TIMES_SUMMED */
	uint64_t missing_streams; /* that recorder.gm tells of and that are not there */
};

/** Fills `info`. Returns 0, -EINVAL (sz). Strings live as long as the trace. */
int reader_info(const struct reader *trace, struct reader_info *info);

enum reader_stream_state {
	READER_CLEAN,   /* ended in order, all records there */
	READER_RUNNING, /* its process is alive on this machine */
	READER_DIED,    /* neither: killed, crashed, or damaged since */
};

struct reader_stream {
	size_t sz; /* in: sizeof(struct reader_stream) */
	const char *name;
	uint64_t id;               /* identity, 0 unknown */
	uint64_t parent;           /* identity of the stream whose process made this one, 0 none */
	int32_t world, rank, size; /* size: ranks of its world; -1 unknown */
	const char *rank_source;   /* "MPI", "OMPI_COMM_WORLD_RANK", ..., "none" */
	int main;                  /* the rank's own process, not a child of it */
	uint32_t pid, ppid, image;
	/* argv: arguments separated by blanks; "" unknown */
	const char *host, *boot_id, *exe, *argv, *cwd;
	enum reader_stream_state state;
	const char *reason;  /* how it ended, or what is wrong, in words */
	int64_t exit_status; /* -1 unknown */
	uint64_t records, stored, in_flight, lost, unreadable; /* as in reader_info */
	uint32_t threads, chunks;
	uint64_t bytes;     /* size of its files in the trace directory */
	int64_t start, end; /* ns since the trace's start; end: last tend or end of the process */
	/* bound of the error between this stream's times and the others', ns; -1 unknown */
	int64_t clock_error;
	int died; /* its process did not end in order, though the stream may have been repaired since */
	int end_known; /* `end` is when the process ended; 0: its last sign of life */
	/* ns since the trace's start: when main() was called, and had returned or exit() was called; INT64_MIN not known */
	int64_t main_begin, main_end;
	/* What was added to the clock of the stream's machine to be that of the machine with this boot id: so many ns at the stream's start,
	 * changing by so many ns a second (on average), by so many measured points. All 0 on that machine itself. */
	unsigned clock_points;
	int64_t clock_offset;
	double clock_drift;
	const char *clock_reference;
	/* In the trace's directory, where its chunks are among those of others; "" it has files of its own. */
	const char *node_file;
	uint64_t summed; /* as in reader_info */
	/* Recorded from outside, and not to be counted beside the others: of a process that another stream was recorded in, or, where there are ranks of a job, of one that is of none, as launchers are; or samples. */
	int aside;
	/* The process's number in the machine's outermost space of process numbers: in a container it is another one than `pid`, which is what the process calls itself, if it is known (else it is `pid`); and which space that
	 * is of, as an inode number (0 not known). */
	uint32_t outer_pid;
	uint64_t pid_ns;
	int beside; /* of a process of no job beside those of one, as the script that launches it: it is no rank, whatever `rank` is */
	uint32_t
		segments; /* pairs of files that it lies in: 1, or more of a process that closed some (RECORDER_ROTATE) */
};

/** Fills `stream` with stream number `index` (0 .. streams - 1; ordered by world, rank, start). -ERANGE: no such stream. */
int reader_stream(const struct reader *trace, unsigned index, struct reader_stream *stream);

struct reader_machine {
	size_t sz;                  /* in: sizeof(struct reader_machine) */
	const char *boot_id, *host; /* "" unknown */
	unsigned
		outside; /* streams of processes that were recorded from outside: their times are the kernel's */
	unsigned readings; /* instants that were read on all its clocks at once */
	/* bound of the error between times of streams recorded from outside and of all others of this machine, ns; -1 unknown, as nothing but
	 * anchors is known of one of them */
	int64_t kernel_error;
	unsigned sleeps; /* how often it was suspended while the clocks were read */
	int64_t slept;   /* for how long in all, ns, which no time of the trace counts */
	unsigned
		steps; /* how often the time of day was set meanwhile, which moves no time of the trace */
	int64_t stepped; /* the largest of these steps, ns */
};

/** Fills `machine` with machine number `index` (0 .. ; ordered by boot id; a stream that does not say its own is a machine). -ERANGE: no such machine. */
int reader_machine(const struct reader *trace, unsigned index, struct reader_machine *machine);

struct reader_thread {
	size_t sz;
	uint32_t index; /* in its stream */
	uint32_t tid;
	int main;
	int signal; /* holds calls of signal handlers that interrupted the recorder */
	const char *name;
	uint64_t records, lost;
	int64_t start;
	/* Of the function that the thread was started with: the module's path ("" unknown, and for the main thread) and its offset in that file.
	 * So threads of libraries are known: "/usr/lib/libopen-pal.so.40" for a progress thread of Open MPI. */
	const char *module;
	uint64_t offset;
};

/** Number of threads of a stream, 0 if there is no such stream. */
unsigned reader_thread_count(const struct reader *trace, unsigned stream);
/** Thread number `index` (0 .. count - 1, in the order of `reader_thread.index`) of a stream. -ERANGE: no such. */
int reader_thread(const struct reader *trace, unsigned stream, unsigned index,
		  struct reader_thread *thread);
/** The thread whose records have `thread` in that stream, in constant time. Its number, as of reader_thread(); -ERANGE: no such. */
int reader_thread_of(const struct reader *trace, unsigned stream, uint32_t thread,
		     struct reader_thread *about);

/** A reason for which records of a stream were lost, and how many (0: not known). -ERANGE after the last one. */
int reader_loss(const struct reader *trace, unsigned stream, unsigned index, const char **reason,
		uint64_t *count);

/** Number of problems found so far, and the text of one (NULL: no such). */
unsigned reader_problem_count(const struct reader *trace);
const char *reader_problem(const struct reader *trace, unsigned index);

/* Metadata ------------------------------------------------------------------- */

enum reader_value_type { READER_U64 = 1, READER_I64 = 2, READER_F64 = 3, READER_BYTES = 4 };

struct reader_value {
	enum reader_value_type type;
	uint64_t u64;
	int64_t i64;
	double f64;
	const char *bytes; /* READER_BYTES: `size` bytes, and a zero after them */
	size_t size;
};

#define READER_GLOBAL (~0u) /* in place of a stream number: the global metadata */

/** Value of a metadata key of a stream. -ENOENT: not there. The bytes live as long as the trace. */
int reader_meta(const struct reader *trace, unsigned stream, const char *key,
		struct reader_value *value);
/** Key number `index` in the order of the file; NULL after the last. */
const char *reader_meta_key(const struct reader *trace, unsigned stream, unsigned index);

/* Functions and arguments ------------------------------------------------------- */

/** How a value is stored; see doc/format.md section 4. */
enum reader_class {
	READER_INT = 1,
	READER_PAIR = 2,
	READER_DOUBLE = 3,
	READER_STRING = 4,
	READER_ARRAY = 5
};

struct reader_parameter {
	const char *name;
	const char *kind; /* what it means: "fd", "offset", "comm" ...; new ones may come */
	enum reader_class class_;
};

struct reader_function_info {
	uint16_t id; /* in the trace, all streams */
	const char *layer;
	const char *name;
	struct reader_parameter result; /* its name is "" */
	unsigned arg_count;
	const struct reader_parameter *args;
	const char *category; /* that a program gave to what it named; "" none */
};

enum recorder_arg_state {
	RECORDER_ARG_PRESENT,
	RECORDER_ARG_ABSENT,     /* a NULL pointer */
	RECORDER_ARG_UNREADABLE, /* a pointer that the program had no right to */
	RECORDER_ARG_UNSET,      /* known only after the call, which has not returned or failed */
};

struct recorder_arg {
	enum recorder_arg_state state;
	int64_t i64;             /* INT; PAIR: the value */
	uint32_t id;             /* PAIR: the object, see reader_file() */
	double f64;              /* DOUBLE */
	const char *bytes;       /* STRING: `count` bytes and a zero after them */
	const int64_t *elements; /* ARRAY: `count` of them */
	uint32_t count;          /* stored bytes or elements */
	uint32_t original;       /* what the program passed: more than `count` if it was cut */
	int64_t sum;             /* ARRAY: of all original elements */
};

enum recorder_record_flag {
	RECORDER_LEFT = 1 << 0,      /* did not return normally */
	RECORDER_NORETURN = 1 << 1,  /* does not return (exec, exit), or nobody sees it (dlopen) */
	RECORDER_IN_SIGNAL = 1 << 2, /* by a signal handler that interrupted the recorder */
	/* had not ended when the trace was read: tend is the last time known of the stream */
	RECORDER_IN_FLIGHT = 1 << 3,
	RECORDER_BEFORE_MAIN =
		1 << 4, /* by a constructor or a thread that one started: before main() */
	RECORDER_AFTER_MAIN =
		1 << 5, /* after main(): by a destructor, a handler of exit() or another thread */
	/* Times are made up: order, nesting and sums by function are those of the program, where this very call lay and how long it took is not known. */
	RECORDER_TIMES_SUMMED = 1 << 6,
};

/* One call. Pointers are valid until the next call on the cursor. */
struct recorder_record {
	int64_t tstart, tend; /* ns since the trace's start */
	uint16_t
		level; /* recorded calls of the thread around it, be it recorded from outside of the process or inside */
	uint16_t func_id; /* trace-wide: reader_function() */
	uint32_t tid;
	int32_t world, rank;
	uint32_t stream;   /* number of its stream */
	uint32_t thread;   /* index of its thread in the stream */
	uint64_t sequence; /* number in its thread, in the order of ends */
	uint16_t flags;
	uint16_t arg_count;
	const struct recorder_arg *args;
	int64_t ret;     /* INT; PAIR: the value; DOUBLE: its bits */
	uint32_t ret_id; /* PAIR: the object */
	int err;         /* errno of a failed call, else 0 */
	/* calls in a row that it stands for, from the begin of the first to the end of the last */
	uint32_t repeat;
	/* call site: number of the module in its stream, 0 unknown; see reader_module() */
	uint32_t module;
	uint64_t callsite; /* offset in the module, or the address if the module is unknown */
	uint32_t stack;    /* call stack, 0 none; see reader_stack() */
	int64_t busy;      /* ns in the calls it stands for; of a single call tend - tstart */
};

/** The function of a record; never NULL for a record of this trace. */
const struct reader_function_info *reader_function(const struct reader *trace,
						   const struct recorder_record *record);
/** Function number `id`, NULL if there is none; ids are dense from 0 to reader_function_count() - 1 and ordered by first definition. */
const struct reader_function_info *reader_function_by_id(const struct reader *trace, unsigned id);
unsigned reader_function_count(const struct reader *trace);

/** Bytes that a call moved (result of a read, size of a write, a character, all messages of a sendmmsg, both ways of reader_traffic()), each of `repeat` calls; -1: it moves none (with MSG_PEEK, too) or not known. */
int64_t reader_bytes(const struct reader *trace, const struct recorder_record *record);

/**
 * Writes the text of argument `index` (>= arg_count: an empty text) into `buffer`, cut to `size`, as recorder2text shows it
 * (strings C-escaped, flags and handles by name, `5 "/path"` for a descriptor). Returns the length it would have, as snprintf(3).
 */
size_t reader_arg_text(const struct reader *trace, const struct recorder_record *record,
		       unsigned index, char *buffer, size_t size);
/** The same for the result, without errno; "-" if none is kept, of what is no call what it is ("instant", "counter"). */
size_t reader_result_text(const struct reader *trace, const struct recorder_record *record,
			  char *buffer, size_t size);
/**
 * The name that the record's errno has on the machine where it was recorded: "ENOENT"; a number as text if it has none, then in
 * memory that the thread's next call reuses.
 */
const char *reader_errno_name(const struct reader *trace, const struct recorder_record *record);

/* Objects -------------------------------------------------------------------- */

struct reader_file {
	const char *path; /* as bytes, absolute; "pipe", "socket" and the like for what has none */
	uint32_t type;    /* S_IFMT bits, 0 unknown */
	/* What the file is, are device and inode: files of several streams of a machine in which they are equal are one. */
	uint64_t device, inode;
	uint64_t size;     /* when it was first opened by the stream */
	uint64_t fs_magic; /* of statfs(2), 0 unknown */
	uint32_t block_size;
	uint32_t mount; /* number in /proc/self/mountinfo, 0 unknown; see reader_file_mount() */
	const void *striping; /* on Lustre its layout: the attribute lustre.lov, raw */
	size_t striping_size; /* 0: none */
};

/** File `id` of a stream (the id of a PAIR). -ENOENT: unknown. */
int reader_file(const struct reader *trace, unsigned stream, uint32_t id, struct reader_file *file);
/** Number of files of a stream, 0 if there is no such stream. A file opened by two names counts as two. */
unsigned reader_file_count(const struct reader *trace, unsigned stream);
/** The id of file `index` (0 .. count - 1) of a stream. -ERANGE: no such. */
int reader_file_id(const struct reader *trace, unsigned stream, unsigned index, uint32_t *id);

struct reader_mount {
	const char *directory; /* where the file system is mounted */
	const char *type;      /* "ext4", "lustre" ... */
	const char *source;    /* the device or server */
};

/** Where the file system of file `id` was mounted. The strings live until the thread's next call. -ENOENT: not known. */
int reader_file_mount(const struct reader *trace, unsigned stream, uint32_t id,
		      struct reader_mount *mount);
/**
 * What was mounted on the machine of a stream, `index` from 0, as far as the stream itself tells: mostly those of ranks do, and not their children. The strings live
 * until the thread's next call. -ENOENT: that line says nothing; -ERANGE: no more.
 */
int reader_mount(const struct reader *trace, unsigned stream, unsigned index,
		 struct reader_mount *mount);
/**
 * The file that a call works on: that of its descriptor, else its first path, made absolute by the working directory at that time. The path lives until the
 * thread's next call. -ENOENT: none.
 */
int reader_record_file(const struct reader *trace, const struct recorder_record *record,
		       struct reader_file *file);
/** The same of argument `arg` alone, a descriptor or a path: rename() and copy_file_range() have two. -ENOENT: it stands for no file. */
int reader_arg_file(const struct reader *trace, const struct recorder_record *record, unsigned arg,
		    struct reader_file *file);

struct reader_object {
	const char *kind; /* "dataset", "group", "variable", "file" ...; new ones may come */
	const char *name; /* in the file: "/grp/x"; "" if it has none */
	uint32_t file;    /* see reader_file(); 0 none */
};

/** Object `id` of a stream: what a handle stands for (id of a PAIR of kind "hid", "ncid", "varid" ...). -ENOENT: unknown. */
int reader_object(const struct reader *trace, unsigned stream, uint32_t id,
		  struct reader_object *object);

enum reader_source_flag {
	READER_SOURCE_GENERATOR = 1 << 0,
	READER_SOURCE_COROUTINE = 1 << 1,
	READER_SOURCE_VARARGS = 1 << 2,  /* *args is one of `args` */
	READER_SOURCE_KEYWORDS = 1 << 3, /* **kwargs is the last one of `args` */
};

/* Where a function of the program or of Python is (layers native and python). "" is not known. */
struct reader_source {
	uint32_t flags; /* enum reader_source_flag */
	uint32_t line;  /* its first one, 0 unknown */
	uint32_t
		stack; /* Python: the most values on its stack; native: bytes of its frame; 0 unknown */
	const char *module; /* "json.decoder", "libfoo.so" */
	const char *path;   /* "json.decoder.JSONDecoder.raw_decode" */
	const char *file;
	const char *args, *locals; /* their names with ',' between */
};

/** What a stream says of function `function` (as reader_function_by_id()). The strings live as long as the trace. -ENOENT: nothing. */
int reader_source(const struct reader *trace, unsigned stream, unsigned function,
		  struct reader_source *source);

struct reader_comm {
	uint64_t identity; /* equal on all members */
	uint32_t parent;
	int32_t rank, size, remote_size;
	const char *kind; /* "world", "split" ... */
	const char *name;
	int32_t indegree, outdegree; /* neighbours in its topology; -1: it has none, or not known */
};

/** Communicator `id` (value of an argument of kind "comm") of a stream. -ENOENT: unknown. */
int reader_comm(const struct reader *trace, unsigned stream, uint32_t id, struct reader_comm *comm);
/* A process by the number of its world (that of its streams) and its rank there; -1 and -1: nobody, anybody, or not known. */
struct reader_process {
	int32_t world, rank;
};

/** Member `rank` of communicator `id` (remote group for an intercommunicator). It may be of another world: one that was spawned, say. */
struct reader_process reader_comm_process(const struct reader *trace, unsigned stream, uint32_t id,
					  int32_t rank);
/** Its rank if it is of the stream's own world, else -1. */
int32_t reader_comm_world_rank(const struct reader *trace, unsigned stream, uint32_t id,
			       int32_t rank);
/** The same of a member of the local group. */
int32_t reader_comm_member(const struct reader *trace, unsigned stream, uint32_t id, int32_t rank);

struct reader_datatype {
	int64_t size, extent; /* bytes; -1 unknown */
	const char *name;     /* "" none */
};

/** Datatype `id` (value of an argument of kind "datatype") of a stream. -ENOENT: unknown, or MPI_DATATYPE_NULL. */
int reader_datatype(const struct reader *trace, unsigned stream, uint32_t id,
		    struct reader_datatype *type);

struct reader_win {
	uint32_t comm;
	const char *flavor; /* "create", "allocate", "allocate_shared", "dynamic", "unknown" */
	int32_t unit; /* bytes, of displacements into this process's part: those into another's count in that one's unit */
	int64_t size; /* bytes of this process's part */
	const char *name; /* "" none */
};

/** Window `id` (value of an argument of kind "win") of a stream. -ENOENT: unknown. */
int reader_win(const struct reader *trace, unsigned stream, uint32_t id, struct reader_win *win);

struct reader_mpi_file {
	uint32_t comm;
	uint32_t file; /* reader_file() */
	uint32_t amode;
	const char *path;
};

/** MPI_File `id` (value of an argument of kind "mpi_file", the first half of the PAIR) of a stream. -ENOENT: unknown. */
int reader_mpi_file(const struct reader *trace, unsigned stream, uint32_t id,
		    struct reader_mpi_file *file);

/* Calls of MPI --------------------------------------------------------------- */

/** The first communicator of a call, or that of its window or file; 0: it has none, or not known. */
uint32_t reader_record_comm(const struct reader *trace, const struct recorder_record *record);

/** The process that argument `index` means, an argument of kind "rank" of whatever communicator, window or file the call has. */
struct reader_process reader_peer_process(const struct reader *trace,
					  const struct recorder_record *record, unsigned index);
/** Its rank if it is of the same world as the caller; -1: another world, nobody (MPI_PROC_NULL), anybody, or not known. */
int32_t reader_peer(const struct reader *trace, const struct recorder_record *record,
		    unsigned index);

/* -1 not known. */
struct reader_traffic {
	int64_t sent, received;
};

/**
 * Bytes that a call of MPI took from this process's buffers and put into them, by counts and datatypes, or by the statuses of what
 * was received. What a file operation writes counts as sent, what it reads as received; a request that receives
 * counts where it completes. -ENOENT: no call that moves anything; it failed; or it has not returned.
 */
int reader_traffic(const struct reader *trace, const struct recorder_record *record,
		   struct reader_traffic *traffic);

/*
 * Requests followed from the call that made them to the one that completed them. reader_requests_take() must be given
 * each call of MPI (at least those that make, complete and free requests), in the order READER_BY_TIME.
 */
struct reader_requests;

struct reader_request {
	uint16_t func_id; /* the call that made it */
	uint32_t
		comm; /* its communicator, 0 none or not known: ranks in the status are of this one */
	uint32_t thread;
	uint64_t sequence; /* number of that call in its thread */
	int64_t tstart;    /* when it began */
};

/** NULL: ENOMEM. */
struct reader_requests *reader_requests_new(const struct reader *trace);
void reader_requests_free(struct reader_requests *requests);
/** 0 or -ENOMEM. What the record completes stays known until the next one is taken. */
int reader_requests_take(struct reader_requests *requests, const struct recorder_record *record);
/** Request `number` of a stream. -ENOENT: not made by a call that was taken, or gone. */
int reader_request(const struct reader_requests *requests, unsigned stream, int64_t number,
		   struct reader_request *request);
/**
 * Request `at` (from 0) of those that the record taken last completed or freed, and its number; of a receive by message (MPI_Mrecv)
 * the probe. -ENOENT: no more.
 */
int reader_completed(const struct reader_requests *requests, unsigned at, int64_t *number,
		     struct reader_request *request);
/**
 * As reader_traffic() of the record taken last. What a file operation wrote is in the status of its completion, too; it does not count
 * as received there.
 */
int reader_requests_traffic(const struct reader_requests *requests,
			    const struct recorder_record *record, struct reader_traffic *traffic);
/** The source in status `at` (from 0) of argument `index` of the record taken last, of kind "mpi_status". */
struct reader_process reader_status_process(const struct reader_requests *requests,
					    const struct recorder_record *record, unsigned index,
					    unsigned at);
/** Its rank if it is of the same world as the caller, else -1. */
int32_t reader_status_peer(const struct reader_requests *requests,
			   const struct recorder_record *record, unsigned index, unsigned at);

struct reader_module {
	const char *path;
	uint64_t start, end, offset;
	const void *build_id;
	size_t build_id_size;
};

/** Module `id` (from 1) of a stream. -ENOENT: unknown. */
int reader_module(const struct reader *trace, unsigned stream, uint32_t id,
		  struct reader_module *module);

struct reader_stack {
	unsigned count; /* frames */
	int cut;        /* there were more, or what called the last one is not known */
};

/** Call stack `id` (of a record, not 0) of a stream. -ENOENT: unknown. */
int reader_stack(const struct reader *trace, unsigned stream, uint32_t id,
		 struct reader_stack *stack);

struct reader_frame {
	uint32_t module; /* see reader_module(); 0 unknown */
	uint64_t
		offset; /* in its file, or the address if it is unknown: of the instruction after the call */
	int interrupted; /* or of an instruction that a signal came before */
};

/** Frame `index` of a stack: 0 is the call site, the last one main() or the like. -ENOENT: no such stack; -ERANGE: no such frame. */
int reader_frame(const struct reader *trace, unsigned stream, uint32_t id, unsigned index,
		 struct reader_frame *frame);

/* Cursors -------------------------------------------------------------------- */

enum reader_order {
	/* (tstart, world, rank, thread, level), all streams merged; one stream or thread if so filtered */
	READER_BY_TIME,
	READER_BY_END, /* stream by stream, thread by thread, in the order of ends: the cheapest */
};

/* What a cursor gives; a zeroed structure (with sz set) gives everything. Lists are strings in the
 * syntax of the command line; NULL: no condition. All conditions must hold. */
struct reader_filter {
	size_t sz; /* sizeof(struct reader_filter) */
	enum reader_order order;
	const char *ranks; /* "0,4-7,::64": numbers, ranges, first:last:step */
	const char *worlds;
	const char *tids;
	const char *streams; /* numbers of streams */
	const char *levels;
	const char *layers; /* "mpi,posix"; "-mpi" takes one away */
	const char *
		functions; /* globs "MPI_*,pwrite"; "-glob" takes away; a comma in a name is "\\," */
	const char *files; /* glob on the path of reader_record_file() */
	/* ns; records with tend >= after and tstart < before; before 0: no limit */
	int64_t after, before;
	int64_t min_duration; /* ns */
	/* 1: also calls in flight, flagged, with tend = last time known; 2: only them, without decoding the rest */
	int in_flight;
	/* Asked of each record that meets all other conditions: 0 leaves it out. NULL: not asked. */
	int (*accept)(void *data, const struct recorder_record *record);
	void *accept_data;
	/* READER_BY_END only: the share number `part`, from 0, of `parts`: so several threads, each with a cursor of its own, read a trace together. Shares are
	 * whole chunks, with about as many stored records each; all of them give each record once. 0 parts: everything. */
	unsigned part, parts;
	/* READER_BY_TIME only: this piece alone, see reader_pieces(); only the conditions on streams and threads that it was made by are not asked again. NULL:
	 * everything */
	const struct reader_piece *piece;
};

/* Chunks of one thread that follow each other, for those who read a trace piece by piece. */
struct reader_piece {
	uint32_t stream, thread; /* its number in the stream, as of reader_thread() */
	uint32_t first,
		end; /* chunks, `end` not included; the thread's last piece also has its calls in flight */
	uint64_t stored; /* records in them */
};

/**
 * Divides what a filter asks for (its streams, threads and times) into pieces of about `size` stored records, at least a chunk each: streams in their
 * order, in them threads, in these time. Each record is in one piece. A cursor gives those of a chunk by time, but one chunk after the other, so that a call
 * which encloses others may come after them: with the chunk that it ended in. Returns their number, and in `pieces` memory to be given to free(); or a
 * negative errno.
 */
int64_t reader_pieces(const struct reader *trace, const struct reader_filter *filter, uint64_t size,
		      struct reader_piece **pieces);

/**
 * A cursor before the first record. `filter` may be NULL (all records by time). Chunks that
 * the filter rules out are not decoded. NULL: errno is EINVAL (a list does not parse, reader_error() says which) or ENOMEM.
 */
struct reader_cursor *reader_cursor_new(struct reader *trace, const struct reader_filter *filter);
void reader_cursor_free(struct reader_cursor *cursor);

/** The next record, or NULL at the end or on an error, see reader_cursor_status(). */
const struct recorder_record *reader_next(struct reader_cursor *cursor);

/** 0: the cursor is in order or at its end; else the negative errno that stopped it (-ENOMEM, -EIO). Damage does not stop it. */
int reader_cursor_status(const struct reader_cursor *cursor);

/** Moves a cursor that was made with a piece to the begin of this one, which spares making a cursor for each. -EINVAL for other cursors and pieces. */
int reader_move(struct reader_cursor *cursor, const struct reader_piece *piece);

/** Moves a READER_BY_TIME cursor so that the next record is the first with tstart >= time (ns). -EINVAL for other orders. */
int reader_seek(struct reader_cursor *cursor, int64_t time);

/* Tags ------------------------------------------------------------------------- */

/* What a program says of a time by arguments of its regions: they hold for all that is called in these (recorder.h). */
enum reader_tag { READER_EPOCH, READER_STEP, READER_SAMPLE, READER_TAGS };

struct reader_tag_values {
	unsigned has;                /* 1 << READER_EPOCH, ... */
	int64_t values[READER_TAGS]; /* 0 where there is none */
	int64_t end;                 /* ns: until then nothing changes */
};

/**
 * All tags of a stream: reads its regions, of layer `user`, if the trace has any with such arguments. Memory is for 4,194,304 changes at most, two a region. If there are more, samples are left out; behind as many
 * changes of the others nothing is known. NULL: errno is ENOMEM or EINVAL (no such stream). To be freed before the trace. One thread at a time may use it; several may each have their own.
 */
struct reader_tags *reader_tags_new(struct reader *trace, unsigned stream);
/** Only those of `which`: 1 << READER_EPOCH and the like. */
struct reader_tags *reader_tags_some(struct reader *trace, unsigned stream, unsigned which);
void reader_tags_free(struct reader_tags *tags);

/** "epoch": what the argument is called. */
const char *reader_tag_name(enum reader_tag tag);
/** Whether functions of the trace have such arguments, so that there may be any. */
int reader_has_tags(const struct reader *trace);

/** Those of a call of this stream: of the regions around it, the innermost one that has it counts, and its own if it is such a region. Fast for calls by time. */
void reader_tags_of(struct reader_tags *tags, const struct recorder_record *record,
		    struct reader_tag_values *values);
/** What holds in a thread, by its index, at a time. */
void reader_tags_at(struct reader_tags *tags, unsigned thread, int64_t time,
		    struct reader_tag_values *values);
/** Whether there is any in the stream. NULL: no. */
int reader_tags_any(const struct reader_tags *tags);

/* Checking ------------------------------------------------------------------- */

/**
 * Reads everything, verifies every checksum and count, and adds what is wrong to the problems
 * (exclusive). Returns the number of problems, or a negative errno.
 */
int reader_verify(struct reader *trace);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
