/* SPDX-License-Identifier: MIT */
/* trace.c - opening a trace: which files there are, and what puts their streams together. */
#include "read/trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/alignment.h"
#include "read/beneath.h"
#include "read/nodefile.h"
#include "read/packed.h"
#include "read/snapshot.h"
#include "read/streams.h"

#define GLOBAL_NAME "recorder.gm"
#define STREAM_NAME_MAX 200u
#define STREAM_NAME_SET "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

/* ---- which files there are ---- */

static bool ends_in(const char *name, const char *suffix)
{
	size_t length = strlen(name), tail = strlen(suffix);

	return length >= tail && strcmp(name + length - tail, suffix) == 0;
}

/* The length of the stream's name in that of one of its files; 0 if it is none. */
static size_t stream_name_length(const char *name, const char *suffix)
{
	size_t length = strlen(name), tail = strlen(suffix);

	if (!ends_in(name, suffix) || length == tail || name[0] == '.' ||
	    length - tail > STREAM_NAME_MAX || strspn(name, STREAM_NAME_SET) != length)
		return 0;
	return length - tail;
}

static struct stream *add_stream(struct reader *trace, const char *name, size_t length)
{
	struct stream *stream, **streams;

	if (trace->stream_count == trace->stream_capacity) {
		unsigned capacity = trace->stream_capacity ? trace->stream_capacity * 2 : 16;

		streams = realloc(trace->streams, capacity * sizeof(*streams));
		if (!streams)
			return NULL;
		trace->streams = streams;
		trace->stream_capacity = capacity;
	}
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return NULL;
	trace->streams[trace->stream_count++] = stream;
	stream->trace = trace;
	stream->name = pool_copy(&trace->pool, name, length);
	return stream->name ? stream : NULL;
}

/* One stream for each file for now; the two of a stream are brought together when all are known. */
static int add_file(struct reader *trace, const char *name)
{
	size_t lm = stream_name_length(name, ".lm"), rec = stream_name_length(name, ".rec");
	struct stream *stream;
	const char *copy;

	if (strcmp(name, GLOBAL_NAME) == 0)
		trace->has_gm = true;
	if (lm == 0 && rec == 0) {
		if (ends_in(name, ".lm") || ends_in(name, ".rec"))
			problem(trace, "%s/%s: is skipped: not a name of a stream", trace->dir,
				name);
		return 0;
	}
	stream = add_stream(trace, name, lm ? lm : rec);
	copy = stream ? pool_copy(&trace->pool, name, strlen(name)) : NULL;
	if (!copy)
		return -ENOMEM;
	if (lm)
		stream->lm_name = copy;
	else
		stream->rec_name = copy;
	return 0;
}

static uint64_t size_of(const struct reader *trace, const char *name)
{
	struct stat status;

	if (trace->files.packed)
		return packed_file_size(trace->files.packed,
					packed_find(trace->files.packed, name));
	if (name && nodes_find(&trace->nodes, name))
		return nodes_find(&trace->nodes, name)->size;
	if (!name || fstatat(trace->dir_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
		return 0;
	return (uint64_t)status.st_size;
}

static int by_name(const void *a, const void *b)
{
	const struct stream *x = *(struct stream *const *)a, *y = *(struct stream *const *)b;

	return strcmp(x->name, y->name);
}

static void pair_files(struct reader *trace)
{
	unsigned kept = 0;

	if (trace->stream_count == 0)
		return;
	qsort(trace->streams, trace->stream_count, sizeof(*trace->streams), by_name);
	for (unsigned i = 1; i < trace->stream_count; i++) {
		struct stream *stream = trace->streams[i], *last = trace->streams[kept];

		if (strcmp(stream->name, last->name) != 0) {
			trace->streams[++kept] = stream;
			continue;
		}
		if (stream->lm_name)
			last->lm_name = stream->lm_name;
		else
			last->rec_name = stream->rec_name;
		free(stream);
	}
	trace->stream_count = kept + 1;
}

/* Its process was killed while it made its first file: there is nothing to tell of it. */
static bool never_began(const struct reader *trace, const struct stream *stream)
{
	return stream->lm_name && size_of(trace, stream->lm_name) <= sizeof(struct file_header) &&
	       size_of(trace, stream->rec_name) <= sizeof(struct file_header);
}

static void leave_out_unbegun(struct reader *trace)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < trace->stream_count; i++) {
		if (never_began(trace, trace->streams[i]))
			free(trace->streams[i]);
		else
			trace->streams[kept++] = trace->streams[i];
	}
	trace->stream_count = kept;
}

