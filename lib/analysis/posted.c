/* SPDX-License-Identifier: MIT */
/* posted.c - see posted.h */
#include "analysis/posted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/index.h"

#define BUCKETS 4096u
#define LINE_MAX_LENGTH 4096u /* receives that wait behind one of which nothing is heard */
#define PATTERNS 8u           /* different ones that others wait for at once; with more, all wait */

/* Whose receives stand in one line. */
struct line_key {
	uint64_t comm;
	struct reader_process to;
};

struct line {
	struct line_key key;
	struct line *next; /* in its bucket */
	struct receive *first, *last;
	uint32_t length;
};

struct posted {
	struct channels *channels;
	struct line *buckets[BUCKETS];
};

_Static_assert(sizeof(struct line_key) == 16, "it is hashed as bytes");

struct posted *posted_new(struct channels *channels)
{
	struct posted *posted = calloc(1, sizeof(*posted));

	if (posted)
		posted->channels = channels;
	return posted;
}

static struct line_key key_of(const struct receive *receive)
{
	return (struct line_key){receive->envelope.comm, receive->envelope.to};
}

static struct line **bucket_of(struct posted *posted, const struct line_key *key)
{
	return &posted->buckets[index_hash(key, sizeof(*key)) % BUCKETS];
}

static struct line *line_of(struct posted *posted, const struct line_key *key)
{
	struct line *line = *bucket_of(posted, key);

	while (line && memcmp(&line->key, key, sizeof(*key)) != 0)
		line = line->next;
	return line;
}

static struct line *new_line(struct posted *posted, const struct line_key *key)
{
	struct line **bucket = bucket_of(posted, key);
	struct line *line = calloc(1, sizeof(*line));

	if (!line)
		return NULL;
	line->key = *key;
	line->next = *bucket;
	*bucket = line;
	return line;
}

static void remove_line(struct posted *posted, struct line *line)
{
	struct line **place = bucket_of(posted, &line->key);

	while (*place != line)
		place = &(*place)->next;
	*place = line->next;
	free(line);
}

/* All who stand in it leave, and nobody comes to it any more. */
static void give_up(struct posted *posted, struct line *line)
{
	channels_distrust(posted->channels, &line->key, sizeof(line->key));
	while (line->first) {
		struct receive *receive = line->first;

		line->first = receive->next;
		receive->next = NULL;
		receive->posted = false;
		channels_drop(posted->channels, receive);
	}
	remove_line(posted, line);
}

void posted_free(struct posted *posted)
{
	if (!posted)
		return;
	for (uint32_t i = 0; i < BUCKETS; i++)
		while (posted->buckets[i])
			give_up(posted, posted->buckets[i]);
	free(posted);
}

static bool is_open(const struct receive *receive)
{
	return receive->any_source || receive->any_tag;
}

/* Whether an open receive may turn out to have the envelope of a later one, which may be open, too. */
static bool may_take(const struct receive *open, const struct receive *later)
{
	bool same_source = open->any_source || later->any_source ||
			   (open->envelope.from.rank == later->envelope.from.rank &&
			    open->envelope.from.world == later->envelope.from.world);

	return same_source &&
	       (open->any_tag || later->any_tag || open->envelope.tag == later->envelope.tag);
}

/* Receives without an envelope that others may have to wait for; equal ones count once. */
struct patterns {
	const struct receive *open[PATTERNS];
	unsigned count;
	bool all; /* everybody waits */
};

static void add_pattern(struct patterns *patterns, const struct receive *open)
{
	if (open->any_source && open->any_tag) {
		patterns->all = true;
		return;
	}
	for (unsigned i = 0; i < patterns->count; i++) {
		const struct receive *other = patterns->open[i];

		if (other->any_source == open->any_source && other->any_tag == open->any_tag &&
		    (open->any_tag || other->envelope.tag == open->envelope.tag) &&
		    (open->any_source || (other->envelope.from.rank == open->envelope.from.rank &&
					  other->envelope.from.world == open->envelope.from.world)))
			return;
	}
	if (patterns->count == PATTERNS)
		patterns->all = true;
	else
		patterns->open[patterns->count++] = open;
}

static bool waits(const struct patterns *patterns, const struct receive *receive)
{
	for (unsigned i = 0; i < patterns->count; i++)
		if (may_take(patterns->open[i], receive))
			return true;
	return patterns->all;
}

