/* SPDX-License-Identifier: MIT */
/* control.c - the control word and what follows from it. */
#include "record/control.h"

#include "format/wire.h"
#include "record/clock.h"
#include "record/critical.h"
#include "record/selection.h"

/* The word until there is a live file, and in processes without one. */
static _Atomic uint32_t own_word;
static _Atomic(_Atomic uint32_t *) shared_word = &own_word;

/* What the functions' states say at present; changed by one thread at a time. */
static atomic_bool paused;
static atomic_flag changing = ATOMIC_FLAG_INIT;
static _Atomic uint32_t pauses;
static _Atomic uint64_t paused_ns;
static int64_t paused_since; /* CLOCK_MONOTONIC */

static uint32_t word_now(void)
{
	return atomic_load_explicit(atomic_load_explicit(&shared_word, memory_order_relaxed),
				    memory_order_relaxed);
}

void control_open(_Atomic uint32_t *word)
{
	atomic_store(word, word_now());
	atomic_store(&shared_word, word);
}

void control_forked(void)
{
	atomic_store(&own_word, atomic_load(&paused) ? CONTROL_PAUSED : 0);
	atomic_store(&shared_word, &own_word);
	atomic_store(&pauses, atomic_load(&paused));
	atomic_store(&paused_ns, 0);
	paused_since = clock_anchor().mono;
	atomic_flag_clear(&changing);
}

/* Makes the functions' states what the word asks for. */
static void change(bool pause)
{
	int64_t now = clock_anchor().mono;

	selection_pause(pause);
	if (pause) {
		paused_since = now;
		atomic_fetch_add(&pauses, 1);
	} else {
		atomic_fetch_add(&paused_ns, (uint64_t)(now - paused_since));
	}
	atomic_store(&paused, pause);
}

bool control_paused(void)
{
	bool wanted = word_now() & CONTROL_PAUSED;

	/* Another thread that is at it, or one that a handler interrupted there, will do. */
	if (wanted != atomic_load(&paused)) {
		critical_enter();
		if (!atomic_flag_test_and_set(&changing)) {
			change(wanted);
			atomic_flag_clear(&changing);
		}
		critical_leave();
	}
	return wanted;
}

void control_pause(bool pause)
{
	_Atomic uint32_t *word = atomic_load(&shared_word);

	if (pause)
		atomic_fetch_or(word, CONTROL_PAUSED);
	else
		atomic_fetch_and(word, ~CONTROL_PAUSED);
	control_paused();
}

void control_flush(void)
{
	atomic_fetch_add(atomic_load(&shared_word), CONTROL_FLUSH);
}

uint32_t control_flushes(void)
{
	return word_now() & ~CONTROL_PAUSED;
}

uint32_t control_pauses(void)
{
	return atomic_load(&pauses);
}

uint64_t control_paused_ns(void)
{
	uint64_t open = atomic_load(&paused) ? (uint64_t)(clock_anchor().mono - paused_since) : 0;

	return atomic_load(&paused_ns) + open;
}
