/* SPDX-License-Identifier: MIT */
/* usage.c - see usage.h */
#include "usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values ------------------------------------------------------------------------------ */

void usage_add_to_bins(const struct usage *usage, double *bins, int64_t from, int64_t to,
		       double value)
{
	int64_t first = (from - usage->begin) / usage->width;

	if (to <= usage->begin || from >= usage->begin + usage->width * usage->bins)
		return;
	for (unsigned bin = first < 0 ? 0 : (unsigned)first; bin < usage->bins; bin++) {
		int64_t begin = usage->begin + bin * usage->width, end = begin + usage->width;

		if (begin >= to)
			return;
		bins[bin] +=
			value * (double)((end < to ? end : to) - (begin > from ? begin : from));
	}
}

void usage_add_value(const struct usage *usage, struct usage_value *value, int64_t from, int64_t to,
		     double is)
{
	if (to <= from || !isfinite(is) || is < 0)
		return;
	if (!value->bins) {
		value->bins = calloc(usage->bins, sizeof(*value->bins));
		value->known = calloc(usage->bins, sizeof(*value->known));
	}
	if (!value->bins || !value->known)
		return;
	value->least = value->time == 0 || is < value->least ? is : value->least;
	value->most = value->time == 0 || is > value->most ? is : value->most;
	value->sum += is * (double)(to - from);
	value->time += to - from;
	usage_add_to_bins(usage, value->bins, from, to, is);
	usage_add_to_bins(usage, value->known, from, to, 1);
}

double usage_mean(const struct usage_value *value)
{
	return value->time > 0 ? value->sum / (double)value->time : NAN;
}

double usage_at(const struct usage_value *value, unsigned bin)
{
	return value->bins && value->known[bin] > 0 ? value->bins[bin] / value->known[bin] : NAN;
}

bool usage_is_shell(const char *command)
{
	static const char *const shells[] = {"sh",   "bash",   "dash",    "zsh",     "ksh",
					     "make", "mpirun", "mpiexec", "orterun", "recorder"};

	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (!strcmp(shells[i], command))
			return true;
	return false;
}

void usage_release(struct usage *usage)
{
	for (unsigned i = 0; i < usage->node_count; i++)
		for (unsigned k = 0; k < USAGE_COUNT; k++) {
			free(usage->nodes[i].values[k].bins);
			free(usage->nodes[i].values[k].known);
		}
	for (unsigned i = 0; i < usage->region_count; i++)
		free(usage->regions[i].bins);
	free(usage->nodes);
}

/* Names ------------------------------------------------------------------------------- */

static const char *const names[USAGE_COUNT] = {
#define KIND(name, unit) #name,
	USAGE_KINDS(KIND)
#undef KIND
};

static const char *const units[USAGE_COUNT] = {
#define KIND(name, unit) unit,
	USAGE_KINDS(KIND)
#undef KIND
};

const char *usage_name(enum usage_kind kind)
{
	return names[kind];
}

const char *usage_unit(enum usage_kind kind)
{
	return units[kind];
}
