/* SPDX-License-Identifier: MIT */
/* streamshare.c - see streamshare.h */
#include "streamshare.h"

#include <stdlib.h>
#include <string.h>

#include "conditions.h"
#include "hashes.h"
#include "message.h"
#include "options.h"
#include "read/filter.h"

struct share {
	uint32_t stream;
	uint64_t stored;
};

static int by_size(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->stored != y->stored)
		return x->stored > y->stored ? -1 : 1;
	return x->stream < y->stream ? -1 : x->stream > y->stream;
}

static unsigned least_of(const uint64_t *loads, unsigned count)
{
	unsigned least = 0;

	for (unsigned i = 1; i < count; i++)
		if (loads[i] < loads[least])
			least = i;
	return least;
}

bool *streams_wanted(const struct reader *trace)
{
	bool *wanted = calloc(trace->stream_count + 1u, sizeof(*wanted));
	struct filter filter;

	if (!wanted)
		die("out of memory");
	if (filter_parse(&filter, trace, &options.filter)) {
		message_error("%s", reader_error(trace));
		exit(EXIT_USAGE);
	}
	for (unsigned i = 0; i < trace->stream_count; i++)
		wanted[i] = filter_stream(&filter, stream_at(trace, i));
	filter_release(&filter);
	return wanted;
}

bool *streams_deal(const struct reader *trace, const bool *wanted, unsigned count, unsigned number)
{
	struct reader_info info = {.sz = sizeof(info)};
	struct reader_stream stream = {.sz = sizeof(stream)};
	uint64_t *loads = calloc(count, sizeof(*loads));
	struct share *shares;
	bool *mine;

	reader_info(trace, &info);
	shares = calloc(info.streams + 1u, sizeof(*shares));
	mine = calloc(info.streams + 1u, sizeof(*mine));
	if (!shares || !loads || !mine)
		die("out of memory");
	for (unsigned i = 0; i < info.streams; i++)
		if ((!wanted || wanted[i]) && !reader_stream(trace, i, &stream))
			shares[i] = (struct share){i, stream.stored + 1};
	qsort(shares, info.streams, sizeof(*shares), by_size);
	for (unsigned i = 0; i < info.streams && shares[i].stored > 0; i++) {
		unsigned least = least_of(loads, count);

		loads[least] += shares[i].stored;
		mine[shares[i].stream] = least == number;
	}
	free(shares);
	free(loads);
	return mine;
}

uint64_t streams_fingerprint(const struct reader *trace)
{
	struct reader_info info = {.sz = sizeof(info)};
	char *conditions = conditions_text();
	uint64_t numbers[3];

	reader_info(trace, &info);
	numbers[0] = (uint64_t)info.start;
	numbers[1] = info.streams;
	numbers[2] = name_hash(conditions, strlen(conditions));
	free(conditions);
	return name_hash((const char *)numbers, sizeof(numbers));
}
