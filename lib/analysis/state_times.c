/* SPDX-License-Identifier: MIT */
/* state_times.c - see state_times.h */
#include "analysis/state_times.h"

#include "analysis/add.h"

struct overlap_bin *state_times_bin(struct state_times *times)
{
	return times->phase->phases ? NULL : &times->bin;
}

void state_times_end(struct state_times *times)
{
	struct series *series = times->series;

	for (unsigned state = 0; state < OVERLAP_STATES; state++)
		if (times->bin.times[state]) {
			int64_t time = times->bin.times[state];

			add_to(&times->process->time[state], time);
			add_to(&series->states[state].part[times->number], time);
			times->bin.times[state] = 0;
		}
}

/* States change with every call, bins hardly ever: what lies in one is put together first. */
void state_times_take(void *data, unsigned state, int64_t begin, int64_t end)
{
	struct state_times *times = data;
	struct series *series = times->series;

	phase_watch_state(times->phase, state, begin, end);
	if (overlap_bin_take(&times->bin, state, begin, end))
		return;
	state_times_end(times);
	add_to(&times->process->time[state], end - begin);
	series_add_time(series, &series->states[state], begin, end);
	times->number = series_bin_at(series, end, &times->bin.begin, &times->bin.end);
}
