/* SPDX-License-Identifier: MIT */
/* file_table.c - see file_table.h */
#include "analysis/file_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/add.h"
#include "analysis/file_classes.h"
#include "analysis/rows.h"

/* ---- rows ---- */

static int file_number(struct files *files, const char *path, size_t size, uint32_t *file)
{
	struct file_row *rows =
		rows_grown(files->rows, &files->row_room, files->paths.count, sizeof(*rows));
	uint32_t before = files->paths.count;

	if (!rows)
		return -ENOMEM;
	files->rows = rows;
	if (dictionary_number(&files->paths, path, size, file))
		return -ENOMEM;
	if (*file == before)
		rows[*file] = (struct file_row){.first = INT64_MAX,
						.last = INT64_MIN,
						.recent_use = NO_USE};
	return 0;
}

static int use_number(struct files *files, uint32_t file, uint32_t layer, uint32_t *use)
{
	uint32_t key[2] = {file, layer}, before = files->use_keys.count;
	struct use_row *uses =
		rows_grown(files->uses, &files->use_room, files->use_keys.count, sizeof(*uses));

	if (!uses)
		return -ENOMEM;
	files->uses = uses;
	if (dictionary_number(&files->use_keys, key, sizeof(key), use))
		return -ENOMEM;
	if (*use == before)
		uses[*use] = (struct use_row){.file = file, .layer = layer, .recent_share = NO_USE};
	return 0;
}

static int share_number(struct files *files, uint32_t use, uint32_t rank, uint32_t *share)
{
	uint32_t key[2] = {use, rank}, before = files->share_keys.count;
	struct share_row *shares = rows_grown(files->shares, &files->share_room,
					      files->share_keys.count, sizeof(*shares));

	if (!shares)
		return -ENOMEM;
	files->shares = shares;
	if (dictionary_number(&files->share_keys, key, sizeof(key), share))
		return -ENOMEM;
	if (*share == before)
		shares[*share] = (struct share_row){.use = use, .rank = rank};
	return 0;
}

/* ---- finding ---- */

void files_begin_stream(struct files *files)
{
	memset(files->cache, 0, sizeof(files->cache));
	files->pass++;
}

int files_end_stream(struct files *files, const struct facts *facts)
{
	return offset_runs_end(&files->runs, &files->offsets, facts);
}

/* Where the rows of a call may be kept; NULL: they are to be found each time. */
static struct file_cached *cached(struct files *files, const struct file_call *call, uint32_t *id)
{
	const struct recorder_record *record = call->record;
	unsigned handle = call->function->handle;

	if (handle >= record->arg_count || record->args[handle].state != RECORDER_ARG_PRESENT)
		return NULL;
	*id = record->args[handle].id;
	if (*id == 0)
		return NULL;
	return &files->cache[(*id * 31u + record->func_id) % FILES_CACHED];
}

/* A path may be two things in turn: whoever is read first, the same one stays. */
static void merge_type(struct file_row *row, uint32_t type)
{
	if (type > row->type)
		row->type = type;
}

static void place_file(struct file_row *row, const struct facts *facts, const char *path)
{
	if (row->placed)
		return;
	row->filesystem = filesystems_find(&facts->filesystems, path);
	row->place = file_class_of_path(path);
	row->placed = true;
}

/* A file is used by few layers and mostly one rank: those asked for last are kept with it. */
static int recent_use(struct files *files, uint32_t file, uint32_t layer, uint32_t *use)
{
	struct file_row *row = &files->rows[file];

	if (row->recent_use == NO_USE || row->recent_layer != layer) {
		if (use_number(files, file, layer, &row->recent_use)) {
			row->recent_use = NO_USE;
			return -ENOMEM;
		}
		row->recent_layer = layer;
	}
	*use = row->recent_use;
	return 0;
}

static int recent_share(struct files *files, uint32_t use, uint32_t rank, uint32_t *share)
{
	struct use_row *row = &files->uses[use];

	if (row->recent_share == NO_USE || row->recent_rank != rank) {
		if (share_number(files, use, rank, &row->recent_share)) {
			row->recent_share = NO_USE;
			return -ENOMEM;
		}
		row->recent_rank = rank;
	}
	*share = row->recent_share;
	return 0;
}

/* The rows that a call counts in. */
static int find_rows(struct files *files, const struct facts *facts, const struct file_call *call,
		     struct file_cached *found)
{
	struct reader_file file;
	uint32_t number;

	*found = (struct file_cached){.use = NO_USE};
	if (call->file ? reader_file(facts->trace, call->record->stream, call->file, &file)
		       : reader_record_file(facts->trace, call->record, &file))
		return 0;
	if (!file.path || !*file.path)
		return 0;
	if (file_number(files, file.path, strlen(file.path), &number))
		return -ENOMEM;
	merge_type(&files->rows[number], file.type);
	found->block = file.block_size;
	place_file(&files->rows[number], facts, file.path);
	/* as the stream that is read says what it is, which does not depend on what was read before */
	found->class_ = file_class_of_type(files->rows[number].place, file.type);
	found->filesystem = files->rows[number].filesystem;
	if (recent_use(files, number, call->layer, &found->use))
		return -ENOMEM;
	return recent_share(files, found->use, call->rank, &found->share);
}

