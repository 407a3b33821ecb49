/* SPDX-License-Identifier: MIT */
/*
 * wire.h - the fixed structures of a trace: file header, chunk header, live
 * files, raw records. doc/format.md is the normative text; this file gives it
 * names. Both writer and readers run on little-endian machines with natural
 * alignment, so the structures are used in place; the assertions at the end hold
 * them to the page.
 */
#ifndef RECORDER_FORMAT_WIRE_H
#define RECORDER_FORMAT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the trace format is little-endian and is mapped in place"
#endif

#define FORMAT_MAJOR 1
#define FORMAT_MINOR 1

/* File header ------------------------------------------------------------ */

#define FILE_MAGIC "\x93Record" /* 7 bytes, then one of enum file_kind */

enum file_kind {
	FILE_GLOBAL = 'G', /* recorder.gm */
	FILE_LOCAL = 'L',  /* STREAM.lm */
	FILE_STREAM = 'S', /* STREAM.rec */
	FILE_PACKED = 'P', /* NAME.rtrace */
	FILE_NODE = 'N',   /* NAME.node */
};

struct file_header {
	uint8_t magic[7];
	uint8_t kind;
	uint16_t major;
	uint16_t minor;
	uint32_t reserved0;
	uint64_t stream_id;
	uint32_t reserved1;
	uint32_t crc; /* of all bytes before it */
};

/* Chunks ------------------------------------------------------------------ */

#define CHUNK_MAGIC 0x4B484352u /* "RCHK" */

enum chunk_type {
	CHUNK_DEFS = 1,
	CHUNK_DATA = 2,
	CHUNK_LOST = 3,
	CHUNK_END = 4,
	CHUNK_META = 5,
	CHUNK_OPEN = 6, /* calls in flight of a dead process */
	CHUNK_BACK = 7, /* in a NAME.node alone: a chunk before it is taken back */
};

enum chunk_flag {
	CHUNK_FINAL = 1 << 0,
	CHUNK_REPEATS = 1 << 1, /* DATA: some record stands for several calls */
	CHUNK_SUMMED = 1 << 2,  /* DATA: its times are stored, but were made up before */
};

/* DATA: why records were lost before it, enum loss_reason in 4 bits of the flags. */
#define CHUNK_LOSS_SHIFT 8

enum data_encoding {
	DATA_RAW = 0,
	DATA_COLUMNS = 1,
	DATA_SIGNATURES = 2,
	DATA_SUMMED = 3, /* the same, but for times */
	DATA_LOOPED = 4, /* a loop, likewise */
	DATA_NESTED = 5, /* a loop that has loops inside */
	DATA_LAST = DATA_NESTED,
};

enum defs_encoding {
	DEFS_PLAIN = 0,
	DEFS_DEFLATED = 1,
	DEFS_RELATIVE = 2,
};

#define CHUNK_MAX_BODY (64u << 20)
#define CHUNK_MAX_PLAIN (256u << 20)
#define CHUNK_MAX_RAW (64u << 20) /* of the raw form of its records */
#define CHUNK_MAX_RECORDS (16u << 20)
#define CHUNK_MAX_CARRIED 65535u

/* One instant read on three clocks; ticks 0 means "no anchor". */
struct anchor {
	uint64_t ticks;
	int64_t mono; /* CLOCK_MONOTONIC, ns */
	int64_t real; /* CLOCK_REALTIME, ns */
};

struct chunk_header {
	uint32_t magic;
	uint8_t type;
	uint8_t encoding;
	uint16_t flags;
	uint32_t body_size;
	uint32_t plain_size;
	uint32_t thread;
	uint32_t count;
	uint64_t first_sequence;
	uint64_t t_base; /* ticks, as are the next two */
	uint64_t t_min;
	uint64_t t_max;
	struct anchor anchor;
	uint32_t carried;
	uint32_t lost;
	uint32_t body_crc;
	uint32_t header_crc; /* of all bytes before it */
};

/* One row of the index in an END chunk's body. */
struct index_entry {
	uint64_t offset;
	uint64_t t_min;
	uint64_t t_max;
	uint32_t count;
	uint32_t thread;
	uint8_t type;
	uint8_t reserved[7];
};

struct end_head {
	uint64_t records;
	uint64_t lost;
	uint32_t entries;
	uint32_t reserved;
};

#define INDEX_MAGIC "RECINDEX"

struct end_tail {
	uint64_t offset; /* of the END chunk in its file; 0: not known */
	uint8_t magic[8];
};

/* Definitions ------------------------------------------------------------- */