/* Those at which nobody has to be waited for go to their channels. */
static int advance(struct posted *posted, struct line *line)
{
	struct receive **place = &line->first, *before = NULL, *receive;
	struct patterns patterns = {.count = 0};
	int error = 0;

	while (!error && !patterns.all && (receive = *place)) {
		if (is_open(receive)) {
			add_pattern(&patterns, receive);
		} else if (!waits(&patterns, receive)) {
			*place = receive->next;
			line->last = line->last == receive ? before : line->last;
			line->length--;
			receive->next = NULL;
			receive->posted = false;
			error = channels_add(posted->channels, receive);
			continue;
		}
		before = receive;
		place = &receive->next;
	}
	if (!line->first)
		remove_line(posted, line);
	return error;
}

int posted_add(struct posted *posted, struct receive *receive)
{
	struct line_key key = key_of(receive);
	struct line *line;

	if (!channels_trust(posted->channels, &key, sizeof(key))) {
		channels_drop(posted->channels, receive);
		return 0;
	}
	line = line_of(posted, &key);
	if (!line && !is_open(receive))
		return channels_add(posted->channels, receive);
	if (!line)
		line = new_line(posted, &key);
	if (!line)
		return -ENOMEM;
	if (line->last)
		line->last->next = receive;
	else
		line->first = receive;
	line->last = receive;
	receive->posted = true;
	if (++line->length > LINE_MAX_LENGTH) {
		give_up(posted, line);
		return 0;
	}
	return is_open(receive) ? 0 : advance(posted, line);
}

int posted_complete(struct posted *posted, struct receive *receive, struct reader_process from,
		    int64_t tag, const struct message_call *call)
{
	struct line_key key = key_of(receive);
	bool was_open = is_open(receive);
	struct line *line;
	int error = 0;

	receive->envelope.from = from;
	receive->envelope.tag = tag;
	receive->any_source = receive->any_tag = false;
	receive->held = true; /* until it is complete */
	line = was_open && receive->posted ? line_of(posted, &key) : NULL;
	if (line)
		error = advance(posted, line);
	if (!error)
		error = channels_complete(posted->channels, receive, call);
	receive->held = false;
	channels_drop(posted->channels, receive);
	return error;
}

static void leave_line(struct line *line, struct receive *receive)
{
	struct receive **place = &line->first, *before = NULL;

	while (*place != receive) {
		before = *place;
		place = &before->next;
	}
	*place = receive->next;
	if (line->last == receive)
		line->last = before;
	line->length--;
	receive->next = NULL;
	receive->posted = false;
}

int posted_cancel(struct posted *posted, struct receive *receive)
{
	struct line_key key = key_of(receive);
	struct line *line = receive->posted ? line_of(posted, &key) : NULL;
	int error = 0;

	if (line) {
		leave_line(line, receive);
		error = advance(posted, line);
	}
	if (!error)
		error = channels_cancel(posted->channels, receive);
	receive->held = false;
	channels_drop(posted->channels, receive);
	return error;
}

void posted_forget(struct posted *posted, struct receive *receive)
{
	struct line_key key = key_of(receive);
	struct line *line = is_open(receive) && receive->posted ? line_of(posted, &key) : NULL;

	if (line)
		give_up(posted, line);
	receive->held = false;
	channels_drop(posted->channels, receive);
}

#ifdef UNIT_TEST
#include <stdio.h>

#include "unittest.h"

/* Pairs as "send>receive" by place, with blanks between. */
static int note(void *data, const struct message_call *send, const struct message_call *receive)
{
	char *text = data;

	snprintf(text + strlen(text), 16, "%u>%u ", (unsigned)send->place,
		 (unsigned)receive->place);
	return 0;
}

static char told[4096];

struct world {
	struct channels *channels;
	struct posted *posted;
};

static struct world begin(void)
{
	struct world world = {.channels = channels_new(note, told)};

	*told = '\0';
	world.posted = posted_new(world.channels);
	return world;
}

static void end(struct world *world)
{
	posted_free(world->posted);
	channels_free(world->channels);
}

