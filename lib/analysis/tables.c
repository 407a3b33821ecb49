/* SPDX-License-Identifier: MIT */
/* tables.c - see tables.h */
#include "analysis/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/exchange.h"
#include "analysis/sizes.h"
#include "analysis/sumvalues.h"

int tables_begin(struct tables *tables, const struct facts *facts)
{
	memset(tables, 0, sizeof(*tables));
	tables->facts = facts;
	tables->phases.facts = facts;
	tables->halves.duration = facts->info.duration;
	tables->functions = calloc(facts->function_count + 1, sizeof(*tables->functions));
	tables->own = calloc(facts->function_count + 1, sizeof(*tables->own));
	tables->layers = calloc(facts->layer_count + 1, sizeof(*tables->layers));
	tables->sizes = calloc(facts->layer_count + 1, sizeof(*tables->sizes));
	tables->ranks = calloc(facts->rank_count + 1, sizeof(*tables->ranks));
	tables->processes = calloc((size_t)facts->info.streams + 1, sizeof(*tables->processes));
	if (!tables->functions || !tables->own || !tables->layers || !tables->sizes ||
	    !tables->ranks || !tables->processes)
		return -ENOMEM;
	return series_begin(&tables->series, facts);
}

void tables_release(struct tables *tables)
{
	if (tables->functions)
		for (unsigned i = 0; i < tables->facts->function_count; i++)
			free(tables->functions[i].times);
	free(tables->functions);
	free(tables->own);
	for (unsigned i = 0; tables->sizes && i < tables->facts->layer_count; i++)
		for (unsigned direction = 0; direction < ANALYSIS_DIRECTIONS; direction++)
			common_sizes_release(&tables->sizes[i][direction]);
	free(tables->sizes);
	free(tables->layers);
	free(tables->ranks);
	free(tables->processes);
	failures_release(&tables->failures);
	files_release(&tables->files);
	messages_release(&tables->messages);
	sites_release(&tables->sites);
	moved_release(&tables->moved);
	halves_release(&tables->halves);
	touches_release(&tables->touches);
	phases_release(&tables->phases);
	series_release(&tables->series);
}

/* ---- a stream on its way through the tables ---- */

struct passage {
	struct tables *tables;
	struct rank_row *rank;
	struct process_row *process;
	unsigned rank_number;
	bool own_process;     /* of the rank, no child of it */
	bool main_stream;     /* and its main thread is known */
	uint32_t main_thread; /* index */
	struct call_stacks stacks;
	struct positions positions;
	struct asynchronous asynchronous;
	struct reader_requests *requests; /* NULL: no call of MPI yet */
	struct overlap_sweep sweep;
	struct phase_watch phase;
	/* time of states in the bin that is being filled */
	struct {
		int64_t begin, end; /* equal: none is */
		unsigned number;
		int64_t times[OVERLAP_STATES];
	} bin;
	struct exchange *exchange; /* NULL: the same, or messages are not matched */
	uint32_t exchanged;        /* calls that it took */
};

static void find_main_thread(struct passage *passage, unsigned stream)
{
	const struct facts *facts = passage->tables->facts;
	struct reader_stream about = {.sz = sizeof(about)};

	passage->own_process = reader_stream(facts->trace, stream, &about) == 0 && about.main;
	passage->main_stream =
		passage->own_process && facts_main_thread(facts, stream, &passage->main_thread);
}

static enum analysis_where where_of(const struct passage *passage,
				    const struct recorder_record *record)
{
	return passage->main_stream && record->thread == passage->main_thread ? ANALYSIS_MAIN
									      : ANALYSIS_ELSEWHERE;
}

/* ---- what happens at the same time ---- */

static void end_bin(struct passage *passage)
{
	struct series *series = &passage->tables->series;

	for (unsigned state = 0; state < OVERLAP_STATES; state++)
		if (passage->bin.times[state]) {
			int64_t time = passage->bin.times[state];

			add_to(&passage->process->overlap.time[state], time);
			add_to(&series->states[state].part[passage->bin.number], time);
			passage->bin.times[state] = 0;
		}
}

