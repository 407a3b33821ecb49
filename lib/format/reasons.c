/* SPDX-License-Identifier: MIT */
/* reasons.c - the table of reasons.h */
#include "format/reasons.h"

static const char *const names[LOSS_REASONS] = {
	[LOSS_NONE] = "other",          [LOSS_NO_RING] = "no_ring",
	[LOSS_RING_FULL] = "ring_full", [LOSS_WRITE_ERROR] = "write_error",
	[LOSS_NO_SPACE] = "no_space",   [LOSS_DESCRIPTOR_LOST] = "descriptor_lost",
	[LOSS_TOO_DEEP] = "too_deep",   [LOSS_SIGNAL] = "signal",
	[LOSS_CLOSING] = "closing",     [LOSS_DISABLED] = "disabled",
	[LOSS_ROTATED] = "rotated",     [LOSS_MAX_SIZE] = "max_size",
	[LOSS_MIN_FREE] = "min_free",   [LOSS_OTHER] = "other",
	[LOSS_FILE_SIZE] = "file_size",
};

const char *loss_name(uint32_t number)
{
	return names[number < LOSS_REASONS ? number : LOSS_OTHER];
}

enum loss_reason loss_both(enum loss_reason a, enum loss_reason b)
{
	if (a == LOSS_NONE || a == b)
		return b;
	return b == LOSS_NONE ? a : LOSS_OTHER;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(losses_have_names)
{
	EXPECT_STR(loss_name(LOSS_MIN_FREE), "min_free");
	EXPECT_STR(loss_name(0), "other");
	EXPECT_STR(loss_name(1000), "other");
	for (uint32_t i = 0; i < LOSS_REASONS; i++)
		EXPECT(loss_name(i));
}

TEST_CASE(losses_for_two_reasons_are_for_others)
{
	EXPECT_EQ(loss_both(LOSS_NONE, LOSS_SIGNAL), LOSS_SIGNAL);
	EXPECT_EQ(loss_both(LOSS_SIGNAL, LOSS_NONE), LOSS_SIGNAL);
	EXPECT_EQ(loss_both(LOSS_SIGNAL, LOSS_SIGNAL), LOSS_SIGNAL);
	EXPECT_EQ(loss_both(LOSS_SIGNAL, LOSS_CLOSING), LOSS_OTHER);
}
#endif
