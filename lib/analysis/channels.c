/* SPDX-License-Identifier: MIT */
/* channels.c - see channels.h */
#include "analysis/channels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/index.h"

#define BUCKETS 65536u
#define WAITING_MAX (1u << 18) /* sends and receives, of all channels */
#define DISTRUST_BITS (1u << 20)

struct waiting_send {
	struct message_call call;
	struct waiting_send *next;
};

struct channel {
	struct envelope envelope;
	struct channel **bucket, *next;         /* in its bucket */
	struct channel *older, *newer;          /* of all */
	struct waiting_send *sends, *last_send; /* one of both kinds is empty */
	struct receive *receives,
		*last_receive; /* the first one is that which gets the next message */
};

struct channels {
	channels_sink *sink;
	void *data;
	struct channel *buckets[BUCKETS];
	struct channel *oldest, *newest;
	uint32_t waiting; /* sends, and receives wherever they are */
	uint64_t distrusted[DISTRUST_BITS / 64];
};

_Static_assert(sizeof(struct envelope) == 32, "it is hashed as bytes");

struct channels *channels_new(channels_sink *sink, void *data)
{
	struct channels *channels = calloc(1, sizeof(*channels));

	if (channels) {
		channels->sink = sink;
		channels->data = data;
	}
	return channels;
}

/* ---- distrust: not seeded, so that the same trace always gives the same pairs ---- */

static uint64_t mix(const void *key, size_t size, uint64_t seed)
{
	const unsigned char *bytes = key;

	for (size_t i = 0; i < size; i++)
		seed = (seed ^ bytes[i]) * 0x100000001b3u;
	seed ^= seed >> 29;
	return seed * 0x9e3779b97f4a7c15u >> 20;
}

void channels_distrust(struct channels *channels, const void *key, size_t size)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		uint64_t bit = mix(key, size, seed) % DISTRUST_BITS;

		channels->distrusted[bit / 64] |= 1ull << bit % 64;
	}
}

bool channels_trust(const struct channels *channels, const void *key, size_t size)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		uint64_t bit = mix(key, size, seed) % DISTRUST_BITS;

		if (!(channels->distrusted[bit / 64] >> bit % 64 & 1))
			return true;
	}
	return false;
}

/* ---- receives ---- */

struct receive *channels_receive(struct channels *channels)
{
	struct receive *receive = calloc(1, sizeof(*receive));

	if (receive)
		channels->waiting++;
	return receive;
}

void channels_drop(struct channels *channels, struct receive *receive)
{
	if (receive->held || receive->posted || receive->channel)
		return;
	channels->waiting--;
	free(receive);
}

/* ---- channels ---- */

static struct channel *channel_of(struct channels *channels, const struct envelope *envelope,
				  bool make)
{
	uint32_t hash = index_hash(envelope, sizeof(*envelope));
	struct channel **bucket = &channels->buckets[hash % BUCKETS], *channel = *bucket;

	while (channel && memcmp(&channel->envelope, envelope, sizeof(*envelope)) != 0)
		channel = channel->next;
	if (channel || !make)
		return channel;
	channel = calloc(1, sizeof(*channel));
	if (!channel)
		return NULL;
	channel->envelope = *envelope;
	channel->bucket = bucket;
	channel->next = *bucket;
	*bucket = channel;
	channel->older = channels->newest;
	if (channels->newest)
		channels->newest->newer = channel;
	else
		channels->oldest = channel;
	channels->newest = channel;
	return channel;
}

static void remove_channel(struct channels *channels, struct channel *channel)
{
	struct channel **place = channel->bucket;

	while (*place != channel)
		place = &(*place)->next;
	*place = channel->next;
	if (channel->older)
		channel->older->newer = channel->newer;
	else
		channels->oldest = channel->newer;
	if (channel->newer)
		channel->newer->older = channel->older;
	else
		channels->newest = channel->older;
	free(channel);
}

static void remove_if_empty(struct channels *channels, struct channel *channel)
{
	if (!channel->sends && !channel->receives)
		remove_channel(channels, channel);
}

static void take_send(struct channels *channels, struct channel *channel, struct message_call *call)
{
	struct waiting_send *send = channel->sends;

	*call = send->call;
	channel->sends = send->next;
	channels->waiting--;
	free(send);
}

static struct receive *take_receive(struct channel *channel)
{
	struct receive *receive = channel->receives;

	channel->receives = receive->next;
	receive->next = NULL;
	receive->channel = NULL;
	return receive;
}

