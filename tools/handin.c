/* SPDX-License-Identifier: MIT */
/* handin.c - see handin.h */
#include "handin.h"

#include <stdlib.h>

#include "damage.h"
#include "message.h"

#define SHARE CREW_FIRST_TYPE

void handin_begin(struct handin *handin, struct reader *trace, const char *path, unsigned jobs,
		  uint32_t parts, uint64_t same)
{
	*handin = (struct handin){.trace = trace, .known = reader_problem_count(trace)};
	ranks_init(&handin->who, path, jobs, parts);
	handin->crew = crew_start(&handin->who, same);
	message_quiet |= handin_number(handin) > 0;
}

unsigned handin_count(const struct handin *handin)
{
	return handin->who.count;
}

unsigned handin_number(const struct handin *handin)
{
	return crew_number(handin->crew);
}

void handin_give(struct handin *handin, const void *share, size_t size)
{
	crew_say(handin->crew, SHARE, size ? share : "", size);
	damage_tell(handin->crew, handin->trace, handin->known);
	crew_leave(handin->crew);
	exit(EXIT_DONE);
}

void handin_take(struct handin *handin, void (*add)(void *data, const struct buffer *share),
		 void *data)
{
	struct buffer share = {0};

	for (unsigned number = 1; number < handin->who.count; number++) {
		while (!crew_hear(handin->crew, number, 0, SHARE, &share))
			crew_wait(handin->crew, number);
		add(data, &share);
		damage_learn(handin->crew, number, handin->trace);
	}
	buffer_release(&share);
	crew_gather(handin->crew);
}

void handin_end(struct handin *handin)
{
	crew_end(handin->crew);
	ranks_release(&handin->who);
}