/* What the files of nodes hold is listed as if each stream had its own. */
static int list_nodes(struct reader *trace)
{
	struct nodes *nodes = &trace->nodes;
	char name[STREAM_NAME_MAX + 8];
	int error = 0;

	for (unsigned i = 0; i < trace->stream_count && !error && nodes->count > 0; i++)
		error = nodes_take_name(nodes, trace->streams[i]->name,
					strlen(trace->streams[i]->name));
	if (!error)
		error = nodes_load(nodes);
	for (uint32_t i = 0; i < nodes->named_count && !error; i++) {
		const struct node_stream *stream = nodes->named[i];

		if (!stream)
			continue;
		snprintf(name, sizeof(name), "%s.rec", stream->name);
		error = add_file(trace, name);
		snprintf(name, sizeof(name), "%s.lm", stream->name);
		if (!error && stream->parts[NODE_LM].count > 0)
			error = add_file(trace, name);
	}
	return error;
}

/* Whether a process appends to it. */
static bool is_growing(const struct reader *trace, const struct node_file *node)
{
	for (unsigned i = 0; i < trace->stream_count; i++) {
		const struct stream *stream = trace->streams[i];

		if (stream->alive && stream->rec.part && stream->rec.part->stream->node == node)
			return true;
	}
	return false;
}

static void tell_gap(void *data, const struct node_file *node, uint64_t offset, uint64_t bytes)
{
	struct reader *trace = data;

	if (offset == node->scanned && is_growing(trace, node))
		return; /* a write that is not yet to be seen as a whole */
	problem(trace, "%s/%s: offset %llu: %llu bytes are no chunk", trace->dir, node->name,
		(unsigned long long)offset, (unsigned long long)bytes);
}

/* What is wrong with the files of nodes themselves. */
static void judge_nodes(struct reader *trace)
{
	for (uint32_t i = 0; i < trace->nodes.count; i++) {
		const struct node_file *node = trace->nodes.list[i];

		if (node->error == -EPROTO)
			problem(trace,
				"%s/%s: written by a newer version of the recorder (format after "
				"%u.%u)",
				trace->dir, node->name, FORMAT_MAJOR, FORMAT_MINOR);
		else if (node->error == -EINVAL)
			problem(trace, "%s/%s: not a file of a node", trace->dir, node->name);
		else if (node->error)
			problem(trace, "%s/%s: cannot be read: %s", trace->dir, node->name,
				strerror(-node->error));
		else if (node->header_bad)
			problem(trace, "%s/%s: offset 0: no file header of the format", trace->dir,
				node->name);
	}
	nodes_each_gap(&trace->nodes, tell_gap, trace);
}

static int list_packed(struct reader *trace)
{
	struct packed *packed = trace->files.packed;
	int error = 0;

	for (uint32_t i = 0; i < packed_file_count(packed) && !error; i++)
		error = add_file(trace, packed_file_name(packed, i));
	return error;
}

static int list_directory(struct reader *trace)
{
	int fd = dup(trace->dir_fd), error = 0;
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!entries) {
		error = -errno;
		if (fd >= 0)
			close(fd);
		return error_set(error, "%s: cannot be read: %s", trace->dir, strerror(-error));
	}
	while (!error && (entry = readdir(entries)))
		error = node_is_name(entry->d_name) ? nodes_add(&trace->nodes, entry->d_name)
						    : add_file(trace, entry->d_name);
	closedir(entries);
	return error ? error : list_nodes(trace);
}

static int list_files(struct reader *trace)
{
	int error = trace->files.packed ? list_packed(trace) : list_directory(trace);

	pair_files(trace);
	leave_out_unbegun(trace);
	return error;
}

/* ---- the global file ---- */

