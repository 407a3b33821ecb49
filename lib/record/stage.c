/* SPDX-License-Identifier: MIT */
/* stage.c - see stage.h */
#include "record/stage.h"

#include "record/patience.h"
#include "record/stream.h"
#include "record/sys.h"
#include "record/wipe.h"

struct stage_word *stage_word;

bool stage_init(void)
{
	stage_word = wipe_alloc(sizeof(*stage_word));
	return stage_word;
}

bool stage_go_on(enum stage from, enum stage to)
{
	uint32_t expected = from;

	return atomic_compare_exchange_strong(&stage_word->stage, &expected, to);
}

/* Whether another thread is opening or ending the stream, or has left it by an exec that has not failed so far. */
static bool others_are_at(enum stage stage)
{
	uint32_t tid = (uint32_t)sys_gettid();

	if (stage == STAGE_OPENING)
		return atomic_load(&stage_word->opener) != tid;
	return (stage == STAGE_ENDING || stage == STAGE_LEFT) &&
	       atomic_load(&stage_word->ender) != tid;
}

enum stage stage_wait_for_others(void)
{
	struct patience patience = {0};
	uint64_t bytes = 0;
	enum stage stage;

	while (stage = stage_now(), others_are_at(stage)) {
		if (stage == STAGE_ENDING && stream_bytes() != bytes) {
			bytes = stream_bytes();
			patience = (struct patience){0};
		}
		if (!patience_wait(&patience))
			break;
	}
	return stage;
}
