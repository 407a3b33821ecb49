/* SPDX-License-Identifier: MIT */
/* damage.c - see damage.h */
#include "damage.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "read/trace.h"

/* A chunk that cannot be read. */
struct place {
	uint32_t stream, thread, chunk;
};

/* What is said: this, the places, the texts with a zero byte behind each. */
struct head {
	uint32_t places, texts;
};

static uint32_t add_places(struct buffer *to, const struct stream *stream, uint32_t number)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < stream->thread_count; i++)
		for (uint32_t k = 0; k < stream->threads[i].chunk_count; k++) {
			struct place place = {number, i, k};

			if (!stream->threads[i].chunks[k].reported)
				continue;
			buffer_add(to, &place, sizeof(place));
			count++;
		}
	return count;
}

void damage_tell(struct crew *crew, const struct reader *trace, unsigned known)
{
	struct head head = {.texts = reader_problem_count(trace) - known};
	struct buffer said = {0};
	const char *text;

	buffer_add(&said, &head, sizeof(head));
	for (uint32_t i = 0; stream_at(trace, i); i++)
		if (stream_at(trace, i)->unreadable > 0)
			head.places += add_places(&said, stream_at(trace, i), i);
	for (uint32_t i = 0; i < head.texts && (text = reader_problem(trace, known + i)); i++)
		buffer_add(&said, text, strlen(text) + 1);
	memcpy(said.bytes, &head, sizeof(head));
	crew_say(crew, CREW_DAMAGE, said.bytes, said.size);
	buffer_release(&said);
}

static void learn_place(const struct reader *trace, const struct place *place)
{
	struct stream *stream;
	struct chunk *chunk;

	if (place->stream >= trace->stream_count)
		return;
	stream = trace->streams[place->stream];
	if (place->thread >= stream->thread_count ||
	    place->chunk >= stream->threads[place->thread].chunk_count)
		return;
	chunk = &stream->threads[place->thread].chunks[place->chunk];
	if (!atomic_exchange(&chunk->reported, 1))
		atomic_fetch_add(&stream->unreadable, chunk->count - chunk->skip);
}

/* Two processes may have come across the same. */
static bool is_known(const struct reader *trace, const char *text)
{
	const char *known;

	for (unsigned i = 0; (known = reader_problem(trace, i)); i++)
		if (strcmp(known, text) == 0)
			return true;
	return false;
}

static void learn(struct reader *trace, const struct buffer *said)
{
	const uint8_t *next = said->bytes, *end = next + said->size;
	struct place place;
	struct head head;

	if (said->size < sizeof(head))
		die("a process has said nothing of what it found damaged");
	memcpy(&head, next, sizeof(head));
	next += sizeof(head);
	for (; head.places > 0 && (size_t)(end - next) >= sizeof(place); head.places--) {
		memcpy(&place, next, sizeof(place));
		next += sizeof(place);
		learn_place(trace, &place);
	}
	while (head.texts-- > 0 && next < end && end[-1] == '\0') {
		if (!is_known(trace, (const char *)next))
			problem(trace, "%s", (const char *)next);
		next += strlen((const char *)next) + 1;
	}
}

void damage_learn(struct crew *crew, unsigned number, struct reader *trace)
{
	struct buffer said = {0};

	while (!crew_hear(crew, number, 0, CREW_DAMAGE, &said))
		crew_wait(crew, number);
	learn(trace, &said);
	buffer_release(&said);
}
