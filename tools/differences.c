/* SPDX-License-Identifier: MIT */
/* differences.c - see differences.h */
#include "differences.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/quantities.h"
#include "message.h"
#include "metavalue.h"

#define NUMBER_ROOM 24

/* What of the metadata is a setting: neither a time, nor an address, nor a number of a process. */
static const char *const settings[] = {
	"recorder.version", "format",    "exe",       "argv",      "cwd",    "host",
	"kernel",           "machine",   "libc*",     "mpi.*",     "hdf5.*", "netcdf.*",
	"omp.threads",      "cpu.count", "affinity*", "nodes",     "tasks",  "size",
	"cgroup*",          "timezone",  "tags",      "options.*", "env.*",  "clock.kind",
	"clock.resolution", NULL};

static void *grown(void *rows, unsigned count, size_t size)
{
	/* twice as many whenever they are a power of two */
	if (count > 0 && (count & (count - 1)))
		return rows;
	rows = realloc(rows, (count ? 2 * (size_t)count : 1) * size);
	if (!rows)
		die("out of memory");
	return rows;
}

static char *keep_text(struct differences *differences, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		die("out of memory");
	differences->texts =
		grown(differences->texts, differences->text_count, sizeof(*differences->texts));
	differences->texts[differences->text_count++] = copy;
	return copy;
}

/* ---- rows of one trace ---- */

static struct difference *add_row(struct differences *differences, enum difference_table table,
				  unsigned side, const char *what, const char *name,
				  const struct analysis_sums *sums, int64_t time)
{
	unsigned count = differences->counts[table]++;
	struct difference *rows =
		grown(differences->rows[table], count, sizeof(*differences->rows[table]));

	differences->rows[table] = rows;
	rows[count] = (struct difference){.what = what, .name = name};
	rows[count].sides[side] = (struct difference_side){.there = true,
							   .calls = sums->calls,
							   .errors = sums->errors,
							   .time = time,
							   .bytes_read = sums->bytes_read,
							   .bytes_written = sums->bytes_written};
	return &rows[count];
}

static void add_calls(struct differences *differences, unsigned side,
		      const struct analysis *analysis)
{
	for (unsigned i = 0; i < analysis_layer_count(analysis); i++) {
		const struct analysis_layer *layer = analysis_layer(analysis, i);

		if (layer->sums.calls)
			add_row(differences, DIFFERENCE_LAYERS, side, "", layer->name, &layer->sums,
				layer->sums.self);
	}
	for (unsigned i = 0; i < analysis_function_count(analysis); i++) {
		const struct analysis_function *function = analysis_function(analysis, i);

		add_row(differences, DIFFERENCE_FUNCTIONS, side, function->function->layer,
			function->function->name, &function->sums, function->sums.self);
	}
}

static void add_files(struct differences *differences, unsigned side,
		      const struct analysis *analysis, unsigned classes)
{
	for (unsigned i = 0; i < analysis_file_count(analysis); i++) {
		const struct analysis_file *file = analysis_file(analysis, i);

		if (classes >> file->class_ & 1)
			add_row(differences, DIFFERENCE_FILES, side,
				analysis_file_class_name(file->class_), file->path,
				&file->access.sums, file->access.sums.time);
	}
}