/* States change with every call, bins hardly ever: what lies in one is put together first. */
static void take_state(void *data, unsigned state, int64_t begin, int64_t end)
{
	struct passage *passage = data;
	struct series *series = &passage->tables->series;

	phase_watch_state(&passage->phase, state, begin, end);
	if (begin >= passage->bin.begin && end <= passage->bin.end) {
		passage->bin.times[state] += end - begin;
		return;
	}
	end_bin(passage);
	add_to(&passage->process->overlap.time[state], end - begin);
	series_add_time(series, &series->states[state], begin, end);
	passage->bin.number = series_bin_at(series, end, &passage->bin.begin, &passage->bin.end);
}

static void end_overlap(struct passage *passage)
{
	enum analysis_where place = passage->own_process ? ANALYSIS_MAIN : ANALYSIS_ELSEWHERE;

	overlap_end(&passage->sweep);
	end_bin(passage);
	for (unsigned state = 0; state < OVERLAP_STATES; state++)
		add_to(&passage->rank->overlap[place].time[state],
		       passage->process->overlap.time[state]);
}

/* Calls on pipes, sockets and terminals wait for somebody else; programs and libraries are read as data is. */
static bool is_file_access(const struct file_call *call, uint32_t use)
{
	switch (call->operation) {
	case ANALYSIS_MAP:
	case ANALYSIS_PROCESS:
	case ANALYSIS_OTHER:
		return false;
	case ANALYSIS_COMPLETION:
	case ANALYSIS_SYNC:
		return use == NO_USE || call->class_ <= ANALYSIS_SOFTWARE;
	default:
		return use != NO_USE && call->class_ <= ANALYSIS_SOFTWARE;
	}
}

static int follow_overlap(struct passage *passage, const struct file_call *call, uint32_t use)
{
	const struct layer_facts *layer = &passage->tables->facts->layers[call->layer];
	enum overlap_kind kind = OVERLAP_KIND_OTHER;

	if (layer->is_aside)
		return 0;
	if (layer->use == ANALYSIS_USE_MESSAGES)
		kind = OVERLAP_KIND_MESSAGES;
	else if (layer->use == ANALYSIS_USE_STORAGE && is_file_access(call, use))
		kind = OVERLAP_KIND_FILES;
	else if (layer->is_program)
		kind = OVERLAP_KIND_PROGRAM;
	return overlap_call(&passage->sweep, call->record, kind);
}

/* ---- what a call moved ---- */

static void moved_by_mpi(const struct passage *passage, struct file_call *call)
{
	struct reader_traffic traffic;

	if (reader_requests_traffic(passage->requests, call->record, &traffic))
		return;
	call->bytes_read = traffic.received > 0 ? traffic.received : 0;
	call->bytes_written = traffic.sent > 0 ? traffic.sent : 0;
}

/* Of what the call takes the result of, that one's bytes; of others its own. */
static void moved_by_storage(const struct passage *passage, struct file_call *call,
			     const struct asynchronous_request *returned)
{
	int64_t bytes = reader_bytes(passage->tables->facts->trace, call->record);
	bool writes = returned ? returned->write : call->operation == ANALYSIS_WRITE;

	if (bytes < 0)
		return;
	if (!writes && !returned && call->operation != ANALYSIS_READ &&
	    call->operation != ANALYSIS_COPY)
		return;
	call->direction = writes ? ANALYSIS_WRITES : ANALYSIS_READS;
	*(writes ? &call->bytes_written : &call->bytes_read) = bytes;
	call->each = bytes;
	call->size_class = (int)size_class_of(bytes);
}

static int follow_requests(struct passage *passage, const struct recorder_record *record)
{
	if (!passage->requests) {
		passage->requests = reader_requests_new(passage->tables->facts->trace);
		if (!passage->requests)
			return -ENOMEM;
	}
	return reader_requests_take(passage->requests, record);
}

static struct exchange *begin_exchange(struct passage *passage, unsigned stream)
{
	struct exchange *exchange =
		exchange_begin(passage->tables->facts->trace, passage->rank_number, EXCHANGE_WAITS,
			       &passage->tables->halves);

	if (exchange)
		exchange_reads(exchange, stream);
	return exchange;
}

/* What the call sends, receives or takes part in. */
static int follow_exchange(struct passage *passage, const struct recorder_record *record)
{
	const struct facts *facts = passage->tables->facts;

	if (!facts->matches)
		return 0;
	if (!passage->exchange)
		passage->exchange = begin_exchange(passage, record->stream);
	if (!passage->exchange)
		return -ENOMEM;
	return exchange_take(passage->exchange, &facts->functions[record->func_id].exchange,
			     passage->requests, record, ++passage->exchanged);
}