static int load_gm(struct reader *trace)
{
	struct file_header header;
	int error;

	if (!trace->has_gm) {
		problem(trace, "%s/" GLOBAL_NAME ": is missing", trace->dir);
		return 0;
	}
	error = metadata_load(&trace->gm, trace, GLOBAL_NAME, FILE_GLOBAL, &trace->pool, &header);
	if (error == -EPROTO || error == -ENOMEM)
		return error;
	if (error) {
		problem(trace, "%s", reader_error(trace));
		trace->has_gm = false;
		return 0;
	}
	if (header.major > 0) {
		trace->format_major = header.major;
		trace->format_minor = header.minor;
	}
	return 0;
}

/* ---- streams ---- */

/* Why the first file of streams cannot be opened, 0 if it can: then it is what is in them. */
static int unreadable_error(const struct reader *trace)
{
	const struct stream *first = trace->stream_count > 0 ? trace->streams[0] : NULL;
	const char *name = first ? first->rec_name ? first->rec_name : first->lm_name : NULL;

	if (!name && trace->nodes.count > 0)
		return trace->nodes.list[0]->error;
	return name && !first->rec.part && !trace->files.packed &&
			       faccessat(trace->dir_fd, name, R_OK, AT_EACCESS)
		       ? -errno
		       : 0;
}

static int load_streams(struct reader *trace)
{
	struct body body = {0};
	unsigned newer = 0, readable = 0;
	int error = 0;

	for (unsigned i = 0; i < trace->stream_count && !error; i++) {
		struct stream *stream = trace->streams[i];

		file_init(&trace->files, &stream->rec, stream->rec_name);
		stream->live_name =
			stream->rec.part ? stream->rec.part->stream->live_name : stream->name;
		stream->bytes = size_of(trace, stream->lm_name) + size_of(trace, stream->rec_name);
		error = stream_load(stream, &body);
		if (trace->progress)
			trace->progress(trace->progress_data, READER_OPENING, i + 1,
					trace->stream_count);
		newer += stream->newer;
		readable += stream->lm_ok || stream->rec_ok || stream->chunk_count > 0;
	}
	body_release(&body);
	if (error)
		return error;
	judge_nodes(trace);
	for (uint32_t i = 0; i < trace->nodes.count; i++) {
		newer += trace->nodes.list[i]->error == -EPROTO;
		readable += !trace->nodes.list[i]->error && !trace->nodes.list[i]->header_bad;
	}
	if (newer > 0 && readable == 0)
		return error_set(
			-EPROTO,
			"%s: written by a newer version of the recorder (format after %u.%u)",
			trace->dir, FORMAT_MAJOR, FORMAT_MINOR);
	if (readable == 0 && !trace->has_gm && unreadable_error(trace))
		return error_set(unreadable_error(trace), "%s: its files cannot be read: %s",
				 trace->dir, strerror(-unreadable_error(trace)));
	if (readable == 0 && !trace->has_gm)
		return error_set(-EINVAL, "%s: not a trace: no file in it has the format",
				 trace->dir);
	return 0;
}

/* ---- worlds and ranks ---- */

static int by_first_time(const void *a, const void *b)
{
	const struct stream *x = *(struct stream *const *)a, *y = *(struct stream *const *)b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->segment != y->segment)
		return x->segment < y->segment ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int by_rank(const void *a, const void *b)
{
	const struct stream *x = *(struct stream *const *)a, *y = *(struct stream *const *)b;

	if (x->world != y->world)
		return x->world < y->world ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return by_first_time(a, b);
}

static const char *world_name(const struct stream *stream)
{
	return metadata_text(&stream->lm, "world");
}

/* Numbers the world of stream `i`: the one of an earlier stream of that name, or the next. */
static int number_world(struct reader *trace, struct index *names, unsigned i)
{
	struct stream *stream = trace->streams[i];
	const char *name = world_name(stream);
	uint32_t hash = index_hash(name, strlen(name)), position = hash;
	int64_t number;

	while ((number = index_next(names, hash, &position)) >= 0)
		if (strcmp(world_name(trace->streams[number]), name) == 0)
			break;
	if (number < 0 && index_add(names, hash, i))
		return -ENOMEM;
	stream->world = number >= 0 ? trace->streams[number]->world : (int32_t)trace->worlds;
	trace->worlds += number < 0;
	return 0;
}

int32_t trace_world(const struct reader *trace, const char *name)
{
	int32_t before = -1;

	/* streams are in the order of their worlds */
	for (unsigned i = 0; i < trace->stream_count; i++) {
		const struct stream *stream = trace->streams[i];

		if (stream->world != before && strcmp(world_name(stream), name) == 0)
			return stream->world;
		before = stream->world;
	}
	return -1;
}

