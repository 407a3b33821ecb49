/* SPDX-License-Identifier: MIT */
/* shared_files.c - see shared_files.h */
#include "analysis/shared_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ---- */

static const char *path_of(const struct shared_files *files, uint32_t file)
{
	size_t size;

	return dictionary_key(&files->tables->files.paths, file, &size);
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Numbers of files are not the same in tables that were put together in another order: paths are. */
static int compare_files(const struct shared_files *files, uint32_t a, uint32_t b)
{
	return a == b ? 0 : strcmp(path_of(files, a), path_of(files, b));
}

static int by_path_and_begin(const void *a, const void *b, void *data)
{
	const struct touch *x = *(const struct touch *const *)a;
	const struct touch *y = *(const struct touch *const *)b;

	if (x->file != y->file)
		return compare_files(data, x->file, y->file);
	if (x->begin != y->begin)
		return compare(x->begin, y->begin);
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->first != y->first)
		return compare(x->first, y->first);
	if (x->last != y->last)
		return compare(x->last, y->last);
	return x->write - y->write;
}

static int by_path(const void *a, const void *b, void *data)
{
	const struct untold *x = *(const struct untold *const *)a;
	const struct untold *y = *(const struct untold *const *)b;

	return compare_files(data, x->file, y->file);
}

/* 0 or -ENOMEM. */
static int find_writes(struct shared_files *files)
{
	uint32_t next = files->count;

	files->writes = malloc(((size_t)files->count + 1) * sizeof(*files->writes));
	if (!files->writes)
		return -ENOMEM;
	files->writes[files->count] = next;
	for (uint32_t i = files->count; i-- > 0;) {
		next = files->sorted[i]->write ? i : next;
		files->writes[i] = next;
	}
	return 0;
}

int shared_files_begin(struct shared_files *files, const struct tables *tables)
{
	const struct touches *touches = &tables->touches;
	uint32_t ranks = tables->facts->rank_count;

	*files = (struct shared_files){.tables = tables};
	files->sorted = malloc(((size_t)touches->count + 1) * sizeof(*files->sorted));
	files->untold = malloc(((size_t)touches->untold_count + 1) * sizeof(*files->untold));
	if (!files->sorted || !files->untold)
		return -ENOMEM;
	for (uint32_t i = 0; i < touches->count; i++)
		if (touches->list[i].rank < ranks && touches->list[i].parts > 0)
			files->sorted[files->count++] = &touches->list[i];
	for (uint32_t i = 0; i < touches->untold_count; i++)
		if (touches->untold[i].rank < ranks)
			files->untold[files->untold_count++] = &touches->untold[i];
	qsort_r(files->sorted, files->count, sizeof(*files->sorted), by_path_and_begin, files);
	qsort_r(files->untold, files->untold_count, sizeof(*files->untold), by_path, files);
	return find_writes(files);
}

/* ---- one after the other ---- */

/* The file that comes first of what is left. */
static uint32_t next_file(const struct shared_files *files)
{
	uint32_t a, b;

	if (files->at == files->count)
		return files->untold[files->untold_at]->file;
	a = files->sorted[files->at]->file;
	if (files->untold_at == files->untold_count)
		return a;
	b = files->untold[files->untold_at]->file;
	return compare_files(files, a, b) <= 0 ? a : b;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static unsigned count_different(uint32_t *list, size_t count)
{
	unsigned different = 0;

	qsort(list, count, sizeof(*list), by_number);
	for (size_t i = 0; i < count; i++)
		different += i == 0 || list[i] != list[i - 1];
	return different;
}

/* How many ranks moved bytes of it, from `untold` on also those of which nobody knows where; 0: nobody wrote. -ENOMEM. */
static int count_ranks(const struct shared_files *files, struct shared_file *file, uint32_t untold)
{
	size_t count = 0;
	bool writes = file->begin < file->end && files->writes[file->begin] < file->end;
	uint32_t *list =
		malloc(((size_t)(file->end - file->begin) + files->untold_at - untold + 1) *
		       sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (uint32_t i = file->begin; i < file->end; i++)
		list[count++] = files->sorted[i]->rank;
	for (uint32_t i = untold; i < files->untold_at; i++) {
		list[count++] = files->untold[i]->rank;
		writes |= files->untold[i]->write;
	}
	file->ranks = writes ? count_different(list, count) : 0;
	free(list);
	return 0;
}

/* Shared or not. */
static int take_file(struct shared_files *files, struct shared_file *file)
{
	uint32_t number = next_file(files), untold = files->untold_at;

	*file = (struct shared_file){.path = path_of(files, number), .begin = files->at};
	while (files->at < files->count && files->sorted[files->at]->file == number)
		files->at++;
	file->end = files->at;
	while (files->untold_at < files->untold_count &&
	       files->untold[files->untold_at]->file == number)
		file->unknown += files->untold[files->untold_at++]->count;
	return count_ranks(files, file, untold);
}

int shared_files_next(struct shared_files *files, struct shared_file *file)
{
	while (files->at < files->count || files->untold_at < files->untold_count) {
		int error = take_file(files, file);

		if (error || file->ranks > 1)
			return error;
	}
	*file = (struct shared_file){.path = NULL};
	return 0;
}

void shared_files_release(struct shared_files *files)
{
	free(files->sorted);
	free(files->writes);
	free(files->untold);
}
