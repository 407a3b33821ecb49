/* SPDX-License-Identifier: MIT */
/*
 * target_text.h - how targets are written: their parts.
 */
#ifndef RECORDER_RECORD_TARGET_TEXT_H
#define RECORDER_RECORD_TARGET_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The texts end in zeros and stay. */
struct target {
	const char *text; /* as it was given */
	const char *
		object; /* before the first ':' that is not of a "::": a glob; NULL: of any object, module, file */
	const char *name; /* behind it: a glob; NULL: by its line */
	uint32_t line;    /* in `object` */
	bool plain;       /* no part has the signs of a glob */
};

/* What is asked of the arguments, or the result, of the functions that `target` means. */
struct target_request {
	struct target target;
	const char *list; /* behind '@': "arg1/i,arg2/s", "n,name"; NULL: all there is */
};

/* What the texts of targets are in: those of three settings, and once more what is cut of them. Zeroed memory is empty. */
struct target_texts {
	size_t used;
	char bytes[32768];
};

/* False: nothing to be looked for, or no room. */
bool target_read(struct target_texts *texts, const char *text, size_t length,
		 struct target *target);
/* "TARGET@LIST", "TARGET" */
bool target_request_read(struct target_texts *texts, const char *text, size_t length,
			 struct target_request *request);
/* The next of a list with ';' between, without blanks around it; false at its end. */
bool target_next(const char **list, const char **part, size_t *length);

#endif
