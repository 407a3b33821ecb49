/* SPDX-License-Identifier: MIT */
/* summary_sites.c - the places in the program that calls were made from, in all forms of recorder summary, see summaries.h */
#include "analysis/quantities.h"
#include "callsites.h"
#include "json.h"
#include "message.h"
#include "summaries.h"
#include "summary_lines.h"

static const struct callsite *place_of(const struct summary *summary,
				       const struct analysis_site *site)
{
	const struct callsite *place = callsites_find(callsites_shared(summary->trace),
						      site->stream, site->module, site->offset);

	if (!place)
		die("out of memory");
	return place;
}

void summary_sites_text(struct output *output, const struct summary *summary)
{
	unsigned count = analysis_site_count(summary->analysis);

	if (!summary->shows_callsites || count == 0)
		return;
	summary_title(output, summary, "call sites");
	summary_line(output, "  %12s %11s %15s  %s", "time s", "calls", "bytes",
		     "function at function file:line");
	for (unsigned i = 0; i < summary_rows(summary, count); i++) {
		const struct analysis_site *site = analysis_site(summary->analysis, i);
		char calls[QUANTITY_ROOM];

		summary_line(output, "  %12.6f %11s %15lld  %s at %s",
			     (double)site->sums.time / 1e9, quantity_count(calls, site->sums.calls),
			     (long long)site->sums.bytes_read + site->sums.bytes_written,
			     site->function->name, place_of(summary, site)->text);
	}
	if (summary_rows(summary, count) < count)
		summary_line(output, "  ... %u more places, see --top",
			     count - summary_rows(summary, count));
}

void summary_sites_json(struct json *json, const struct summary *summary)
{
	if (!summary->shows_callsites)
		return;
	json_begin(json, "callsites", '[');
	for (unsigned i = 0; i < analysis_site_count(summary->analysis); i++) {
		const struct analysis_site *site = analysis_site(summary->analysis, i);
		const struct callsite *place = place_of(summary, site);

		json_begin(json, NULL, '{');
		json_put_string(json, "layer", site->function->layer);
		json_put_string(json, "function", site->function->name);
		json_put_unsigned(json, "calls", site->sums.calls);
		json_put_unsigned(json, "errors", site->sums.errors);
		json_put_seconds(json, "time", site->sums.time);
		json_put_integer(json, "bytes_read", site->sums.bytes_read);
		json_put_integer(json, "bytes_written", site->sums.bytes_written);
		json_put_string(json, "caller", place->source ? place->source->function : "");
		json_put_string(json, "file", place->source ? place->source->file : "");
		json_put_unsigned(json, "line", place->source ? place->source->line : 0);
		json_put_string(json, "module", site->module_path);
		json_put_unsigned(json, "offset", site->offset);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void put_field(struct output *output, const char *text)
{
	output_csv(output, text);
	output_char(output, ',');
}

void summary_sites_csv(struct output *output, const struct summary *summary)
{
	output_text(output,
		    "layer,function,calls,errors,time,bytes_read,bytes_written,caller,file,line,"
		    "module,offset\n");
	for (unsigned i = 0; i < analysis_site_count(summary->analysis); i++) {
		const struct analysis_site *site = analysis_site(summary->analysis, i);
		const struct callsite *place = place_of(summary, site);

		put_field(output, site->function->layer);
		put_field(output, site->function->name);
		output_u64(output, site->sums.calls);
		output_char(output, ',');
		output_u64(output, site->sums.errors);
		output_char(output, ',');
		output_decimal(output, site->sums.time, 9);
		output_char(output, ',');
		output_i64(output, site->sums.bytes_read);
		output_char(output, ',');
		output_i64(output, site->sums.bytes_written);
		output_char(output, ',');
		put_field(output, place->source ? place->source->function : "");
		put_field(output, place->source ? place->source->file : "");
		output_u64(output, place->source ? place->source->line : 0);
		output_char(output, ',');
		put_field(output, site->module_path);
		output_u64(output, site->offset);
		output_char(output, '\n');
	}
}
