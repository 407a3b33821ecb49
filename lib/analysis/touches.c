/* SPDX-License-Identifier: MIT */
/* touches.c - see touches.h */
#include "analysis/touches.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows.h"

#define TOUCHES_FIRST 1u /* of a file and direction: most have no more */
#define APPENDING 02000  /* O_APPEND, as traces have it on Linux */

static int64_t end_of(const struct touch *touch)
{
	return touch->begin + (int64_t)(touch->parts - 1) * touch->stride + touch->length;
}

static struct touched *touched_of(struct touches *touches, uint32_t file, uint32_t rank)
{
	struct touched *open;

	while (file >= touches->open_of_count) {
		uint32_t *open_of = rows_grown(touches->open_of, &touches->open_of_room,
					       touches->open_of_count, sizeof(*open_of));

		if (!open_of)
			return NULL;
		touches->open_of = open_of;
		open_of[touches->open_of_count++] = 0;
	}
	if (touches->open_of[file])
		return &touches->open[touches->open_of[file] - 1];
	open = rows_grown(touches->open, &touches->open_room, touches->open_count, sizeof(*open));
	if (!open)
		return NULL;
	touches->open = open;
	open[touches->open_count] = (struct touched){
		.file = file, .rank = rank, .opened = TOUCH_BEFORE, .mpi_before = TOUCH_BEFORE};
	touches->open_of[file] = ++touches->open_count;
	return &open[touches->open_count - 1];
}

/* ---- transfers ---- */

static void widen_time(struct touch *into, int64_t first, int64_t last)
{
	if (first < into->first)
		into->first = first;
	if (last > into->last)
		into->last = last;
	into->transfers = 2;
}

/* Whether a touch that is complete goes on the parts of the one before. */
static bool is_next_part(const struct touch *before, const struct touch *touch)
{
	if (touch->parts != 1 || touch->length != before->length || touch->begin <= before->begin)
		return false;
	return before->parts == 1 ||
	       (before->parts < UINT32_MAX &&
		touch->begin == before->begin + (int64_t)before->parts * before->stride);
}

