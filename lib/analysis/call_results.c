/* SPDX-License-Identifier: MIT */
/* call_results.c - see call_results.h */
#include "analysis/call_results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions and what failed of them ---- */

static int by_self_time(const void *a, const void *b)
{
	const struct analysis_function *x = a, *y = b;

	if (x->sums.self != y->sums.self)
		return x->sums.self < y->sums.self ? 1 : -1;
	if (x->sums.calls != y->sums.calls)
		return x->sums.calls < y->sums.calls ? 1 : -1;
	return x->function->id < y->function->id ? -1 : 1;
}

static int make_functions(struct results *results, const struct tables *tables)
{
	const struct facts *facts = tables->facts;

	results->functions = calloc(facts->function_count + 1, sizeof(*results->functions));
	if (!results->functions)
		return -ENOMEM;
	for (unsigned i = 0; i < facts->function_count; i++) {
		const struct function_row *row = &tables->functions[i];

		if (!row->times)
			continue;
		results->functions[results->function_count++] = (struct analysis_function){
			.function = reader_function_by_id(facts->trace, i),
			.operation = facts->functions[i].operation,
			.layer = facts->functions[i].layer,
			.sums = row->sums,
			.least = row->least,
			.most = row->most,
			.most_in_files = row->most_in_files,
		};
	}
	qsort(results->functions, results->function_count, sizeof(*results->functions),
	      by_self_time);
	return 0;
}

static int by_failures(const void *a, const void *b)
{
	const struct analysis_error *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	if (x->function->id != y->function->id)
		return x->function->id < y->function->id ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int make_errors(struct results *results, const struct tables *tables)
{
	const struct failures *failures = &tables->failures;

	results->errors = calloc((size_t)failures->keys.count + 1, sizeof(*results->errors));
	if (!results->errors)
		return -ENOMEM;
	results->error_count = failures->keys.count;
	for (uint32_t i = 0; i < failures->keys.count; i++)
		results->errors[i] = (struct analysis_error){
			.function = reader_function_by_id(tables->facts->trace,
							  failures->rows[i].function),
			.err = failures->rows[i].err,
			.name = failures_name(failures, i),
			.calls = failures->rows[i].calls,
			.time = failures->rows[i].time,
			.calls_apart = failures->rows[i].calls_apart,
			.time_apart = failures->rows[i].time_apart,
		};
	qsort(results->errors, results->error_count, sizeof(*results->errors), by_failures);
	return 0;
}

/* ---- call sites ---- */

static int by_site_time(const void *a, const void *b)
{
	const struct analysis_site *x = a, *y = b;
	int order;

	if (x->sums.time != y->sums.time)
		return x->sums.time > y->sums.time ? -1 : 1;
	order = strcmp(x->module_path, y->module_path);
	if (order)
		return order;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->function->id > y->function->id) - (x->function->id < y->function->id);
}

static int make_sites(struct results *results, const struct tables *tables)
{
	const struct sites *sites = &tables->sites;

	results->sites = calloc((size_t)sites->keys.count + 1, sizeof(*results->sites));
	if (!results->sites)
		return -ENOMEM;
	for (uint32_t i = 0; i < sites->keys.count; i++) {
		const struct site_row *row = &sites->rows[i];
		struct analysis_site *site = &results->sites[results->site_count];
		struct site_key key = sites_key(sites, i, &site->module_path);

		site->function = reader_function_by_id(tables->facts->trace, key.function);
		site->offset = key.offset;
		site->stream = row->stream;
		site->module = row->module;
		site->sums = row->sums;
		results->site_count += site->function != NULL;
	}
	qsort(results->sites, results->site_count, sizeof(*results->sites), by_site_time);
	return 0;
}

int call_results_make(struct results *results, const struct tables *tables)
{
	int error = make_functions(results, tables);

	if (!error)
		error = make_errors(results, tables);
	return error ? error : make_sites(results, tables);
}