enum def_type {
	DEF_PADDING = 0,
	DEF_FUNCTION = 1,
	DEF_FILE = 2,
	DEF_THREAD = 3,
	DEF_MODULE = 4,
	DEF_NAME = 5,
	DEF_COMM = 6,
	DEF_DATATYPE = 7,
	DEF_STRING = 8,
	DEF_STACK = 9,
	DEF_MPIFILE = 10,
	DEF_OBJECT = 11,
	DEF_WIN = 12,
	DEF_DIRECTORY = 13,
	DEF_SOURCE = 14,
};

struct def_header {
	uint32_t size; /* of the payload, without padding */
	uint16_t type;
	uint16_t complete; /* live files: 1 once the payload is there */
};

enum thread_flag {
	THREAD_MAIN = 1 << 0,
	THREAD_SIGNAL = 1 << 1, /* calls of handlers that interrupted the recorder */
};

enum comm_kind {
	COMM_UNKNOWN,
	COMM_WORLD,
	COMM_SELF,
	COMM_DUP,
	COMM_SPLIT,
	COMM_SPLIT_TYPE,
	COMM_CREATE,
	COMM_CREATE_GROUP,
	COMM_CART,
	COMM_GRAPH,
	COMM_DIST_GRAPH,
	COMM_SUB,
	COMM_INTERCOMM_CREATE,
	COMM_INTERCOMM_MERGE,
	COMM_SPAWN,
	COMM_ACCEPT,
	COMM_CONNECT,
	COMM_JOIN,
	COMM_PARENT,
	COMM_FROM_GROUP,
	COMM_FROM_GROUPS,
};

/* How a value is stored; what it means is its kind (kinds.h). */
enum arg_class {
	CLASS_INT = 1,
	CLASS_PAIR = 2,
	CLASS_DOUBLE = 3,
	CLASS_STRING = 4,
	CLASS_ARRAY = 5,
};

/* Metadata ---------------------------------------------------------------- */

enum meta_type {
	META_U64 = 1,
	META_I64 = 2,
	META_F64 = 3,
	META_BYTES = 4,
};

/* Raw records --------------------------------------------------------------- */

enum record_flag {
	RECORD_LEFT = 1 << 0,     /* the call did not return normally */
	RECORD_NORETURN = 1 << 1, /* stored when it was entered */
	RECORD_SIGNAL = 1 << 2,   /* by a handler that interrupted the recorder */
};

#define RECORD_MAX_ARGS 64
#define RECORD_MAX_SIZE (32u << 10)
#define RECORDS_BEHIND 32u /* bytes after the last one of a ring that can be read */
#define STRING_MAX 4096u   /* stored bytes of one string */
#define ARRAY_MAX 64u      /* stored elements of an ordinary array */

/* Values of a STRING or ARRAY argument that are not an offset. */
#define BLOCK_ABSENT 0u
#define BLOCK_UNREADABLE 1u

/*
 * The fields that lie in one word together can be written in one store (`head`, `tail`, `outcome`): a record that is
 * copied word by word right after it was written would else wait for its own stores.
 */
struct raw_record {
	union {
		uint64_t head;
		struct {
			uint32_t size; /* of header, arguments and blocks; a multiple of 8 */
			uint16_t function;
			uint16_t level;
		};
	};
	union {
		uint64_t tail;
		struct {
			uint32_t sequence; /* low half of the number of the record in its thread */
			uint8_t arg_count;
			uint8_t flags;
			uint16_t reserved0;
		};
	};
	uint64_t tstart;
	uint64_t tend;
	int64_t result;
	uint64_t callsite;
	union {
		uint64_t outcome;
		struct {
			int32_t err;
			uint32_t repeat;
		};
	};
	union {
		uint64_t stack_word;
		struct {
			uint32_t stack;
			uint32_t reserved1;
		};
	};
	uint64_t args[];
};

/* Encodings that loop_decode.h reads. */
static inline bool data_is_loop(unsigned encoding)
{
	return encoding == DATA_LOOPED || encoding == DATA_NESTED;
}

static inline uint64_t record_head(uint32_t size, uint16_t function, uint16_t level)
{
	return size | (uint64_t)function << 32 | (uint64_t)level << 48;
}

static inline uint64_t record_outcome(int32_t err, uint32_t repeat)
{
	return (uint32_t)err | (uint64_t)repeat << 32;
}

struct string_block {
	uint32_t stored;
	uint32_t original;
	uint8_t bytes[];
};

struct array_block {
	uint32_t stored;
	uint32_t original;
	int64_t sum;
	int64_t elements[];
};

/* A PAIR: the value in the low half, the object's id in the high half. */
static inline uint64_t pair_make(int32_t value, uint32_t id)
{
	return (uint64_t)id << 32 | (uint32_t)value;
}