/* The same by what a handle stood for before. NULL: no memory. `other` is room for what is not kept. */
static const struct file_cached *find_cached_rows(struct files *files, const struct facts *facts,
						  const struct file_call *call,
						  struct file_cached *other)
{
	uint32_t function = call->record->func_id, id;
	struct file_cached *kept = cached(files, call, &id);

	if (!kept)
		return find_rows(files, facts, call, other) ? NULL : other;
	if (kept->id != id || kept->function != function) {
		if (find_rows(files, facts, call, kept))
			return NULL;
		kept->id = id;
		kept->function = function;
	}
	return kept;
}

/* ---- counting ---- */

static void add_metadata(struct analysis_access *access, enum layer_height height,
			 const struct function_facts *function, const struct analysis_sums *sums)
{
	int64_t time = height == HEIGHT_SYSTEM ? sums->self : sums->time;

	access->metadata += sums->calls;
	add_to(&access->metadata_time, time);
	if (function->operation == ANALYSIS_OPEN) {
		access->opens += sums->calls - sums->errors;
	} else if (function->operation == ANALYSIS_SYNC) {
		access->syncs += sums->calls;
	} else if (function->operation == ANALYSIS_SEEK) {
		access->seeks += sums->calls;
		add_to(&access->seek_time, time);
	} else if (function->asks) {
		access->asks += sums->calls;
		add_to(&access->ask_time, time);
	}
}

static void add_access(struct analysis_access *access, enum layer_height height,
		       const struct function_facts *function, const struct analysis_sums *sums)
{
	switch (function->operation) {
	case ANALYSIS_READ:
	case ANALYSIS_COPY:
		access->reads += sums->calls;
		add_to(&access->read_time, sums->time);
		break;
	case ANALYSIS_WRITE:
		access->writes += sums->calls;
		add_to(&access->write_time, sums->time);
		break;
	default:
		if (operation_is_metadata(function->operation))
			add_metadata(access, height, function, sums);
		break;
	}
}

void files_add(struct files *files, const struct facts *facts, uint32_t use, uint32_t share,
	       const struct function_facts *function, const struct analysis_sums *sums)
{
	struct share_row *part = &files->shares[share];
	enum layer_height height = facts->layers[files->uses[use].layer].height;

	add_sums(&files->uses[use].access.sums, sums);
	add_access(&files->uses[use].access, height, function, sums);
	part->calls += sums->calls;
	add_to(&part->time, sums->time);
	add_to(&part->bytes_read, sums->bytes_read);
	add_to(&part->bytes_written, sums->bytes_written);
}

void files_add_copies(struct files *files, uint32_t use, uint32_t share,
		      const struct recorder_record *record)
{
	struct analysis_access *access = &files->uses[use].access;
	struct share_row *part = &files->shares[share];

	add_call(&access->sums, record, 0, 0);
	access->writes += record->repeat;
	add_to(&access->write_time, record->busy);
	part->calls += record->repeat;
	add_to(&part->time, record->busy);
}

#define BEGIN_SHIFT 10 /* of nanoseconds: sums of many calls are large */

/* Which of both a call with bytes is. A completion is of what was counted when it was submitted. */
static bool is_write(const struct file_call *call)
{
	return call->operation == ANALYSIS_WRITE ||
	       (call->operation == ANALYSIS_COMPLETION && call->direction == ANALYSIS_WRITES);
}

static bool is_transfer(const struct file_call *call)
{
	return call->operation == ANALYSIS_READ || call->operation == ANALYSIS_COPY ||
	       call->operation == ANALYSIS_WRITE || call->operation == ANALYSIS_COMPLETION;
}

static void count_size(struct analysis_access *access, const struct file_call *call)
{
	uint32_t calls = call->record->repeat;
	int64_t begin = call->record->tstart >> BEGIN_SHIFT;

	if (call->size_class < 0 || !is_transfer(call))
		return;
	if (is_write(call)) {
		access->sizes.writes[call->size_class] += calls;
		add_times(&access->write_begins, begin, calls);
	} else {
		access->sizes.reads[call->size_class] += calls;
		add_times(&access->read_begins, begin, calls);
	}
}

static void count_row(struct file_row *row, const struct recorder_record *record)
{
	if (record->tstart < row->first)
		row->first = record->tstart;
	if (record->tend > row->last)
		row->last = record->tend;
}

static void count_pattern(struct analysis_access *access, struct share_row *share, uint32_t pass,
			  uint32_t block, const struct file_call *call)
{
	uint32_t calls = call->record->repeat;

	if (share->pass != pass) {
		share->pass = pass;
		memset(&share->reading, 0, sizeof(share->reading));
		memset(&share->writing, 0, sizeof(share->writing));
	}
	if (call->operation == ANALYSIS_OPEN)
		share->reading.opened = share->writing.opened = true;
	if (call->bytes_read > 0)
		pattern_take(&access->read_pattern, &share->reading, call->begin, call->bytes_read,
			     calls, block);
	if (call->bytes_written > 0)
		pattern_take(&access->write_pattern, &share->writing, call->begin,
			     call->bytes_written, calls, block);
}