static void add_ranks(struct differences *differences, unsigned side,
		      const struct analysis *analysis)
{
	char name[QUANTITY_ROOM];

	for (unsigned i = 0; i < analysis_rank_count(analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(analysis, i);

		quantity_rank(name, rank->world, rank->rank);
		add_row(differences, DIFFERENCE_RANKS, side, "", keep_text(differences, name),
			&rank->sums, analysis_rank_wall(rank));
	}
}

/* ---- both ---- */

static int by_key(const void *a, const void *b)
{
	const struct difference *x = a, *y = b;
	int order = strcmp(x->what, y->what);

	if (!order)
		order = strcmp(x->name, y->name);
	return order ? order : y->sides[0].there - x->sides[0].there;
}

int64_t difference_time(const struct difference *row)
{
	return row->sides[1].time - row->sides[0].time;
}

bool difference_counts(const struct difference *row)
{
	const struct difference_side *before = &row->sides[0], *after = &row->sides[1];

	return before->there != after->there || before->calls != after->calls ||
	       before->errors != after->errors || before->bytes_read != after->bytes_read ||
	       before->bytes_written != after->bytes_written;
}

static int by_change(const void *a, const void *b)
{
	int64_t x = llabs(difference_time(a)), y = llabs(difference_time(b));

	if (x != y)
		return x < y ? 1 : -1;
	return by_key(a, b);
}

/* Rows with one key, which are of two traces, become one. */
static void put_together(struct differences *differences, enum difference_table table)
{
	struct difference *rows = differences->rows[table];
	unsigned kept = 0;

	if (differences->counts[table] == 0)
		return;
	qsort(rows, differences->counts[table], sizeof(*rows), by_key);
	for (unsigned i = 0; i < differences->counts[table]; i++) {
		struct difference *last = kept > 0 ? &rows[kept - 1] : NULL;

		if (last && !last->sides[1].there && !strcmp(last->what, rows[i].what) &&
		    !strcmp(last->name, rows[i].name))
			last->sides[1] = rows[i].sides[1];
		else
			rows[kept++] = rows[i];
	}
	differences->counts[table] = kept;
	qsort(rows, kept, sizeof(*rows), by_change);
}

/* ---- settings ---- */

static bool is_setting(const char *key)
{
	/* what names the run itself */
	if (!fnmatch("options.RECORDER_*_PID", key, 0) || !strcmp(key, "options.RECORDER_RUN_ID") ||
	    !strcmp(key, "options.RECORDER_TRACES_DIR"))
		return false;
	for (unsigned i = 0; settings[i]; i++)
		if (!fnmatch(settings[i], key, 0))
			return true;
	return false;
}

/* Bytes with zeros between them are lists: blanks stand for the zeros. */
static const char *value_text(struct differences *differences, const struct reader_value *value)
{
	char number[NUMBER_ROOM], *text;

	if (value->type == READER_BYTES) {
		text = keep_text(differences, value->bytes);
		if (strlen(text) == value->size)
			return text;
		text = realloc(text, value->size + 1);
		if (!text)
			die("out of memory");
		differences->texts[differences->text_count - 1] = text;
		for (size_t i = 0; i < value->size; i++)
			text[i] = value->bytes[i] ? value->bytes[i] : ' ';
		text[value->size] = '\0';
		return text;
	}
	if (value->type == READER_F64)
		snprintf(number, sizeof(number), "%g", value->f64);
	else if (value->type == READER_I64)
		snprintf(number, sizeof(number), "%" PRId64, value->i64);
	else
		snprintf(number, sizeof(number), "%" PRIu64, value->u64);
	return keep_text(differences, number);
}

static void note_setting(struct differences *differences, unsigned side, const char *name,
			 const struct reader_value *value)
{
	const char *text = value_text(differences, value);

	for (unsigned i = 0; i < differences->setting_count; i++)
		if (!strcmp(differences->settings[i].name, name)) {
			differences->settings[i].sides[side] = text;
			return;
		}
	differences->settings = grown(differences->settings, differences->setting_count,
				      sizeof(*differences->settings));
	differences->settings[differences->setting_count] =
		(struct difference_setting){.name = name, .sides = {"", ""}};
	differences->settings[differences->setting_count++].sides[side] = text;
}

static void add_settings(struct differences *differences, unsigned side,
			 const struct difference_trace *trace, unsigned stream)
{
	struct reader_value value;
	const char *key;

	for (unsigned i = 0; (key = reader_meta_key(trace->trace, stream, i)); i++)
		if (is_setting(key) && !reader_meta(trace->trace, stream, key, &value))
			note_setting(differences, side, key, &value);
}

static int by_name(const void *a, const void *b)
{
	const struct difference_setting *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void keep_changed(struct differences *differences)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < differences->setting_count; i++)
		if (strcmp(differences->settings[i].sides[0], differences->settings[i].sides[1]))
			differences->settings[kept++] = differences->settings[i];
	differences->setting_count = kept;
	if (kept > 0)
		qsort(differences->settings, kept, sizeof(*differences->settings), by_name);
}

/* ---- all of it ---- */

void differences_find(struct differences *differences, const struct difference_trace traces[2],
		      unsigned file_classes)
{
	memset(differences, 0, sizeof(*differences));
	for (unsigned side = 0; side < 2; side++) {
		const struct analysis *analysis = traces[side].analysis;
		const struct analysis_rank *first = analysis_rank(analysis, 0);

		add_calls(differences, side, analysis);
		add_files(differences, side, analysis, file_classes);
		add_ranks(differences, side, analysis);
		add_settings(differences, side, &traces[side], READER_GLOBAL);
		if (first)
			add_settings(differences, side, &traces[side], first->main_stream);
	}
	for (unsigned table = 0; table < DIFFERENCE_TABLES; table++)
		put_together(differences, table);
	keep_changed(differences);
}

void differences_release(struct differences *differences)
{
	for (unsigned table = 0; table < DIFFERENCE_TABLES; table++)
		free(differences->rows[table]);
	for (unsigned i = 0; i < differences->text_count; i++)
		free(differences->texts[i]);
	free(differences->texts);
	free(differences->settings);
}

const char *difference_table_name(enum difference_table table)
{
	static const char *const names[DIFFERENCE_TABLES] = {"layers", "functions", "files",
							     "ranks"};

	return (unsigned)table < DIFFERENCE_TABLES ? names[table] : "";
}
