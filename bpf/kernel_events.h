/* SPDX-License-Identifier: MIT */
/*
 * kernel_events.h - what the programs in the kernel tell the recorder: events in a ring buffer, settings and counters in maps.
 *
 * An event begins with its head. Calls of a thread are numbered without gaps, also those for which there was no room in the ring, and other events have the number of the next call: a jump is how many
 * were lost, and whose they were. What a thread lost at its very end is said by its EXIT event, or, if that was lost too, only by the sum of all threads (COUNTER_LOST).
 *
 * Occurrences are what else the kernel does for a thread. Those that happen in it are numbered as calls are. Those that end elsewhere, in an interrupt or in a thread of the kernel, are *late*: they have no
 * number; a thread counts how many it has begun, and its EXIT event says so: those that have not come by the end of all were lost (COUNTER_LOST_LATE), or have not ended. Where there are sums, they come in these.
 *
 * Events of one thread come in order. Those of several may not: an event is put in when its call ends, on whatever CPU that is.
 *
 * Compiled twice: by clang for the kernel, and by the compiler of the recorder.
 */
#ifndef RECORDER_BPF_KERNEL_EVENTS_H
#define RECORDER_BPF_KERNEL_EVENTS_H

#include <linux/types.h>

#define EVENT_TEXT_MAX 256  /* bytes kept of a path, with its zero */
#define EVENT_CALLS_MAX 512 /* numbers of system calls */

enum event_kind {
	EVENT_CALL = 1, /* a system call has ended, or will not */
	EVENT_FORK,     /* a process or thread begins */
	EVENT_EXEC,
	EVENT_EXIT,
	EVENT_FILE,   /* what a device and inode number are */
	EVENT_SUM,    /* calls of a thread of one interval */
	EVENT_JOINED, /* a thread of a job that goes on already is recorded from here on */
	EVENT_OCCURRED,
	EVENT_FUNCTION, /* a function of the program has ended, or will not */
	EVENT_STRINGS,  /* before EVENT_EXEC: what the program is begun with */
	EVENT_LATE_SUM, /* occurrences that end elsewhere, of one interval */
	EVENT_LATE_ALL, /* of what was begun by threads that have ended before this, all sums so far have come */
};

/* What is recorded, as is asked for: one bit a group. */
enum event_group {
	EVENTS_CALLS = 1 << 0,
	EVENTS_BLOCK = 1 << 1,
	EVENTS_WRITEBACK = 1 << 2,
	EVENTS_URING = 1 << 3,
	EVENTS_PAGES = 1 << 4,
	EVENTS_FAULTS = 1 << 5,
	EVENTS_EXT4 = 1 << 6,
	EVENTS_XFS = 1 << 7,
	EVENTS_SWITCHES = 1 << 8,
};

/* The names of functions/kernel.events, which tells what their arguments mean. */
enum occurrence {
	OCCURRED_block_read,
	OCCURRED_block_write,
	OCCURRED_block_flush,
	OCCURRED_block_discard,
	OCCURRED_block_write_zeroes,
	OCCURRED_block_request, /* the last one of block devices */
	OCCURRED_writeback_inode,
	OCCURRED_io_uring_request,
	OCCURRED_page_fault,
	OCCURRED_page_cache_add,
	OCCURRED_page_cache_delete,
	OCCURRED_read_ahead,
	OCCURRED_ext4_write,
	OCCURRED_ext4_sync_file,
	OCCURRED_ext4_fallocate,
	OCCURRED_ext4_unlink,
	OCCURRED_ext4_truncate,
	OCCURRED_ext4_writepages,
	OCCURRED_xfs_file_read,
	OCCURRED_xfs_file_write,
	OCCURRED_off_cpu,
	OCCURRENCES
};

enum call_flag {
	CALL_NO_RETURN = 1 << 0, /* the thread ended in it */
	CALL_COMPAT = 1 << 1,    /* made by 32-bit code: numbers are those of another table */
	CALL_HAS_FILE = 1 << 2,
	CALL_TEXT_CUT = 1 << 3,
	CALL_TEXT_LOST = 1 << 4, /* the path could not be read */
	CALL_APPENDS = 1 << 5, /* what is written goes to the end of the file, wherever it stands */
};

