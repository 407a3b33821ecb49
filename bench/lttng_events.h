/* SPDX-License-Identifier: MIT */
/* lttng_events.h - the tracepoints of lttng.c: a call and its return. Included several times by LTTng's own headers, which ask for it. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER recorder_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "lttng_events.h"

#if !defined(BENCH_LTTNG_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_LTTNG_EVENTS_H

#include <lttng/tracepoint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(recorder_bench, enter,
	LTTNG_UST_TP_ARGS(int, file, unsigned long, size, long, offset),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, file, file)
		lttng_ust_field_integer(unsigned long, size, size)
		lttng_ust_field_integer(long, offset, offset)))

LTTNG_UST_TRACEPOINT_EVENT(recorder_bench, leave,
	LTTNG_UST_TP_ARGS(long, result),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(long, result, result)))
/* clang-format on */

#endif

#include <lttng/tracepoint-event.h>
