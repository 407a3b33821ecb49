/* SPDX-License-Identifier: MIT */
/* rules_files.c - findings about transfers of data, see judging.h */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/judging.h"
#include "analysis/operation.h"
#include "analysis/quantities.h"

#define CALLS_LEAST 1000u
#define SMALL_CLASSES 3u /* of sizes: less than 10 KB */
#define MEGABYTE 1000000

/* ---- small ---- */

/* Calls of the first so many classes of sizes. */
static uint64_t calls_of(const uint64_t counts[ANALYSIS_SIZES], unsigned classes)
{
	uint64_t calls = 0;

	for (unsigned i = 0; i < classes; i++)
		calls += counts[i];
	return calls;
}

static uint64_t small_of(const uint64_t counts[ANALYSIS_SIZES])
{
	return calls_of(counts, SMALL_CLASSES);
}

/* The part of `time` that small calls had, by their number. */
static int64_t small_time(const uint64_t counts[ANALYSIS_SIZES], uint64_t all, int64_t time)
{
	return all ? (int64_t)((double)time * (double)small_of(counts) / (double)all) : 0;
}

static int64_t small_read_time(const struct analysis_file *file)
{
	return small_time(file->access.sizes.reads, file->access.reads, file->access.read_time);
}

static int64_t small_write_time(const struct analysis_file *file)
{
	return small_time(file->access.sizes.writes, file->access.writes, file->access.write_time);
}

static void judge_small(struct judging *judging, const char *what, uint64_t small, uint64_t all,
			int64_t (*weigh)(const struct analysis_file *file))
{
	struct judged_files files;
	char count[QUANTITY_ROOM], share[QUANTITY_ROOM], time[QUANTITY_ROOM];

	if (all < CALLS_LEAST || !is_share((double)small, (double)all, 50))
		return;
	files = judging_files(judging, weigh);
	judging_found(judging, files.sum,
		      "%s of %s %s of data moved less than 10 KB%s%s, %s in all.",
		      quantity_share(share, (double)small, (double)all), quantity_count(count, all),
		      what, files.worst ? ", most of the time of " : "",
		      files.worst ? files.worst->path : "", quantity_time(time, files.sum));
}

void rule_small_reads(struct judging *judging)
{
	const struct analysis_access *data = &judging->data.access;

	judge_small(judging, "reads", small_of(data->sizes.reads), data->reads, small_read_time);
}

void rule_small_writes(struct judging *judging)
{
	const struct analysis_access *data = &judging->data.access;

	judge_small(judging, "writes", small_of(data->sizes.writes), data->writes,
		    small_write_time);
}

/* ---- at random ---- */

static uint64_t placed_of(const struct analysis_pattern *pattern)
{
	return pattern->consecutive + pattern->strided + pattern->forward + pattern->backward +
	       pattern->first;
}

static int64_t random_read_time(const struct analysis_file *file)
{
	const struct analysis_pattern *pattern = &file->access.read_pattern;

	return pattern->forward + pattern->backward > 0 ? file->access.read_time : 0;
}

static int64_t random_write_time(const struct analysis_file *file)
{
	const struct analysis_pattern *pattern = &file->access.write_pattern;

	return pattern->forward + pattern->backward > 0 ? file->access.write_time : 0;
}

static void judge_random(struct judging *judging, const char *what,
			 const struct analysis_pattern *pattern, int64_t time,
			 int64_t (*weigh)(const struct analysis_file *file))
{
	uint64_t random = pattern->forward + pattern->backward, placed = placed_of(pattern);
	const struct analysis_file *worst;
	char count[QUANTITY_ROOM], share[QUANTITY_ROOM];

	if (placed < CALLS_LEAST || !is_share((double)random, (double)placed, 50))
		return;
	worst = judging_files(judging, weigh).worst;
	judging_found(judging, time, "%s of %s %s of data are neither consecutive nor strided%s%s.",
		      quantity_share(share, (double)random, (double)placed),
		      quantity_count(count, placed), what, worst ? ", most of the time of " : "",
		      worst ? worst->path : "");
}

void rule_random_reads(struct judging *judging)
{
	const struct analysis_access *data = &judging->data.access;

	judge_random(judging, "reads", &data->read_pattern, data->read_time, random_read_time);
}

void rule_random_writes(struct judging *judging)
{
	const struct analysis_access *data = &judging->data.access;

	judge_random(judging, "writes", &data->write_pattern, data->write_time, random_write_time);
}

/* ---- of one file ---- */

static int64_t unaligned_shared_time(const struct analysis_file *file)
{
	const struct analysis_pattern *reads = &file->access.read_pattern,
				      *writes = &file->access.write_pattern;
	uint64_t placed = placed_of(reads) + placed_of(writes);

	if (file->moving_ranks < 2 || placed < 100 ||
	    !is_share((double)(reads->unaligned + writes->unaligned), (double)placed, 50))
		return 0;
	return file->access.read_time + file->access.write_time;
}

