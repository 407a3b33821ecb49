/* SPDX-License-Identifier: MIT */
/* facts.c - see facts.h */
#include "analysis/facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/forest.h"
#include "analysis/sumvalues.h"
#include "format/affixes.h"

static unsigned layer_number(struct facts *facts, const char *name)
{
	unsigned i;

	for (i = 0; i < facts->layer_count; i++)
		if (!strcmp(facts->layers[i].name, name))
			return i;
	facts->layers[i] = (struct layer_facts){
		.name = name,
		.use = operation_layer_use(name),
		.height = operation_layer_height(name),
		.has_requests = !strcmp(name, "mpi") || !strcmp(name, "mpiio"),
		.is_program =
			!strcmp(name, "user") || !strcmp(name, "native") || !strcmp(name, "python"),
		.is_aside = operation_layer_is_aside(name),
	};
	facts->layer_count++;
	return i;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct layer_facts *)a)->name, ((const struct layer_facts *)b)->name);
}

/* In an order that does not depend on which functions of them were defined first: a filtered trace has others. */
static void collect_layers(struct facts *facts)
{
	for (unsigned i = 0; i < facts->function_count; i++)
		layer_number(facts, reader_function_by_id(facts->trace, i)->layer);
	qsort(facts->layers, facts->layer_count, sizeof(*facts->layers), by_name);
}

/* Of several objects, of paths, and of what a result stands for only reader_record_file() knows which one counts. */
static unsigned handle_of(const struct reader_function_info *function)
{
	unsigned handle = NO_ARGUMENT;

	if (function->result.class_ == READER_PAIR)
		return NO_ARGUMENT;
	for (unsigned i = 0; i < function->arg_count; i++) {
		if (!strcmp(function->args[i].kind, "path") ||
		    (function->args[i].class_ == READER_PAIR && handle != NO_ARGUMENT))
			return NO_ARGUMENT;
		if (function->args[i].class_ == READER_PAIR)
			handle = i;
	}
	return handle;
}

static unsigned peer_of(const struct reader_function_info *function)
{
	enum analysis_operation operation = operation_of(function->layer, function->name);

	if (operation != ANALYSIS_POINT_TO_POINT && operation != ANALYSIS_ONE_SIDED)
		return NO_ARGUMENT;
	for (unsigned i = 0; i < function->arg_count; i++)
		if (!strcmp(function->args[i].kind, "rank") &&
		    (!strcmp(function->args[i].name, "dest") ||
		     !strcmp(function->args[i].name, "target_rank")))
			return i;
	return NO_ARGUMENT;
}

/* The fetches of recorder.regions.iterate() and of DFTracer's iterators, what is of the category of data loaders, and PyTorch's own function. */
static bool loads(const struct reader_function_info *function)
{
	if (!strcmp(function->layer, "python"))
		return name_ends_in(function->name, "DataLoaderIter.__next__");
	return !strcmp(function->layer, "user") &&
	       (!strcasecmp(function->category, "dataloader") ||
		!strcasecmp(function->category, "data_loader") ||
		name_ends_in(function->name, ".fetch") || name_ends_in(function->name, ".iter"));
}

static int collect_functions(struct facts *facts)
{
	unsigned count = reader_function_count(facts->trace);

	facts->functions = calloc(count + 1, sizeof(*facts->functions));
	facts->layers = calloc(count + 1, sizeof(*facts->layers));
	if (!facts->functions || !facts->layers)
		return -ENOMEM;
	facts->function_count = count;
	collect_layers(facts);
	for (unsigned i = 0; i < count; i++) {
		const struct reader_function_info *function =
			reader_function_by_id(facts->trace, i);
		enum analysis_operation operation = operation_of(function->layer, function->name);

		facts->functions[i] = (struct function_facts){
			.operation = operation,
			.use = operation_use(function->layer, operation),
			.layer = layer_number(facts, function->layer),
			.position = position_facts_of(function),
			.asynchronous = asynchronous_facts_of(function),
			.copy = copy_facts_of(function),
			.exchange = exchange_facts_of(function, operation),
			.peer = peer_of(function),
			.handle = handle_of(function),
			.loads = loads(function),
			.asks = operation == ANALYSIS_METADATA && operation_asks(function->name),
			.sum = sum_is(function),
			.sum_only = sum_is_alone(facts->trace, function),
		};
	}
	return 0;
}