struct event_head {
	__u16 kind;
	__u16 size;   /* of the event, with this */
	__u32 number; /* of the thread's calls, from 0; of times without a CPU: of these */
	__u32 pid;
	__u32 tid;
	__u64 time; /* CLOCK_MONOTONIC, ns: when it ended or happened */
};

/* Whether `number` counts it: of those that are lost it is known how many, and whose. */
static inline int event_is_numbered(__u16 kind)
{
	return kind == EVENT_CALL || kind == EVENT_OCCURRED || kind == EVENT_FUNCTION;
}

struct call_event {
	struct event_head head;
	__u64 begin;
	__s64 result;
	__u64 args[6];
	__u64 inode;
	__s64 offset; /* of the file when the call began; of what was appended: where it went */
	__u32 device; /* as the kernel has it: major << 20 | minor */
	__u16 call;   /* its number */
	__u8 flags;
	__u8 level;      /* functions of the program that it was made in */
	__u16 text_size; /* bytes that follow, without a zero */
	char text[EVENT_TEXT_MAX];
};

enum occurrence_flag {
	OCCURRENCE_LATE = 1 << 0,    /* not numbered; see above */
	OCCURRENCE_COUNTED = 1 << 1, /* late, and its thread has counted it */
	OCCURRENCE_NOTHING = 1 << 2, /* late, and it came to nothing: there is nothing to record */
	OCCURRENCE_IN_CALL = 1 << 3, /* began in a system call */
	OCCURRENCE_HAS_FILE = 1 << 4,
	OCCURRENCE_SENT = 1 << 5, /* late, and what is kept of it is done with */
};

/* args[] of requests to disks. */
enum block_arg {
	BLOCK_DEVICE,
	BLOCK_SECTOR,
	BLOCK_BYTES,
	BLOCK_FLAGS,
	BLOCK_QUEUE, /* ns until it was issued; before that: 0 */
	BLOCK_SERVICE,
	BLOCK_FLUSHER
};

/* Ours, beside the flags of a request to a disk. */
#define BLOCK_WRITEBACK (1u << 31)  /* of a file of the job, by a thread of the kernel */
#define BLOCK_END_UNSEEN (1u << 30) /* when it ended, and how, is not known */

#define OCCURRENCE_ARGS 8
#define OCCURRENCE_RANGES 6

/* Bytes of a file. */
struct file_range {
	__u64 offset, size;
};

struct occurrence_event {
	struct event_head head;
	__u64 begin;
	__s64 result;
	__u64 args[OCCURRENCE_ARGS];
	__u64 start; /* of the process, boot time, ns: its pid can be another's by now */
	__u64 inode;
	__u32 device; /* of the inode, as the kernel has it */
	__u16 what;   /* enum occurrence */
	__u8 flags;
	__u8 level; /* functions of the program that it began in */
	char text[32];
	char name[16]; /* of the task in which it began */
	__u64 range_count;
	struct file_range ranges
		[OCCURRENCE_RANGES]; /* of its file, those that are known; not sent with an instant */
};

enum function_flag {
	FUNCTION_LEFT =
		1 << 0, /* not by its end: longjmp, an exception, a jump that is not known */
	FUNCTION_NO_RETURN = 1 << 1, /* the thread or its program ended in it */
};

struct function_event {
	struct event_head head;
	__u64 begin;
	__u32 function; /* as probe_options has them */
	__u8 level;
	__u8 flags;
	__u16 reserved;
	__u32 beyond; /* calls of the thread, since the last event that told of them, for which there was no place: too deep */
	__u32 reserved1;
};

/* Where a probe is: in which file, and where in it. Inode numbers alone, as a file can be known by several devices. */
struct function_place {
	__u64 inode;
	__u64 offset;
};

enum function_point_kind {
	POINT_BEGIN = 1,
	POINT_BEGIN_OF_LOOP, /* the function also jumps there, and that is no call */
	POINT_END,
	POINT_WHOLE, /* its first instruction ends it */
};

