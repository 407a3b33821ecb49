/* SPDX-License-Identifier: MIT */
/*
 * Unit tests sit at the bottom of the file they test:
 *
 *	#ifdef UNIT_TEST
 *	#include "unittest.h"
 *
 *	TEST_CASE(varint_round_trip)
 *	{
 *		EXPECT_EQ(varint_decode(buf), 300);
 *	}
 *	#endif
 *
 * EXPECT_* notes a failure and goes on, REQUIRE also leaves the case. All cases of all files are in
 * one program, test/unit/unittest [PART-OF-NAME...], which prints TAP.
 */
#ifndef RECORDER_UNITTEST_H
#define RECORDER_UNITTEST_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct test_case {
	const char *name;
	const char *file;
	void (*run)(void);
	struct test_case *next;
};

void test_register(struct test_case *test);
void test_failed(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Ends the case as skipped, once it returns. */
void test_skip(const char *reason);

#define TEST_CASE(case_name)                                                                       \
	static void test_##case_name(void);                                                        \
	__attribute__((constructor)) static void test_register_##case_name(void)                   \
	{                                                                                          \
		static struct test_case test = {#case_name, __FILE__, test_##case_name, NULL};     \
		test_register(&test);                                                              \
	}                                                                                          \
	static void test_##case_name(void)

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition))                                                                  \
			test_failed(__FILE__, __LINE__, "%s", #condition);                         \
	} while (0)

#define EXPECT_TRUE(condition) EXPECT(condition)
#define EXPECT_FALSE(condition) EXPECT(!(condition))

/* For what makes the rest of the case meaningless. */
#define REQUIRE(condition)                                                                         \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			test_failed(__FILE__, __LINE__, "%s", #condition);                         \
			return;                                                                    \
		}                                                                                  \
	} while (0)

/* Compares integers of any type; both are shown as signed numbers. */
#define EXPECT_CMP(a, op, b)                                                                       \
	do {                                                                                       \
		__auto_type expect_a = (a);                                                        \
		__typeof__(expect_a) expect_b = (__typeof__(expect_a))(b);                         \
		if (!(expect_a op expect_b))                                                       \
			test_failed(__FILE__, __LINE__, "%s " #op " %s: %" PRId64 ", %" PRId64,    \
				    #a, #b, (int64_t)expect_a, (int64_t)expect_b);                 \
	} while (0)

#define EXPECT_EQ(a, b) EXPECT_CMP(a, ==, b)
#define EXPECT_NE(a, b) EXPECT_CMP(a, !=, b)
#define EXPECT_LT(a, b) EXPECT_CMP(a, <, b)
#define EXPECT_LE(a, b) EXPECT_CMP(a, <=, b)
#define EXPECT_GT(a, b) EXPECT_CMP(a, >, b)
#define EXPECT_GE(a, b) EXPECT_CMP(a, >=, b)

#define EXPECT_STR(a, b)                                                                           \
	do {                                                                                       \
		const char *expect_a = (a), *expect_b = (b);                                       \
		if (!expect_a || !expect_b || strcmp(expect_a, expect_b) != 0)                     \
			test_failed(__FILE__, __LINE__, "%s is '%s', not '%s'", #a,                \
				    expect_a ? expect_a : "(null)",                                \
				    expect_b ? expect_b : "(null)");                               \
	} while (0)

#define EXPECT_MEM(a, b, size)                                                                     \
	do {                                                                                       \
		if (memcmp((a), (b), (size)) != 0)                                                 \
			test_failed(__FILE__, __LINE__, "%s and %s differ", #a, #b);               \
	} while (0)

#endif
