/* SPDX-License-Identifier: MIT */
/*
 * global.h - the first bytes of recorder.gm, doc/format.md section 8: file header and one META chunk, which says whose run it is.
 */
#ifndef RECORDER_FORMAT_GLOBAL_H
#define RECORDER_FORMAT_GLOBAL_H

#include <stdbool.h>
#include <stddef.h>

#include "format/wire.h"

#define GLOBAL_MAX 8192 /* bytes that hold it */

struct global_facts {
	const char *run_id, *cwd, *command;
	struct anchor now; /* when it is made; its ticks may be 0 */
};

/* How many bytes were written. */
size_t global_pack(uint8_t *buffer, size_t size, const struct global_facts *facts);
/* Whether a file that begins with these bytes is of that run. */
bool global_is_of_run(const uint8_t *bytes, size_t size, const char *run_id);

#endif
