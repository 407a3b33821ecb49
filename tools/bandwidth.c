/* SPDX-License-Identifier: MIT */
/* bandwidth.c - see bandwidth.h */
#include "bandwidth.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/operation.h"

#define BINS_MAX 512u
#define BINS_MIN 16u
#define BINS_ALL (1u << 20)  /* of all processes and the layers that most have */
#define LAYERS_OF_PROCESS 4u /* that move bytes */
#define RECORDS_OF_BIN 4u
#define EXACT ((uint64_t)1 << 53) /* doubles hold all integers up to it */

struct function {
	enum analysis_operation operation;
	unsigned layer;
	bool messages;
};

struct bandwidth {
	const struct reader *trace;
	const struct lanes *lanes;
	int64_t begin, width; /* ns */
	unsigned bins;
	struct function *functions; /* by id */
	unsigned function_count;
	const char **layers;
	unsigned layer_count, streams;
	int64_t **
		series; /* by first stream of the process and layer: the bins of `in`, then those of `out`; NULL: nothing */
};

static unsigned layer_number(struct bandwidth *bandwidth, const char *name)
{
	unsigned i = 0;

	while (i < bandwidth->layer_count && strcmp(bandwidth->layers[i], name) != 0)
		i++;
	if (i == bandwidth->layer_count)
		bandwidth->layers[bandwidth->layer_count++] = name;
	return i;
}

static int find_functions(struct bandwidth *bandwidth)
{
	unsigned count = reader_function_count(bandwidth->trace);

	bandwidth->functions = calloc(count + 1, sizeof(*bandwidth->functions));
	bandwidth->layers = calloc(count + 1, sizeof(*bandwidth->layers));
	if (!bandwidth->functions || !bandwidth->layers)
		return -ENOMEM;
	bandwidth->function_count = count;
	for (unsigned i = 0; i < count; i++) {
		const struct reader_function_info *info =
			reader_function_by_id(bandwidth->trace, i);

		bandwidth->functions[i] = (struct function){
			.operation = operation_of(info->layer, info->name),
			.layer = layer_number(bandwidth, info->layer),
			.messages = operation_layer_use(info->layer) == ANALYSIS_USE_MESSAGES,
		};
	}
	return 0;
}

static unsigned choose_bins(const struct reader_info *info)
{
	uint64_t bins = BINS_ALL / (LAYERS_OF_PROCESS * ((uint64_t)info->streams + 1));
	uint64_t records = info->stored / RECORDS_OF_BIN;

	if (bins > records)
		bins = records;
	if (bins > BINS_MAX)
		return BINS_MAX;
	return bins < BINS_MIN ? BINS_MIN : (unsigned)bins;
}

struct bandwidth *bandwidth_new(const struct reader *trace, const struct lanes *lanes,
				int64_t begin, int64_t end)
{
	struct bandwidth *bandwidth = calloc(1, sizeof(*bandwidth));
	struct reader_info info = {.sz = sizeof(info)};

	if (!bandwidth)
		return NULL;
	reader_info(trace, &info);
	bandwidth->trace = trace;
	bandwidth->lanes = lanes;
	bandwidth->bins = choose_bins(&info);
	bandwidth->begin = begin;
	bandwidth->width = end > begin ? (end - begin - 1) / bandwidth->bins + 1 : 1;
	bandwidth->streams = info.streams;
	if (!find_functions(bandwidth))
		bandwidth->series = calloc((size_t)info.streams * bandwidth->layer_count + 1,
					   sizeof(int64_t *));
	if (bandwidth->series)
		return bandwidth;
	bandwidth_free(bandwidth);
	return NULL;
}

void bandwidth_free(struct bandwidth *bandwidth)
{
	if (!bandwidth)
		return;
	for (size_t i = 0;
	     bandwidth->series && i < (size_t)bandwidth->streams * bandwidth->layer_count; i++)
		free(bandwidth->series[i]);
	free(bandwidth->series);
	free(bandwidth->functions);
	free(bandwidth->layers);
	free(bandwidth);
}

/* ---- counting ---- */

static int64_t bin_of(const struct bandwidth *bandwidth, int64_t time)
{
	int64_t bin;

	if (time <= bandwidth->begin)
		return 0;
	bin = (time - bandwidth->begin) / bandwidth->width;
	return bin < bandwidth->bins ? bin : bandwidth->bins - 1;
}

/* Bytes that a call had moved at an instant. */
static int64_t moved_until(const struct recorder_record *record, int64_t bytes, int64_t time)
{
	if (time <= record->tstart)
		return 0;
	if (time >= record->tend)
		return bytes;
	/* damaged traces have times that are far apart */
	return (int64_t)(((__int128)time - record->tstart) * bytes /
			 ((__int128)record->tend - record->tstart));
}

/* What lies before or behind the time that is asked for does not count. */
static void spread(const struct bandwidth *bandwidth, int64_t *bins,
		   const struct recorder_record *record, int64_t bytes)
{
	int64_t bin = bin_of(bandwidth, record->tstart), last = bin_of(bandwidth, record->tend);
	int64_t given = moved_until(record, bytes, bandwidth->begin + bin * bandwidth->width);

	for (; bin <= last; bin++) {
		int64_t end = bandwidth->begin + (bin + 1) * bandwidth->width;
		int64_t until = moved_until(record, bytes, end);

		add_to(&bins[bin], until - given);
		given = until;
	}
}

/* Bytes of all calls that the record stands for. */
struct moved {
	int64_t in, out;
};

