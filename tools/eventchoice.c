/* SPDX-License-Identifier: MIT */
/* eventchoice.c - see eventchoice.h */
#include "eventchoice.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/kernel_events.h"
#include "message.h"

#define DEFAULT_GROUPS (EVENTS_CALLS | EVENTS_BLOCK)
#define ALL_GROUPS (EVENTS_CALLS | EVENTS_BLOCK)

static const struct group {
	const char *name;
	uint32_t groups;
} groups_by_name[] = {
	{"calls", EVENTS_CALLS},
	{"block", EVENTS_BLOCK},
	/* of several; a name above is the one that is shown */
	{"default", DEFAULT_GROUPS},
	{"all", ALL_GROUPS},
};

#define NAMES (sizeof(groups_by_name) / sizeof(groups_by_name[0]))

static uint32_t chosen = DEFAULT_GROUPS;

static bool take_word(const char *word, uint32_t *groups)
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
		return true;
	}
	message_error("no such events: '%s'", word);
	return false;
}

int eventchoice_parse(const char *list)
{
	char *words = strdup(list), *rest = NULL;
	uint32_t groups = *list == '-' || *list == '+' ? DEFAULT_GROUPS : 0;
	bool good = words && *words;

	for (char *word = words ? strtok_r(words, ",", &rest) : NULL; word && good;
	     word = strtok_r(NULL, ",", &rest))
		good = take_word(word, &groups);
	free(words);
	if (!good)
		return -EINVAL;
	chosen = groups;
	return 0;
}

uint32_t eventchoice_groups(void)
{
	return chosen;
}

void eventchoice_names(uint32_t groups, char *text, size_t room)
{
	size_t length = 0;

	text[0] = '\0';
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
