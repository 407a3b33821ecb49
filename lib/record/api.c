/* SPDX-License-Identifier: MIT */
/* api.c - what programs call by themselves: include/recorder/recorder.h. */
#include <recorder/recorder.h>

#include <errno.h>

#include "record/call.h"
#include "record/control.h"
#include "record/lifecycle.h"
#include "record/regions.h"
#include "record/regions_past.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int recorder_site_begin(struct recorder_site *site)
{
	return region_begin(site, CALL_SITE);
}

EXPORTED int recorder_site_end(struct recorder_site *site)
{
	return region_end(site);
}

EXPORTED int recorder_site_inside(struct recorder_site *site)
{
	return region_inside(site);
}

EXPORTED int recorder_site_cancel(struct recorder_site *site)
{
	return region_cancel(site);
}

EXPORTED int recorder_site_begin_at(struct recorder_site *site, int64_t unix_ns)
{
	return region_begin_at(site, unix_ns, CALL_SITE);
}

EXPORTED int recorder_site_end_at(struct recorder_site *site, int64_t unix_ns)
{
	return region_end_at(site, unix_ns);
}

EXPORTED int recorder_site_instant(struct recorder_site *site)
{
	return region_mark(site, KIND_instant, NULL, CALL_SITE);
}

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

EXPORTED int recorder_site_counter(struct recorder_site *site, double value)
{
	return region_mark(site, KIND_counter,
			   &(struct region_argument){"value", KIND_double, bits_of(value), NULL},
			   CALL_SITE);
}

EXPORTED int recorder_site_span(struct recorder_site *site, uint64_t id, int ends)
{
	return region_mark(site, ends ? KIND_span_end : KIND_span_begin,
			   &(struct region_argument){"id", KIND_uint, id, NULL}, CALL_SITE);
}

EXPORTED int recorder_region_int(const char *key, int64_t value)
{
	return region_set(&(struct region_argument){key, KIND_int, (uint64_t)value, NULL});
}

EXPORTED int recorder_region_double(const char *key, double value)
{
	return region_set(&(struct region_argument){key, KIND_double, bits_of(value), NULL});
}

EXPORTED int recorder_region_string(const char *key, const char *value)
{
	return region_set(&(struct region_argument){key, KIND_string, 0, value});
}

EXPORTED int recorder_site_int(struct recorder_site *site, const char *key, int64_t value)
{
	return region_set_of(site, &(struct region_argument){key, KIND_int, (uint64_t)value, NULL});
}

EXPORTED int recorder_site_double(struct recorder_site *site, const char *key, double value)
{
	return region_set_of(site,
			     &(struct region_argument){key, KIND_double, bits_of(value), NULL});
}

EXPORTED int recorder_site_string(struct recorder_site *site, const char *key, const char *value)
{
	return region_set_of(site, &(struct region_argument){key, KIND_string, 0, value});
}

EXPORTED int recorder_process_note(const char *key, const char *value)
{
	struct recorder_site site = RECORDER_SITE(key, NULL);

	return region_mark(&site, KIND_metadata,
			   &(struct region_argument){"value", KIND_string, 0, value}, CALL_SITE);
}

EXPORTED int recorder_control(int request)
{
	if (!lifecycle_start())
		return -ENOSYS;
	switch (request) {
	case RECORDER_PAUSE:
	case RECORDER_RESUME:
		control_pause(request == RECORDER_PAUSE);
		return 0;
	case RECORDER_FLUSH:
		control_flush();
		return 0;
	}
	return -EINVAL;
}