/* Nothing of it is paired any more. */
static void give_up(struct channels *channels, struct channel *channel)
{
	struct message_call call;

	channels_distrust(channels, &channel->envelope, sizeof(channel->envelope));
	while (channel->sends)
		take_send(channels, channel, &call);
	while (channel->receives)
		channels_drop(channels, take_receive(channel));
	remove_channel(channels, channel);
}

static void distrust_envelope(struct channels *channels, const struct envelope *envelope)
{
	struct channel *channel = channel_of(channels, envelope, false);

	if (channel)
		give_up(channels, channel);
	else
		channels_distrust(channels, envelope, sizeof(*envelope));
}

static bool trusts(const struct channels *channels, const struct envelope *envelope)
{
	return channels_trust(channels, envelope, sizeof(*envelope));
}

static void make_room(struct channels *channels)
{
	while (channels->waiting >= WAITING_MAX && channels->oldest)
		give_up(channels, channels->oldest);
}

/* ---- pairs ---- */

/* What was received is not what was sent: a call of either side is missing in the trace. */
static bool fit(const struct message_call *send, const struct message_call *receive)
{
	return send->bytes < 0 || receive->bytes < 0 || send->bytes == receive->bytes;
}

/* Both calls are known. */
static int tell(struct channels *channels, struct receive *receive)
{
	bool good = fit(&receive->send, &receive->call);

	if (!good)
		distrust_envelope(channels, &receive->envelope);
	if (!good || !trusts(channels, &receive->envelope))
		return 0;
	return channels->sink(channels->data, &receive->send, &receive->call);
}

static int pair(struct channels *channels, struct receive *receive, const struct message_call *send)
{
	int error = 0;

	receive->paired = true;
	receive->send = *send;
	if (receive->completed)
		error = tell(channels, receive);
	channels_drop(channels, receive);
	return error;
}

static int add_send(struct channels *channels, struct channel *channel,
		    const struct message_call *call, bool first)
{
	struct waiting_send *send = calloc(1, sizeof(*send));

	if (!send)
		return -ENOMEM;
	send->call = *call;
	if (!channel->sends) {
		channel->sends = channel->last_send = send;
	} else if (first) {
		send->next = channel->sends;
		channel->sends = send;
	} else {
		channel->last_send->next = send;
		channel->last_send = send;
	}
	channels->waiting++;
	return 0;
}

static int put_send(struct channels *channels, const struct envelope *envelope,
		    const struct message_call *call, bool first)
{
	struct channel *channel;
	struct receive *receive;

	if (!trusts(channels, envelope))
		return 0;
	make_room(channels);
	channel = channel_of(channels, envelope, true);
	if (!channel)
		return -ENOMEM;
	if (!channel->receives)
		return add_send(channels, channel, call, first);
	receive = take_receive(channel);
	remove_if_empty(channels, channel);
	return pair(channels, receive, call);
}

int channels_send(struct channels *channels, const struct envelope *envelope,
		  const struct message_call *call)
{
	return put_send(channels, envelope, call, false);
}

int channels_add(struct channels *channels, struct receive *receive)
{
	struct message_call call;
	struct channel *channel;

	if (!trusts(channels, &receive->envelope)) {
		channels_drop(channels, receive);
		return 0;
	}
	make_room(channels);
	channel = channel_of(channels, &receive->envelope, true);
	if (!channel)
		return -ENOMEM;
	if (channel->sends) {
		take_send(channels, channel, &call);
		remove_if_empty(channels, channel);
		return pair(channels, receive, &call);
	}
	if (channel->receives)
		channel->last_receive->next = receive;
	else
		channel->receives = receive;
	channel->last_receive = receive;
	receive->channel = channel;
	return 0;
}

int channels_complete(struct channels *channels, struct receive *receive,
		      const struct message_call *call)
{
	receive->call = *call;
	receive->completed = true;
	return receive->paired ? tell(channels, receive) : 0;
}

static void leave_channel(struct channels *channels, struct receive *receive)
{
	struct channel *channel = receive->channel;
	struct receive **place = &channel->receives, *before = NULL;

	while (*place != receive) {
		before = *place;
		place = &before->next;
	}
	*place = receive->next;
	if (channel->last_receive == receive)
		channel->last_receive = before;
	receive->channel = NULL;
	receive->next = NULL;
	remove_if_empty(channels, channel);
}

int channels_cancel(struct channels *channels, struct receive *receive)
{
	if (receive->channel)
		leave_channel(channels, receive);
	if (!receive->paired || receive->completed)
		return 0;
	receive->paired = false;
	return put_send(channels, &receive->envelope, &receive->send, true);
}

void channels_free(struct channels *channels)
{
	if (!channels)
		return;
	while (channels->oldest)
		give_up(channels, channels->oldest);
	free(channels);
}