static void send(struct world *world, int64_t tag, unsigned place, int64_t bytes)
{
	struct envelope envelope = {7, {0, 0}, {0, 1}, tag};
	struct message_call call = {.place = place, .bytes = bytes};

	EXPECT_EQ(channels_send(world->channels, &envelope, &call), 0);
}

static struct receive *receive(struct world *world, bool any_source, bool any_tag, int64_t tag)
{
	struct receive *made = channels_receive(world->channels);

	made->envelope = (struct envelope){7, {0, any_source ? -1 : 0}, {0, 1}, any_tag ? 0 : tag};
	made->any_source = any_source;
	made->any_tag = any_tag;
	made->held = true;
	EXPECT_EQ(posted_add(world->posted, made), 0);
	return made;
}

static void complete(struct world *world, struct receive *receive, int64_t tag, unsigned place,
		     int64_t bytes)
{
	struct message_call call = {.place = place, .bytes = bytes};

	EXPECT_EQ(posted_complete(world->posted, receive, (struct reader_process){0, 0}, tag,
				  &call),
		  0);
}

TEST_CASE(messages_meet_in_the_order_of_posting)
{
	struct world world = begin();
	struct receive *any = receive(&world, true, true, 0),
		       *one = receive(&world, false, false, 1);
	struct receive *other = receive(&world, false, true, 0);

	send(&world, 1, 1, 8);
	send(&world, 1, 2, 8);
	send(&world, 2, 3, 8);
	complete(&world, one, 1, 11, 8); /* the one before it may have had the same */
	EXPECT_STR(told, "");
	complete(&world, other, 2, 12, 8);
	EXPECT_STR(told, "");
	complete(&world, any, 1, 13, 8);
	EXPECT_STR(told, "2>11 3>12 1>13 ");
	end(&world);
}

TEST_CASE(receives_that_cannot_be_meant_do_not_wait)
{
	struct world world = begin();
	struct receive *any = receive(&world, true, false, 1),
		       *two = receive(&world, false, false, 2);

	complete(&world, two, 2, 12, -1);
	send(&world, 2, 2, 8);
	EXPECT_STR(told, "2>12 ");
	EXPECT_EQ(posted_cancel(world.posted, any), 0);
	two = receive(&world, false, false, 1);
	send(&world, 1, 3, 8);
	complete(&world, two, 1, 13, 8);
	EXPECT_STR(told, "2>12 3>13 ");
	end(&world);
}

TEST_CASE(cancelled_receive_leaves_its_message_to_the_next)
{
	struct world world = begin();
	struct receive *first = receive(&world, false, false, 1);
	struct receive *second = receive(&world, false, false, 1);

	send(&world, 1, 1, 8);
	EXPECT_EQ(posted_cancel(world.posted, first), 0);
	complete(&world, second, 1, 12, 8);
	EXPECT_STR(told, "1>12 ");
	end(&world);
}

TEST_CASE(channel_with_a_hole_is_not_trusted)
{
	struct world world = begin();

	send(&world, 1, 1, 8);
	complete(&world, receive(&world, false, false, 1), 1, 11, 16);
	send(&world, 1, 2, 16);
	complete(&world, receive(&world, false, false, 1), 1, 12, 16);
	send(&world, 2, 3, 16);
	complete(&world, receive(&world, false, false, 2), 2, 13, 16);
	EXPECT_STR(told, "3>13 ");
	end(&world);
}

TEST_CASE(silent_receive_does_not_fill_the_memory)
{
	struct world world = begin();
	struct receive *silent = receive(&world, true, true, 0);

	for (unsigned i = 0; i < 2 * LINE_MAX_LENGTH; i++)
		complete(&world, receive(&world, false, false, 1), 1, 11, 8);
	send(&world, 1, 1, 8);
	complete(&world, silent, 1, 12, 8);
	EXPECT_STR(told, "");
	end(&world);
}

TEST_CASE(waiting_messages_do_not_fill_the_memory)
{
	struct world world = begin();

	for (int64_t tag = 0; tag < 300000; tag++)
		send(&world, tag, 1, 8);
	/* what was given up is not told, what is still there is */
	complete(&world, receive(&world, false, false, 1), 1, 11, 8);
	EXPECT_STR(told, "");
	complete(&world, receive(&world, false, false, 299999), 299999, 12, 8);
	EXPECT_STR(told, "1>12 ");
	end(&world);
}
#endif
