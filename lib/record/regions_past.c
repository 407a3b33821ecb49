/* SPDX-License-Identifier: MIT */
/* regions_past.c - see regions_past.h */
#include "record/regions_past.h"

#include <errno.h>

#include "record/paired.h"
#include "record/regions.h"
#include "record/vdso.h"

#define PAST_READINGS 5

/* An instant on both clocks: of some readings the one that was disturbed least. */
static uint64_t ticks_now(int64_t *real)
{
	uint64_t least = UINT64_MAX, ticks = 0;

	for (int i = 0; i < PAST_READINGS; i++) {
		uint64_t before = clock_ticks();
		int64_t now = vdso_clock_ns(CLOCK_REALTIME);
		uint64_t width = clock_ticks() - before;

		if (width < least) {
			least = width;
			ticks = before + width / 2;
			*real = now;
		}
	}
	return ticks;
}

static uint64_t ticks_at(int64_t unix_ns)
{
	struct anchor first = clock_first_anchor(), last = clock_anchor();
	int64_t now = 0;
	uint64_t ticks = ticks_now(&now), ago;

	if (unix_ns >= now)
		return ticks;
	ago = clock_ticks_in(now - unix_ns, &first, &last);
	return ago < ticks ? ticks - ago : 0;
}

/* It cannot have begun before what it lies in, or the process. */
static uint64_t earliest(const struct thread *thread)
{
	return thread->level > 1 ? call_open_record(thread, thread->level - 2)->tstart
				 : clock_first_anchor().ticks;
}

int region_begin_at(struct recorder_site *site, int64_t unix_ns, uintptr_t caller)
{
	int result = region_begin(site, caller), saved = errno;
	struct thread *thread = paired_thread();
	struct raw_record *record;
	uint64_t begin;

	if (result == 0 && thread && region_inside(site) == 0 && region_is_recorded(site)) {
		record = call_open_record(thread, thread->level - 1);
		begin = ticks_at(unix_ns);
		if (begin < earliest(thread))
			begin = earliest(thread);
		if (begin < record->tstart)
			record->tstart = begin;
	}
	errno = saved;
	return result;
}

int region_end_at(struct recorder_site *site, int64_t unix_ns)
{
	struct thread *thread = paired_thread();
	struct raw_record *record;
	uint64_t end, late;
	int saved = errno;
	struct call call;

	if (!thread || region_inside(site) != 0 || !region_is_recorded(site))
		return region_end(site);
	record = call_open_record(thread, thread->level - 1);
	call = (struct call){thread, record};
	end = ticks_at(unix_ns);
	pushed_stop(&call);
	if (end < record->tend)
		record->tend = end > record->tstart ? end : record->tstart;
	late = thread->last_end > record->tend ? thread->last_end - record->tend : 0;
	record->tstart += late;
	record->tend += late;
	thread->calls[thread->level - 1].frame = (uintptr_t)&call;
	pushed_leave(&call);
	errno = saved;
	return late > 0 ? -ERANGE : 0;
}
