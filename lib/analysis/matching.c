/* SPDX-License-Identifier: MIT */
/* matching.c - see matching.h */
#include "analysis/matching.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/message_args.h"
#include "analysis/outstanding.h"
#include "analysis/posted.h"
#include "analysis/roles.h"

struct process {
	int32_t world, rank;
	bool whole; /* all its records are there */
};

struct matching {
	const struct reader *trace;
	const struct matching_sink *sink;
	struct role_of_function *roles; /* by id */
	unsigned role_count;
	char *functions;           /* names with commas */
	struct process *processes; /* by world and rank */
	unsigned process_count;
	struct channels *channels;
	struct posted *posted;
	struct outstanding_table table;
};

/* ---- beginning ---- */

static int find_roles(struct matching *matching)
{
	unsigned count = reader_function_count(matching->trace);
	size_t size = 1;
	char *end;

	matching->roles = calloc(count + 1, sizeof(*matching->roles));
	if (!matching->roles)
		return -ENOMEM;
	for (unsigned id = 0; id < count; id++) {
		const struct reader_function_info *info =
			reader_function_by_id(matching->trace, id);

		matching->roles[id] = role_of(info);
		size += matching->roles[id].roles ? strlen(info->name) + 1 : 0;
	}
	matching->role_count = count;
	end = matching->functions = malloc(size);
	if (!end)
		return -ENOMEM;
	*end = '\0';
	for (unsigned id = 0; id < count; id++) {
		const char *name = reader_function_by_id(matching->trace, id)->name;

		if (!matching->roles[id].roles)
			continue;
		if (end > matching->functions)
			*end++ = ',';
		memcpy(end, name, strlen(name) + 1);
		end += strlen(name);
	}
	return 0;
}

static int find_processes(struct matching *matching)
{
	struct reader_info info = {.sz = sizeof(info)};
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct process *process = NULL;

	reader_info(matching->trace, &info);
	matching->processes = calloc(info.streams + 1, sizeof(*matching->processes));
	if (!matching->processes)
		return -ENOMEM;
	for (unsigned i = 0; i < info.streams; i++) {
		if (reader_stream(matching->trace, i, &stream) || !stream.main)
			continue;
		if (!process || process->world != stream.world || process->rank != stream.rank) {
			process = &matching->processes[matching->process_count++];
			*process = (struct process){stream.world, stream.rank, true};
		}
		process->whole &= !stream.lost && !stream.unreadable && !stream.summed;
	}
	return 0;
}

static struct process *process_of(const struct matching *matching, int32_t world, int32_t rank)
{
	unsigned low = 0, high = matching->process_count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;
		struct process *there = &matching->processes[middle];

		if (there->world == world && there->rank == rank)
			return there;
		if (there->world < world || (there->world == world && there->rank < rank))
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static bool is_whole(const struct matching *matching, struct reader_process process)
{
	const struct process *found = process_of(matching, process.world, process.rank);

	return found && found->whole;
}

struct matching *matching_new(const struct reader *trace, const struct matching_sink *sink)
{
	struct matching *matching = calloc(1, sizeof(*matching));