/* The last two of a list become one if they can. */
static void fold(struct touched *touched, unsigned direction)
{
	uint32_t count = touched->counts[direction];
	struct touch *list = touched->lists[direction];

	if (count < 2 || count - 2 < touched->fresh[direction] ||
	    !is_next_part(&list[count - 2], &list[count - 1]))
		return;
	list[count - 2].stride = list[count - 1].begin - list[count - 2].begin;
	if (list[count - 2].parts > 1)
		list[count - 2].stride /= list[count - 2].parts;
	list[count - 2].parts++;
	widen_time(&list[count - 2], list[count - 1].first, list[count - 1].last);
	touched->counts[direction]--;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* All of a list become one, which says less. */
static void collapse(struct touched *touched, unsigned direction)
{
	struct touch *list = touched->lists[direction], all = list[0];
	int64_t end = end_of(&all);

	for (uint32_t i = 1; i < touched->counts[direction]; i++) {
		all.begin = earlier(all.begin, list[i].begin);
		end = later(end, end_of(&list[i]));
		widen_time(&all, list[i].first, list[i].last);
		all.opened = later(all.opened, list[i].opened);
		all.mpi_before = later(all.mpi_before, list[i].mpi_before);
		all.committed = later(all.committed, list[i].committed);
		all.closed = later(all.closed, list[i].closed);
		all.mpi_after = later(all.mpi_after, list[i].mpi_after);
	}
	all.length = end - all.begin;
	all.parts = 1;
	all.stride = 0;
	all.exact = false;
	list[0] = all;
	touched->counts[direction] = 1;
	touched->fresh[direction] = 1;
}

static int add_touch(struct touched *touched, unsigned direction, const struct touch *touch)
{
	struct touch *list;

	fold(touched, direction);
	if (touched->counts[direction] == TOUCHES_MAX)
		collapse(touched, direction);
	list = rows_grown_from(TOUCHES_FIRST, touched->lists[direction], &touched->rooms[direction],
			       touched->counts[direction], sizeof(*list));
	if (!list)
		return -ENOMEM;
	touched->lists[direction] = list;
	list[touched->counts[direction]++] = *touch;
	return 0;
}

/* Whether a transfer goes on where the touch before has ended; then that has it. */
static bool goes_on(struct touched *touched, const struct file_call *call, int64_t bytes,
		    unsigned direction)
{
	uint32_t count = touched->counts[direction];
	const struct recorder_record *record = call->record;
	struct touch *last;

	if (count <= touched->fresh[direction])
		return false;
	last = &touched->lists[direction][count - 1];
	if (last->parts != 1 || last->begin + last->length != call->begin)
		return false;
	last->length += bytes;
	widen_time(last, record->tstart, record->tend);
	return true;
}

static int transfer(struct touched *touched, const struct file_call *call, int64_t bytes,
		    bool write)
{
	unsigned direction = write;
	struct touch touch;

	if (goes_on(touched, call, bytes, direction))
		return 0;
	touch = (struct touch){.begin = call->begin,
			       .length = bytes,
			       .parts = 1,
			       .transfers = call->record->repeat > 1 ? 2 : 1,
			       .file = touched->file,
			       .rank = call->rank,
			       .write = write,
			       .exact = true,
			       .first = call->record->tstart,
			       .last = call->record->tend,
			       .opened = touched->opened,
			       .committed = TOUCH_NEVER,
			       .closed = TOUCH_NEVER,
			       .mpi_before = touched->mpi_before,
			       .mpi_after = TOUCH_NEVER};
	return add_touch(touched, direction, &touch);
}

/* ---- synchronisation ---- */

enum event {
	EVENT_OPEN,
	EVENT_COMMIT,
	EVENT_CLOSE,
	EVENT_MPI_OPEN,
	EVENT_MPI_SYNC,
	EVENT_MPI_CLOSE
};

static void set_once(int64_t *time, int64_t now)
{
	if (*time == TOUCH_NEVER)
		*time = now;
}

static void mark(struct touch *touch, enum event event, int64_t end)
{
	if (event == EVENT_COMMIT || event == EVENT_CLOSE)
		set_once(&touch->committed, end);
	if (event == EVENT_CLOSE)
		set_once(&touch->closed, end);
	if (event == EVENT_MPI_SYNC || event == EVENT_MPI_CLOSE)
		set_once(&touch->mpi_after, end);
}

static void synchronise(struct touched *touched, const struct recorder_record *record,
			enum event event)
{
	for (unsigned direction = 0; direction < 2; direction++) {
		fold(touched, direction);
		for (uint32_t i = 0; i < touched->counts[direction]; i++)
			mark(&touched->lists[direction][i], event, record->tend);
		touched->fresh[direction] = touched->counts[direction];
	}
	if (event == EVENT_OPEN)
		touched->opened = record->tstart;
	if (event == EVENT_MPI_OPEN || event == EVENT_MPI_SYNC)
		touched->mpi_before = record->tstart;
}

/* Whether an opening is to append. */
static bool is_appending(const struct facts *facts, const struct recorder_record *record)
{
	const struct reader_function_info *function = reader_function(facts->trace, record);

	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++) {
		const struct recorder_arg *arg = &record->args[i];

		if (arg->state != RECORDER_ARG_PRESENT)
			continue;
		if (!strcmp(function->args[i].kind, "open_flags") && (arg->i64 & APPENDING))
			return true;
		if (!strcmp(function->args[i].name, "mode") &&
		    function->args[i].class_ == READER_STRING && arg->count > 0 &&
		    arg->bytes[0] == 'a')
			return true;
	}
	return false;
}

static int take_event(struct touched *touched, const struct facts *facts,
		      const struct file_call *call)
{
	bool mpi = !strcmp(call->about->name, "mpiio");

	if (call->record->err)
		return 0;
	if (call->operation == ANALYSIS_OPEN && !mpi && is_appending(facts, call->record))
		touched->appends = true;
	if (call->operation == ANALYSIS_OPEN)
		synchronise(touched, call->record, mpi ? EVENT_MPI_OPEN : EVENT_OPEN);
	else if (call->operation == ANALYSIS_CLOSE)
		synchronise(touched, call->record, mpi ? EVENT_MPI_CLOSE : EVENT_CLOSE);
	else if (mpi)
		synchronise(touched, call->record, EVENT_MPI_SYNC);
	else if (strcmp(call->about->name, "stdio")) /* fflush() does not */
		synchronise(touched, call->record, EVENT_COMMIT);
	return 0;
}