/* Bytes of all calls that the record stands for. */
static int find_moved(struct passage *passage, struct file_call *call,
		      const struct asynchronous_request *returned)
{
	const struct facts *facts = passage->tables->facts;

	if (facts->layers[call->layer].has_requests) {
		int error = follow_requests(passage, call->record);

		if (error)
			return error;
	}
	if (facts->layers[call->layer].use == ANALYSIS_USE_MESSAGES)
		moved_by_mpi(passage, call);
	else
		moved_by_storage(passage, call, returned);
	if (call->record->repeat > 1) {
		int64_t read = call->bytes_read, written = call->bytes_written;

		call->bytes_read = call->bytes_written = 0;
		add_times(&call->bytes_read, read, call->record->repeat);
		add_times(&call->bytes_written, written, call->record->repeat);
	}
	return 0;
}

/* ---- counting ---- */

static int count_function(struct function_row *row, const struct recorder_record *record)
{
	int64_t each = record->repeat == 1 ? record->busy : record->busy / record->repeat;

	if (!row->times) {
		row->times = calloc(1, sizeof(*row->times));
		if (!row->times)
			return -ENOMEM;
		row->least = INT64_MAX;
	}
	sketch_add(row->times, (uint64_t)each, record->repeat);
	if (each < row->least)
		row->least = each;
	if (each > row->most)
		row->most = each;
	return 0;
}

static int count_size(struct tables *tables, const struct file_call *call,
		      enum analysis_direction direction, int64_t each)
{
	struct analysis_sizes *sizes = &tables->layers[call->layer].sizes;
	uint64_t *counts = direction == ANALYSIS_WRITES ? sizes->writes : sizes->reads;

	counts[size_class_of(each)] += call->record->repeat;
	return common_sizes_add(&tables->sizes[call->layer][direction], each, call->record->repeat);
}

/* What one call moved; of messages, what it received and what it sent. */
static int count_sizes(struct tables *tables, const struct file_call *call, bool messages)
{
	uint32_t repeat = call->record->repeat;
	int error = 0;

	if (!messages && call->size_class >= 0)
		return count_size(tables, call, call->direction, call->each);
	if (messages && call->bytes_read > 0)
		error = count_size(tables, call, ANALYSIS_READS, call->bytes_read / repeat);
	if (messages && !error && call->bytes_written > 0)
		error = count_size(tables, call, ANALYSIS_WRITES, call->bytes_written / repeat);
	return error;
}

/* Adds self time to all rows that a call of `function` counts in. */
static void add_self(struct passage *passage, unsigned function, uint32_t use,
		     enum analysis_where where, int64_t self)
{
	struct tables *tables = passage->tables;

	add_to(&tables->own[function].self[where], self);
	if (use != NO_USE)
		add_to(&tables->files.uses[use].access.sums.self, self);
}

/* The rows of a function's layer, and of the rank and the process of the stream, from what the stream has of it. */
static void add_own(struct passage *passage, unsigned function, struct analysis_sums sums,
		    const int64_t self[ANALYSIS_PLACES])
{
	struct tables *tables = passage->tables;
	const struct function_facts *facts = &tables->facts->functions[function];
	const struct layer_facts *about = &tables->facts->layers[facts->layer];
	struct layer_row *layer = &tables->layers[facts->layer];
	struct rank_row *rank = passage->rank;

	for (unsigned where = 0; where < ANALYSIS_PLACES; where++) {
		add_to(&sums.self, self[where]);
		add_to(&layer->self[where], self[where]);
		if (!about->is_program)
			add_to(&rank->by_use[facts->use][where], self[where]);
	}
	add_to(&rank->by_operation[facts->operation], sums.self);
	if (!about->is_program)
		add_to(&passage->process->by_use[facts->use], sums.self);
	add_sums(&tables->functions[function].sums, &sums);
	add_sums(&layer->sums, &sums);
	passage->process->calls += sums.calls;
	passage->process->errors += sums.errors;
	/* of ranks, bytes are those of files, which are known when all layers are */
	sums.bytes_read = sums.bytes_written = 0;
	add_sums(&rank->sums, &sums);
}

static void end_functions(struct passage *passage)
{
	struct tables *tables = passage->tables;

	for (unsigned i = 0; i < tables->facts->function_count; i++) {
		struct own_row *own = &tables->own[i];

		if (own->sums.calls == 0)
			continue;
		add_own(passage, i, own->sums, own->self);
		memset(own, 0, sizeof(*own));
	}
}

