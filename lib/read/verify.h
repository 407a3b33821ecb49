/* SPDX-License-Identifier: MIT */
/* verify.h - everything a trace says about itself, held against what is in it: reader_verify(), stream by stream. */
#ifndef RECORDER_READ_VERIFY_H
#define RECORDER_READ_VERIFY_H

#include <stdbool.h>

struct reader;
struct verifier;

/* `wanted`: by number the streams that will be verified, for who sees the progress; NULL: all. NULL: out of memory. */
struct verifier *verifier_new(struct reader *trace, const bool *wanted);
void verifier_free(struct verifier *verifier);
/* What is wrong becomes problems of the trace. 0 or a negative errno. */
int verifier_stream(struct verifier *verifier, unsigned number);

#endif
