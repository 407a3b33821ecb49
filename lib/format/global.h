/* SPDX-License-Identifier: MIT */
/*
 * global.h - the first bytes of recorder.gm, doc/format.md section 8: file header and one META chunk, which says whose run it is.
 */
#ifndef RECORDER_FORMAT_GLOBAL_H
#define RECORDER_FORMAT_GLOBAL_H

#include <stdbool.h>
#include <stddef.h>

#include "format/bytes.h"
#include "format/wire.h"

#define GLOBAL_MAX 8192         /* bytes that hold it */
#define GLOBAL_RUNS_MAX 1000000 /* of runs that were told the same directory; "DIRECTORY.NUMBER" */

struct global_facts {
	const char *run_id, *cwd, *command;
	struct anchor now; /* when it is made; its ticks may be 0 */
};

/* Whose file it is, and when it was made. */
struct global_head {
	struct text run_id; /* in the bytes that were read */
	struct anchor made;
};

/* How many bytes were written. */
size_t global_pack(uint8_t *buffer, size_t size, const struct global_facts *facts);
/* False: no such file begins with these bytes. */
bool global_read(const uint8_t *bytes, size_t size, struct global_head *head);
bool global_is_of_run(const struct global_head *head, const char *run_id);

#endif