/* What the kernel tells of a process counts where nothing else does; what samplers write are no calls. */
static int collect_asides(struct facts *facts)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	facts->aside = calloc((size_t)facts->info.streams + 1, sizeof(*facts->aside));
	if (!facts->aside)
		return -ENOMEM;
	for (unsigned i = 0; i < facts->info.streams; i++)
		facts->aside[i] = reader_stream(facts->trace, i, &stream) == 0 && stream.aside;
	return 0;
}

static int collect_ranks(struct facts *facts)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct rank_facts *rank = NULL;

	facts->ranks = calloc(facts->info.streams + 1, sizeof(*facts->ranks));
	facts->rank_of = calloc(facts->info.streams + 1, sizeof(*facts->rank_of));
	if (!facts->ranks || !facts->rank_of)
		return -ENOMEM;
	for (unsigned i = 0; i < facts->info.streams; i++) {
		facts->rank_of[i] = NO_RANK;
		if (facts->aside[i] || reader_stream(facts->trace, i, &stream))
			continue;
		if (!rank || rank->world != stream.world || rank->rank != stream.rank) {
			rank = &facts->ranks[facts->rank_count++];
			*rank = (struct rank_facts){.world = stream.world,
						    .rank = stream.rank,
						    .first = i,
						    .main = i,
						    .beside = stream.beside};
		}
		if (stream.main && rank->streams == 0)
			rank->main = i;
		rank->end = i + 1;
		rank->streams++;
		facts->rank_of[i] = facts->rank_count - 1;
	}
	return 0;
}

/* Who started whom, for traces in which epochs and steps are told. */
static int collect_parents(struct facts *facts)
{
	struct forest forest;
	int error;

	if (!reader_has_tags(facts->trace))
		return 0;
	facts->parents = calloc((size_t)facts->info.streams + 1, sizeof(*facts->parents));
	if (!facts->parents)
		return -ENOMEM;
	error = forest_build(&forest, facts->trace, facts->info.streams);
	for (unsigned i = 0; i < facts->info.streams && !error; i++) {
		uint32_t above = forest.nodes[i].above;

		facts->parents[i] = above == FOREST_NOBODY ? NO_STREAM : above;
	}
	forest_release(&forest);
	return error;
}

/* At least a nanosecond, within the trace. */
static void find_window(struct facts *facts, const struct reader_filter *filter)
{
	int64_t duration = facts->info.duration > 0 ? facts->info.duration : 1;

	facts->begin = filter->after > 0 ? filter->after : 0;
	facts->end = filter->before > 0 && filter->before < duration ? filter->before : duration;
	if (facts->begin >= duration)
		facts->begin = duration - 1;
	if (facts->end <= facts->begin)
		facts->end = facts->begin + 1;
}

int facts_collect(struct facts *facts, struct reader *trace, const struct reader_filter *filter)
{
	int error;

	memset(facts, 0, sizeof(*facts));
	facts->trace = trace;
	facts->info.sz = sizeof(facts->info);
	reader_info(trace, &facts->info);
	find_window(facts, filter);
	facts->some_ranks = filter->ranks || filter->worlds || filter->streams;
	error = collect_functions(facts);
	if (!error)
		error = collect_asides(facts);
	if (!error)
		error = collect_ranks(facts);
	if (!error)
		error = collect_parents(facts);
	return error ? error : filesystems_collect(&facts->filesystems, trace);
}

bool facts_main_thread(const struct facts *facts, unsigned stream, uint32_t *index)
{
	struct reader_thread thread = {.sz = sizeof(thread)};

	for (unsigned i = 0; i < reader_thread_count(facts->trace, stream); i++)
		if (reader_thread(facts->trace, stream, i, &thread) == 0 && thread.main) {
			*index = thread.index;
			return true;
		}
	return false;
}

unsigned facts_rank(const struct facts *facts, int32_t world, int32_t rank)
{
	unsigned low = 0, high = facts->rank_count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;
		const struct rank_facts *there = &facts->ranks[middle];

		if (there->world < world || (there->world == world && there->rank < rank))
			low = middle + 1;
		else
			high = middle;
	}
	return low < facts->rank_count && facts->ranks[low].world == world &&
			       facts->ranks[low].rank == rank
		       ? low
		       : NO_RANK;
}

void facts_release(struct facts *facts)
{
	free(facts->functions);
	free(facts->layers);
	free(facts->ranks);
	free(facts->rank_of);
	free(facts->aside);
	free(facts->parents);
	filesystems_release(&facts->filesystems);
}