/* What goes on beside the thread takes no time off its calls, and none of it is the thread's. */
static int count_aside(struct passage *passage, const struct recorder_record *record)
{
	add_self(passage, record->func_id, NO_USE, ANALYSIS_ELSEWHERE, record->busy);
	return 0;
}

/* What moved over time, by file system. */
static int count_moved(struct passage *passage, const struct series_call *when,
		       const struct file_call *call, uint32_t use)
{
	struct tables *tables = passage->tables;
	int error = 0;

	if (use != NO_USE && call->class_ <= ANALYSIS_SOFTWARE)
		error = moved_count(&tables->moved, &tables->series, when, call->filesystem);
	if (!error && use != NO_USE && call->class_ == ANALYSIS_DATA)
		error = moved_count(&tables->moved, &tables->series, when, MOVED_DATA);
	return error;
}

/* Self time and time series: what the call has more, the call around it has less. */
static int count_time(struct passage *passage, const struct file_call *call, uint32_t use)
{
	struct tables *tables = passage->tables;
	struct series *series = &tables->series;
	const struct recorder_record *record = call->record;
	struct series_call when = {.begin = record->tstart,
				   .end = record->tend,
				   .busy = record->busy,
				   .layer = call->layer,
				   .rank = call->rank,
				   .use = tables->facts->functions[record->func_id].use,
				   .operation = call->operation,
				   .calls = record->repeat,
				   .bytes_read = call->bytes_read,
				   .bytes_written = call->bytes_written};
	const struct open_call *around;
	int error = call_stacks_take(&passage->stacks, record, use, &around);

	if (error)
		return error;
	add_self(passage, record->func_id, use, where_of(passage, record), record->busy);
	series_count(series, &when);
	error = count_moved(passage, &when, call, use);
	if (error)
		return error;
	if (!around)
		return 0;
	add_self(passage, around->function, around->use, where_of(passage, record), -record->busy);
	series_take_off(series, &when, &tables->facts->functions[around->function]);
	return 0;
}

/* Bytes of a phase are those of files, by the height of layers: which of them counts is known at the end. */
static int count_phase(struct passage *passage, const struct file_call *call, uint32_t use)
{
	bool moves = use != NO_USE && call->class_ <= ANALYSIS_SOFTWARE;

	return phase_watch_call(&passage->phase, call->record,
				moves ? passage->tables->facts->layers[call->layer].height
				      : HEIGHT_NONE,
				call->bytes_read, call->bytes_written);
}

static int take_record(struct passage *passage, const struct recorder_record *record)
{
	struct tables *tables = passage->tables;
	const struct function_facts *function = &tables->facts->functions[record->func_id];
	struct file_call call = {.record = record,
				 .operation = function->operation,
				 .layer = function->layer,
				 .rank = passage->rank_number,
				 .size_class = -1};
	enum analysis_use layer_use = tables->facts->layers[call.layer].use;
	uint32_t use = NO_USE;
	const struct asynchronous_request *returned;
	int error = asynchronous_take(&passage->asynchronous, &function->asynchronous, record,
				      &returned);

	if (!error)
		error = find_moved(passage, &call, returned);

	if (!error)
		error = positions_take(&passage->positions, &function->position, record, call.layer,
				       call.bytes_read + call.bytes_written, &call.begin);
	if (returned) {
		call.file = returned->file;
		call.begin = returned->offset;
	}
	if (!error && layer_use == ANALYSIS_USE_STORAGE)
		error = files_count(&tables->files, tables->facts, &call, &use);
	if (!error && use != NO_USE)
		error = touches_take(&tables->touches, tables->facts, &call,
				     tables->files.uses[use].file);
	if (!error && record->err)
		error = failures_count(&tables->failures, tables->facts->trace, record,
				       use != NO_USE && call.class_ != ANALYSIS_DATA);
	if (!error)
		error = count_function(&tables->functions[record->func_id], record);
	if (error)
		return error;
	error = sites_count(&tables->sites, tables->facts, record, call.bytes_read,
			    call.bytes_written);
	if (error)
		return error;
	add_call(&tables->own[record->func_id].sums, record, call.bytes_read, call.bytes_written);
	error = count_sizes(tables, &call, layer_use == ANALYSIS_USE_MESSAGES);
	if (!error)
		error = follow_overlap(passage, &call, use);
	if (!error && layer_use == ANALYSIS_USE_MESSAGES)
		error = messages_count(&tables->messages, tables->facts, record, call.rank,
				       call.bytes_read, call.bytes_written);
	if (!error && layer_use == ANALYSIS_USE_MESSAGES)
		error = follow_exchange(passage, record);
	if (!error)
		error = count_phase(passage, &call, use);
	if (error)
		return error;
	if (tables->facts->layers[call.layer].is_aside)
		return count_aside(passage, record);
	return count_time(passage, &call, use);
}