struct function_point {
	__u32 function;
	__u32 kind;
};

#define FUNCTION_POINTS_MAX 16384
#define FUNCTIONS_OPEN_MAX 256 /* of a thread; a power of two */

/* The storage of a task that has called a function which is probed. */
struct open_functions {
	struct open_function {
		__u64 begin;
		__u64 stack; /* the stack pointer at its first instruction, and so at its last one */
		__u32 function;
	} list[FUNCTIONS_OPEN_MAX];
};

/* What a task is called where it is itself, in the innermost space of process numbers that it has one in. Heads of events have the numbers of the machine's outermost space. */
struct task_numbers {
	__u32 space; /* inode number of that space; 0: not known */
	__u32 pid, tid;
	__u32 parent; /* of its parent's process; 0: that has no number there */
	__u32 here;   /* of its process, where the recorder is; 0: none */
	__u32 reserved;
};

struct fork_event {
	struct event_head head; /* of the one who forks */
	__u32 child_pid;
	__u32 child_tid;
	__u64 child_start;           /* boot time, ns: when the child's process began */
	struct task_numbers numbers; /* the child's */
	char name[16];
};

struct joined_event {
	struct event_head head;
	__u32 parent; /* process */
	__u32 reserved;
	__u64 start; /* boot time, ns: when its process began */
	struct task_numbers numbers;
	char name[16];
};

struct exec_event {
	struct event_head head;
	__u32 old_tid;
	__u16 text_size;
	char text[EVENT_TEXT_MAX]; /* the program */
};

enum begun_with { BEGUN_WITH_ARGUMENTS, BEGUN_WITH_ENVIRONMENT, BEGUN_WITH };

#define STRINGS_PIECE 1024
#define ARGUMENT_PIECES 4  /* as much as the library keeps of them */
#define STRINGS_PIECES 128 /* of the environment: 128 KiB */

/* A piece of the arguments or of the environment, strings with a zero behind each. Pieces come in their order. Not numbered: what is lost is asked of /proc, if the process is still there. */
struct strings_event {
	struct event_head head;
	__u32 kind; /* enum begun_with */
	__u32 text_size;
	char text[STRINGS_PIECE];
};

struct exit_event {
	struct event_head head;
	__u32 status;    /* as wait(2) has it; of the process if this is its last thread */
	__u32 last;      /* no thread of the process is left */
	__u32 late;      /* late occurrences that the thread has begun */
	__u32 late_sums; /* there may be sums of such, or of others that it does not count: EVENT_LATE_ALL tells when they have come */
	__u64 summed;    /* calls in all sums of the thread */
	__u64 off_summed;
	__u32 off_number; /* times without a CPU that it has been told of */
	__u32 reserved;
};

#define FILE_DEPTH 24

struct file_event {
	struct event_head head;
	__u64 inode;
	__s64 size;
	__u64 magic; /* of the file system */
	__u32 device;
	__u32 mode;
	__u32 generation; /* another file that gets a number which is free again has another one */
	__u16 cut;        /* there are more folders above the first name */
	__u16 text_size;
	char text
		[1024]; /* names from the file upwards to where its file system is mounted, a zero behind each */
};

/* Whose calls a sum is of: a system call's number, behind these enum occurrence, behind those the program's functions. */
#define SUM_OCCURRENCES EVENT_CALLS_MAX
#define SUM_FUNCTIONS (SUM_OCCURRENCES + OCCURRENCES)

/* Calls of one function and file, or of one occurrence that happens in the thread itself. */
struct call_sum {
	__u64 inode;
	__u32 device;
	__u16 call;
	__u8 flags; /* CALL_HAS_FILE, CALL_COMPAT */
	__u8 reserved;
	__u64 count; /* 0: the place is free */
	__u64 time;  /* ns in them */
	__u64 bytes;
};

/*
 * Of a thread, for calls that ended in one interval. There may be several for one function and file. Its time is after all of these calls, and before the thread's next one. Those of off_cpu are counted by themselves, as
 * they can come between any two others.
 */
