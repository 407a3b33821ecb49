/* SPDX-License-Identifier: MIT */
/* report_lines.c - lines of cells for the pictures of recorder report, see report_data.h */
#include <math.h>

#include "report_data.h"

/*
 * A cell is a digit to the base of 89: printable ASCII but for what strings of JSON and markup escape. It is the root of the cell's share of the largest one, so that
 * small ones are told apart: 88 stands for the largest, and 1 for the least that is not 0. The last character and a digit are so many cells of 0; a
 * line's last zeros are left out.
 */
#define LINE_MOST 1024u
#define DIGITS 89u
#define RUN_LEAST 3u

static const char digits[] = " !#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
_Static_assert(sizeof(digits) == DIGITS + 2, "one character a digit, and one for runs");

static unsigned level_of(int64_t cell, int64_t most)
{
	double level = sqrt((double)cell / (double)most) * (DIGITS - 1) + 0.5;

	return cell <= 0 ? 0 : level < 1 ? 1 : level >= DIGITS - 1 ? DIGITS - 1 : (unsigned)level;
}

static unsigned put_zeros(char *text, unsigned zeros)
{
	unsigned length = 0;

	while (zeros >= RUN_LEAST) {
		unsigned run = zeros < DIGITS - 1 ? zeros : DIGITS - 1;

		text[length++] = digits[DIGITS];
		text[length++] = digits[run];
		zeros -= run;
	}
	while (zeros-- > 0)
		text[length++] = digits[0];
	return length;
}

void report_line(struct json *json, const int64_t *cells, unsigned count, int64_t most)
{
	char text[LINE_MOST + 1];
	unsigned length = 0, zeros = 0;

	for (unsigned i = 0; i < count && i < LINE_MOST; i++) {
		unsigned level = level_of(cells[i], most);

		if (level == 0) {
			zeros++;
			continue;
		}
		length += put_zeros(text + length, zeros);
		text[length++] = digits[level];
		zeros = 0;
	}
	json_put_bytes(json, NULL, text, length);
}