static int count_offsets(struct files *files, const struct facts *facts,
			 const struct file_call *call)
{
	struct offset_transfer transfer = {.rank = call->rank,
					   .begin = call->begin,
					   .from = call->record->tstart,
					   .to = call->record->tend};

	if (call->class_ != ANALYSIS_DATA || call->begin == POSITION_UNKNOWN)
		return 0;
	transfer.direction = call->bytes_written > 0 ? OFFSET_WRITTEN : OFFSET_READ;
	transfer.bytes = call->bytes_written > 0 ? call->bytes_written : call->bytes_read;
	return transfer.bytes > 0 ? offset_runs_take(&files->runs, &files->offsets, facts,
						     call->use, &transfer)
				  : 0;
}

int files_count(struct files *files, const struct facts *facts, struct file_call *call)
{
	struct file_cached other;
	const struct file_cached *rows = find_cached_rows(files, facts, call, &other);
	struct use_row *used;

	if (!rows)
		return -ENOMEM;
	call->use = rows->use;
	call->share = rows->share;
	call->class_ = rows->class_;
	call->filesystem = rows->filesystem;
	if (call->use == NO_USE)
		return 0;
	used = &files->uses[call->use];
	count_row(&files->rows[used->file], call->record);
	count_size(&used->access, call);
	if (call->bytes_read > 0 || call->bytes_written > 0 || call->operation == ANALYSIS_OPEN)
		count_pattern(&used->access, &files->shares[call->share], files->pass, rows->block,
			      call);
	return count_offsets(files, facts, call);
}

/* ---- merging ---- */

static void merge_row(struct file_row *into, const struct file_row *from)
{
	merge_type(into, from->type);
	if (from->first < into->first)
		into->first = from->first;
	if (from->last > into->last)
		into->last = from->last;
}

void files_add_access(struct analysis_access *into, const struct analysis_access *from)
{
	add_sums(&into->sums, &from->sums);
	into->opens += from->opens;
	into->reads += from->reads;
	into->writes += from->writes;
	into->seeks += from->seeks;
	into->syncs += from->syncs;
	into->asks += from->asks;
	into->metadata += from->metadata;
	add_to(&into->read_time, from->read_time);
	add_to(&into->write_time, from->write_time);
	add_to(&into->metadata_time, from->metadata_time);
	add_to(&into->seek_time, from->seek_time);
	add_to(&into->ask_time, from->ask_time);
	add_to(&into->read_begins, from->read_begins);
	add_to(&into->write_begins, from->write_begins);
	add_sizes(&into->sizes, &from->sizes);
	pattern_add(&into->read_pattern, &from->read_pattern);
	pattern_add(&into->write_pattern, &from->write_pattern);
}

/* What a use of `from` is called in `into`. */
static int merged_use(struct files *into, const struct files *from, uint32_t use, uint32_t *merged)
{
	size_t size;
	const char *path = dictionary_key(&from->paths, from->uses[use].file, &size);
	uint32_t file;

	if (file_number(into, path, size, &file))
		return -ENOMEM;
	return use_number(into, file, from->uses[use].layer, merged);
}

static int merge_shares(struct files *into, const struct files *from, const uint32_t *uses)
{
	for (uint32_t i = 0; i < from->share_keys.count; i++) {
		const struct share_row *share = &from->shares[i];
		struct share_row *merged;
		uint32_t number;

		if (share_number(into, uses[share->use], share->rank, &number))
			return -ENOMEM;
		merged = &into->shares[number];
		merged->calls += share->calls;
		add_to(&merged->time, share->time);
		add_to(&merged->bytes_read, share->bytes_read);
		add_to(&merged->bytes_written, share->bytes_written);
	}
	return 0;
}

static int merge_uses(struct files *into, const struct files *from)
{
	uint32_t *uses = calloc((size_t)from->use_keys.count + 1, sizeof(*uses));
	int error = uses ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < from->use_keys.count && !error; i++) {
		error = merged_use(into, from, i, &uses[i]);
		if (!error)
			files_add_access(&into->uses[uses[i]].access, &from->uses[i].access);
	}
	if (!error)
		error = merge_shares(into, from, uses);
	if (!error)
		error = offsets_merge(&into->offsets, &from->offsets, uses);
	free(uses);
	return error;
}

int files_merge(struct files *into, const struct files *from)
{
	for (uint32_t i = 0; i < from->paths.count; i++) {
		size_t size;
		const char *path = dictionary_key(&from->paths, i, &size);
		uint32_t file;

		if (file_number(into, path, size, &file))
			return -ENOMEM;
		merge_row(&into->rows[file], &from->rows[i]);
	}
	return merge_uses(into, from);
}

void files_release(struct files *files)
{
	dictionary_release(&files->paths);
	dictionary_release(&files->use_keys);
	dictionary_release(&files->share_keys);
	free(files->rows);
	free(files->uses);
	free(files->shares);
	offsets_release(&files->offsets);
}