void rule_unaligned_shared(struct judging *judging)
{
	struct judged_files files = judging_files(judging, unaligned_shared_time);
	const struct analysis_file *file = files.worst;
	char share[QUANTITY_ROOM], others[OTHERS_ROOM];

	if (!file)
		return;
	judging_found(judging, files.sum,
		      "%s of the transfers of %s by %u ranks do not begin at a block's begin%s.",
		      quantity_share(share,
				     (double)(file->access.read_pattern.unaligned +
					      file->access.write_pattern.unaligned),
				     (double)(placed_of(&file->access.read_pattern) +
					      placed_of(&file->access.write_pattern))),
		      file->path, file->moving_ranks, judging_others(others, &files));
}

/* When calls that moved bytes began, on average. */
static double mean_begin(int64_t begins, const uint64_t counts[ANALYSIS_SIZES])
{
	uint64_t count = calls_of(counts, ANALYSIS_SIZES);

	return count ? (double)begins / (double)count : 0;
}

/* Who reads a part, changes it and puts it back reads before he writes. */
static bool reads_come_later(const struct analysis_access *access)
{
	return mean_begin(access->read_begins, access->sizes.reads) >
	       mean_begin(access->write_begins, access->sizes.writes);
}

static int64_t read_again_time(const struct analysis_file *file)
{
	const struct analysis_access *access = &file->access;

	if (access->sums.bytes_read < MEGABYTE || !reads_come_later(access) ||
	    !is_share((double)access->sums.bytes_read, (double)access->sums.bytes_written, 50))
		return 0;
	return access->read_time;
}

static int64_t read_again_bytes(const struct analysis_file *file)
{
	return read_again_time(file) > 0 ? file->access.sums.bytes_read : 0;
}

void rule_read_after_write(struct judging *judging)
{
	struct judged_files files = judging_files(judging, read_again_time);
	char bytes[QUANTITY_ROOM];

	if (files.worst)
		judging_found(judging, files.sum,
			      "%s were read of %u file%s that the run itself had written, most of "
			      "the time of %s.",
			      quantity_bytes(bytes, judging_files(judging, read_again_bytes).sum),
			      files.count, files.count == 1 ? "" : "s", files.worst->path);
}

/* ---- of all files ---- */

void rule_stdio_bulk(struct judging *judging)
{
	struct analysis_sums stdio = judging_functions(judging, "stdio", "*");
	int64_t bytes = stdio.bytes_read + stdio.bytes_written;
	int64_t all = judging->data.access.sums.bytes_read;
	char moved[QUANTITY_ROOM], share[QUANTITY_ROOM];

	add_to(&all, judging->data.access.sums.bytes_written);
	if (bytes < 100 * (int64_t)MEGABYTE || !is_share((double)bytes, (double)all, 50))
		return;
	judging_found(judging, stdio.time, "%s, %s of all bytes of data, went through stdio.",
		      quantity_bytes(moved, bytes),
		      quantity_share(share, (double)bytes, (double)all));
}

/* In calls of a rank, by analysis_rank(), on files of data. */
static int64_t time_on_data(const struct judging *judging, unsigned rank)
{
	int64_t time = 0;

	for (unsigned i = 0; i < analysis_file_count(judging->analysis); i++) {
		const struct analysis_file_rank *own;

		if (analysis_file(judging->analysis, i)->class_ != ANALYSIS_DATA)
			break; /* those of data are the first ones */
		for (unsigned k = 0; (own = analysis_file_rank(judging->analysis, i, k)); k++)
			if (own->rank == rank)
				add_to(&time, own->time);
	}
	return time;
}

