/* SPDX-License-Identifier: MIT */
/* harmless.c - see harmless.h */
#include "harmless.h"

#include <string.h>

char *make_harmless(char *text, size_t size, char instead)
{
	for (size_t at = 0; at < size;) {
		size_t control = control_size(text + at, size - at);

		memset(text + at, instead, control);
		at += control ? control : 1;
	}
	return text;
}

#ifdef UNIT_TEST
#include <stdio.h>

#include "unittest.h"

static const char *harmless_test(const char *text)
{
	static char room[64];

	snprintf(room, sizeof(room), "%s", text);
	return make_harmless(room, strlen(room), '?');
}

TEST_CASE(harmless_replaces_controls)
{
	EXPECT_STR(harmless_test(""), "");
	EXPECT_STR(harmless_test("a\x1b[31mb\n\x7f"), "a?[31mb??");
	EXPECT_STR(harmless_test("a\xc2\x9b"
				 "31m"),
		   "a??31m");
	EXPECT_STR(harmless_test("\xc2\x80\xc2\x9f\xc2\xa0\xc3\x9b\xc2"),
		   "????\xc2\xa0\xc3\x9b\xc2");
}
#endif
