/* SPDX-License-Identifier: MIT */
/* causes.c - see causes.h */
#include "causes.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/operation.h"
#include "chrome.h"
#include "hashes.h"
#include "lanes.h"
#include "ties.h"

#define NO_ARG UINT8_MAX
#define WORKER                                                                                     \
	"iou-wrk-" /* threads of io_uring: known by the number of another thread, in whose calls they are not */

/* What is to be known of a function; `kind` is TIE_NOTHING of most. */
#define TIE_NOTHING UINT8_MAX
struct tie_function {
	uint8_t kind;
	uint8_t writes;
	uint8_t flusher, comm, offsets, lengths, position; /* numbers of arguments */
};

struct causes {
	struct out_events *events;
	struct tie_function *functions; /* by id */
	uint64_t *machines;             /* by stream */
	bool any;
	struct tie_end *list;
	uint32_t count, room;
	uint64_t seen, drawn;
};

struct share {
	uint64_t seen;
	uint64_t count;
};

/* ---- functions ---- */

/* Calls that can have the kernel do something to a device at once: those of the kernel itself, and of the library where no other is recorded. */
static const char *const callers[] = {
	"read",      "readv",     "pread*",      "preadv*",        "write",           "writev",
	"pwrite*",   "fsync",     "fdatasync",   "sync*",          "msync",           "open*",
	"creat",     "close",     "*fallocate*", "*truncate*",     "unlink*",         "rename*",
	"mkdir*",    "rmdir",     "getdents*",   "readdir*",       "*stat*",          "access",
	"readahead", "*fadvise*", "sendfile*",   "splice",         "copy_file_range", "mmap",
	"munmap",    "exec*",     "io_submit",   "io_uring_enter", "exit_group",
};

static bool is_caller(const struct reader_function_info *info)
{
	if (strcmp(info->layer, "kernel") != 0 && strcmp(info->layer, "posix") != 0)
		return false;
	for (size_t i = 0; i < sizeof(callers) / sizeof(callers[0]); i++)
		if (!fnmatch(callers[i], info->name, 0))
			return true;
	return false;
}

/* Calls of the kernel that put bytes where their argument says. */
static bool is_writer(const struct reader_function_info *info)
{
	return !strcmp(info->layer, "kernel") &&
	       operation_of(info->layer, info->name) == ANALYSIS_WRITE;
}

static uint8_t arg_of(const struct reader_function_info *info, const char *name)
{
	for (unsigned i = 0; i < info->arg_count && i < NO_ARG; i++)
		if (!strcmp(info->args[i].name, name))
			return (uint8_t)i;
	return NO_ARG;
}

static struct tie_function describe(const struct reader_function_info *info)
{
	struct tie_function function = {.kind = TIE_NOTHING};

	if (!strcmp(info->layer, "block"))
		function.kind = TIE_REQUEST;
	else if (!strcmp(info->layer, "writeback"))
		function.kind = TIE_WRITEBACK;
	else if (is_caller(info))
		function.kind = TIE_CALL;
	function.writes = is_writer(info) || !strcmp(info->name, "block_write");
	function.flusher = arg_of(info, "flusher");
	function.comm = arg_of(info, "comm");
	function.offsets = arg_of(info, "offsets");
	function.lengths = arg_of(info, "lengths");
	function.position = arg_of(info, "position");
	if (function.position == NO_ARG)
		function.position = arg_of(info, "offset");
	return function;
}

static int describe_streams(struct causes *causes)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	causes->machines = calloc(causes->events->info.streams + 1, sizeof(*causes->machines));
	if (!causes->machines)
		return -ENOMEM;
	for (unsigned i = 0; i < causes->events->info.streams; i++)
		if (!reader_stream(causes->events->trace, i, &stream))
			causes->machines[i] = name_hash(stream.boot_id, strlen(stream.boot_id));
	return 0;
}

struct causes *causes_new(struct out_events *events)
{
	struct causes *causes = calloc(1, sizeof(*causes));
	unsigned count = reader_function_count(events->trace);

	if (!causes)
		return NULL;
	causes->events = events;
	causes->functions = calloc(count + 1, sizeof(*causes->functions));
	if (!causes->functions || describe_streams(causes)) {
		causes_free(causes);
		return NULL;
	}
	for (unsigned id = 0; id < count; id++) {
		causes->functions[id] = describe(reader_function_by_id(events->trace, id));
		causes->any |= causes->functions[id].kind == TIE_REQUEST ||
			       causes->functions[id].kind == TIE_WRITEBACK;
	}
	return causes;
}

void causes_free(struct causes *causes)
{
	if (!causes)
		return;
	free(causes->functions);
	free(causes->machines);
	free(causes->list);
	free(causes);
}

bool causes_has_any(const struct causes *causes)
{
	return causes->any;
}

/* ---- gathering ---- */

/* Of twice as many as are kept the earlier ones stay: so those that stay in the end do not depend on who gathers what. */
static int add(struct causes *causes, const struct tie_end *end)
{
	if (causes->count == 2 * CAUSES_MAX) {
		qsort(causes->list, causes->count, sizeof(*causes->list), ties_by_time);
		causes->count = CAUSES_MAX;
	}
	if (causes->count == causes->room) {
		uint32_t room = causes->room ? 2 * causes->room : 1024;
		struct tie_end *list = realloc(causes->list, room * sizeof(*list));

		if (!list)
			return -ENOMEM;
		causes->list = list;
		causes->room = room;
	}
	causes->list[causes->count++] = *end;
	return 0;
}

static const struct recorder_arg *value_at(const struct recorder_record *record, uint8_t number)
{
	return number < record->arg_count && record->args[number].state == RECORDER_ARG_PRESENT
		       ? &record->args[number]
		       : NULL;
}

