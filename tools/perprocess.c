/* SPDX-License-Identifier: MIT */
/* perprocess.c - see perprocess.h */
#include "perprocess.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buffer.h"
#include "message.h"
#include "options.h"
#include "parcels.h"

#define APP_MAX 128

/* A file: the images of one program in one process. */
struct part {
	char app[APP_MAX];
	uint32_t pid;
	uint64_t space; /* of the pid; 0 not known */
	const char *host;
	struct buffer streams; /* "3,7" */
	char *path;
};

struct parts {
	struct part *items;
	unsigned count;
};

/* ---- names ---- */

static const char *base_of(const char *path, size_t size)
{
	const char *slash = memrchr(path, '/', size);

	return slash ? slash + 1 : path;
}

/* "python3.11", "env": what runs is said behind them. */
static bool is_interpreter(const char *word, size_t size)
{
	const char *base = base_of(word, size);
	size_t length = size - (size_t)(base - word);

	return (length >= 6 && !memcmp(base, "python", 6)) ||
	       (length == 3 && !memcmp(base, "env", 3));
}

/* The word of a command line that tells what runs; NULL: none does. Code of -c is nothing to call a file by. */
static const char *telling_word(const char *argv, size_t *size)
{
	for (const char *word = argv; *word; word += *size + strspn(word + *size, " ")) {
		*size = strcspn(word, " ");
		if (*size == 2 && !memcmp(word, "-c", 2))
			return NULL;
		if (*size > 0 && *word != '-' && !is_interpreter(word, *size))
			return word;
	}
	return NULL;
}

static void take_app(char app[APP_MAX], const struct reader_stream *stream)
{
	size_t size = strlen(stream->exe);
	const char *word = telling_word(stream->argv, &size), *base;
	unsigned used = 0;

	if (!word) {
		word = *stream->exe ? stream->exe : "DEFAULT";
		size = strlen(word);
	}
	base = base_of(word, size);
	for (const char *c = base; c < word + size && used < APP_MAX - 1; c++)
		app[used++] = isalnum((unsigned char)*c) || strchr("._+-", *c) ? *c : '_';
	app[used] = '\0';
}

/* ---- parts ---- */

/* Of which streams the filter lets something through, by number. */
static bool *find_chosen(const struct walk *walk)
{
	bool *chosen = calloc(walk->info.streams + 1, sizeof(*chosen));
	struct parcels parcels;

	if (!chosen)
		die("out of memory");
	parcels_init(&parcels, walk->trace, &options.filter);
	for (uint32_t i = 0; i < parcels.piece_count; i++)
		chosen[parcels.pieces[i].stream] = true;
	parcels_release(&parcels);
	return chosen;
}

static struct part *find_part(struct parts *parts, const struct part *wanted)
{
	for (unsigned i = 0; i < parts->count; i++)
		if (parts->items[i].pid == wanted->pid &&
		    (!parts->items[i].space || !wanted->space ||
		     parts->items[i].space == wanted->space) &&
		    !strcmp(parts->items[i].host, wanted->host) &&
		    !strcmp(parts->items[i].app, wanted->app))
			return &parts->items[i];
	return NULL;
}

static void add_stream(struct parts *parts, unsigned index, const struct reader_stream *stream)
{
	struct part wanted = {.pid = stream->pid, .space = stream->pid_ns, .host = stream->host},
		    *part;
	char number[16];

	take_app(wanted.app, stream);
	part = find_part(parts, &wanted);
	if (!part) {
		part = &parts->items[parts->count++];
		*part = wanted;
	}
	snprintf(number, sizeof(number), "%s%u", part->streams.size ? "," : "", index);
	buffer_add_text(&part->streams, number);
}

static bool is_taken(const struct parts *parts, const char *path)
{
	for (unsigned i = 0; i < parts->count; i++)
		if (parts->items[i].path && !strcmp(parts->items[i].path, path))
			return true;
	return false;
}

static char *path_of(const struct per_process *per, const struct part *part, const char *host)
{
	char *path;

	if (asprintf(&path, "%s-%s-%" PRIu32 "%s%s.%s", per->prefix, part->app, part->pid,
		     *host ? "-" : "", host, per->ending) < 0)
		die("out of memory");
	return path;
}

static void name_parts(struct parts *parts, const struct per_process *per)
{
	for (unsigned i = 0; i < parts->count; i++) {
		struct part *part = &parts->items[i];
		char *path = path_of(per, part, ""), host[256];

		if (is_taken(parts, path)) {
			free(path);
			path = path_of(per, part, part->host);
		}
		if (is_taken(parts, path)) { /* in two containers of one host */
			snprintf(host, sizeof(host), "%.200s-%" PRIu64, part->host, part->space);
			free(path);
			path = path_of(per, part, host);
		}
		part->path = path;
		buffer_add(&part->streams, "", 1);
	}
}

static void find_parts(struct parts *parts, const struct walk *walk, const struct per_process *per)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	bool *chosen = find_chosen(walk);

	*parts = (struct parts){calloc(walk->info.streams + 1, sizeof(struct part)), 0};
	if (!parts->items)
		die("out of memory");
	for (unsigned i = 0; i < walk->info.streams; i++)
		if (chosen[i] && !reader_stream(walk->trace, i, &stream))
			add_stream(parts, i, &stream);
	free(chosen);
	name_parts(parts, per);
}

static void release(struct parts *parts)
{
	for (unsigned i = 0; i < parts->count; i++) {
		buffer_release(&parts->items[i].streams);
		free(parts->items[i].path);
	}
	free(parts->items);
}

/* ---- making ---- */

/* Every one of `step` from number `first` on. */
static void make(struct walk *walk, const struct per_process *per, const struct parts *parts,
		 unsigned first, unsigned step)
{
	struct convert_options alone = *per->convert;

	alone.jobs = 1;
	alone.alone = true;
	for (unsigned i = first; i < parts->count; i += step) {
		options.filter.streams = (const char *)parts->items[i].streams.bytes;
		convert_events(walk, parts->items[i].path, &alone);
		per->convert->problems += alone.problems;
		alone.problems = 0;
	}
	options.filter.streams = NULL;
}

/* By several processes, each of which ends with a message if it fails. */
static void make_by_several(struct walk *walk, const struct per_process *per,
			    const struct parts *parts, unsigned workers)
{
	unsigned step = per->count * workers, failed = 0;
	int status;

	fflush(NULL);
	for (unsigned i = 0; i < workers; i++) {
		pid_t child = fork();

		if (child < 0)
			die("cannot fork: %s", strerror(errno));
		if (child > 0)
			continue;
		make(walk, per, parts, per->number + i * per->count, step);
		fflush(NULL);
		_exit(EXIT_DONE);
	}
	for (unsigned i = 0; i < workers; i++)
		failed += wait(&status) < 0 || status != 0;
	if (failed > 0)
		exit(EXIT_FAILED);
}

unsigned convert_per_process(struct walk *walk, const struct per_process *per)
{
	unsigned workers = per->convert->jobs, count;
	struct parts parts;

	find_parts(&parts, walk, per);
	count = parts.count;
	if (workers > (count + per->count - 1) / per->count)
		workers = (count + per->count - 1) / per->count;
	if (workers > 1)
		make_by_several(walk, per, &parts, workers);
	else
		make(walk, per, &parts, per->number, per->count);
	release(&parts);
	return count;
}
