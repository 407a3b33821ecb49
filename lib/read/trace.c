/* SPDX-License-Identifier: MIT */
/* trace.c - opening a trace, and closing it. */
#include "read/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/alignment.h"
#include "read/beneath.h"
#include "read/duplicates.h"
#include "read/listing.h"
#include "read/nodefile.h"
#include "read/packed.h"
#include "read/streams.h"
#include "read/worlds.h"

/* ---- the global file ---- */

static int load_gm(struct reader *trace)
{
	unsigned problems = reader_problem_count(trace);
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
	trace->gm_whole = reader_problem_count(trace) == problems;
	return 0;
}

/* ---- streams ---- */

/* Why the first file of streams cannot be opened, 0 if it can: then it is what is in them. */
static int unreadable_error(const struct reader *trace)
{
	const struct stream *first = trace->stream_count > 0 ? trace->streams[0] : NULL;
	const struct segment *files = first ? &first->newest : NULL;
	const char *name = files ? files->rec_name ? files->rec_name : files->lm_name : NULL;

	if (!name && trace->nodes.count > 0)
		return trace->nodes.list[0]->error;
	return name && !files->rec.part && !trace->files.packed &&
			       faccessat(trace->dir_fd, name, R_OK, AT_EACCESS)
		       ? -errno
		       : 0;
}

/* Whether a process appends to it. */
static bool is_growing(const struct reader *trace, const struct node_file *node)
{
	for (unsigned i = 0; i < trace->stream_count; i++) {
		const struct stream *stream = trace->streams[i];
		const struct node_part *part = stream->newest.rec.part;

		if (stream->alive && part && part->stream->node == node)
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

static int load_streams(struct reader *trace)
{
	struct body body = {0};
	unsigned newer = 0, readable = 0;
	int error = 0;

	for (unsigned i = 0; i < trace->stream_count && !error; i++) {
		struct stream *stream = trace->streams[i];

		error = stream_load(stream, &body);
		if (trace->progress)
			trace->progress(trace->progress_data, READER_OPENING, i + 1,
					trace->stream_count);
		newer += stream->newer;
		readable += stream->lm_ok || stream->newest.rec_ok || stream->chunk_count > 0;
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

/* ---- opening ---- */

static int load(struct reader *trace)
{
	int error = listing_make(trace);

	if (!error && trace->stream_count == 0 && trace->nodes.count == 0 && !trace->has_gm)
		return error_set(-EINVAL,
				 "%s: not a trace: it has no recorder.gm, .lm or .rec file",
				 trace->dir);
	if (!error)
		error = load_gm(trace);
	if (!error)
		error = load_streams(trace);
	if (!error)
		error = duplicates_leave_out(trace);
	if (!error)
		error = alignment_make(trace);
	for (unsigned i = 0; i < trace->stream_count && !error; i++)
		error = stream_finish(trace->streams[i]);
	if (!error)
		error = worlds_order(trace);
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