static void moved_in_sum(struct file_call *call, const struct sum_values *sum)
{
	if (!sum->has_bytes || sum->bytes <= 0)
		return;
	if (call->operation == ANALYSIS_WRITE)
		call->bytes_written = sum->bytes;
	else if (call->operation == ANALYSIS_READ || call->operation == ANALYSIS_COPY)
		call->bytes_read = sum->bytes;
}

/* Many calls, of which nothing is known but these sums: that they ended in an interval. They count where each would, but not where it matters what they lie in or what lies in them, nor where in a file or how large each was. */
static int take_sum(struct passage *passage, const struct recorder_record *record)
{
	struct tables *tables = passage->tables;
	const struct function_facts *function = &tables->facts->functions[record->func_id];
	struct sum_values sum = sum_values_of(tables->facts->trace, record);
	struct recorder_record calls = *record;
	struct file_call call = {.record = &calls,
				 .operation = function->operation,
				 .layer = function->layer,
				 .rank = passage->rank_number,
				 .size_class = -1,
				 .begin = POSITION_UNKNOWN};
	struct series_call when = {.layer = function->layer,
				   .rank = passage->rank_number,
				   .use = function->use,
				   .operation = function->operation};
	uint32_t use = NO_USE;
	int error;

	if (!function->sum_only || sum.count <= 0 || sum.time < 0)
		return 0;
	calls.repeat = sum.count < UINT32_MAX ? (uint32_t)sum.count : UINT32_MAX;
	calls.busy = sum.time;
	error = count_function(&tables->functions[record->func_id], &calls);
	if (!error && tables->facts->layers[call.layer].use == ANALYSIS_USE_STORAGE) {
		moved_in_sum(&call, &sum);
		error = files_count(&tables->files, tables->facts, &call, &use);
	}
	if (error)
		return error;
	add_call(&tables->own[record->func_id].sums, &calls, call.bytes_read, call.bytes_written);
	if (tables->facts->layers[call.layer].is_aside)
		return count_aside(passage, &calls);
	add_self(passage, record->func_id, use, where_of(passage, record), sum.time);
	when.calls = calls.repeat;
	when.busy = sum.time;
	when.end = record->tend;
	when.begin = when.end;
	add_to(&when.begin, -(sum.time > sum.interval ? sum.time : sum.interval));
	if (when.begin < tables->facts->begin && when.end > tables->facts->begin)
		when.begin = tables->facts->begin;
	when.bytes_read = call.bytes_read;
	when.bytes_written = call.bytes_written;
	series_count(&tables->series, &when);
	return count_moved(passage, &when, &call, use);
}

int tables_take_stream(struct tables *tables, unsigned stream, struct reader_cursor *cursor)
{
	unsigned rank = tables->facts->rank_of[stream];
	struct passage passage = {.tables = tables,
				  .rank_number = rank,
				  .process = &tables->processes[stream],
				  .rank = &tables->ranks[rank]};
	const struct recorder_record *record;
	int error, end_error;

	find_main_thread(&passage, stream);
	error = phase_watch_begin(&passage.phase, &tables->phases, stream);
	end_error = overlap_begin(&passage.sweep, tables->facts, stream, take_state, &passage);
	error = error ? error : end_error;
	files_begin_stream(&tables->files);
	while (!error && (record = reader_next(cursor)))
		if (record->repeat) /* 0: of a broken trace, for no call; recorder check tells */
			error = tables->facts->functions[record->func_id].sum
					? take_sum(&passage, record)
					: take_record(&passage, record);
	end_functions(&passage);
	if (!error)
		end_overlap(&passage);
	overlap_release(&passage.sweep);
	call_stacks_release(&passage.stacks);
	positions_release(&passage.positions);
	asynchronous_release(&passage.asynchronous);
	reader_requests_free(passage.requests);
	end_error = exchange_end(passage.exchange);
	error = error ? error : end_error;
	end_error = phase_watch_end(&passage.phase);
	error = error ? error : end_error;
	end_error = touches_end_stream(&tables->touches);
	error = error ? error : end_error;
	return error ? error : reader_cursor_status(cursor);
}