	if (!matching)
		return NULL;
	matching->trace = trace;
	matching->sink = sink;
	matching->channels = channels_new(sink->message, sink->data);
	matching->posted = matching->channels ? posted_new(matching->channels) : NULL;
	if (matching->posted && !find_roles(matching) && !find_processes(matching))
		return matching;
	matching_free(matching);
	return NULL;
}

/* Those that stand in no line and wait in no channel go with who holds them. */
static void free_requests(struct matching *matching)
{
	struct outstanding_table *table = &matching->table;
	struct outstanding **items = table->count > 0 ? outstanding_sorted(table) : NULL;

	for (uint32_t i = 0; items && items[i]; i++)
		if (items[i]->receive)
			posted_forget(matching->posted, items[i]->receive);
	free(items);
	outstanding_release(table);
}

void matching_free(struct matching *matching)
{
	if (!matching)
		return;
	free_requests(matching);
	posted_free(matching->posted);
	channels_free(matching->channels);
	free(matching->roles);
	free(matching->functions);
	free(matching->processes);
	free(matching);
}

bool matching_wants(const struct matching *matching, uint16_t func_id)
{
	return func_id < matching->role_count && matching->roles[func_id].roles;
}

const char *matching_functions(const struct matching *matching)
{
	return matching->functions;
}

/* ---- what calls say ---- */

/* A call that is taken. */
struct taken {
	const struct recorder_record *record;
	const struct role_of_function *role;
	struct message_call call;
};

static uint64_t identity_of(const struct matching *matching, uint32_t stream, uint32_t comm)
{
	struct reader_comm info;

	return comm && reader_comm(matching->trace, stream, comm, &info) == 0 ? info.identity : 0;
}

/* What a call says of a message; those that it does not say are open. */
struct message {
	struct envelope envelope;
	bool any_source, any_tag;
};

static bool describe(const struct matching *matching, const struct taken *taken, bool sends,
		     struct message *message)
{
	const struct role_places *at = &taken->role->at;
	const struct recorder_record *record = taken->record;
	struct reader_process self = {record->world, record->rank}, peer;
	uint8_t peer_at = sends ? at->dest : at->source;
	uint8_t tag_at = sends ? at->send_tag : at->receive_tag;

