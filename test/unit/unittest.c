/* SPDX-License-Identifier: MIT */
/* Runs the unit tests of all files: unittest [-l] [PART-OF-NAME...], result as TAP on stdout. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unittest.h"
#include "record/thread.h"

/* What locks count in (critical.h). */
__thread struct thread_tls thread_tls __attribute__((tls_model("initial-exec")));

struct thread_task *sharing_ask_task(void)
{
	return &thread_tls.task;
}

static struct test_case *tests;
static int failures; /* of the running case */
static const char *skipped;

void test_register(struct test_case *test)
{
	test->next = tests;
	tests = test;
}

void test_failed(const char *file, int line, const char *format, ...)
{
	va_list args;

	failures++;
	printf("# %s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

void test_skip(const char *reason)
{
	skipped = reason;
}

static bool is_wanted(const struct test_case *test, int count, char **parts)
{
	for (int i = 0; i < count; i++) {
		if (strstr(test->name, parts[i]) || strstr(test->file, parts[i]))
			return true;
	}
	return count == 0;
}

static int by_place(const void *a, const void *b)
{
	const struct test_case *left = *(struct test_case *const *)a;
	const struct test_case *right = *(struct test_case *const *)b;
	int order = strcmp(left->file, right->file);

	return order ? order : strcmp(left->name, right->name);
}

/* The cases whose name or file holds one of the parts, in a fixed order; the caller frees it. */
static struct test_case **wanted_tests(int count, char **parts, int *found)
{
	struct test_case **list;
	int n = 0;

	for (struct test_case *test = tests; test; test = test->next)
		n++;
	list = calloc((size_t)n + 1, sizeof(*list));
	if (!list)
		abort();
	n = 0;
	for (struct test_case *test = tests; test; test = test->next) {
		if (is_wanted(test, count, parts))
			list[n++] = test;
	}
	qsort(list, (size_t)n, sizeof(*list), by_place);
	*found = n;
	return list;
}

static bool run(const struct test_case *test, int number)
{
	failures = 0;
	skipped = NULL;
	/* a case that crashes must not take the results before it along */
	fflush(stdout);
	test->run();
	printf("%sok %d - %s", failures ? "not " : "", number, test->name);
	if (skipped && !failures)
		printf(" # SKIP %s", skipped);
	putchar('\n');
	return failures == 0;
}

int main(int argc, char **argv)
{
	bool list_only = argc > 1 && strcmp(argv[1], "-l") == 0;
	int skip_args = list_only ? 2 : 1;
	int count, bad = 0;
	struct test_case **list = wanted_tests(argc - skip_args, argv + skip_args, &count);

	if (list_only) {
		for (int i = 0; i < count; i++)
			printf("%s %s\n", list[i]->file, list[i]->name);
	} else {
		printf("1..%d\n", count);
		for (int i = 0; i < count; i++)
			bad += !run(list[i], i + 1);
	}
	free(list);
	return bad != 0;
}