static struct moved moved_by(const struct bandwidth *bandwidth,
			     const struct recorder_record *record,
			     const struct reader_traffic *traffic)
{
	const struct function *function = &bandwidth->functions[record->func_id];
	struct moved moved = {0, 0}, all = {0, 0};
	int64_t bytes;

	if (function->messages) {
		moved.in = traffic->received > 0 ? traffic->received : 0;
		moved.out = traffic->sent > 0 ? traffic->sent : 0;
	} else if (operation_moves(function->operation)) {
		bytes = reader_bytes(bandwidth->trace, record);
		*(function->operation == ANALYSIS_WRITE ? &moved.out : &moved.in) =
			bytes > 0 ? bytes : 0;
	}
	add_times(&all.in, moved.in, record->repeat ? record->repeat : 1);
	add_times(&all.out, moved.out, record->repeat ? record->repeat : 1);
	return all;
}

int bandwidth_count(struct bandwidth *bandwidth, const struct recorder_record *record,
		    const struct reader_traffic *traffic)
{
	struct moved moved = moved_by(bandwidth, record, traffic);
	size_t process = lanes_first_stream(bandwidth->lanes, record->stream);
	unsigned layer = bandwidth->functions[record->func_id].layer;
	int64_t **series = &bandwidth->series[process * bandwidth->layer_count + layer];

	if (moved.in <= 0 && moved.out <= 0)
		return 0;
	if (!*series)
		*series = calloc(2 * (size_t)bandwidth->bins, sizeof(**series));
	if (!*series)
		return -ENOMEM;
	spread(bandwidth, *series, record, moved.in);
	spread(bandwidth, *series + bandwidth->bins, record, moved.out);
	return 0;
}

void bandwidth_forget(struct bandwidth *bandwidth)
{
	for (size_t i = 0; i < (size_t)bandwidth->streams * bandwidth->layer_count; i++) {
		free(bandwidth->series[i]);
		bandwidth->series[i] = NULL;
	}
}

/* ---- sharing ---- */

static size_t series_size(const struct bandwidth *bandwidth)
{
	return 2 * (size_t)bandwidth->bins * sizeof(int64_t);
}

void bandwidth_share(const struct bandwidth *bandwidth, struct buffer *bytes)
{
	uint64_t count = (uint64_t)bandwidth->streams * bandwidth->layer_count;

	for (uint64_t i = 0; i < count; i++) {
		if (!bandwidth->series[i])
			continue;
		buffer_add(bytes, &i, sizeof(i));
		buffer_add(bytes, bandwidth->series[i], series_size(bandwidth));
	}
}

int bandwidth_add(struct bandwidth *bandwidth, const void *bytes, size_t size)
{
	uint64_t count = (uint64_t)bandwidth->streams * bandwidth->layer_count, number;
	size_t each = sizeof(number) + series_size(bandwidth);
	const char *at = bytes;

	for (; size >= each; size -= each, at += each) {
		int64_t **series;

		memcpy(&number, at, sizeof(number));
		if (number >= count)
			return -EINVAL;
		series = &bandwidth->series[number];
		if (!*series)
			*series = calloc(2 * (size_t)bandwidth->bins, sizeof(**series));
		if (!*series)
			return -ENOMEM;
		for (unsigned bin = 0; bin < 2 * bandwidth->bins; bin++) {
			int64_t moved;

			memcpy(&moved, at + sizeof(number) + bin * sizeof(moved), sizeof(moved));
			add_to(&(*series)[bin], moved);
		}
	}
	return size == 0 ? 0 : -EINVAL;
}

/* ---- giving ---- */

static uint64_t a_second(const struct bandwidth *bandwidth, int64_t bytes)
{
	__int128 rate = (__int128)(bytes > 0 ? bytes : 0) * 1000000000 / bandwidth->width;

	return rate < EXACT ? (uint64_t)rate : EXACT;
}

static bool is_of_messages(const struct bandwidth *bandwidth, unsigned layer)
{
	for (unsigned i = 0; i < bandwidth->function_count; i++)
		if (bandwidth->functions[i].layer == layer)
			return bandwidth->functions[i].messages;
	return false;
}

static void give_series(const struct bandwidth *bandwidth, const int64_t *series,
			struct bandwidth_value *value, bandwidth_sink *sink, void *data)
{
	value->in = value->out = 0;
	for (unsigned bin = 0; bin <= bandwidth->bins; bin++) {
		bool behind = bin == bandwidth->bins;
		uint64_t in = behind ? 0 : a_second(bandwidth, series[bin]);
		uint64_t out = behind ? 0 : a_second(bandwidth, series[bandwidth->bins + bin]);

		if (in == value->in && out == value->out)
			continue;
		value->in = in;
		value->out = out;
		value->time = bandwidth->begin + bin * bandwidth->width;
		sink(data, value);
	}
}

void bandwidth_give(const struct bandwidth *bandwidth, bandwidth_sink *sink, void *data)
{
	struct bandwidth_value value;

	for (unsigned stream = 0; stream < bandwidth->streams; stream++)
		for (unsigned layer = 0; layer < bandwidth->layer_count; layer++) {
			const int64_t *series =
				bandwidth->series[(size_t)stream * bandwidth->layer_count + layer];

			if (!series)
				continue;
			value.pid = lanes_pid(bandwidth->lanes, stream);
			value.layer = bandwidth->layers[layer];
			value.messages = is_of_messages(bandwidth, layer);
			give_series(bandwidth, series, &value, sink, data);
		}
}
