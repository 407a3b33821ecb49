/* SPDX-License-Identifier: MIT */
/* kernelmode.c - see kernelmode.h */
#include "kernelmode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/scaled.h"
#include "instant.h"

#define INTERVAL_LEAST 10000u /* ns: below it there are hardly two calls in one */

static bool traces = true, profiles;
static uint64_t interval = 100000000;

static int take_word(const char *word, bool *wants_trace, bool *wants_profile)
{
	if (!strcmp(word, "trace"))
		*wants_trace = true;
	else if (!strcmp(word, "profile"))
		*wants_profile = true;
	else
		return -EINVAL;
	return 0;
}

int kernelmode_parse(const char *list)
{
	bool wants_trace = false, wants_profile = false;
	char *words = strdup(list), *rest = NULL;
	int error = words && *words ? 0 : -EINVAL;

	for (char *word = words ? strtok_r(words, ",", &rest) : NULL; word && !error;
	     word = strtok_r(NULL, ",", &rest))
		error = take_word(word, &wants_trace, &wants_profile);
	free(words);
	if (error || (!wants_trace && !wants_profile))
		return -EINVAL;
	traces = wants_trace;
	profiles = wants_profile;
	return 0;
}

int kernelmode_parse_interval(const char *value)
{
	uint64_t ns;

	if (!scaled_time(value, &ns) || ns < INTERVAL_LEAST || ns > INT64_MAX / 4)
		return -EINVAL;
	interval = ns;
	return 0;
}

bool kernelmode_traces(void)
{
	return traces;
}

bool kernelmode_profiles(void)
{
	return profiles;
}

uint64_t kernelmode_interval(void)
{
	return interval;
}

uint64_t kernelmode_shift(void)
{
	int64_t real = instant_of(CLOCK_REALTIME);

	return (uint64_t)(real - instant_of(CLOCK_MONOTONIC));
}
