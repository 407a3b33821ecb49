/* SPDX-License-Identifier: MIT */
/* eventchoice.c - see eventchoice.h */
#include "eventchoice.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/kernel_events.h"
#include "callpresets.h"
#include "message.h"
#include "system/kernelcalls.h"

#define DEFAULT_GROUPS (EVENTS_CALLS | EVENTS_BLOCK | EVENTS_WRITEBACK | EVENTS_URING)
#define ALL_GROUPS                                                                                 \
	(DEFAULT_GROUPS | EVENTS_PAGES | EVENTS_FAULTS | EVENTS_EXT4 | EVENTS_XFS | EVENTS_SWITCHES)

static const struct group {
	const char *name;
	uint32_t groups;
} groups_by_name[] = {
	{"calls", EVENTS_CALLS},
	{"block", EVENTS_BLOCK},
	{"writeback", EVENTS_WRITEBACK},
	{"iouring", EVENTS_URING},
	{"page", EVENTS_PAGES},
	{"fault", EVENTS_FAULTS},
	{"ext4", EVENTS_EXT4},
	{"xfs", EVENTS_XFS},
	{"sched", EVENTS_SWITCHES},
	/* as the bpftrace tool set has it */
	{"bio", EVENTS_BLOCK},
	/* other names, and names of several; a name above is the one that is shown */
	{"syscalls", EVENTS_CALLS},
	{"io_uring", EVENTS_URING},
	{"pagecache", EVENTS_PAGES},
	{"default", DEFAULT_GROUPS},
	{"all", ALL_GROUPS},
};

#define NAMES (sizeof(groups_by_name) / sizeof(groups_by_name[0]))

static uint32_t chosen = DEFAULT_GROUPS;

/* Which system calls, by their numbers; those that have no name here are there if all are. */
struct calls {
	bool wanted[KERNEL_CALLS];
};
static struct calls chosen_calls;
static char chosen_words[128]; /* of the list, about calls, if they are not all; "": they are */

static bool all_of(const struct calls *calls)
{
	for (unsigned i = 0; i < KERNEL_CALLS; i++)
		if (!calls->wanted[i])
			return false;
	return true;
}

static void take_all(struct calls *calls, bool wanted)
{
	memset(calls->wanted, wanted, sizeof(calls->wanted));
}

/* A preset or a call by its name. How many that are. */
static unsigned take_calls(const char *word, struct calls *calls, bool wanted)
{
	size_t length = strlen(word);
	bool preset = callpreset_is(word, length);
	unsigned count = 0;

	for (unsigned i = 0; i < KERNEL_CALLS; i++) {
		const struct kernel_call *call = kernel_call(i);

		if (!call || !(preset ? callpreset_has(word, length, call->name)
				      : !strcmp(word, call->name)))
			continue;
		calls->wanted[i] = wanted;
		count++;
	}
	return count;
}

static bool take_word(const char *word, uint32_t *groups, struct calls *calls)
{
	bool less = *word == '-';

	word += less || *word == '+';
	for (size_t i = 0; i < NAMES; i++) {
		if (strcmp(groups_by_name[i].name, word))
			continue;
		if (less)
			*groups &= ~groups_by_name[i].groups;
		else
			*groups |= groups_by_name[i].groups;
		if (groups_by_name[i].groups & EVENTS_CALLS)
			take_all(calls, !less);
		return true;
	}
	if (take_calls(word, calls, !less) > 0) {
		*groups |= less ? 0 : EVENTS_CALLS;
		return true;
	}
	message_error("no such events: '%s'", word);
	return false;
}

int eventchoice_parse(const char *list)
{
	char *words = strdup(list), *rest = NULL;
	bool changes = *list == '-' || *list == '+';
	uint32_t groups = changes ? DEFAULT_GROUPS : 0;
	bool good = words && *words;
	struct calls calls;

	take_all(&calls, changes);
	for (char *word = words ? strtok_r(words, ",", &rest) : NULL; word && good;
	     word = strtok_r(NULL, ",", &rest))
		good = take_word(word, &groups, &calls);
	free(words);
	if (!good)
		return -EINVAL;
	chosen = groups;
	chosen_calls = calls;
	snprintf(chosen_words, sizeof(chosen_words), "%s", all_of(&calls) ? "" : list);
	return 0;
}

bool eventchoice_call(unsigned number)
{
	return chosen & EVENTS_CALLS && (!*chosen_words || chosen_calls.wanted[number]);
}

uint32_t eventchoice_groups(void)
{
	return chosen;
}

void eventchoice_names(uint32_t groups, char *text, size_t room)
{
	size_t length = 0;

	snprintf(text, room, "%s", chosen_words);
	if (*chosen_words)
		return;
	for (size_t i = 0; i < NAMES && groups; i++) {
		int added;

		if ((groups_by_name[i].groups & groups) != groups_by_name[i].groups)
			continue;
		groups &= ~groups_by_name[i].groups;
		added = snprintf(text + length, room - length, "%s%s", length ? "," : "",
				 groups_by_name[i].name);
		if (added < 0 || (size_t)added >= room - length)
			return;
		length += (size_t)added;
	}
}
