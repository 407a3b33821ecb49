/* SPDX-License-Identifier: MIT */
/*
 * defs.h - definitions, doc/format.md section 4: each structure packed into the payload of an
 * entry, and unpacked from one.
 *
 * def_X_pack() writes a payload and returns its size, 0 if it does not fit. def_X_unpack() returns
 * whether the payload was long enough; texts and arrays then point into it. An entry is a struct
 * def_header, the payload and zeros up to a multiple of 8: def_entry_size(payload size) bytes.
 */
#ifndef RECORDER_FORMAT_DEFS_H
#define RECORDER_FORMAT_DEFS_H

#include "format/bytes.h"

/* Entries ------------------------------------------------------------------- */

struct def_entry {
	enum def_type type;
	uint16_t complete; /* live files only */
	struct bytes payload;
};

static inline size_t def_entry_size(size_t payload)
{
	return sizeof(struct def_header) + ((payload + 7) & ~(size_t)7);
}

/* A whole entry around a payload that is copied; returns its size, 0 if it does not fit. */
size_t def_entry_pack(void *buffer, size_t size, enum def_type type, const void *payload,
		      size_t payload_size);

/*
 * The next entry of a DEFS body; false at its end, with entries->bad set if that is not where an
 * entry ends.
 */
bool def_entry_next(struct bytes *entries, struct def_entry *entry);

/* Functions ----------------------------------------------------------------- */

/*
 * A function is packed piece by piece, head first, then its arguments in order: no array of them
 * is needed.
 */
struct def_function {
	uint16_t id;
	uint8_t arg_count;
	uint8_t result_class;
	struct text layer, name, result_kind;
};

struct def_parameter {
	uint8_t class; /* enum arg_class */
	struct text name, kind;
};

void def_function_pack(struct packer *packer, uint16_t id, uint8_t arg_count, const char *layer,
		       const char *name, uint8_t result_class, const char *result_kind);
void def_parameter_pack(struct packer *packer, uint8_t class, const char *name, const char *kind);

/* What follows the parameters: bit i is set if argument i is known only after the call. */
void def_outputs_pack(struct packer *packer, uint64_t outputs);

/* The head; arg_count parameters follow in the payload. */
bool def_function_unpack(struct bytes *payload, struct def_function *function);
bool def_parameter_unpack(struct bytes *payload, struct def_parameter *parameter);
/* 0 where there are none behind the parameters. */
uint64_t def_outputs_unpack(struct bytes *payload);

/* What follows the outputs of functions that the program named: the category that it gave them; NULL is none. */
void def_category_pack(struct packer *packer, const char *category);
/* Empty where there is none, or something else. */
struct text def_category_unpack(struct bytes *payload);

/* Objects ------------------------------------------------------------------- */

struct def_file {
	uint32_t id;
	uint32_t type; /* S_IFMT bits, 0 unknown */
	uint64_t device, inode;
	uint64_t size; /* when first opened */
	uint64_t fs_magic;
	struct text path;
	uint32_t block_size;
	uint32_t mount;       /* id in /proc/self/mountinfo, 0 unknown */
	struct text striping; /* lustre.lov as it is, empty: none */
};

struct def_thread {
	uint32_t index;
	uint32_t tid;
	uint32_t flags; /* enum thread_flag */
	uint64_t start; /* ticks */
	struct text name;
	uint32_t module; /* of the function it was started with, 0 unknown */
	uint64_t offset; /* of that function in the module's file */
};

struct def_module {
	uint32_t id;         /* from 1 */
	uint64_t start, end; /* addresses */
	uint64_t offset;     /* in the file, of `start` */
	struct text path;
	struct text build_id; /* raw bytes */
};

struct def_name {
	uint32_t id;
	struct text kind;
	struct text text;
};

struct def_string {
	uint32_t id;
	struct text text;
};

#define FRAME_INTERRUPTED 1u /* a signal came before the instruction there: no call returns to it */

struct def_frame {
	uint32_t module;
	uint32_t flags;
	uint64_t offset;
};

#define STACK_CUT 1u /* there were more frames, or what called the last one is not known */

struct def_stack {
	uint32_t id;
	uint16_t count, flags;
	const struct def_frame *frames; /* to pack; not set by unpack */
	struct bytes frame_bytes;       /* set by unpack */
};

/* A dataset, a variable, ... : what a handle of a library that stores things in files stands for. */
struct def_object {
	uint32_t id;
	uint32_t file; /* 0 none */
	struct text kind;
	struct text name; /* in the file; empty: it has none */
};

#define DIRECTORY_OF_ALL UINT32_MAX

/* A working directory from a time on. */
struct def_directory {
	uint32_t thread; /* whose calls begin there; DIRECTORY_OF_ALL: those of the process */
	uint32_t file;   /* 0: not known; of one thread: that of the process again */
	uint64_t ticks;
};

/* What is known once of a function of the program or of Python: layers native and python. */
enum source_flag {
	SOURCE_GENERATOR = 1 << 0,
	SOURCE_COROUTINE = 1 << 1,
	SOURCE_VARARGS =
		1
		<< 2, /* the last but ... of `args` takes what is left of the arguments in order */
	SOURCE_KEYWORDS = 1 << 3, /* and the last one those by name */
};

struct def_source {
	uint32_t function; /* its id in the stream */
	uint32_t flags;    /* enum source_flag */
	uint32_t line;     /* the first one, 0 unknown */
	uint32_t
		stack; /* Python: the most values that are on its stack; native: bytes of its frame. 0 unknown */
	struct text module; /* json.decoder, libfoo.so */
	struct text path;   /* json.decoder.JSONDecoder.raw_decode, ns::solve(int) */
	struct text file;
	struct text args, locals; /* names, with ',' between */
};

size_t def_file_pack(void *buffer, size_t size, const struct def_file *def);
size_t def_thread_pack(void *buffer, size_t size, const struct def_thread *def);
size_t def_module_pack(void *buffer, size_t size, const struct def_module *def);
size_t def_name_pack(void *buffer, size_t size, const struct def_name *def);
size_t def_string_pack(void *buffer, size_t size, const struct def_string *def);
size_t def_stack_pack(void *buffer, size_t size, const struct def_stack *def);
size_t def_object_pack(void *buffer, size_t size, const struct def_object *def);
size_t def_directory_pack(void *buffer, size_t size, const struct def_directory *def);
size_t def_source_pack(void *buffer, size_t size, const struct def_source *def);

bool def_file_unpack(struct bytes payload, struct def_file *def);
bool def_thread_unpack(struct bytes payload, struct def_thread *def);
bool def_module_unpack(struct bytes payload, struct def_module *def);
bool def_name_unpack(struct bytes payload, struct def_name *def);
bool def_string_unpack(struct bytes payload, struct def_string *def);
bool def_stack_unpack(struct bytes payload, struct def_stack *def);
bool def_object_unpack(struct bytes payload, struct def_object *def);
bool def_directory_unpack(struct bytes payload, struct def_directory *def);
bool def_source_unpack(struct bytes payload, struct def_source *def);

/* Frame `index` of an unpacked stack; false: it has fewer. */
bool def_stack_frame(const struct def_stack *def, unsigned index, struct def_frame *frame);

/* A zero-terminated string as a struct text; NULL is an empty one. */
static inline struct text text_of(const char *string)
{
	return string ? (struct text){string, strlen(string)} : (struct text){"", 0};
}

#endif
