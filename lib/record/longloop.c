/* SPDX-License-Identifier: MIT */
/* longloop.c - see longloop.h */
#include "record/longloop.h"

#include "record/batch.h"
#include "record/sys.h"
#include "record/wipe.h"

#define FIRST_WAIT 2u /* rings until it is looked for */
#define MOST_DOUBLINGS 20u
#define WORTH_TURNS 4u

enum longloop_state {
	LONGLOOP_RESTING,
	LONGLOOP_LOOKING,
	LONGLOOP_KNOWN,
	LONGLOOP_HELD,
};

/* Lies at the begin of memory of its own. */
struct longloop {
	enum longloop_state state;
	uint32_t room;     /* of the learner; 0: it has no memory yet */
	uint32_t missed;   /* rings, since it was looked for */
	uint32_t failures; /* in a row */
	uint64_t least;    /* records of a turn that is looked for */
	bool begun;        /* to look, with the records of a ring */
	struct batch_classes classes;
	struct loop_learner *learner;
};

static struct longloop *longloop_of(struct thread *thread)
{
	if (!thread->longloop)
		thread->longloop = wipe_alloc_unforked(sizeof(struct longloop));
	return thread->longloop;
}

static void rest(struct longloop *longloop, bool failed)
{
	longloop->state = LONGLOOP_RESTING;
	longloop->failures =
		failed ? longloop->failures + (longloop->failures < MOST_DOUBLINGS) : 0;
	longloop->least = 0;
}

void longloop_missed(struct thread *thread)
{
	struct longloop *longloop = longloop_of(thread);

	if (!longloop || longloop->state != LONGLOOP_RESTING)
		return;
	longloop->missed++;
	if (longloop->missed < FIRST_WAIT << longloop->failures)
		return;
	longloop->missed = 0;
	longloop->state = LONGLOOP_LOOKING;
	longloop->begun = false;
}

bool longloop_may_come(const struct thread *thread)
{
	const struct longloop *longloop = thread->longloop;

	return !longloop || longloop->state != LONGLOOP_RESTING || longloop->failures == 0;
}

void longloop_held(struct thread *thread)
{
	thread->longloop->state = LONGLOOP_HELD;
}

static struct loop_learner *learner_of(struct longloop *longloop, uint32_t room)
{
	if (longloop->room >= room)
		return longloop->learner;
	if (longloop->room > 0)
		sys_munmap(longloop->learner, loop_learner_size(longloop->room));
	longloop->room = 0;
	longloop->learner = wipe_alloc_unforked(loop_learner_size(room));
	if (!longloop->learner)
		return NULL;
	longloop->room = room;
	loop_learner_init(longloop->learner, room);
	longloop->learner->data = &longloop->classes;
	longloop->learner->function = batch_function;
	return longloop->learner;
}

/* Byte of the ring where the records begin that were not looked at yet. */
static uint32_t find_new(const struct thread *thread, struct longloop *longloop)
{
	struct loop_learner *learner = longloop->learner;
	uint64_t known = learner->sequence - thread->sequence_base;
	uint32_t at = 0;

	if (!longloop->begun || known > thread->sequence_low - (uint32_t)thread->sequence_base) {
		longloop->begun = true;
		loop_learner_begin(learner, thread->sequence_base, longloop->least);
		return 0;
	}
	for (; known > 0; known--)
		at += ((const struct raw_record *)(const void *)(thread->data + at))->size;
	return at;
}

void longloop_look(struct thread *thread, uint32_t room)
{
	struct longloop *longloop = thread->longloop;
	struct loop_learner *learner;
	enum learned learned;
	uint32_t at;

	if (!longloop || longloop->state != LONGLOOP_LOOKING)
		return;
	learner = learner_of(longloop, room);
	if (!learner) {
		rest(longloop, true);
		return;
	}
	at = find_new(thread, longloop);
	learned = loop_learn(learner, thread->data + at, thread->head - at);
	if (learned == LEARN_DONE)
		longloop->state = LONGLOOP_KNOWN;
	else if (learned == LEARN_NONE)
		rest(longloop, true);
}

void longloop_begin(struct thread *thread)
{
	struct longloop *longloop = thread->longloop;

	if (!longloop)
		return;
	longloop->failures = longloop->missed = 0;
	longloop->least = 0;
	longloop->state = LONGLOOP_RESTING;
}

const struct loop_turn *longloop_next(const struct thread *thread, uint64_t *sequence,
				      uint64_t *passed)
{
	const struct longloop *longloop = thread->longloop;

	if (!longloop || longloop->state != LONGLOOP_KNOWN)
		return NULL;
	*sequence = loop_learner_next(longloop->learner, *sequence, passed);
	return &longloop->learner->turn;
}

void longloop_ended(struct thread *thread, uint64_t records, bool goes_on)
{
	struct longloop *longloop = thread->longloop;
	uint64_t turn = longloop->learner->turn.records;

	if (goes_on) {
		longloop->state = LONGLOOP_KNOWN;
		return;
	}
	rest(longloop, records < WORTH_TURNS * turn);
	/* after many turns what ended it was an exception */
	longloop->least = records < LEARN_OFTEN * turn ? turn + 1 : 0;
}
