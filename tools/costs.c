/* SPDX-License-Identifier: MIT */
/* costs.c - see costs.h */
#include "costs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "entropy.h"
#include "message.h"
#include "metavalue.h"

/* Sums over streams; ns. */
struct overhead {
	uint64_t estimate, cpu;
	unsigned streams; /* that say it */
};

static struct overhead overhead_of(const struct reader *trace, unsigned streams)
{
	struct overhead sum = {0};

	for (unsigned i = 0; i < streams; i++) {
		sum.estimate += meta_number(trace, i, "overhead");
		sum.cpu += meta_number(trace, i, "cpu");
		sum.streams += meta_number(trace, i, "cpu") > 0;
	}
	return sum;
}

void overhead_json(struct json *json, const struct reader *trace, unsigned streams)
{
	struct overhead overhead = overhead_of(trace, streams);

	if (overhead.streams == 0)
		return;
	json_put_seconds(json, "cpu", (int64_t)overhead.cpu);
	json_put_seconds(json, "overhead", (int64_t)overhead.estimate);
}

char *overhead_text(const struct reader *trace, unsigned streams)
{
	struct overhead overhead = overhead_of(trace, streams);
	char *text = NULL;

	if (overhead.streams == 0)
		return NULL;
	if (asprintf(&text, "about %.3f s, %.2f %% of the %.3f s of CPU time that %u stream%s took",
		     (double)overhead.estimate / 1e9,
		     (double)overhead.estimate * 100 / (double)overhead.cpu,
		     (double)overhead.cpu / 1e9, overhead.streams,
		     overhead.streams == 1 ? "" : "s") < 0)
		die("out of memory");
	return text;
}

static struct entropy entropy_of(struct reader *trace)
{
	struct entropy entropy;
	int error = entropy_measure(trace, &entropy);

	if (error)
		die("cannot read the trace: %s", strerror(-error));
	return entropy;
}

void entropy_json(struct json *json, struct reader *trace, uint64_t bytes)
{
	struct entropy entropy = entropy_of(trace);

	json_begin(json, "entropy", '{');
	json_put_seconds(json, "resolution", entropy.resolution);
	json_put_unsigned(json, "records", entropy.records);
	json_put_double(json, "floor", entropy.floor);
	if (entropy.floor > 0)
		json_put_double(json, "times_the_floor", (double)bytes / entropy.floor);
	json_end(json, '}');
}

char *entropy_text(struct reader *trace, uint64_t bytes)
{
	struct entropy entropy = entropy_of(trace);
	char *text = NULL;

	if (entropy.floor <= 0)
		return NULL;
	if (asprintf(&text,
		     "of the times, in units of %" PRId64
		     " ns: %.0f bytes, %.3f a record; the trace is "
		     "%.2f times as large",
		     entropy.resolution, entropy.floor, entropy.floor / (double)entropy.records,
		     (double)bytes / entropy.floor) < 0)
		die("out of memory");
	return text;
}
