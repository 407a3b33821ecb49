/* SPDX-License-Identifier: MIT */
/* flows.c - see flows.h */
#include "flows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "chrome.h"

struct flows {
	struct out_events *events;
	struct halves halves;
	unsigned parts; /* that halves are in the order of; 0: in none */
	uint32_t *ends; /* of the parts */
	uint64_t count;
};

/* What the bytes of a share begin with; halves of messages follow. */
struct share {
	uint64_t seen[HALF_KINDS], left_out, given_up;
	uint32_t level, count;
};

struct flows *flows_new(struct out_events *events)
{
	struct flows *flows = calloc(1, sizeof(*flows));

	if (!flows)
		return NULL;
	flows->events = events;
	return flows;
}

void flows_free(struct flows *flows)
{
	if (!flows)
		return;
	halves_release(&flows->halves);
	free(flows->ends);
	free(flows);
}

struct halves *flows_halves(struct flows *flows)
{
	return &flows->halves;
}

uint64_t flows_count(const struct flows *flows)
{
	return flows->count;
}

uint64_t flows_left_out(const struct flows *flows)
{
	const struct half_list *ends = &flows->halves.things[HALVES_MESSAGES];
	uint64_t kept = 0;

	if (ends->level == 0)
		return 0;
	for (uint32_t i = 0; i < ends->count; i++)
		kept += (ends->list[i].kind & HALF_KIND) == HALF_RECEIVE;
	return flows->halves.seen[HALF_RECEIVE] - kept;
}

void flows_next_file(struct flows *flows)
{
	halves_release(&flows->halves);
	memset(&flows->halves, 0, sizeof(flows->halves));
	flows->count = 0;
	flows->parts = 0;
}

/* ---- sharing ---- */

void flows_share(struct flows *flows, struct buffer *bytes)
{
	const struct halves *halves = &flows->halves;
	const struct half_list *ends = &halves->things[HALVES_MESSAGES];
	struct share share = {.left_out = halves->left_out,
			      .given_up = halves->given_up,
			      .level = ends->level,
			      .count = ends->count};

	memcpy(share.seen, halves->seen, sizeof(share.seen));
	buffer_clear(bytes);
	buffer_add(bytes, &share, sizeof(share));
	buffer_add(bytes, ends->list, ends->count * sizeof(*ends->list));
}

int flows_hear(struct flows *flows, const void *bytes, size_t size)
{
	struct half_comm none = {0};
	struct halves heard = {.comms = &none};
	struct half_list *ends = &heard.things[HALVES_MESSAGES];
	struct share share;
	int error;

	if (size < sizeof(share))
		return -EINVAL;
	memcpy(&share, bytes, sizeof(share));
	if (size != sizeof(share) + share.count * sizeof(*ends->list))
		return -EINVAL;
	ends->list = malloc(size);
	if (!ends->list)
		return -ENOMEM;
	memcpy(ends->list, (const char *)bytes + sizeof(share), size - sizeof(share));
	memcpy(heard.seen, share.seen, sizeof(share.seen));
	heard.left_out = share.left_out;
	heard.given_up = share.given_up;
	ends->level = share.level;
	ends->count = share.count;
	/* communicators have other numbers there, and are not asked for here */
	for (uint32_t i = 0; i < ends->count; i++)
		ends->list[i].comm = 0;
	error = halves_merge(&flows->halves, &heard);
	free(ends->list);
	return error;
}

/* ---- putting out ---- */

/* {"name":"message","cat":"message","ph":"s","id":5,"pid":7,"tid":7,"ts":1.250} */
static void put_end(struct flows *flows, const char *phase, uint64_t id, const struct half *half,
		    int64_t at)
{
	struct out_events *events = flows->events;

	chrome_open(events);
	output_text(events->output, "\"name\":\"message\",\"cat\":\"message\",\"ph\":\"");
	output_text(events->output, phase);
	event_number(events, "\",\"id\":", (int64_t)id);
	chrome_place(events, lanes_pid(events->lanes, half->rank), half->call, at);
	output_char(events->output, '}');
}

/*
 * Viewers bind an end of a flow to the call that is open at its time, and draw none backwards. It begins with the call that sent, and ends as soon as it can:
 * calls within the one that received are then mostly not begun. False: clocks of machines are not quite the same, and nothing was drawn.
 */
static bool put_message(struct flows *flows, uint64_t id, const struct half *send,
			const struct half *receive)
{
	int64_t at = receive->begin > send->arrive ? receive->begin : send->arrive;

	if (at >= receive->end && receive->end > receive->begin)
		at = receive->end - 1;
	if (at < send->arrive || at > receive->end)
		return false;
	put_end(flows, "s", id, send, send->arrive);
	put_end(flows, "f\",\"bp\":\"e", id, receive, at);
	flows->count++;
	return true;
}

static int by_meeting(const void *a, const void *b)
{
	const struct half *x = a, *y = b;

	if (x->meeting != y->meeting)
		return x->meeting < y->meeting ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

/* Which part a half is of: both of a message are of one. */
static unsigned part_of(const struct half *half, unsigned parts)
{
	return (unsigned)half->meeting & (parts - 1);
}

/* Puts halves in the order of their parts. 0 or -ENOMEM. */
static int divide(struct flows *flows, unsigned parts)
{
	struct half_list *halves = &flows->halves.things[HALVES_MESSAGES];
	struct half *sorted = malloc((halves->count + 1) * sizeof(*sorted));
	uint32_t *ends = calloc(parts + 1, sizeof(*ends));

	free(flows->ends);
	flows->ends = ends;
	flows->parts = parts;
	if (!sorted || !ends) {
		free(sorted);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < halves->count; i++)
		ends[part_of(&halves->list[i], parts) + 1]++;
	for (unsigned i = 0; i < parts; i++)
		ends[i + 1] += ends[i];
	/* now these are begins, and become ends */
	for (uint32_t i = 0; i < halves->count; i++)
		sorted[ends[part_of(&halves->list[i], parts)]++] = halves->list[i];
	free(halves->list);
	halves->list = sorted;
	halves->room = halves->count + 1;
	return 0;
}

int flows_put(struct flows *flows, unsigned part, unsigned parts)
{
	uint64_t id = part + 1;
	uint32_t end, last;
	struct half *list;

	if (flows->parts != parts && divide(flows, parts))
		return -ENOMEM;
	list = flows->halves.things[HALVES_MESSAGES].list;
	last = flows->ends[part];
	end = part > 0 ? flows->ends[part - 1] : 0;
	qsort(list + end, last - end, sizeof(*list), by_meeting);
	for (uint32_t i = end; i < last; i = end) {
		end = i + 1;
		while (end < last && list[end].meeting == list[i].meeting)
			end++;
		/* two of a kind would be two messages: whose is not known */
		if (end == i + 2 && list[i].kind == HALF_SEND && list[i + 1].kind == HALF_RECEIVE &&
		    put_message(flows, id, &list[i], &list[i + 1]))
			id += parts;
	}
	return flows->events->output->error;
}