static void set_file(const struct causes *causes, const struct recorder_record *record,
		     struct tie_end *end)
{
	struct reader_file file;

	end->file.machine = causes->machines[record->stream];
	if (reader_record_file(causes->events->trace, record, &file) || !file.inode)
		return;
	end->file.device = file.device;
	end->file.inode = file.inode;
	end->has_file = 1;
	/* of pipes and terminals nothing is put anywhere */
	end->writes = end->writes && (end->kind != TIE_CALL || file.type == S_IFREG);
}

static int add_ranges(struct causes *causes, const struct recorder_record *record,
		      const struct tie_function *function, const struct tie_end *request)
{
	const struct recorder_arg *offsets = value_at(record, function->offsets),
				  *lengths = value_at(record, function->lengths);
	struct tie_end range = *request;
	int error = 0;

	range.kind = TIE_RANGE;
	for (uint32_t i = 0;
	     offsets && lengths && i < offsets->count && i < lengths->count && !error; i++) {
		if (offsets->elements[i] < 0 || lengths->elements[i] <= 0)
			continue;
		range.from = (uint64_t)offsets->elements[i];
		range.until = range.from + (uint64_t)lengths->elements[i];
		error = add(causes, &range);
	}
	return error;
}

int causes_call(struct causes *causes, const struct recorder_record *record, uint32_t tid)
{
	const struct tie_function *function = &causes->functions[record->func_id];
	const struct recorder_arg *flusher, *comm, *position;
	struct tie_end end = {
		.begin = record->tstart,
		.end = record->tend,
		.process = lanes_first_stream(causes->events->lanes, record->stream),
		.tid = record->tid,
		.stream = record->stream,
		.thread = record->thread,
		.sequence = record->sequence,
		.place = tid,
		.level = record->level,
		.kind = function->kind,
		.writes = function->writes,
	};
	int error;

	if (!causes->any || function->kind == TIE_NOTHING ||
	    record->flags & (RECORDER_IN_FLIGHT | RECORDER_LEFT | RECORDER_IN_SIGNAL |
			     RECORDER_TIMES_SUMMED))
		return 0;
	flusher = value_at(record, function->flusher);
	comm = value_at(record, function->comm);
	position = value_at(record, function->position);
	end.flusher = flusher ? (uint32_t)flusher->i64 : 0;
	end.in_call = record->level > 0 && !(comm && !strncmp(comm->bytes, WORKER, strlen(WORKER)));
	set_file(causes, record, &end);
	if (end.kind == TIE_CALL && end.writes && end.has_file && position && position->i64 >= 0 &&
	    record->ret > 0) {
		end.from = (uint64_t)position->i64;
		end.until = end.from + (uint64_t)record->ret;
	}
	causes->seen++;
	error = add(causes, &end);
	return error || end.kind != TIE_REQUEST ? error
						: add_ranges(causes, record, function, &end);
}

/* ---- sharing ---- */

void causes_share(const struct causes *causes, struct buffer *bytes)
{
	struct share share = {causes->seen, causes->count};

	buffer_add(bytes, &share, sizeof(share));
	buffer_add(bytes, causes->list, causes->count * sizeof(*causes->list));
}

int causes_hear(struct causes *causes, const void *bytes, size_t size)
{
	const char *at = bytes;
	struct tie_end end;
	struct share share;
	int error = 0;

	if (size < sizeof(share))
		return -EINVAL;
	memcpy(&share, at, sizeof(share));
	if (size != sizeof(share) + share.count * sizeof(end))
		return -EINVAL;
	causes->seen += share.seen;
	at += sizeof(share);
	for (uint64_t i = 0; i < share.count && !error; i++, at += sizeof(end)) {
		memcpy(&end, at, sizeof(end));
		error = add(causes, &end);
	}
	return error;
}

/* ---- putting out ---- */

/* {"name":"I/O","cat":"cause","ph":"s","id":5,"pid":7,"tid":7,"ts":1.250} */
static void put_end(struct causes *causes, const char *phase, const struct tie_end *end, int64_t at)
{
	struct out_events *events = causes->events;

	chrome_open(events);
	output_text(events->output, "\"name\":\"I/O\",\"cat\":\"cause\",\"ph\":\"");
	output_text(events->output, phase);
	event_number(events, "\",\"id\":", (int64_t)causes->drawn + 1);
	chrome_place(events, lanes_pid(events->lanes, end->stream), end->place, at);
	output_char(events->output, '}');
}

/* Viewers bind an end to the event that has begun last at its time: both are begins. */
static int put_arrow(void *self, const struct tie_end *from, const struct tie_end *to)
{
	struct causes *causes = self;

	put_end(causes, "s", from, from->begin);
	put_end(causes, "f\",\"bp\":\"e", to, to->begin);
	causes->drawn++;
	return causes->events->output->error;
}

int causes_put(struct causes *causes)
{
	if (causes->count > CAUSES_MAX) {
		qsort(causes->list, causes->count, sizeof(*causes->list), ties_by_time);
		causes->count = CAUSES_MAX;
	}
	return causes->count > 0 ? ties_find(causes->list, causes->count, put_arrow, causes) : 0;
}

void causes_next_file(struct causes *causes)
{
	causes->count = 0;
	causes->seen = causes->drawn = 0;
}

uint64_t causes_count(const struct causes *causes)
{
	return causes->drawn;
}

uint64_t causes_left_out(const struct causes *causes)
{
	uint64_t kept = 0;

	for (uint32_t i = 0; i < causes->count; i++)
		kept += causes->list[i].kind != TIE_RANGE;
	return causes->seen - kept;
}