/* ---- merging ---- */

static int merge_function(struct function_row *into, const struct function_row *from)
{
	if (!from->times)
		return 0;
	if (!into->times) {
		into->times = calloc(1, sizeof(*into->times));
		if (!into->times)
			return -ENOMEM;
		into->least = INT64_MAX;
	}
	sketch_merge(into->times, from->times);
	add_sums(&into->sums, &from->sums);
	if (from->least < into->least)
		into->least = from->least;
	if (from->most > into->most)
		into->most = from->most;
	return 0;
}

static void merge_layer(struct layer_row *into, const struct layer_row *from)
{
	add_sums(&into->sums, &from->sums);
	add_sizes(&into->sizes, &from->sizes);
	for (unsigned i = 0; i < ANALYSIS_PLACES; i++)
		add_to(&into->self[i], from->self[i]);
}

static int merge_sizes(struct common_sizes *into, const struct common_sizes *from)
{
	int error = 0;

	for (unsigned i = 0; i < ANALYSIS_DIRECTIONS && !error; i++)
		error = common_sizes_merge(&into[i], &from[i]);
	return error;
}

static void merge_process(struct process_row *into, const struct process_row *from)
{
	into->calls += from->calls;
	into->errors += from->errors;
	for (unsigned i = 0; i < ANALYSIS_USES; i++)
		add_to(&into->by_use[i], from->by_use[i]);
	for (unsigned i = 0; i < OVERLAP_STATES; i++)
		add_to(&into->overlap.time[i], from->overlap.time[i]);
}

static void merge_rank(struct rank_row *into, const struct rank_row *from)
{
	add_sums(&into->sums, &from->sums);
	for (unsigned use = 0; use < ANALYSIS_USES; use++)
		for (unsigned i = 0; i < ANALYSIS_PLACES; i++)
			add_to(&into->by_use[use][i], from->by_use[use][i]);
	for (unsigned i = 0; i < ANALYSIS_OPERATIONS; i++)
		add_to(&into->by_operation[i], from->by_operation[i]);
	for (unsigned i = 0; i < ANALYSIS_PLACES; i++)
		for (unsigned state = 0; state < OVERLAP_STATES; state++)
			add_to(&into->overlap[i].time[state], from->overlap[i].time[state]);
}

/* Behind files_merge(). */
static int merge_touches(struct tables *into, const struct tables *from)
{
	uint32_t count = from->files.paths.count;
	uint32_t *files = calloc((size_t)count + 1, sizeof(*files));
	int error = files ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < count && !error; i++) {
		size_t size;
		const char *path = dictionary_key(&from->files.paths, i, &size);

		error = dictionary_number(&into->files.paths, path, size, &files[i]);
	}
	if (!error)
		error = touches_merge(&into->touches, &from->touches, files);
	free(files);
	return error;
}

int tables_merge(struct tables *into, const struct tables *from)
{
	const struct facts *facts = into->facts;
	int error;

	for (unsigned i = 0; i < facts->function_count; i++) {
		error = merge_function(&into->functions[i], &from->functions[i]);
		if (error)
			return error;
	}
	for (unsigned i = 0; i < facts->layer_count; i++) {
		merge_layer(&into->layers[i], &from->layers[i]);
		error = merge_sizes(into->sizes[i], from->sizes[i]);
		if (error)
			return error;
	}
	for (unsigned i = 0; i < facts->rank_count; i++)
		merge_rank(&into->ranks[i], &from->ranks[i]);
	for (unsigned i = 0; i < facts->info.streams; i++)
		merge_process(&into->processes[i], &from->processes[i]);
	series_merge(&into->series, &from->series);
	error = failures_merge(&into->failures, &from->failures);
	if (!error)
		error = messages_merge(&into->messages, &from->messages);
	if (!error)
		error = sites_merge(&into->sites, &from->sites);
	if (!error)
		error = moved_merge(&into->moved, &from->moved);
	if (!error)
		error = halves_merge(&into->halves, &from->halves);
	if (!error)
		error = phases_merge(&into->phases, &from->phases);
	if (!error)
		error = files_merge(&into->files, &from->files);
	return error ? error : merge_touches(into, from);
}