struct sum_event {
	struct event_head head;
	__u64 begin;  /* of the interval, CLOCK_MONOTONIC */
	__u64 before; /* calls in the thread's sums before this one: a jump is what was lost */
	__u32 beyond; /* as in struct function_event */
	__u32 reserved;
	struct call_sum sum;
};

#define LATE_SUMS_MAX 16384

/* What a sum of late occurrences is of. */
struct late_key {
	__u64 inode;
	__u64 begin; /* of the interval */
	__u64 start; /* of the process, as in struct occurrence_event */
	__u32 device;
	__u32 pid, tid;
	__u32 round; /* latesums.bpf.h */
	__u16 what;  /* enum occurrence */
	__u8 flags;  /* CALL_HAS_FILE */
	__u8 reserved[5];
};

struct late_sum {
	__u64 count, time, bytes;
	__u64 queue;   /* ns of `time` that requests to disks were in a queue */
	__u64 counted; /* as many as their thread has counted, also of those that came to nothing */
};

struct late_sum_event {
	struct event_head head;
	struct late_key key;
	struct late_sum sum;
};

/* What the programs read of a system call, by its number. */
struct call_rule {
	__u8 wanted;
	__u8 descriptor; /* which argument is one, from 1; 0 none */
	__u8 text;       /* which argument is a path */
	__u8 moves;      /* the result is how many bytes were moved, if it is not negative */
	__u8 makes; /* the result is a descriptor, if it is not negative: the file is that one's, not the argument's */
};

#define SUM_PLACES 16 /* a power of two */

/* What a file system does for a thread, of which there are a begin and an end. */
enum fs_operation {
	FS_WRITE,
	FS_SYNC,
	FS_FALLOCATE,
	FS_UNLINK,
	FS_TRUNCATE,
	FS_WRITEPAGES,
	FS_OPERATIONS
};

struct fs_begun {
	__u64 begin; /* 0: it is not going on */
	__u64 first, second;
};

/* Where the interval that `time` lies in begins; intervals begin at multiples of their length, less `shift`. */
static inline __u64 sum_interval_begin(__u64 time, __u64 interval, __u64 shift)
{
	return (time + shift) / interval * interval - shift;
}

struct sum_interval {
	__u64 begin, end;
};

/* The storage of a task that is followed: all zero at first. */
struct task_state {
	__u32 number;     /* of its next call */
	__u32 in_call;    /* `call` has begun */
	__u32 late;       /* occurrences that end elsewhere, begun so far */
	__u32 ended;      /* its last event has been sent */
	__u32 depth;      /* functions that are open */
	__u32 executed;   /* the functions that are open are those of the program before */
	__u32 off_why;    /* the task's state when it was taken off its CPU */
	__u32 moves;      /* the result of `call` is how many bytes it moved */
	__u32 off_number; /* of its next time without a CPU */
	/* the file that a call was on last, if it had been told before; inode 0: none */
	__u32 known_device;
	__u32 known_generation;
	__u64 known_inode;
	__u64 off_since; /* 0: it was not */
	struct fs_begun fs[FS_OPERATIONS];
	__u32 beyond; /* of functions, not told yet */
	__u32 late_uncounted; /* it has begun others, too, or had pages written that are to be written back */
	__u64 summed; /* calls in the sums that were sent */
	struct sum_interval interval;
	struct call_sum sums[SUM_PLACES]; /* of that interval */
	__u64 off_summed;
	struct sum_interval off_interval;
	struct call_sum off; /* when it had no CPU */
	struct call_event call;
};

enum counter {
	COUNTER_LOST,        /* calls, and occurrences in the thread itself */
	COUNTER_LOST_LATE,   /* occurrences that end elsewhere */
	COUNTER_LOST_SUMMED, /* calls in sums */
	COUNTER_LOST_LIFE,   /* forks, programs executed, ends */
	COUNTER_FILES_LATER, /* there was no room to tell what a file is */
	COUNTER_NO_MEMORY,   /* tasks that could not be followed */
	COUNTER_NO_FUNCTION, /* probes that were met and of which it could not be told which one they are */
	COUNTER_UNCOVERED, /* processes that were forked by one whose functions were not held yet (functions.bpf.h) */
	COUNTERS
};

#endif
