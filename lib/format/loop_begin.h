/* SPDX-License-Identifier: MIT */
/*
 * loop_begin.h - what is to come of a loop: made of its first two iterations, or of a turn that was learned (loop_learn.h).
 */
#ifndef RECORDER_FORMAT_LOOP_BEGIN_H
#define RECORDER_FORMAT_LOOP_BEGIN_H

#include "format/loop_encode.h"

/* Memory that loop_begin() needs. */
size_t loop_memory(uint32_t block_size, uint32_t period);

/* No iteration is taken yet. 0; -ENOENT: there is no loop; -E2BIG: it has too much of something. */
int loop_begin(struct loop *loop, struct bump bump, const struct loop_input *input);
int loop_begin_nested(struct loop *loop, struct bump bump, const struct loop_input *input);

#endif
