/* SPDX-License-Identifier: MIT */
/* reread.c - see reread.h */
#include "reread.h"

#include <string.h>

#include "drawn.h"
#include "same.h"

void reread_describe(struct list_function *function)
{
	struct encode_function known = drawn_function(NULL, function->id);

	function->arg_count = known.arg_count;
	function->result_class = known.result_class;
	function->classes = known.arg_classes;
}

void reread_open(struct data_decoder *decoder, const struct chunk_header *header,
		 const uint8_t *stored)
{
	SAME(data_open(decoder, header, stored) == 0);
	SAME(data_lists(decoder)->function_count <= TABLE_FUNCTIONS);
	for (uint32_t i = 0; i < data_lists(decoder)->function_count; i++)
		reread_describe(&decoder->functions[i]);
	SAME(data_begin(decoder) == 0);
}

/* ---- times ---- */

static struct {
	uint64_t before;              /* tend of the record before */
	uint64_t durations[1u << 16]; /* by function: what was there less what was made of it */
} sums;

void reread_times_begin(void)
{
	memset(&sums, 0, sizeof(sums));
}

void reread_time(const struct raw_record *made, uint64_t was, uint64_t is)
{
	SAME(made->tstart <= made->tend && made->tend >= sums.before);
	sums.before = made->tend;
	sums.durations[made->function] += was - is;
}

void reread_times_end(void)
{
	for (unsigned i = 0; i < 1u << 16; i++)
		SAME(sums.durations[i] == 0);
}
