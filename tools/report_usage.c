/* SPDX-License-Identifier: MIT */
/* report_usage.c - what CPUs, GPUs, disks and processes did over time, for the page of recorder report; see report_data.h */
#include <math.h>
#include <string.h>

#include "message.h"
#include "report_data.h"
#include "usage_collect.h"

#define BINS 480u
#define NODES_SHOWN 8u

/* With a tenth of what is shown; nothing: not known then. */
static void put_bins(struct json *json, const struct usage *usage, const struct usage_value *value)
{
	for (unsigned i = 0; i < usage->bins; i++) {
		double is = usage_at(value, i);

		if (isnan(is))
			json_put_null(json, NULL);
		else if (is < 1000)
			json_put_double(json, NULL, round(is * 10) / 10);
		else
			json_put_integer(json, NULL, (int64_t)is);
	}
}

static void put_node(struct json *json, const struct usage *usage, const struct usage_node *node)
{
	json_begin(json, NULL, '{');
	report_text(json, "host", node->host);
	json_put_unsigned(json, "samples", node->samples);
	json_put_unsigned(json, "programs", node->programs);
	json_put_unsigned(json, "workers", node->workers);
	json_put_bool(json, "calls_from_kernel", node->calls_from_kernel);
	json_put_bool(json, "blocks_from_kernel", node->blocks_from_kernel);
	json_begin(json, "values", '{');
	for (unsigned i = 0; i < USAGE_COUNT; i++) {
		const struct usage_value *value = &node->values[i];

		/* what was never anything needs no room */
		if (value->time == 0 || value->most <= 0)
			continue;
		json_begin(json, usage_name(i), '[');
		put_bins(json, usage, value);
		json_end(json, ']');
	}
	json_end(json, '}');
	json_end(json, '}');
}

static void put_regions(struct json *json, const struct usage *usage)
{
	json_begin(json, "regions", '[');
	for (unsigned i = 0; i < usage->region_count; i++) {
		const struct usage_region *region = &usage->regions[i];

		json_begin(json, NULL, '{');
		report_text(json, "name", region->name);
		json_put_integer(json, "begin", region->first_begin);
		json_put_integer(json, "end", region->first_end);
		json_begin(json, "shares", '[');
		for (unsigned bin = 0; bin < usage->bins; bin++)
			json_put_double(json, NULL,
					fmin(1,
					     round(region->bins[bin] / (double)usage->width * 100) /
						     100));
		json_end(json, ']');
		json_end(json, '}');
	}
	json_end(json, ']');
}

void report_usage(struct json *json, const struct summary *summary)
{
	struct usage usage;
	int error = usage_collect(&usage, summary->trace, analysis_bin_begin(summary->analysis),
				  summary->info.duration, BINS);

	if (error)
		die("cannot read the samples: %s", strerror(-error));
	json_begin(json, "usage", '{');
	json_put_integer(json, "begin", usage.begin);
	json_put_integer(json, "width", usage.width);
	json_put_unsigned(json, "nodes_all", usage.node_count);
	json_begin(json, "nodes", '[');
	for (unsigned i = 0; i < usage.node_count && i < NODES_SHOWN; i++)
		put_node(json, &usage, &usage.nodes[i]);
	json_end(json, ']');
	put_regions(json, &usage);
	json_end(json, '}');
	usage_release(&usage);
}