	memset(message, 0, sizeof(*message));
	if (peer_at >= record->arg_count || tag_at >= record->arg_count)
		return false;
	message->any_source =
		!sends && message_is_any(matching->trace, record, peer_at, "MPI_ANY_SOURCE");
	message->any_tag = !sends && message_is_any(matching->trace, record, tag_at, "MPI_ANY_TAG");
	message->envelope.comm = identity_of(matching, record->stream,
					     (uint32_t)message_number(taken->record, at->comm, 0));
	message->envelope.tag = message_number(taken->record, tag_at, 0);
	peer = message->any_source ? (struct reader_process){-1, -1}
				   : reader_peer_process(matching->trace, record, peer_at);
	message->envelope.from = sends ? self : peer;
	message->envelope.to = sends ? peer : self;
	return message->envelope.comm && is_whole(matching, self) &&
	       (message->any_source || is_whole(matching, peer));
}

/* ---- messages ---- */

static int send_message(struct matching *matching, const struct taken *taken)
{
	struct reader_traffic traffic;
	struct message_call call = taken->call;
	struct message message;

	if (!describe(matching, taken, true, &message))
		return 0;
	call.bytes = reader_traffic(matching->trace, taken->record, &traffic) ? -1 : traffic.sent;
	return channels_send(matching->channels, &message.envelope, &call);
}

/* A receive from now on; *receive NULL: nothing is known of it. */
static int post(struct matching *matching, const struct message *message, struct receive **receive)
{
	*receive = channels_receive(matching->channels);
	if (!*receive)
		return -ENOMEM;
	(*receive)->envelope = message->envelope;
	(*receive)->any_source = message->any_source;
	(*receive)->any_tag = message->any_tag;
	(*receive)->held = true;
	return posted_add(matching->posted, *receive);
}

/* What a status says. */
struct arrival {
	struct reader_process from;
	int64_t tag, bytes;
	bool known, cancelled;
};

static struct arrival arrival_of(const struct matching *matching, const struct taken *taken,
				 unsigned index, uint32_t comm)
{
	struct arrival arrival = {.bytes = -1};
	struct message_status status;

	if (!message_status_of(taken->record, taken->role->at.status, index, &status))
		return arrival;
	arrival.bytes = status.bytes;
	arrival.tag = status.tag;
	arrival.cancelled = status.cancelled;
	if (status.source < 0 || status.source > INT32_MAX)
		return arrival;
	arrival.from = reader_comm_process(matching->trace, taken->record->stream, comm,
					   (int32_t)status.source);
	arrival.known = is_whole(matching, arrival.from);
	return arrival;
}

/* The receive, which is gone afterwards, ended with that call. */
static int arrive(struct matching *matching, struct receive *receive, const struct arrival *arrival,
		  const struct message_call *by)
{
	struct message_call call = *by;

	call.bytes = arrival->bytes;
	if (arrival->cancelled)
		return posted_cancel(matching->posted, receive);
	if (arrival->known)
		return posted_complete(matching->posted, receive, arrival->from, arrival->tag,
				       &call);
	if (!receive->any_source && !receive->any_tag)
		return posted_complete(matching->posted, receive, receive->envelope.from,
				       receive->envelope.tag, &call);
	posted_forget(matching->posted, receive);
	return 0;
}

static int receive_message(struct matching *matching, const struct taken *taken)
{
	uint32_t comm = (uint32_t)message_number(taken->record, taken->role->at.comm, 0);
	struct message message;
	struct receive *receive;
	struct arrival arrival;
	int error;

	if (!describe(matching, taken, false, &message))
		return 0;
	error = post(matching, &message, &receive);
	if (error)
		return error;
	arrival = arrival_of(matching, taken, 0, comm);
	return arrive(matching, receive, &arrival, &taken->call);
}

/* ---- requests ---- */

static struct outstanding_key key_of(const struct taken *taken, enum outstanding_kind kind,
				     int64_t number)
{
	return (struct outstanding_key){number, taken->record->stream, kind};
}

static enum outstanding_kind kind_of(const struct taken *taken)
{
	if (taken->role->roles & ROLE_HALF)
		return OUTSTANDING_FILE;
	return taken->role->roles & ROLE_AIO ? OUTSTANDING_AIO : OUTSTANDING_REQUEST;
}

/* What it was is not told any more. */
static void forget(struct matching *matching, struct outstanding *item)
{
	if (item->receive)
		posted_forget(matching->posted, item->receive);
	outstanding_remove(&matching->table, item);
}

static int tell_operation(const struct matching *matching, const struct outstanding *item,
			  int64_t end, bool ended)
{
	struct matching_operation operation = {
		.start = item->start,
		.end = end,
		.ended = ended,
		.io = item->io,
		.func_id = item->func_id,
		.number = item->key.number,
	};

	if (item->key.kind == OUTSTANDING_MESSAGE)
		return 0;
	return matching->sink->operation(matching->sink->data, &operation);
}

/* A new request; *item NULL: there are too many. */
static int add_item(struct matching *matching, const struct taken *taken,
		    const struct outstanding_key *key, struct outstanding **item)
{
	struct outstanding *old = outstanding_find(&matching->table, key);

	if (old)
		forget(matching, old);
	*item = outstanding_add(&matching->table, key);
	if (!*item)
		return -errno;
	(*item)->func_id = taken->record->func_id;
	(*item)->io = taken->role->roles & ROLE_IO;
	(*item)->comm = (uint32_t)message_number(taken->record, taken->role->at.comm, 0);
	(*item)->start = taken->call;
	return 0;
}

static void keep_message(const struct matching *matching, const struct taken *taken,
			 struct outstanding *item)
{
	unsigned roles = taken->role->roles;
	struct message message;

