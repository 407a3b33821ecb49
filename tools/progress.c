/* SPDX-License-Identifier: MIT */
/* progress.c - see progress.h */
#include "progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "instant.h"
#include "message.h"
#include "options.h"

#define PATIENCE 2000000000 /* ns before the line appears */
#define PERIOD 200000000    /* ns between two looks of it */
#define WIDTH_MAX 72u
#define BAR_MIN 10u

struct progress {
	int64_t begun, shown; /* ns of CLOCK_MONOTONIC; begun 0: not yet */
	size_t width;         /* of the line that stands there; 0: none */
};

static struct progress progress;
static bool forbidden;

static bool progress_is_due(struct progress *self, int64_t now)
{
	if (!self->begun)
		self->begun = now;
	if (now - self->begun < PATIENCE || (self->shown && now - self->shown < PERIOD))
		return false;
	self->shown = now;
	return true;
}

/* "checking  42 % [########            ]", at most `width` characters of it; returns their number. */
static size_t progress_line(char *line, size_t width, const char *what, uint64_t done, uint64_t all)
{
	char text[WIDTH_MAX + 1];
	size_t length, room, filled;

	if (all == 0) {
		snprintf(text, sizeof(text), "%s %" PRIu64, what, done);
	} else {
		done = done < all ? done : all;
		snprintf(text, sizeof(text), "%s %3.0f %%", what,
			 100.0 * (double)done / (double)all);
	}
	length = strlen(text);
	if (length > width)
		length = width;
	memcpy(line, text, length);
	if (all == 0 || width < length + BAR_MIN + 3)
		return length;
	room = width - length - 3;
	filled = (size_t)((double)room * (double)done / (double)all);
	memcpy(line + length, " [", 2);
	memset(line + length + 2, '#', filled);
	memset(line + length + 2 + filled, ' ', room - filled);
	line[width - 1] = ']';
	return width;
}

/* A full line would make some terminals begin the next one. */
static size_t terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2 || size.ws_col > WIDTH_MAX)
		return WIDTH_MAX;
	return size.ws_col - 1u;
}

static void put(const char *text, size_t size)
{
	if (write(STDERR_FILENO, text, size) < 0)
		forbidden = true;
}

/* Blanks and carriage returns: every terminal knows them. */
void progress_clear(void)
{
	char text[WIDTH_MAX + 2];

	if (progress.width == 0)
		return;
	text[0] = '\r';
	memset(text + 1, ' ', progress.width);
	text[progress.width + 1] = '\r';
	put(text, progress.width + 2);
	progress.width = 0;
}

void progress_forbid(void)
{
	forbidden = true;
}

void progress_report(const char *what, uint64_t done, uint64_t all)
{
	char text[WIDTH_MAX + 1];
	size_t width;

	if (forbidden || options.quiet || !progress_is_due(&progress, instant_of(CLOCK_MONOTONIC)))
		return;
	if (!isatty(STDERR_FILENO)) {
		forbidden = true;
		return;
	}
	message_before = progress_clear;
	width = progress_line(text + 1, terminal_width(), what, done, all);
	if (width < progress.width)
		progress_clear();
	text[0] = '\r';
	put(text, width + 1);
	progress.width = width;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(progress_waits_two_seconds)
{
	struct progress self = {0};

	EXPECT_FALSE(progress_is_due(&self, 5000000000));
	EXPECT_FALSE(progress_is_due(&self, 6999999999));
	EXPECT_TRUE(progress_is_due(&self, 7000000000));
	EXPECT_FALSE(progress_is_due(&self, 7199999999));
	EXPECT_TRUE(progress_is_due(&self, 7200000000));
}

static const char *line_of(size_t width, uint64_t done, uint64_t all)
{
	static char line[WIDTH_MAX + 1];

	line[progress_line(line, width, "reading", done, all)] = '\0';
	return line;
}

TEST_CASE(progress_fits_the_terminal)
{
	EXPECT_STR(line_of(36, 0, 8), "reading   0 % [                    ]");
	EXPECT_STR(line_of(36, 4, 8), "reading  50 % [##########          ]");
	EXPECT_STR(line_of(36, 9, 8), "reading 100 % [####################]");
	EXPECT_STR(line_of(20, 4, 8), "reading  50 %");
	EXPECT_STR(line_of(9, 4, 8), "reading  ");
	EXPECT_STR(line_of(36, 17, 0), "reading 17");
}
#endif
