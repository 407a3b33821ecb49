/* SPDX-License-Identifier: MIT */
/* hosts_seen.c - see hosts_seen.h */
#include "hosts_seen.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metavalue.h"

struct host {
	const char *name;
	bool sampled, watched;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct host *)a)->name, ((const struct host *)b)->name);
}

/* One entry a stream. Returns how many. */
static unsigned list_streams(const struct reader *trace, unsigned streams, struct host *hosts)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	unsigned count = 0;

	for (unsigned i = 0; i < streams; i++) {
		const char *source = meta_text(trace, i, "source");

		if (!reader_stream(trace, i, &stream))
			hosts[count++] = (struct host){.name = stream.host,
						       .sampled = !strcmp(source, "sampler"),
						       .watched = !strcmp(source, "system")};
	}
	return count;
}

int hosts_seen_count(const struct reader *trace, struct hosts_seen *seen)
{
	struct reader_info info = {.sz = sizeof(info)};
	struct host *hosts;
	unsigned count;

	*seen = (struct hosts_seen){0};
	reader_info(trace, &info);
	hosts = calloc((size_t)info.streams + 1, sizeof(*hosts));
	if (!hosts)
		return -ENOMEM;
	count = list_streams(trace, info.streams, hosts);
	qsort(hosts, count, sizeof(*hosts), by_name);
	for (unsigned i = 0, end; i < count; i = end) {
		bool sampled = false, watched = false;

		for (end = i; end < count && !by_name(&hosts[i], &hosts[end]); end++) {
			sampled |= hosts[end].sampled;
			watched |= hosts[end].watched;
		}
		seen->all++;
		seen->sampled += sampled;
		seen->watched += watched;
	}
	free(hosts);
	return 0;
}

static bool is_partial(unsigned some, unsigned all)
{
	return some > 0 && some < all;
}

char *hosts_seen_text(const struct reader *trace)
{
	char samples[48] = "", calls[48] = "", *text;
	struct hosts_seen seen;

	if (hosts_seen_count(trace, &seen))
		return NULL;
	if (is_partial(seen.sampled, seen.all))
		snprintf(samples, sizeof(samples), "samples of %u", seen.sampled);
	if (is_partial(seen.watched, seen.all))
		snprintf(calls, sizeof(calls), "what the kernel does on %u", seen.watched);
	if (!*samples && !*calls)
		return NULL;
	return asprintf(&text, "%s%s%s of %u hosts; 'recorder run' behind the launcher sees all",
			samples, *samples && *calls ? ", " : "", calls, seen.all) < 0
		       ? NULL
		       : text;
}