	if (!(roles & (ROLE_SENDS | ROLE_RECEIVES)) ||
	    !describe(matching, taken, roles & ROLE_SENDS, &message))
		return;
	item->sends = roles & ROLE_SENDS;
	item->receives = !item->sends;
	item->envelope = message.envelope;
	item->any_source = message.any_source;
	item->any_tag = message.any_tag;
}

static int make_one(struct matching *matching, const struct taken *taken, int64_t number)
{
	struct outstanding_key key = key_of(taken, kind_of(taken), number);
	struct outstanding *item;
	struct message message;
	int error;

	if (number <= 0)
		return 0;
	error = add_item(matching, taken, &key, &item);
	if (error || !item)
		return error;
	item->persistent = taken->role->roles & ROLE_INACTIVE;
	item->active = !item->persistent;
	if (item->persistent)
		keep_message(matching, taken, item);
	else if (taken->role->roles & ROLE_RECEIVES && describe(matching, taken, false, &message))
		error = post(matching, &message, &item->receive);
	return error;
}

static int start_one(struct matching *matching, const struct taken *taken, int64_t number)
{
	struct outstanding_key key = key_of(taken, OUTSTANDING_REQUEST, number);
	struct outstanding *item = outstanding_find(&matching->table, &key);
	struct message message;

	if (!item || !item->persistent || item->active)
		return 0;
	item->active = true;
	item->start = taken->call;
	message = (struct message){item->envelope, item->any_source, item->any_tag};
	if (item->sends)
		return channels_send(matching->channels, &item->envelope, &taken->call);
	return item->receives ? post(matching, &message, &item->receive) : 0;
}

static int end_one(struct matching *matching, const struct taken *taken, int64_t number,
		   unsigned index)
{
	struct outstanding_key key = key_of(taken, kind_of(taken), number);
	struct outstanding *item = outstanding_find(&matching->table, &key);
	struct receive *receive;
	struct arrival arrival;
	int error;

	if (!item || !item->active)
		return 0;
	error = tell_operation(matching, item, taken->call.end, true);
	arrival = arrival_of(matching, taken, index, item->comm);
	receive = item->receive;
	item->receive = NULL;
	item->active = false;
	if (!item->persistent)
		outstanding_remove(&matching->table, item);
	if (error || !receive)
		return error;
	return arrive(matching, receive, &arrival, &taken->call);
}

static int free_one(struct matching *matching, const struct taken *taken, int64_t number)
{
	struct outstanding_key key = key_of(taken, OUTSTANDING_REQUEST, number);
	struct outstanding *item = outstanding_find(&matching->table, &key);
	int error = 0;

	if (!item)
		return 0;
	if (item->active)
		error = tell_operation(matching, item, taken->call.end, true);
	forget(matching, item);
	return error;
}

typedef int request_act(struct matching *matching, const struct taken *taken, int64_t number);

/* For the request of a call, or each of them. */
static int each_request(struct matching *matching, const struct taken *taken, request_act *act)
{
	const struct recorder_arg *arg = message_arg(taken->record, taken->role->at.request);
	uint32_t count = arg ? arg->count : 0;
	int error = 0;

	if (!arg)
		return 0;
	if (!taken->role->list)
		return act(matching, taken, arg->i64);
	if (taken->role->roles & ROLE_COUNTED && taken->record->ret < count)
		count = taken->record->ret > 0 ? (uint32_t)taken->record->ret : 0;
	for (uint32_t i = 0; i < count && !error; i++)
		error = act(matching, taken, arg->elements[i]);
	return error;
}

static int end_each(struct matching *matching, const struct taken *taken)
{
	const struct recorder_arg *arg = message_arg(taken->record, taken->role->at.request);
	const struct recorder_arg *flag = message_arg(taken->record, taken->role->at.flag);
	uint32_t count = arg ? arg->count : 0;
	int error = 0;

	if (!arg || (flag && !flag->i64))
		return 0;
	if (!taken->role->list)
		return end_one(matching, taken, arg->i64, 0);
	if (taken->role->roles & ROLE_COUNTED && taken->record->ret < count)
		count = taken->record->ret > 0 ? (uint32_t)taken->record->ret : 0;
	for (uint32_t i = 0; i < count && !error; i++)
		error = end_one(matching, taken, arg->elements[i], i);
	return error;
}

/* ---- messages that are taken out of the line before they are received ---- */

static int probe(struct matching *matching, const struct taken *taken)
{
	int64_t number = message_number(taken->record, taken->role->at.message, 0);
	uint32_t comm = (uint32_t)message_number(taken->record, taken->role->at.comm, 0);
	struct outstanding_key key = key_of(taken, OUTSTANDING_MESSAGE, number);
	struct arrival arrival = arrival_of(matching, taken, 0, comm);
	struct outstanding *item;
	struct message message;
	int error;

	if (number <= 0 || !describe(matching, taken, false, &message))
		return 0;
	error = add_item(matching, taken, &key, &item);
	if (error || !item)
		return error;
	if (arrival.known) {
		message.envelope.from = arrival.from;
		message.envelope.tag = arrival.tag;
		message.any_source = message.any_tag = false;
	}
	return post(matching, &message, &item->receive);
}

/* The receive by message: complete at once, or by a request. */
static int take_message(struct matching *matching, const struct taken *taken)
{
	int64_t number = message_number(taken->record, taken->role->at.message, 0);
	struct outstanding_key key = key_of(taken, OUTSTANDING_MESSAGE, number);
	struct outstanding *message = outstanding_find(&matching->table, &key), *item;
	struct receive *receive = message ? message->receive : NULL;
	uint32_t comm = message ? message->comm : 0;
	struct arrival arrival;

	if (message)
		outstanding_remove(&matching->table, message);
	if (!(taken->role->roles & ROLE_MAKES)) {
		arrival = arrival_of(matching, taken, 0, comm);
		return receive ? arrive(matching, receive, &arrival, &taken->call) : 0;
	}
	key = key_of(taken, OUTSTANDING_REQUEST,
		     message_number(taken->record, taken->role->at.request, 0));
	item = outstanding_find(&matching->table, &key);
	if (item && !item->receive) {
		item->receive = receive;
		item->comm = comm;
	} else if (receive) {
		posted_forget(matching->posted, receive);
	}
	return 0;
}

/* ---- calls ---- */

/* A call that began something did so if it returned and did not fail; one that completes does that also with errors of requests. */
static bool succeeded(const struct taken *taken)
{
	unsigned roles = taken->role->roles;

	if (roles & ROLE_AIO)
		return roles & ROLE_COUNTED
			       ? taken->record->ret > 0
			       : taken->record->err != EINPROGRESS &&
					 (roles & ROLE_COMPLETES || taken->record->ret == 0);
	return roles & ROLE_COMPLETES || taken->record->ret == 0;
}

static int begin_messages(struct matching *matching, const struct taken *taken)
{
	unsigned roles = taken->role->roles;
	int error = 0;

	if (roles & ROLE_INACTIVE)
		return 0;
	if (roles & ROLE_SENDS)
		error = send_message(matching, taken);
	if (!error && roles & ROLE_RECEIVES && !(roles & ROLE_MAKES))
		error = receive_message(matching, taken);
	if (!error && roles & ROLE_PROBES)
		error = probe(matching, taken);
	return error;
}

static int take(struct matching *matching, const struct taken *taken)
{
	unsigned roles = taken->role->roles;
	int error = begin_messages(matching, taken);

	if (!error && roles & ROLE_MAKES)
		error = each_request(matching, taken, make_one);
	if (!error && roles & ROLE_TAKES)
		error = take_message(matching, taken);
	if (!error && roles & ROLE_STARTS)
		error = each_request(matching, taken, start_one);
	if (!error && roles & ROLE_COMPLETES)
		error = end_each(matching, taken);
	if (!error && roles & ROLE_FREES)
		error = each_request(matching, taken, free_one);
	return error;
}

int matching_take(struct matching *matching, const struct recorder_record *record, uint64_t place)
{
	struct taken taken = {.record = record};
	struct process *process;

	if (!matching_wants(matching, record->func_id) ||
	    record->flags & (RECORDER_IN_FLIGHT | RECORDER_LEFT | RECORDER_TIMES_SUMMED))
		return 0;
	taken.role = &matching->roles[record->func_id];
	taken.call = (struct message_call){record->stream, record->thread, record->sequence,
					   record->tstart, record->tend,   -1,
					   place};
	if (record->repeat > 1 && taken.role->roles & (ROLE_SENDS | ROLE_RECEIVES | ROLE_STARTS)) {
		process = process_of(matching, record->world, record->rank);
		if (process)
			process->whole = false;
		return 0;
	}
	return succeeded(&taken) ? take(matching, &taken) : 0;
}

int matching_end(struct matching *matching)
{
	struct outstanding **items = outstanding_sorted(&matching->table);
	struct reader_stream stream = {.sz = sizeof(stream)};
	int error = items ? 0 : -ENOMEM;

	for (uint32_t i = 0; !error && items[i]; i++) {
		if (!items[i]->active ||
		    reader_stream(matching->trace, items[i]->key.stream, &stream))
			continue;
		error = tell_operation(matching, items[i], stream.end, false);
	}
	free(items);
	return error;
}
