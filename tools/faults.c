/* SPDX-License-Identifier: MIT */
/* faults.c - see faults.h */
#include "faults.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "read/index.h"
#include "read/problem.h"

struct fault {
	int64_t stream;  /* -1: of the opening */
	char *text;      /* NULL: it was one too many to be kept */
	unsigned number; /* as it was noted */
};

static struct fault *fault_at(const struct faults *faults, unsigned number)
{
	return (struct fault *)(void *)faults->list.bytes + number;
}

static void add(struct faults *faults, int64_t stream, const char *text)
{
	struct fault fault = {.stream = stream, .number = faults->count++};

	if (text && !(fault.text = strdup(text)))
		die("out of memory");
	buffer_add(&faults->list, &fault, sizeof(fault));
}

void faults_note(struct faults *faults, const struct reader *trace, unsigned from, int64_t stream)
{
	for (unsigned i = from; i < reader_problem_count(trace); i++)
		add(faults, stream, i < PROBLEM_TEXTS_MAX ? reader_problem(trace, i) : NULL);
}

void faults_save(const struct faults *faults, struct buffer *bytes)
{
	for (unsigned i = 0; i < faults->count; i++) {
		const struct fault *fault = fault_at(faults, i);

		if (fault->stream < 0)
			continue;
		buffer_add(bytes, &fault->stream, sizeof(fault->stream));
		buffer_add_text(bytes, fault->text ? fault->text : "");
		buffer_add(bytes, "", 1);
	}
}

void faults_add(struct faults *faults, const struct buffer *bytes)
{
	const char *next = (const char *)bytes->bytes, *end = next + bytes->size;
	int64_t stream;

	while ((size_t)(end - next) > sizeof(stream) && end[-1] == '\0') {
		memcpy(&stream, next, sizeof(stream));
		next += sizeof(stream);
		add(faults, stream, *next ? next : NULL);
		next += strlen(next) + 1;
	}
}

static int compare(const void *a, const void *b)
{
	const struct fault *x = a, *y = b;

	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Whether the text is one of those before; else it is from now on. */
static bool is_again(const struct faults *faults, struct index *known, unsigned number)
{
	const char *text = fault_at(faults, number)->text;
	uint32_t hash, position;
	int64_t found;

	if (!text)
		return false;
	hash = position = index_hash(text, strlen(text));
	while ((found = index_next(known, hash, &position)) >= 0)
		if (strcmp(fault_at(faults, (unsigned)found)->text, text) == 0)
			return true;
	if (index_add(known, hash, number))
		die("out of memory");
	return false;
}

void faults_sort(struct faults *faults)
{
	struct index known = {0};
	unsigned kept = 0;

	if (faults->count > 0)
		qsort(faults->list.bytes, faults->count, sizeof(struct fault), compare);
	for (unsigned i = 0; i < faults->count; i++) {
		struct fault fault = *fault_at(faults, i);

		*fault_at(faults, kept) = fault;
		if (is_again(faults, &known, kept))
			free(fault.text);
		else
			kept++;
	}
	faults->count = kept;
	index_release(&known);
}

const char *faults_text(const struct faults *faults, unsigned number)
{
	const char *text = fault_at(faults, number)->text;

	return text && number < PROBLEM_TEXTS_MAX ? text : "one of many problems more";
}

void faults_release(struct faults *faults)
{
	for (unsigned i = 0; i < faults->count; i++)
		free(fault_at(faults, i)->text);
	buffer_release(&faults->list);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(faults_are_in_the_order_of_streams)
{
	struct faults one = {0}, other = {0};
	struct buffer bytes = {0};

	add(&one, -1, "opening");
	add(&one, 0, "a");
	add(&one, 2, "shared");
	add(&one, 2, NULL);
	add(&other, -1, "opening");
	add(&other, 1, "b");
	add(&other, 1, "shared");
	faults_save(&other, &bytes);
	faults_add(&one, &bytes);
	faults_sort(&one);
	REQUIRE(one.count == 5);
	EXPECT_STR(faults_text(&one, 0), "opening");
	EXPECT_STR(faults_text(&one, 1), "a");
	EXPECT_STR(faults_text(&one, 2), "b");
	EXPECT_STR(faults_text(&one, 3), "shared");
	EXPECT_STR(faults_text(&one, 4), "one of many problems more");
	buffer_release(&bytes);
	faults_release(&one);
	faults_release(&other);
}
#endif