static inline int32_t pair_value(uint64_t pair)
{
	return (int32_t)(uint32_t)pair;
}

static inline uint32_t pair_id(uint64_t pair)
{
	return (uint32_t)(pair >> 32);
}

/* Live files ------------------------------------------------------------------ */

#define LIVE_HEADER_SIZE 4096u
#define RING_MAGIC "RecRing1"
#define ARENA_MAGIC "RecDefs1"
#define LIVE_COUNT                                                                                 \
	"streams" /* in the directory: a byte for each stream that began, up to some number */
#define RING_FREE UINT32_MAX /* thread index of a ring that nobody owns */

/* Where a run stands, twice: which one holds says the lowest bit of its record's repeat. */
struct ring_run {
	uint64_t tend;
	uint64_t busy; /* ticks in its calls */
};

struct ring_header {
	uint8_t magic[8];
	uint64_t stream_id;
	uint32_t thread;
	uint32_t tid;
	uint32_t open_offset; /* of the open-call stack in the file */
	uint32_t open_size;
	uint32_t data_offset;
	uint32_t data_size;
	uint64_t t_base;
	uint64_t first_sequence;
	uint64_t lost;
	uint64_t published; /* generation << 32 | bytes in use */
	uint64_t open_top;
	uint32_t lost_reason; /* enum loss_reason */
	uint32_t reserved;
	struct ring_run run[2];
	uint32_t held_offset; /* of what is held in the file, two places of one size */
	uint32_t held_size;   /* of both, 0: there are none */
	/* as `published`, and RING_IN_PLACE: a call in flight has its record behind those that are in use */
	uint64_t in_place;
};

#define RING_IN_PLACE 1u

#define HELD_MAGIC 0x444C4548u /* "HELD" */

/* What one of the places begins with. Chunks follow, as they are to be appended. */
struct held_place {
	uint32_t magic;
	uint32_t size;   /* bytes of chunks */
	uint64_t number; /* of the two, the larger one counts; 0: nothing is held */
	uint32_t reserved;
	uint32_t crc; /* of all bytes before it */
};

/* The control word: a bit, and a number that grows with each request. */
#define CONTROL_PAUSED 1u
#define CONTROL_FLUSH 2u

#define ARENA_BOOT_ID 104u
#define ARENA_DEATH 176u
#define ARENA_LOSS 184u
#define ARENA_PID_NS 192u
#define ARENA_TRACE_DIR 256u
#define ARENA_TRACE_DIR_MAX 3000u
#define ARENA_STREAM_NAME 3328u
#define ARENA_STREAM_NAME_MAX 200u

/* ns of a clock tick, in which /proc and traces say when a process began (USER_HZ, the same on all machines). */
#define PID_START_TICK 10000000u

struct arena_header {
	uint8_t magic[8];
	uint64_t stream_id;
	uint32_t pid;
	uint32_t size; /* of the entry area, a power of two */
	uint64_t pid_start;
	uint64_t head;
	uint64_t flushed;
	struct anchor anchor;
	uint64_t lost;
	uint64_t records;
	uint64_t bytes;
	uint32_t control;  /* what the process is asked to do: CONTROL_* */
	uint32_t launcher; /* process that started the rank's own process, 0 unknown */
};

_Static_assert(sizeof(struct file_header) == 32, "doc/format.md section 2");
_Static_assert(sizeof(struct chunk_header) == 96, "doc/format.md section 3");
_Static_assert(offsetof(struct chunk_header, anchor) == 56, "doc/format.md section 3");
_Static_assert(offsetof(struct chunk_header, header_crc) == 92, "doc/format.md section 3");
_Static_assert(sizeof(struct index_entry) == 40, "doc/format.md section 7");
_Static_assert(sizeof(struct end_head) == 24, "doc/format.md section 7");
_Static_assert(sizeof(struct def_header) == 8, "doc/format.md section 4");
_Static_assert(sizeof(struct raw_record) == 64, "doc/format.md section 5");
_Static_assert(offsetof(struct raw_record, callsite) == 40, "doc/format.md section 5");
_Static_assert(offsetof(struct ring_header, published) == 64, "doc/format.md section 9");
_Static_assert(offsetof(struct ring_header, run) == 88, "doc/format.md section 9");
_Static_assert(offsetof(struct ring_header, held_offset) == 120, "doc/format.md section 9");
_Static_assert(offsetof(struct ring_header, in_place) == 128, "doc/format.md section 9");
_Static_assert(sizeof(struct held_place) == 24, "doc/format.md section 9");
_Static_assert(offsetof(struct arena_header, bytes) == 88, "doc/format.md section 9");
_Static_assert(sizeof(struct arena_header) == ARENA_BOOT_ID, "doc/format.md section 9");

#endif