/*
 * Jobs of launchers are numbered as they began; processes that belong to none (the shell that
 * started the launcher) are the last world. A stream without .lm belongs to the first world.
 * Streams must be in the order of their begin.
 */
static int number_worlds(struct reader *trace)
{
	struct index names = {0};
	int error = 0;

	for (int unnamed = 0; unnamed <= 1; unnamed++)
		for (unsigned i = 0; i < trace->stream_count && !error; i++)
			if (trace->streams[i]->lm_ok &&
			    (*world_name(trace->streams[i]) == '\0') == unnamed)
				error = number_world(trace, &names, i);
	index_release(&names);
	return error;
}

/*
 * Counts ranks, and says whether every world has all of its. Streams must be in the order of
 * ranks.
 */
static bool count_ranks(struct reader *trace)
{
	int32_t world = -1, next = 0, size = -1;
	bool all = true;

	trace->ranks = 0;
	for (unsigned i = 0; i < trace->stream_count; i++) {
		const struct stream *stream = trace->streams[i];

		if (!stream->main || stream->rank < 0)
			continue;
		/* beside ranks of a job, processes of no job are no ranks */
		if (stream->world > 0 && stream->lm_ok && !*world_name(stream))
			continue;
		if (stream->world != world) {
			all &= size < 0 || next >= size;
			world = stream->world;
			next = 0;
			size = -1;
		}
		size = stream->size > size ? stream->size : size;
		if (stream->rank < next)
			continue;
		all &= stream->rank == next;
		next = stream->rank + 1;
		trace->ranks++;
	}
	return all && (size < 0 || next >= size);
}

static bool nothing_lost(const struct reader *trace)
{
	for (unsigned i = 0; i < trace->stream_count; i++) {
		const struct stream *stream = trace->streams[i];

		/* a loss of 0 records is one of nobody knows how many */
		if (stream->state != READER_CLEAN || stream->loss_count > 0 ||
		    stream->unreadable > 0)
			return false;
	}
	return trace->stream_count > 0;
}

static bool is_left_out(const struct stream *stream)
{
	return metadata_u64(&stream->lm, "filter.left_out", 0) != 0;
}

/*
 * Streams that `recorder filter` was not asked for: clocks, worlds and which ranks there were are known by their metadata, nothing else is to be seen of them. They
 * stay behind the others.
 */
static int leave_out(struct reader *trace)
{
	unsigned count = trace->stream_count, kept = 0;
	struct stream **others = malloc((count + 1u) * sizeof(*others));

	if (!others)
		return -ENOMEM;
	for (unsigned i = 0; i < count; i++) {
		if (is_left_out(trace->streams[i]))
			others[trace->left_out++] = trace->streams[i];
		else
			trace->streams[kept++] = trace->streams[i];
	}
	memcpy(trace->streams + kept, others, trace->left_out * sizeof(*others));
	trace->stream_count = kept;
	free(others);
	return 0;
}

static int order_streams(struct reader *trace)
{
	int error;

	if (trace->stream_count == 0)
		return 0;
	qsort(trace->streams, trace->stream_count, sizeof(*trace->streams), by_first_time);
	error = number_worlds(trace);
	if (error)
		return error;
	qsort(trace->streams, trace->stream_count, sizeof(*trace->streams), by_rank);
	trace->all_ranks = count_ranks(trace);
	error = leave_out(trace);
	if (error)
		return error;
	for (unsigned i = 0; i < trace->stream_count; i++)
		trace->streams[i]->number = i;
	if (trace->left_out > 0)
		count_ranks(trace);
	trace->complete = trace->has_gm && trace->all_ranks && nothing_lost(trace) &&
			  metadata_u64(&trace->gm, "filter.incomplete", 0) == 0;
	return 0;
}

/* ---- opening ---- */

