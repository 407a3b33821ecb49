/* SPDX-License-Identifier: MIT */
/* targets.c - see targets.h */
#include "record/targets.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "record/config.h"
#include "record/lifecycle.h"
#include "record/nearness.h"
#include "record/metadata.h"
#include "record/note.h"
#include "record/sys.h"
#include "record/target_text.h"
#include "record/text.h"

#define NEAR_NAME_MAX 80u

/* Mapped once there is something to be kept. */
static struct tables {
	struct target targets[TARGETS_MAX];
	struct target_request arguments[TARGETS_MAX], results[TARGETS_MAX];
	_Atomic bool matched[TARGETS_MAX], written[TARGETS_MAX];
	struct near {
		char name[NEAR_NAME_MAX];
		unsigned distance;
	} near[TARGETS_MAX][TARGET_NEAR_MAX];
	struct target_texts texts;
} * tables;

static struct {
	unsigned targets, arguments, results;
} counts;
static _Atomic unsigned unmatched;
static pthread_once_t read_once = PTHREAD_ONCE_INIT;
static _Atomic bool near_busy;

/* ---- reading ---- */

static void complain(const char *setting, const char *text, size_t length)
{
	char buffer[160];
	struct textbuf copy = text_in(buffer, sizeof(buffer));

	text_add_bytes(&copy, text, length);
	note("cannot understand '", buffer, "' of ", setting, "; it is ignored", NULL);
}

static void read_targets(const char *list)
{
	const char *part;
	size_t length;

	while (list && target_next(&list, &part, &length))
		if (counts.targets < TARGETS_MAX &&
		    target_read(&tables->texts, part, length, &tables->targets[counts.targets]))
			counts.targets++;
		else
			complain("RECORDER_TARGETS", part, length);
}

static unsigned read_requests(const char *setting, const char *list,
			      struct target_request *requests)
{
	unsigned count = 0;
	const char *part;
	size_t length;

	while (list && target_next(&list, &part, &length))
		if (count < TARGETS_MAX &&
		    target_request_read(&tables->texts, part, length, &requests[count]))
			count++;
		else
			complain(setting, part, length);
	return count;
}

static void read_settings(void)
{
	void *memory =
		sys_mmap(sizeof(*tables), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (sys_is_error((long)memory))
		return;
	tables = memory;
	read_targets(config.targets);
	counts.arguments = read_requests("RECORDER_ARGUMENTS", config.arguments, tables->arguments);
	counts.results = read_requests("RECORDER_RESULTS", config.results, tables->results);
	atomic_store(&unmatched, counts.targets);
}

/* Whether there is anything to be read, and it is. */
static bool ready(void)
{
	if (!config.targets && !config.arguments && !config.results)
		return false;
	pthread_once(&read_once, read_settings);
	return tables != NULL;
}

unsigned targets_count(void)
{
	return ready() ? counts.targets : 0;
}

const struct target *target_at(unsigned number)
{
	return &tables->targets[number];
}

unsigned targets_arguments(void)
{
	return ready() ? counts.arguments : 0;
}

const struct target_request *target_argument_at(unsigned number)
{
	return &tables->arguments[number];
}

unsigned targets_results(void)
{
	return ready() ? counts.results : 0;
}

const struct target_request *target_result_at(unsigned number)
{
	return &tables->results[number];
}

/* ---- matches ---- */

void target_matched(unsigned number)
{
	if (!atomic_exchange(&tables->matched[number], true))
		atomic_fetch_sub(&unmatched, 1);
	if (atomic_load_explicit(&tables->written[number], memory_order_relaxed) ||
	    !lifecycle_open())
		return;
	if (!atomic_exchange(&tables->written[number], true))
		metadata_write_target(number, tables->targets[number].text);
}

bool targets_seek(void)
{
	return tables && atomic_load_explicit(&unmatched, memory_order_relaxed) > 0;
}

void targets_forked(void)
{
	for (unsigned i = 0; tables && i < counts.targets; i++)
		atomic_store(&tables->written[i], false);
}

/* ---- names that are nearly right ---- */

/* Sorted by distance, each name once. */
static void keep_near(struct near near[TARGET_NEAR_MAX], const char *name, unsigned distance)
{
	unsigned at = 0;

	if (strlen(name) >= NEAR_NAME_MAX)
		return;
	for (unsigned i = 0; i < TARGET_NEAR_MAX; i++)
		if (!strcmp(near[i].name, name))
			return;
	while (at < TARGET_NEAR_MAX && near[at].name[0] && near[at].distance <= distance)
		at++;
	if (at == TARGET_NEAR_MAX)
		return;
	memmove(&near[at + 1], &near[at], (TARGET_NEAR_MAX - at - 1) * sizeof(near[0]));
	memcpy(near[at].name, name, strlen(name) + 1);
	near[at].distance = distance;
}

/* Who finds another thread here goes on: a hint less does no harm. */
void targets_offer(const char *name)
{
	if (!targets_seek() || !*name || atomic_exchange(&near_busy, true))
		return;
	for (unsigned i = 0; i < counts.targets; i++) {
		const char *wanted = tables->targets[i].name;
		unsigned distance = !wanted || atomic_load(&tables->matched[i])
					    ? NEARNESS_NONE
					    : nearness(wanted, name);

		if (distance != NEARNESS_NONE)
			keep_near(tables->near[i], name, distance);
	}
	atomic_store(&near_busy, false);
}

void targets_each_unmatched(void (*visit)(void *data, unsigned number, const struct target *target,
					  const char *const near[TARGET_NEAR_MAX]),
			    void *data)
{
	const char *names[TARGET_NEAR_MAX];

	if (!tables || atomic_exchange(&near_busy, true))
		return;
	for (unsigned i = 0; i < counts.targets; i++) {
		if (atomic_load(&tables->matched[i]))
			continue;
		for (unsigned k = 0; k < TARGET_NEAR_MAX; k++)
			names[k] = tables->near[i][k].name[0] ? tables->near[i][k].name : NULL;
		visit(data, i, &tables->targets[i], names);
	}
	atomic_store(&near_busy, false);
}
