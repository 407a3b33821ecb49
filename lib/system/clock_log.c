/* SPDX-License-Identifier: MIT */
/* clock_log.c - see clock_log.h */
#include "system/clock_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "system/watch_place.h"

#define SECOND 1000000000ull
#define TOLERANCE 50             /* ns, as doc/format.md says */
#define CORNER_MAX (60 * SECOND) /* one is written at least so often */
#define JUMP 100000              /* ns: the clocks beside went another way */
#define MANY 16                  /* readings from which on ends are no reason for one each */

static void push(struct clock_log *log, const struct clock_reading *reading)
{
	uint8_t *at = pile_room(&log->pending, sizeof(*reading));

	log->corner = *reading;
	log->lowest = -1e18;
	log->highest = 1e18;
	if (!at)
		return;
	memcpy(at, reading, sizeof(*reading));
	log->pending.size += sizeof(*reading);
}

/* CLOCK_BOOTTIME or CLOCK_REALTIME moved against CLOCK_MONOTONIC. */
static bool jumped(const struct clock_reading *a, const struct clock_reading *b)
{
	int64_t boot = (int64_t)((b->boot - b->monotonic) - (a->boot - a->monotonic));
	int64_t real = (int64_t)((b->realtime - b->monotonic) - (a->realtime - a->monotonic));

	return boot > JUMP || boot < -JUMP || real > JUMP || real < -JUMP;
}

/* Whether a line from the corner meets all that is left out, and this one. Narrows the lines if so. */
static bool is_in_line(struct clock_log *log, const struct clock_reading *reading)
{
	double ticks, ns, rate;

	if (reading->tsc <= log->corner.tsc ||
	    reading->monotonic - log->corner.monotonic > CORNER_MAX)
		return false;
	ticks = (double)(reading->tsc - log->corner.tsc);
	ns = (double)(reading->monotonic - log->corner.monotonic);
	rate = ns / ticks;
	if (rate < log->lowest || rate > log->highest)
		return false;
	if ((ns - TOLERANCE) / ticks > log->lowest)
		log->lowest = (ns - TOLERANCE) / ticks;
	if ((ns + TOLERANCE) / ticks < log->highest)
		log->highest = (ns + TOLERANCE) / ticks;
	return true;
}

static void take_in(struct clock_log *log, struct clock_reading reading)
{
	if (log->open && (jumped(&log->last, &reading) || !is_in_line(log, &reading))) {
		push(log, &log->last);
		is_in_line(log, &reading);
	}
	if (!log->taken)
		push(log, &reading);
	else if (!log->open)
		is_in_line(log, &reading);
	log->open = log->taken > 0;
	log->last = reading;
	log->taken++;
}

void clock_log_begin(struct clock_log *log)
{
	memset(log, 0, sizeof(*log));
	take_in(log, clock_reading_now());
}

void clock_log_release(struct clock_log *log)
{
	pile_release(&log->pending);
}

void clock_log_go_on(struct clock_log *log, uint64_t now)
{
	if (now > log->last.monotonic + SECOND)
		take_in(log, clock_reading_now());
}

void clock_log_end(struct clock_log *log)
{
	uint64_t old = log->taken < MANY ? SECOND / 1000 : SECOND / 10;

	if (watch_now() > log->last.monotonic + old)
		take_in(log, clock_reading_now());
}

bool clock_log_take(struct clock_log *log, char text[CLOCK_LOG_TEXT], unsigned *number)
{
	struct clock_reading reading;

	if (log->open) {
		push(log, &log->last);
		log->open = false;
	}
	if (log->next * sizeof(reading) == log->pending.size) {
		log->next = 0;
		log->pending.size = 0;
		return false;
	}
	memcpy(&reading, log->pending.bytes + log->next++ * sizeof(reading), sizeof(reading));
	snprintf(text, CLOCK_LOG_TEXT, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
		 reading.monotonic, reading.boot, reading.realtime, reading.tsc, reading.bound);
	*number = log->written++;
	return true;
}

#ifdef UNIT_TEST
#include "unittest.h"

static struct clock_reading at(uint64_t mono, uint64_t ticks)
{
	return (struct clock_reading){mono, mono, mono, ticks, 80};
}

/* Writes what there is; how much that was. */
static unsigned write_all(struct clock_log *log)
{
	char text[CLOCK_LOG_TEXT];
	unsigned number, count = 0;

	while (clock_log_take(log, text, &number))
		count++;
	return count;
}

static uint64_t nth(const struct clock_log *log, unsigned number)
{
	return ((const struct clock_reading *)(const void *)log->pending.bytes)[number].monotonic;
}

TEST_CASE(a_steady_clock_costs_a_reading_a_minute)
{
	struct clock_log log = {0};

	for (uint64_t second = 1; second <= 601; second++)
		take_in(&log, at(second * SECOND + second % 3 * 20, second * 26 * SECOND / 10));
	EXPECT_EQ(write_all(&log), 11);
	EXPECT_EQ(log.taken, 601);
	EXPECT_EQ(log.written, 11);
	clock_log_release(&log);
}

TEST_CASE(a_bend_is_kept)
{
	struct clock_log log = {0};

	for (uint64_t second = 1; second <= 20; second++)
		take_in(&log, at(second * SECOND + (second > 10 ? (second - 10) * 1000 : 0),
				 second * 2 * SECOND));
	EXPECT_EQ(log.pending.size / sizeof(struct clock_reading), 2);
	EXPECT_EQ(nth(&log, 1), 10 * SECOND);
	EXPECT_EQ(write_all(&log), 3);
	clock_log_release(&log);
}

TEST_CASE(clocks_that_jump_are_kept_on_both_sides)
{
	struct clock_log log = {0};

	for (uint64_t second = 1; second <= 20; second++) {
		struct clock_reading reading = at(second * SECOND, second * 2 * SECOND);

		reading.realtime -= second > 5 ? 3600 * SECOND : 0;
		reading.boot += second > 12 ? 7 * SECOND : 0;
		take_in(&log, reading);
	}
	EXPECT_EQ(log.pending.size / sizeof(struct clock_reading), 3);
	EXPECT_EQ(nth(&log, 1), 5 * SECOND);
	EXPECT_EQ(nth(&log, 2), 12 * SECOND);
	EXPECT_EQ(write_all(&log), 4);
	clock_log_release(&log);
}

TEST_CASE(readings_are_written_in_order)
{
	struct clock_log log = {0};
	char text[CLOCK_LOG_TEXT];
	unsigned number = 7;

	for (uint64_t second = 1; second <= 1000; second++)
		take_in(&log, at(second * SECOND + second % 2 * 5000, second * 2 * SECOND));
	EXPECT(clock_log_take(&log, text, &number));
	EXPECT(!strcmp(text, "1000005000 1000005000 1000005000 2000000000 80"));
	EXPECT_EQ(number, 0);
	EXPECT_EQ(write_all(&log), 999);
	EXPECT(!clock_log_take(&log, text, &number));
	take_in(&log, at(1001 * SECOND, 2002 * SECOND));
	EXPECT(clock_log_take(&log, text, &number));
	EXPECT_EQ(number, 1000);
	clock_log_release(&log);
}
#endif
