/* SPDX-License-Identifier: MIT */
/* handover.c - see handover.h. */
#include "record/handover.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "record/identity.h"
#include "record/readable.h"
#include "record/scratch.h"
#include "record/stream.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/untraced.h"

#define NAME "RECORDER_IMAGE="
#define VARIABLES_MAX 16384

/* Whether this process has a stream that the next image must not take for its own; in the child of a vfork it is the parent's. */
static bool has_stream(void)
{
	return stream_name()[0] && (uint32_t)sys_getpid() == identity.pid;
}

/* How many variables there are; 0: none, too many, or not readable, so exec will say what is wrong. */
static size_t count_variables(char *const environment[])
{
	size_t count = 0;

	for (; environment && readable(environment + count, sizeof(*environment)); count++)
		if (!environment[count] || count == VARIABLES_MAX)
			return environment[count] ? 0 : count;
	return 0;
}

static bool is_old(const char *variable)
{
	size_t length;

	return readable_string(variable, &length) && !strncmp(variable, NAME, strlen(NAME));
}

/* The vector in `to`, which has room for two more, with `variable` instead of what an earlier image said. */
static void copy_variables(char **to, char *const environment[], size_t count, char *variable)
{
	for (size_t i = 0; i < count; i++)
		if (!is_old(environment[i]))
			*to++ = environment[i];
	*to++ = variable;
	*to = NULL;
}

void handover_begin(struct handover *handover, char *const environment[])
{
	bool wanted = has_stream() && untraced_has_preload(environment);
	size_t count = wanted ? count_variables(environment) : 0;
	struct textbuf text = text_in(handover->variable, sizeof(handover->variable));

	handover->environment = environment;
	handover->copy = count ? scratch_take((count + 2) * sizeof(char *)) : NULL;
	if (!handover->copy)
		return;
	text_add(&text, NAME);
	identity_write_image(&text);
	copy_variables((char **)(void *)handover->copy->free, environment, count,
		       handover->variable);
	handover->environment = (char *const *)(void *)handover->copy->free;
}

void handover_end(struct handover *handover)
{
	if (handover->copy)
		scratch_give(handover->copy);
}
