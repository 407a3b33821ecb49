/* SPDX-License-Identifier: MIT */
/* report_sites.c - the places in the program that calls were made from, for the page of recorder report, see report_data.h */
#include "callsites.h"
#include "message.h"
#include "report_data.h"

/* Each is looked up in what the compiler left of programs and libraries, which may take long. */
#define SITES_MOST 300u

static void put_site(struct json *json, const struct analysis_site *site,
		     const struct callsite *place)
{
	json_begin(json, NULL, '[');
	report_text(json, NULL, site->function->layer);
	report_text(json, NULL, site->function->name);
	report_text(json, NULL, place->text);
	report_text(json, NULL, site->module_path);
	json_put_unsigned(json, NULL, site->sums.calls);
	json_put_unsigned(json, NULL, site->sums.errors);
	json_put_integer(json, NULL, site->sums.time);
	json_put_integer(json, NULL, site->sums.bytes_read);
	json_put_integer(json, NULL, site->sums.bytes_written);
	json_end(json, ']');
}

void report_sites(struct json *json, const struct summary *summary)
{
	struct callsites *callsites = callsites_shared(summary->trace);
	unsigned count = analysis_site_count(summary->analysis);

	report_table(json, "callsites",
		     "layer function place module calls errors time bytes_read bytes_written");
	for (unsigned i = 0; i < count && i < SITES_MOST; i++) {
		const struct analysis_site *site = analysis_site(summary->analysis, i);
		const struct callsite *place =
			callsites_find(callsites, site->stream, site->module, site->offset);

		if (!place)
			die("out of memory");
		put_site(json, site, place);
	}
	report_end_part(json, count);
}
