/* SPDX-License-Identifier: MIT */
/* passage.c - see passage.h */
#include "analysis/passage.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/add.h"
#include "analysis/exchange.h"
#include "analysis/selftime.h"
#include "analysis/sizes.h"
#include "analysis/state_times.h"
#include "analysis/sumvalues.h"

struct passage {
	struct tables *tables;
	struct rank_row *rank;
	struct process_row *process;
	unsigned rank_number;
	bool own_process;     /* of the rank, no child of it */
	bool main_stream;     /* and its main thread is known */
	uint32_t main_thread; /* index */
	struct call_stacks stacks;
	struct tallies tallies;
	struct positions positions;
	struct asynchronous asynchronous;
	struct reader_requests *requests; /* NULL: no call of MPI yet */
	struct overlap_sweep sweep;
	struct phase_watch phase;
	struct state_times states;
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

/* What goes on beside the thread is none of what the thread does. */
static enum analysis_where where_of(const struct passage *passage, const struct file_call *call)
{
	return !call->about->is_aside && passage->main_stream &&
			       call->record->thread == passage->main_thread
		       ? ANALYSIS_MAIN
		       : ANALYSIS_ELSEWHERE;
}

/* ---- what happens at the same time ---- */

static void end_overlap(struct passage *passage)
{
	enum analysis_where place = passage->own_process ? ANALYSIS_MAIN : ANALYSIS_ELSEWHERE;

	overlap_end(&passage->sweep);
	state_times_end(&passage->states);
	for (unsigned state = 0; state < OVERLAP_STATES; state++)
		add_to(&passage->rank->overlap[place].time[state],
		       passage->process->overlap.time[state]);
}

/* Whether it is on a file of data or of software. */
static bool is_on_file(const struct file_call *call)
{
	return call->use != NO_USE && call->class_ <= ANALYSIS_SOFTWARE;
}

/* The same, or on none. */
static bool is_of_files(const struct file_call *call)
{
	return call->use == NO_USE || is_on_file(call);
}

/* Calls on pipes, sockets and terminals wait for somebody else; programs and libraries are read as data is. */
static bool is_file_access(const struct file_call *call)
{
	switch (call->operation) {
	case ANALYSIS_MAP:
	case ANALYSIS_PROCESS:
	case ANALYSIS_OTHER:
		return false;
	case ANALYSIS_COMPLETION:
	case ANALYSIS_SYNC:
		return is_of_files(call);
	default:
		return is_on_file(call);
	}
}

static int follow_overlap(struct passage *passage, const struct file_call *call)
{
	const struct layer_facts *layer = call->about;
	enum overlap_kind kind = OVERLAP_KIND_OTHER;

	if (layer->is_aside)
		return 0;
	if (layer->use == ANALYSIS_USE_MESSAGES)
		kind = OVERLAP_KIND_MESSAGES;
	else if (layer->use == ANALYSIS_USE_STORAGE && is_file_access(call))
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
static int follow_exchange(struct passage *passage, const struct file_call *call)
{
	if (!passage->tables->facts->matches)
		return 0;
	if (!passage->exchange)
		passage->exchange = begin_exchange(passage, call->record->stream);
	if (!passage->exchange)
		return -ENOMEM;
	return exchange_take(passage->exchange, &call->function->exchange, passage->requests,
			     call->record, ++passage->exchanged);
}

/* Bytes of all calls that the record stands for. */
static int find_moved(struct passage *passage, struct file_call *call,
		      const struct asynchronous_request *returned)
{
	if (call->about->has_requests) {
		int error = follow_requests(passage, call->record);

		if (error)
			return error;
	}
	if (call->about->use == ANALYSIS_USE_MESSAGES)
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

static int count_function(struct function_row *row, const struct file_call *call)
{
	const struct recorder_record *record = call->record;
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
	if (is_on_file(call) && each > row->most_in_files)
		row->most_in_files = each;
	return 0;
}

static int count_size(struct tables *tables, const struct file_call *call,
		      enum analysis_direction direction, int64_t each, unsigned size_class)
{
	struct analysis_sizes *sizes = &tables->layers[call->layer].sizes;
	uint64_t *counts = direction == ANALYSIS_WRITES ? sizes->writes : sizes->reads;

	counts[size_class] += call->record->repeat;
	return common_sizes_add(&tables->sizes[call->layer][direction], each, call->record->repeat);
}

/* What one call of a message moved in a direction, of the bytes of all that the record stands for. */
static int count_message_size(struct tables *tables, const struct file_call *call,
			      enum analysis_direction direction, int64_t bytes)
{
	int64_t each;

	if (bytes <= 0)
		return 0;
	each = bytes / call->record->repeat;
	return count_size(tables, call, direction, each, size_class_of(each));
}

/* What one call moved; of messages, what it received and what it sent. */
static int count_sizes(struct tables *tables, const struct file_call *call)
{
	int error;

	if (call->about->use != ANALYSIS_USE_MESSAGES)
		return call->size_class < 0 ? 0
					    : count_size(tables, call, call->direction, call->each,
							 (unsigned)call->size_class);
	error = count_message_size(tables, call, ANALYSIS_READS, call->bytes_read);
	return error ? error
		     : count_message_size(tables, call, ANALYSIS_WRITES, call->bytes_written);
}

/* Who waits at a pipe or a socket waits for somebody else, not for storage. */
static enum analysis_use time_counts_as(const struct file_call *call)
{
	enum analysis_use use = call->function->use;

	return use == ANALYSIS_USE_STORAGE && !is_of_files(call) ? ANALYSIS_USE_OTHER : use;
}

/* What the call counts in. */
static struct tally_kind kind_of(const struct passage *passage, const struct file_call *call)
{
	const struct recorder_record *record = call->record;

	return (struct tally_kind){.place = {record->callsite, record->stream, record->module,
					     record->func_id},
				   .use = call->use,
				   .share = call->share,
				   .class_ = call->class_,
				   .filesystem = call->filesystem,
				   .where = where_of(passage, call),
				   .counts_as = time_counts_as(call)};
}

/* In sums and time series: what the call has more, the call around it has less, unless it goes on beside the thread. */
static int count_time(struct passage *passage, const struct file_call *call)
{
	const struct tally_kind kind = kind_of(passage, call), *around = NULL;
	int error = 0;

	if (!call->about->is_aside)
		error = call_stacks_take(&passage->stacks, call->record, &kind, &around);
	return error ? error : tallies_count(&passage->tallies, &kind, call, around);
}

/* Bytes of a phase are those of files, by the height of layers: which of them counts is known at the end. */
static int count_phase(struct passage *passage, const struct file_call *call)
{
	if (!passage->phase.phases)
		return 0;
	return phase_watch_call(&passage->phase, call->record,
				is_on_file(call) || call->copied > 0 ? call->about->height
								     : HEIGHT_NONE,
				is_on_file(call) ? call->bytes_read : 0,
				(is_on_file(call) ? call->bytes_written : 0) + call->copied);
}

/* What the call moved, and where in which file. */
static int find_effect(struct passage *passage, struct file_call *call)
{
	const struct function_facts *function = call->function;
	const struct asynchronous_request *returned = NULL;
	struct copy_call copy;
	int error = 0;

	if (function->asynchronous.role != ASYNC_NONE)
		error = asynchronous_take(&passage->asynchronous, &function->asynchronous,
					  call->record, &returned);
	if (!error)
		error = find_moved(passage, call, returned);
	if (!error)
		error = positions_take(&passage->positions, &function->position, call->record,
				       call->bytes_read + call->bytes_written, &call->begin);
	if (returned) {
		call->file = returned->file;
		call->begin = returned->offset;
	} else if (copy_of(&function->copy, call->record, &copy)) {
		call->file = copy.from;
	}
	return error;
}

/* In what concerns a file. */
static int count_file(struct passage *passage, struct file_call *call)
{
	struct tables *tables = passage->tables;
	int error = 0;

	if (call->about->use == ANALYSIS_USE_STORAGE)
		error = files_count(&tables->files, tables->facts, call);
	if (!error && call->use != NO_USE)
		error = touches_take(&tables->touches, tables->facts, call,
				     tables->files.uses[call->use].file);
	if (!error && call->record->err)
		error = failures_count(&tables->failures, tables->facts->trace, call->record,
				       call->use != NO_USE && call->class_ != ANALYSIS_DATA);
	return error;
}

/* What a copy writes, as half a call more: on another file, and in no time. */
static int count_copied(struct passage *passage, struct file_call *call)
{
	const struct recorder_record *record = call->record;
	struct tables *tables = passage->tables;
	struct file_call written = *call;
	struct analysis_sums sums = {.bytes_written = call->bytes_read};
	struct tally_kind kind;
	struct copy_call copy;
	int error;

	if (call->size_class < 0 || !copy_of(&call->function->copy, record, &copy))
		return 0;
	written.operation = ANALYSIS_WRITE;
	written.direction = ANALYSIS_WRITES;
	written.bytes_written = call->bytes_read;
	written.bytes_read = 0;
	written.file = copy.to;
	written.begin = copy.to_begin;
	written.use = NO_USE;
	error = files_count(&tables->files, tables->facts, &written);
	if (!error && written.use != NO_USE) {
		files_add_copies(&tables->files, written.use, written.share, record);
		error = touches_take(&tables->touches, tables->facts, &written,
				     tables->files.uses[written.use].file);
	}
	if (!error)
		error = count_sizes(tables, &written);
	if (error)
		return error;
	call->copied = is_on_file(&written) ? written.bytes_written : 0;
	kind = kind_of(passage, &written);
	return tallies_count_sum(&passage->tallies, &kind, &sums, record->tstart, record->tend);
}

/* In how long calls of its function take, and how large they are. */
static int count_kind(struct passage *passage, const struct file_call *call)
{
	struct tables *tables = passage->tables;
	int error = count_function(&tables->functions[call->record->func_id], call);

	return error ? error : count_sizes(tables, call);
}

static int count_message(struct passage *passage, const struct file_call *call)
{
	struct tables *tables = passage->tables;
	int error;

	if (call->about->use != ANALYSIS_USE_MESSAGES)
		return 0;
	error = messages_count(&tables->messages, tables->facts, call->record, call->rank,
			       call->bytes_read, call->bytes_written);
	return error ? error : follow_exchange(passage, call);
}

static struct file_call call_of(const struct passage *passage, const struct recorder_record *record)
{
	const struct facts *facts = passage->tables->facts;
	const struct function_facts *function = &facts->functions[record->func_id];

	return (struct file_call){.record = record,
				  .function = function,
				  .about = &facts->layers[function->layer],
				  .operation = function->operation,
				  .layer = function->layer,
				  .rank = passage->rank_number,
				  .use = NO_USE,
				  .begin = POSITION_UNKNOWN,
				  .size_class = -1};
}

static int take_record(struct passage *passage, const struct recorder_record *record)
{
	struct file_call call = call_of(passage, record);
	int error = find_effect(passage, &call);

	if (!error)
		error = count_file(passage, &call);
	if (!error)
		error = count_copied(passage, &call);
	if (!error)
		error = count_kind(passage, &call);
	if (!error)
		error = follow_overlap(passage, &call);
	if (!error)
		error = count_message(passage, &call);
	if (!error)
		error = count_phase(passage, &call);
	return error ? error : count_time(passage, &call);
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
	struct sum_values sum = sum_values_of(tables->facts->trace, record);
	struct recorder_record calls = *record;
	struct file_call call = call_of(passage, &calls);
	struct analysis_sums sums = {.self = sum.time};
	struct tally_kind kind;
	int64_t begin = record->tend;
	int error = 0;

	if (!call.function->sum_only || sum.count <= 0 || sum.time < 0)
		return 0;
	calls.repeat = sum.count < UINT32_MAX ? (uint32_t)sum.count : UINT32_MAX;
	calls.busy = sum.time;
	if (call.about->use == ANALYSIS_USE_STORAGE) {
		moved_in_sum(&call, &sum);
		error = files_count(&tables->files, tables->facts, &call);
	}
	if (!error)
		error = count_function(&tables->functions[record->func_id], &call);
	if (error)
		return error;
	add_call(&sums, &calls, call.bytes_read, call.bytes_written);
	kind = kind_of(passage, &call);
	add_to(&begin, -(sum.time > sum.interval ? sum.time : sum.interval));
	if (begin < tables->facts->begin && record->tend > tables->facts->begin)
		begin = tables->facts->begin;
	return tallies_count_sum(&passage->tallies, &kind, &sums, begin, record->tend);
}

int passage_take_stream(struct tables *tables, unsigned stream, struct reader_cursor *cursor)
{
	unsigned rank = tables->facts->rank_of[stream];
	struct passage passage = {.tables = tables,
				  .rank_number = rank,
				  .process = &tables->processes[stream],
				  .rank = &tables->ranks[rank],
				  .states = {.series = &tables->series,
					     .process = &tables->processes[stream].overlap,
					     .phase = &passage.phase}};
	const struct recorder_record *record;
	int error, end_error;

	find_main_thread(&passage, stream);
	positions_begin(&passage.positions, tables->facts->trace, stream,
			tables->facts->follows_positions);
	tallies_begin(&passage.tallies, tables, rank);
	error = phase_watch_begin(&passage.phase, &tables->phases, stream);
	end_error = overlap_begin(&passage.sweep, tables->facts, stream, state_times_take,
				  &passage.states, state_times_bin(&passage.states));
	error = error ? error : end_error;
	files_begin_stream(&tables->files);
	while (!error && (record = reader_next(cursor)))
		if (record->repeat) /* 0: of a broken trace, for no call; recorder check tells */
			error = tables->facts->functions[record->func_id].sum
					? take_sum(&passage, record)
					: take_record(&passage, record);
	if (!error)
		error = tallies_end(&passage.tallies);
	if (!error)
		error = files_end_stream(&tables->files, tables->facts);
	tables_end_stream(tables, stream);
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
