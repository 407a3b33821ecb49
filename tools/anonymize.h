/* SPDX-License-Identifier: MIT */
/*
 * anonymize.h - the bodies of chunks with other names in them; everything else in them stays, byte by byte where it can.
 *
 * What is not known to this version is left out, not copied: it might hold a name.
 */
#ifndef RECORDER_TOOLS_ANONYMIZE_H
#define RECORDER_TOOLS_ANONYMIZE_H

#include "buffer.h"
#include "format/bytes.h"
#include "format/wire.h"
#include "pseudonym.h"

/* How a text is replaced. */
enum text_kind {
	TEXT_KEEP,
	TEXT_NAME, /* one name: a host, a job */
	TEXT_PATH,
	TEXT_WORDS,   /* arguments, shell commands */
	TEXT_STRINGS, /* an argv: texts with zeros between them */
	TEXT_OBJECT,  /* MPI's own names stay */
	TEXT_FILE,    /* a path, or what the kernel calls a pipe */
	TEXT_MODE,    /* of fopen, if it is one */
};

/* Appends what stands for `text`. */
void anonymize_text(const struct pseudonyms *pseudonyms, enum text_kind kind, struct buffer *out,
		    const void *text, size_t size);

/* What the FUNCTION definitions of a stream say, by id. Zeroed memory knows none. */
struct anonymize_functions {
	struct anonymize_function {
		bool known;
		uint8_t arg_count, strings, result_class;
		uint8_t classes[RECORD_MAX_ARGS];
		uint8_t kinds[RECORD_MAX_ARGS]; /* enum text_kind */
	} * by_id[UINT16_MAX + 1];
};

void anonymize_functions_release(struct anonymize_functions *functions);

/* 0 and the number of entries in *count, or -EBADMSG. `name`: what stream.name becomes. */
int anonymize_meta(const struct pseudonyms *pseudonyms, struct bytes body, const char *name,
		   struct buffer *out, uint32_t *count);
/* `body` is plain. Learns the functions. */
int anonymize_defs(const struct pseudonyms *pseudonyms, struct anonymize_functions *functions,
		   struct bytes body, struct buffer *out, uint32_t *count);
/* Records as they lie in rings. */
int anonymize_records(const struct pseudonyms *pseudonyms,
		      const struct anonymize_functions *functions, struct bytes body,
		      struct buffer *out);

#endif