void rule_one_rank_io(struct judging *judging)
{
	unsigned most = 0;
	int64_t all = 0, of_most = -1;
	char moved[QUANTITY_ROOM], share[QUANTITY_ROOM], name[QUANTITY_ROOM];

	for (unsigned i = 0; i < analysis_rank_count(judging->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(judging->analysis, i);
		int64_t bytes = rank->sums.bytes_read + rank->sums.bytes_written;

		if (rank->beside)
			continue;
		add_to(&all, bytes);
		if (bytes > of_most) {
			of_most = bytes;
			most = i;
		}
	}
	if (judging->ranks < 4 || all < 10 * (int64_t)MEGABYTE ||
	    !is_share((double)of_most, (double)all, 90))
		return;
	judging_found(judging, time_on_data(judging, most), "Rank %s of %u moved %s of %s of data.",
		      judging_rank(name, analysis_rank(judging->analysis, most)), judging->ranks,
		      quantity_share(share, (double)of_most, (double)all),
		      quantity_bytes(moved, all));
}

void rule_file_per_process(struct judging *judging)
{
	unsigned files = 0;
	int64_t time = 0;

	for (unsigned i = 0; i < analysis_file_count(judging->analysis); i++) {
		const struct analysis_file *file = analysis_file(judging->analysis, i);

		if (file->class_ != ANALYSIS_DATA || file->moving_ranks != 1 ||
		    file->access.sums.bytes_written <= 0)
			continue;
		files++;
		add_to(&time, file->access.metadata_time);
	}
	if (judging->ranks < 16 || files < 64 || files < judging->ranks)
		return;
	judging_found(judging, time, "%u files were written by one rank each, by %u ranks.", files,
		      judging->ranks);
}

/* ---- layers above each other ---- */

/* Whether ranks share what they transfer by MPI-IO. */
static bool mpiio_is_shared(const struct judging *judging)
{
	const struct analysis_access *access;
	unsigned layer;

	for (unsigned i = 0; i < analysis_file_count(judging->analysis); i++)
		for (unsigned k = 0;
		     (access = analysis_file_layer(judging->analysis, i, k, &layer)); k++)
			if (!strcmp(analysis_layer(judging->analysis, layer)->name, "mpiio") &&
			    access->reads + access->writes > 0 &&
			    analysis_file(judging->analysis, i)->ranks > 1)
				return true;
	return false;
}

void rule_independent_io(struct judging *judging)
{
	struct analysis_sums reads = judging_functions(judging, "mpiio", "MPI_File_*read*");
	struct analysis_sums writes = judging_functions(judging, "mpiio", "MPI_File_*write*");
	struct analysis_sums all = judging_functions(judging, "mpiio", "MPI_File_*_all*");
	struct analysis_sums ordered = judging_functions(judging, "mpiio", "MPI_File_*_ordered*");
	uint64_t collective = all.calls + ordered.calls;
	uint64_t independent = reads.calls + writes.calls - collective;
	char count[QUANTITY_ROOM], together[QUANTITY_ROOM];

	if (independent < 100 || independent < 10 * collective || !mpiio_is_shared(judging))
		return;
	judging_found(judging, reads.time + writes.time - all.time - ordered.time,
		      "%s transfers by MPI-IO are independent, %s collective.",
		      quantity_count(count, independent), quantity_count(together, collective));
}

/* Bytes that layers on top of each other moved of a file. */
struct heights {
	int64_t below_read, below_written; /* posix and stdio */
	int64_t above_read, above_written; /* the most of any other layer */
	int64_t time_read, time_written;
};

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static struct heights heights_of(const struct judging *judging, unsigned file)
{
	const struct analysis_access *access;
	struct heights heights = {0};
	unsigned layer;

	for (unsigned k = 0; (access = analysis_file_layer(judging->analysis, file, k, &layer));
	     k++) {
		const char *name = analysis_layer(judging->analysis, layer)->name;

		if (operation_layer_height(name) == HEIGHT_SYSTEM) {
			add_to(&heights.below_read, access->sums.bytes_read);
			add_to(&heights.below_written, access->sums.bytes_written);
			add_to(&heights.time_read, access->read_time);
			add_to(&heights.time_written, access->write_time);
		} else {
			heights.above_read = larger(heights.above_read, access->sums.bytes_read);
			heights.above_written =
				larger(heights.above_written, access->sums.bytes_written);
		}
	}
	return heights;
}

static bool is_amplified(int64_t below, int64_t above)
{
	return below >= MEGABYTE && above > 0 && below / 2 >= above;
}

static void judge_amplified(struct judging *judging, bool reads)
{
	struct judged_files files = {0};
	struct heights worst = {0};
	char asked[QUANTITY_ROOM], done[QUANTITY_ROOM], others[OTHERS_ROOM];

	/* files stand by time */
	for (unsigned i = 0; i < analysis_file_count(judging->analysis); i++) {
		struct heights heights = heights_of(judging, i);

		if (!(reads ? is_amplified(heights.below_read, heights.above_read)
			    : is_amplified(heights.below_written, heights.above_written)))
			continue;
		add_to(&files.sum, reads ? heights.time_read : heights.time_written);
		if (files.count++ > 0)
			continue;
		files.worst = analysis_file(judging->analysis, i);
		worst = heights;
	}
	if (files.worst)
		judging_found(judging, files.sum,
			      reads ? "%s of %s were read for %s that were asked for%s."
				    : "%s of %s were written for %s that were given%s.",
			      quantity_bytes(done, reads ? worst.below_read : worst.below_written),
			      files.worst->path,
			      quantity_bytes(asked, reads ? worst.above_read : worst.above_written),
			      judging_others(others, &files));
}

void rule_amplified_reads(struct judging *judging)
{
	judge_amplified(judging, true);
}

void rule_amplified_writes(struct judging *judging)
{
	judge_amplified(judging, false);
}