static int load(struct reader *trace)
{
	int error = list_files(trace);

	if (!error && trace->stream_count == 0 && trace->nodes.count == 0 && !trace->has_gm)
		return error_set(-EINVAL,
				 "%s: not a trace: it has no recorder.gm, .lm or .rec file",
				 trace->dir);
	if (!error)
		error = load_gm(trace);
	if (!error)
		error = load_streams(trace);
	if (!error)
		error = alignment_make(trace);
	for (unsigned i = 0; i < trace->stream_count && !error; i++)
		error = stream_finish(trace->streams[i]);
	if (!error)
		error = order_streams(trace);
	if (!error)
		error = beneath_join(trace);
	trace->run_id = metadata_text(&trace->gm, "run.id");
	for (unsigned i = 0; i < trace->stream_count && !*trace->run_id; i++)
		trace->run_id = metadata_text(&trace->streams[i]->lm, "run.id");
	return error;
}

static struct reader *make(const char *dir, const struct reader_options *options)
{
	struct reader *trace = calloc(1, sizeof(*trace));
	struct reader_options all = {0};

	if (!trace)
		return NULL;
	if (options)
		memcpy(&all, options, options->sz < sizeof(all) ? options->sz : sizeof(all));
	problems_init(&trace->problems, all.problem, all.problem_data);
	trace->ignore_live = all.ignore_live;
	trace->progress = all.progress;
	trace->progress_data = all.progress_data;
	trace->format_major = FORMAT_MAJOR;
	trace->format_minor = FORMAT_MINOR;
	life_view_init(&trace->here);
	trace->dir = pool_copy(&trace->pool, dir, strlen(dir));
	trace->dir_fd = -1;
	return trace;
}

static void tell_packed(void *data, uint64_t offset, const char *what)
{
	struct reader *trace = data;

	problem(trace, "%s: offset %llu: %s", trace->dir, (unsigned long long)offset, what);
}

static int open_packed(struct reader *trace, int fd)
{
	const char *what = "";
	uint64_t offset = 0;
	int error = packed_is(fd) ? packed_open(&trace->files.packed, fd, tell_packed, trace, &what,
						&offset)
				  : -EINVAL;

	if (!error)
		return 0;
	close(fd);
	if (error == -EINVAL)
		return error_set(error, "%s: not a trace: neither a directory nor a packed trace",
				 trace->dir);
	if (error == -EPROTO)
		return error_set(error, "%s: packed by a newer version of the recorder",
				 trace->dir);
	if (error == -EBADMSG)
		return error_set(error, "%s: offset %llu: %s", trace->dir,
				 (unsigned long long)offset, what);
	return error_set(error, "%s: cannot be read: %s", trace->dir, strerror(-error));
}

/* Opens the directory or the packed file. */
static int open_place(struct reader *trace)
{
	int fd = open(trace->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && errno != ENOTDIR)
		return error_set(-errno, "%s: %s", trace->dir, strerror(errno));
	if (fd >= 0) {
		trace->dir_fd = trace->files.dir_fd = fd;
		trace->files.nodes = &trace->nodes;
		return 0;
	}
	fd = open(trace->dir, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd < 0 ? error_set(-errno, "%s: %s", trace->dir, strerror(errno))
		      : open_packed(trace, fd);
}

struct reader *reader_open(const char *dir, const struct reader_options *options)
{
	struct reader *trace = make(dir, options);
	int error;

	if (!trace || !trace->dir) {
		reader_close(trace);
		error_set(-ENOMEM, "%s: out of memory", dir);
		errno = ENOMEM;
		return NULL;
	}
	tracefiles_init(&trace->files, -1);
	trace->nodes.files = &trace->files;
	error = open_place(trace);
	if (!error)
		error = load(trace);
	if (!error)
		return trace;
	if (error == -ENOMEM)
		error_set(error, "%s: out of memory", dir);
	reader_close(trace);
	errno = -error;
	return NULL;
}

void reader_close(struct reader *trace)
{
	if (!trace)
		return;
	if (trace->dir) {
		packed_close(trace->files.packed);
		tracefiles_release(&trace->files);
		nodes_release(&trace->nodes);
	}
	for (unsigned i = 0; i < trace->stream_count + trace->left_out; i++) {
		stream_release(trace->streams[i]);
		free(trace->streams[i]);
	}
	free(trace->streams);
	alignment_release(trace);
	functions_release(&trace->functions);
	metadata_release(&trace->gm);
	life_view_release(&trace->here);
	pool_release(&trace->pool);
	problems_release(&trace->problems);
	if (trace->dir_fd >= 0)
		close(trace->dir_fd);
	free(trace);
}
