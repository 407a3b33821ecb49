/* SPDX-License-Identifier: MIT */
/*
 * channels.h - sends and receives put together as MPI does: of all messages with one communicator, sender, receiver and tag the first that was sent goes to
 * the receive that was posted first.
 *
 * A *channel* is one such way. It is kept only while one side is ahead of the other, and holds what that side has. Whoever has pairs made gives sends and receives
 * in the order in which they were begun. A receive of which only the call that completes it says from whom it was comes here when that is known (posted.h).
 *
 * Memory is bounded: with too much waiting, the oldest channel is given up, and never trusted again, as what comes next would be paired with the wrong partner.
 * That is noted in a set that may contain too much, but never too little (a Bloom filter): a pair may be missing, none is wrong.
 */
#ifndef RECORDER_ANALYSIS_CHANNELS_H
#define RECORDER_ANALYSIS_CHANNELS_H

#include <stdbool.h>

#include <recorder/reader.h>

/* A call at one end of a message. */
struct message_call {
	uint32_t stream, thread;
	uint64_t sequence;  /* of the record in its thread */
	int64_t begin, end; /* ns since the trace's start */
	int64_t bytes;      /* of the message; -1 not known */
	uint64_t place;     /* the user's own */
};

struct envelope {
	uint64_t comm; /* identity */
	struct reader_process from, to;
	int64_t tag;
};

/* Of the calls that a message was sent by and came with. 0 or a negative errno. */
typedef int channels_sink(void *data, const struct message_call *send,
			  const struct message_call *receive);

struct channel;

struct receive {
	struct envelope envelope;
	struct message_call call; /* that completed it; until then without place */
	struct message_call send; /* if it is paired */
	bool any_source, any_tag; /* the envelope is not yet known */
	bool paired, completed;
	bool held;               /* by a request */
	bool posted;             /* it is in a line of posted.h */
	struct channel *channel; /* that it waits in; NULL: in none */
	struct receive *next;    /* in its line or channel */
};

struct channels;

/* NULL: no memory. */
struct channels *channels_new(channels_sink *sink, void *data);
void channels_free(struct channels *channels);

/* 0 or a negative errno. */
int channels_send(struct channels *channels, const struct envelope *envelope,
		  const struct message_call *call);

/* A receive, nowhere yet; NULL: no memory. */
struct receive *channels_receive(struct channels *channels);
/* Its envelope is known, and all that were posted before with the same one are in their channels. 0 or a negative errno. */
int channels_add(struct channels *channels, struct receive *receive);
/* It is complete, if it was not cancelled; `call` says by what and with how many bytes. 0 or a negative errno. */
int channels_complete(struct channels *channels, struct receive *receive,
		      const struct message_call *call);
/* It never was: takes it off its channel. What it was paired with goes to the next one. 0 or a negative errno. */
int channels_cancel(struct channels *channels, struct receive *receive);
/* Frees it if nobody has it any more. */
void channels_drop(struct channels *channels, struct receive *receive);

/* Any key may be distrusted: that of a channel, a receiver in a communicator, a process. */
void channels_distrust(struct channels *channels, const void *key, size_t size);
bool channels_trust(const struct channels *channels, const void *key, size_t size);

#endif