static bool is_transfer(const struct file_call *call)
{
	return call->about->height == HEIGHT_SYSTEM &&
	       (call->operation == ANALYSIS_READ || call->operation == ANALYSIS_WRITE ||
		call->operation == ANALYSIS_COPY ||
		(call->operation == ANALYSIS_COMPLETION && call->size_class >= 0));
}

static bool is_event(const struct file_call *call)
{
	return (call->operation == ANALYSIS_OPEN || call->operation == ANALYSIS_CLOSE ||
		call->operation == ANALYSIS_SYNC) &&
	       call->about->height < HEIGHT_ABOVE &&
	       call->function->position.role != POSITION_COPIES;
}

int touches_take(struct touches *touches, const struct facts *facts, const struct file_call *call,
		 uint32_t file)
{
	bool event = is_event(call);
	int64_t bytes = call->bytes_read + call->bytes_written;
	struct touched *touched;

	if (!facts->tracks_bytes || call->class_ != ANALYSIS_DATA ||
	    !(event || (bytes > 0 && is_transfer(call))))
		return 0;
	touched = touched_of(touches, file, call->rank);
	if (!touched)
		return -ENOMEM;
	if (event)
		return take_event(touched, facts, call);
	if (call->begin < 0 || call->begin > INT64_MAX / 4 || bytes > INT64_MAX / 4 ||
	    (touched->appends && call->direction == ANALYSIS_WRITES)) {
		touched->unknown[call->direction == ANALYSIS_WRITES] += call->record->repeat;
		return 0;
	}
	return transfer(touched, call, bytes, call->direction == ANALYSIS_WRITES);
}

static int keep_touch(struct touches *touches, const struct touch *touch)
{
	struct touch *list =
		rows_grown(touches->list, &touches->room, touches->count, sizeof(*list));

	if (!list)
		return -ENOMEM;
	touches->list = list;
	list[touches->count++] = *touch;
	return 0;
}

static int keep_untold(struct touches *touches, const struct untold *untold)
{
	struct untold *list = rows_grown(touches->untold, &touches->untold_room,
					 touches->untold_count, sizeof(*list));

	if (!list)
		return -ENOMEM;
	touches->untold = list;
	list[touches->untold_count++] = *untold;
	return 0;
}

/* What a stream did with a file in a direction joins what others did. */
static int keep(struct touches *touches, struct touched *touched, unsigned direction)
{
	const struct untold untold = {.count = touched->unknown[direction],
				      .file = touched->file,
				      .rank = touched->rank,
				      .write = direction};
	int error = untold.count ? keep_untold(touches, &untold) : 0;

	fold(touched, direction);
	for (uint32_t i = 0; i < touched->counts[direction] && !error; i++)
		error = keep_touch(touches, &touched->lists[direction][i]);
	return error;
}

int touches_end_stream(struct touches *touches)
{
	int error = 0;

	for (uint32_t i = 0; i < touches->open_count; i++) {
		touches->open_of[touches->open[i].file] = 0;
		for (unsigned direction = 0; direction < 2; direction++) {
			if (!error)
				error = keep(touches, &touches->open[i], direction);
			free(touches->open[i].lists[direction]);
		}
	}
	free(touches->open);
	touches->open = NULL;
	touches->open_room = touches->open_count = 0;
	return error;
}

int touches_merge(struct touches *into, const struct touches *from, const uint32_t *files)
{
	int error = 0;

	for (uint32_t i = 0; i < from->count && !error; i++) {
		struct touch touch = from->list[i];

		touch.file = files[touch.file];
		error = keep_touch(into, &touch);
	}
	for (uint32_t i = 0; i < from->untold_count && !error; i++) {
		struct untold untold = from->untold[i];

		untold.file = files[untold.file];
		error = keep_untold(into, &untold);
	}
	return error;
}

void touches_release(struct touches *touches)
{
	touches_end_stream(touches);
	free(touches->open_of);
	free(touches->list);
	free(touches->untold);
}
