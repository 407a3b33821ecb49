/* SPDX-License-Identifier: MIT */
/* problem.c - see problem.h */
#include "read/problem.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/reader.h>

#include "read/trace.h"

#define TEXT_MAX 1024u

static __thread char error_text[TEXT_MAX];

void problems_init(struct problems *problems, void (*tell)(void *, const char *), void *data)
{
	memset(problems, 0, sizeof(*problems));
	pthread_mutex_init(&problems->lock, NULL);
	problems->tell = tell;
	problems->data = data;
}

void problems_release(struct problems *problems)
{
	for (unsigned i = 0; i < problems->kept; i++)
		free(problems->texts[i]);
	free(problems->texts);
	pthread_mutex_destroy(&problems->lock);
}

static void keep(struct problems *problems, const char *text)
{
	if (problems->kept == PROBLEM_TEXTS_MAX)
		return;
	if (problems->kept == problems->capacity) {
		unsigned capacity = problems->capacity ? problems->capacity * 2 : 16;
		char **texts = realloc(problems->texts, capacity * sizeof(*texts));

		if (!texts)
			return;
		problems->texts = texts;
		problems->capacity = capacity;
	}
	problems->texts[problems->kept] = strdup(text);
	if (problems->texts[problems->kept])
		problems->kept++;
}

/* Of the thread: others load other streams. */
static _Thread_local bool muted;

void problems_mute(bool mute)
{
	muted = mute;
}

void problem(struct reader *trace, const char *format, ...)
{
	struct problems *problems = &trace->problems;
	char text[TEXT_MAX];
	va_list args;

	if (muted)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pthread_mutex_lock(&problems->lock);
	problems->count++;
	keep(problems, text);
	if (problems->tell)
		problems->tell(problems->data, text);
	pthread_mutex_unlock(&problems->lock);
}

void notice(struct reader *trace, const char *format, ...)
{
	struct problems *problems = &trace->problems;
	char text[TEXT_MAX];
	va_list args;

	if (muted)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pthread_mutex_lock(&problems->lock);
	if (problems->tell)
		problems->tell(problems->data, text);
	pthread_mutex_unlock(&problems->lock);
}

int error_set(int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error_text, sizeof(error_text), format, args);
	va_end(args);
	return error;
}

const char *reader_error(const struct reader *trace)
{
	(void)trace;
	return error_text;
}

unsigned reader_problem_count(const struct reader *trace)
{
	struct problems *problems = (struct problems *)&trace->problems;
	unsigned count;

	pthread_mutex_lock(&problems->lock);
	count = problems->count;
	pthread_mutex_unlock(&problems->lock);
	return count;
}

const char *reader_problem(const struct reader *trace, unsigned index)
{
	struct problems *problems = (struct problems *)&trace->problems;
	const char *text = NULL;

	pthread_mutex_lock(&problems->lock);
	if (index < problems->kept)
		text = problems->texts[index];
	else if (index < problems->count)
		text = "one of many problems more";
	pthread_mutex_unlock(&problems->lock);
	return text;
}
