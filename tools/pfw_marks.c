/* SPDX-License-Identifier: MIT */
/* pfw_marks.c - see pfw_marks.h */
#include "pfw_marks.h"

#include <errno.h>

#include "analysis/sumvalues.h"
#include "events.h"
#include "json.h"
#include "pfw_meta.h"

/* What the program says of the process. */
static void put_told(struct out_events *events, const struct pfw_call *call)
{
	const char *name;
	size_t size = mark_name(events, call->record, &name);

	pfw_meta(events, "CM", call->record->stream, call->tid, name, size);
	output_text(events->output, ",\"value\":");
	mark_value(events, call->record);
	output_text(events->output, "}}\n");
}

/*
 * What DataCrumbs has of an interval:
 * {"id":1,"name":"close","cat":"KERNEL","pid":7,"tid":7,"ts":17..,"dur":100000,"ph":"C","args":{"hhash":"..","fname":"/f","freq":1,"time":5.69e-06,"size_sum":null}}
 */
static void put_sum(struct out_events *events, const struct pfw_call *call)
{
	struct sum_values sum = sum_values_of(events->trace, call->record);
	struct reader_file file;

	pfw_put_number(events, call);
	pfw_put_head(events, call);
	output_i64(events->output,
		   event_unix_us(events,
				 sum.begin +
					 500)); /* a multiple of us, but for what clocks differ */
	event_number(events, ",\"dur\":", sum.interval / 1000);
	pfw_put_phase(events, MARK_SUM);
	pfw_put_host(events, call->record->stream);
	if (reader_record_file(events->trace, call->record, &file))
		output_text(events->output, ",\"fname\":null");
	else
		event_string(events, ",\"fname\":", file.path, strlen(file.path));
	event_number(events, ",\"freq\":", sum.count);
	output_text(events->output, ",\"time\":");
	json_double(events->output, (double)sum.time / 1e9);
	if (sum.has_bytes)
		event_number(events, ",\"size_sum\":", sum.bytes);
	else
		output_text(events->output, ",\"size_sum\":null");
	if (sum.has_queue) {
		output_text(events->output, ",\"queue\":");
		json_double(events->output, (double)sum.queue / 1e9);
	}
	output_text(events->output, "}}\n");
}

/* Instants, counters and spans are lines of calls that take no time, with letters of their own. */
int pfw_put_mark(struct out_events *events, const struct pfw_call *call, enum mark mark)
{
	int error = 0;

	if (mark == MARK_METADATA) {
		put_told(events, call);
		return 0;
	}
	if (mark == MARK_SUM) {
		put_sum(events, call);
		return 0;
	}
	pfw_put_number(events, call);
	pfw_put_head(events, call);
	output_i64(events->output, event_unix_us(events, call->record->tstart));
	output_text(events->output, ",\"dur\":0");
	pfw_put_phase(events, mark);
	if (!events->later && (mark == MARK_SPAN_BEGIN || mark == MARK_SPAN_END))
		mark_id(events, call->record);
	if (mark == MARK_COUNTER && !mark_is_sample(events, call->record)) {
		output_text(events->output, ",\"args\":{\"value\":");
		mark_value(events, call->record);
		output_char(events->output, '}');
	} else if (!events->no_args) {
		pfw_put_host(events, call->record->stream);
		output_char(events->output, ',');
		error = event_args(events, call->record);
		output_char(events->output, '}');
	}
	output_text(events->output, "}\n");
	return error;
}
