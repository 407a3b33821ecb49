/* SPDX-License-Identifier: MIT */
/* defs_cases.h - what tests of definitions (lib/format/defs.h, defs_mpi.h) have in common. */
#ifndef TEST_UNIT_DEFS_CASES_H
#define TEST_UNIT_DEFS_CASES_H

#define EXPECT_TEXT(text, string)                                                                  \
	do {                                                                                       \
		EXPECT_EQ((text).length, strlen(string));                                          \
		EXPECT_MEM((text).bytes, string, strlen(string));                                  \
	} while (0)

/* Every size below `size` must be refused, by packing and by unpacking. */
#define EXPECT_TRUNCATIONS(name, def, buffer, size)                                                \
	do {                                                                                       \
		struct def_##name again;                                                           \
		uint8_t small[512];                                                                \
                                                                                                   \
		for (size_t cut = 0; cut < (size); cut++) {                                        \
			EXPECT_EQ(def_##name##_pack(small, cut, &(def)), 0);                       \
			EXPECT(!def_##name##_unpack(bytes_of(buffer, cut), &again));               \
		}                                                                                  \
	} while (0)

#endif
