/* SPDX-License-Identifier: MIT */
/* to_events.c - see to_events.h */
#include "to_events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bandwidth.h"
#include "causes.h"
#include "crew.h"
#include "events.h"
#include "follow.h"
#include "link_parcels.h"
#include "links.h"
#include "message.h"
#include "options.h"
#include "outputs.h"
#include "parcels.h"
#include "progress.h"
#include "turns.h"

enum { PATH = TURNS_FREE_TYPE, ENDS, MOVED, CAUSES };

struct convert {
	struct walk *walk;
	struct convert_options *options;
	struct parcels parcels; /* of records, and behind them */
	struct link_parcels links;
	struct ranks who;
	struct crew *crew; /* NULL: one process */
	struct output output;
	const char *path;
	struct text_deflater *deflater; /* NULL: no gzip */
	struct turns turns;
	struct out_events events;
	struct reader_cursor *cursor; /* of pieces, once there was one */
	bool in_half;                 /* it is in the middle of one, which is divided */
	struct follow *follow;
	uint32_t next_make; /* behind the one that was made last */
	uint32_t problems;  /* told so far */
	struct buffer body;
};

static _Noreturn void fail(const struct convert *convert, int error)
{
	output_die(convert->path, error);
}

static void check(const struct convert *convert, int error)
{
	if (error)
		fail(convert, error);
}

/* ---- making ---- */

/* Goes from the first half of a piece to another one: requests are those at the end of the whole. */
static void leave_half(struct convert *convert, const struct reader_piece *next)
{
	const struct recorder_record *record;

	if (!follow_leaves(convert->follow, next))
		return;
	while ((record = reader_next(convert->cursor)))
		if (!(record->flags & RECORDER_IN_FLIGHT))
			check(convert, follow_take(convert->follow, record));
	check(convert, reader_cursor_status(convert->cursor));
}

static void go_to(struct convert *convert, const struct reader_piece *piece)
{
	struct reader_filter filter = options.filter;

	if (convert->in_half)
		leave_half(convert, piece);
	convert->in_half = false;
	filter.piece = piece;
	if (!convert->cursor)
		convert->cursor = reader_cursor_new(convert->walk->trace, &filter);
	else if (reader_move(convert->cursor, piece))
		die("%s", reader_error(convert->walk->trace));
	if (!convert->cursor)
		die("%s", reader_error(convert->walk->trace));
	follow_piece(convert->follow, piece);
}

/* Ends a segment: one process alone has done with it then. */
static int cut(struct convert *convert, struct made *made)
{
	if (convert->crew)
		return made_cut(made);
	turns_write(&convert->turns, made);
	return 0;
}

/* Reads over what comes before a parcel that begins within a piece. */
static int pass_records(struct convert *convert, uint64_t count)
{
	const struct recorder_record *record = NULL;
	int error = 0;

	while (count-- > 0 && !error && (record = reader_next(convert->cursor)))
		error = events_pass(&convert->events, record);
	return error;
}

/* The cursor is at the parcel's first record in that piece. */
static int make_piece(struct convert *convert, struct made *made, const struct parcel *parcel)
{
	const struct recorder_record *record;
	int error = 0;

	for (uint64_t at = parcel->from; at < parcel->until && !error; at++) {
		record = reader_next(convert->cursor);
		if (!record)
			break;
		error = convert->options->form->call(&convert->events, record);
		convert->walk->records += !(record->flags & RECORDER_IN_FLIGHT);
		if (!error && made_is_full(made))
			error = cut(convert, made);
	}
	if (reader_cursor_status(convert->cursor))
		die("%s", reader_error(convert->walk->trace));
	return error;
}

static int make_pieces(struct convert *convert, struct made *made, const struct parcel *parcel,
		       bool goes_on)
{
	int error = 0;

	for (uint32_t i = parcel->first; i < parcel->end && !error; i++) {
		if (!goes_on) {
			go_to(convert, &convert->parcels.pieces[i]);
			error = pass_records(convert, parcel->from);
		}
		error = error ? error : make_piece(convert, made, parcel);
	}
	convert->in_half = parcel->until != UINT64_MAX;
	return error;
}

static void begin_made(struct convert *convert, struct made *made, uint32_t number, bool goes_on)
{
	check(convert, made_begin(made, number));
	convert->events.output = &made->text;
	convert->events.names = &made->names;
	convert->options->form->part(&convert->events, goes_on);
}

/* What went on in a process, as far as its next calls tell it. */
static int make_operations(struct convert *convert, struct made *made, uint32_t number)
{
	const struct link_parcel *parcel =
		&convert->links.operations[number - convert->links.first_operation];
	int more = parcel->begins ? links_begin(convert->events.links, parcel->process) : 0;

	if (more < 0)
		return more;
	more = 1;
	for (uint32_t i = 0; more > 0 && (i < PARCEL_RECORDS || parcel->ends); i++) {
		more = links_step(convert->events.links);
		if (more >= 0 && made_is_full(made))
			check(convert, cut(convert, made));
	}
	return more < 0 ? more : 0;
}

static int make_messages(struct convert *convert, unsigned part)
{
	struct flows *flows = links_flows(convert->events.links);
	uint64_t before = flows_count(flows);
	int error = flows_put(flows, part, convert->parcels.count - convert->links.first_message);

	convert->events.messages += flows_count(flows) - before;
	return error;
}

static void make(struct convert *convert, struct made *made, uint32_t number)
{
	const struct parcel *parcel = &convert->parcels.items[number];
	/* the first half of its piece has just been made here */
	bool goes_on = parcel->from > 0 && number == convert->next_make;

	convert->next_make = number + 1;
	begin_made(convert, made, number, goes_on);
	check(convert, make_pieces(convert, made, parcel, goes_on));
	if (number >= convert->links.first_message)
		check(convert, make_messages(convert, number - convert->links.first_message));
	else if (number >= convert->links.first_operation)
		check(convert, make_operations(convert, made, number));
	check(convert, cut(convert, made));
}

static void make_all_alone(struct convert *convert)
{
	for (uint32_t i = 0; i < convert->parcels.count; i++) {
		make(convert, turns_spare(&convert->turns), i);
		progress_report("reading", i + 1, convert->parcels.count);
	}
}

static void make_own(struct convert *convert, uint32_t number)
{
	struct made *made = turns_spare(&convert->turns);
	/* not what was heard of others meanwhile */
	uint64_t records = convert->walk->records, messages = convert->events.messages;
	uint32_t problems;

	make(convert, made, number);
	problems = (uint32_t)reader_problem_count(convert->walk->trace) - convert->problems;
	convert->problems += problems;
	turns_queue(&convert->turns, made,
		    &(struct turns_part){.records = convert->walk->records - records,
					 .messages = convert->events.messages - messages,
					 .problems = problems});
}

static void heard_of_other(void *data, const struct turns_part *part)
{
	struct convert *convert = data;

	convert->walk->records += part->records;
	convert->events.messages += part->messages;
	convert->options->problems += part->problems;
}

/* Messages are found from the ends that everybody knows. */
static void share_ends(struct convert *convert)
{
	struct flows *flows = links_flows(convert->events.links);

	flows_share(flows, &convert->body);
	crew_say(convert->crew, ENDS, convert->body.bytes, convert->body.size);
	for (unsigned i = 0; i < convert->who.count; i++) {
		if (i == convert->who.number)
			continue;
		turns_hear(&convert->turns, i, ENDS, &convert->body);
		check(convert, flows_hear(flows, convert->body.bytes, convert->body.size));
	}
}

/* The leader adds up what processes have moved. */
static void share_moved(struct convert *convert)
{
	struct bandwidth *bandwidth = convert->events.bandwidth;

	if (!bandwidth)
		return;
	if (convert->who.number > 0) {
		buffer_clear(&convert->body);
		bandwidth_share(bandwidth, &convert->body);
		crew_say(convert->crew, MOVED, convert->body.bytes, convert->body.size);
		return;
	}
	for (unsigned i = 1; i < convert->who.count; i++) {
		turns_hear(&convert->turns, i, MOVED, &convert->body);
		check(convert, bandwidth_add(bandwidth, convert->body.bytes, convert->body.size));
	}
}

/* The leader draws what all have gathered. */
static void share_causes(struct convert *convert)
{
	struct causes *causes = convert->events.causes;

	if (!causes || !causes_has_any(causes))
		return;
	if (convert->who.number > 0) {
		buffer_clear(&convert->body);
		causes_share(causes, &convert->body);
		crew_say(convert->crew, CAUSES, convert->body.bytes, convert->body.size);
		return;
	}
	for (unsigned i = 1; i < convert->who.count; i++) {
		turns_hear(&convert->turns, i, CAUSES, &convert->body);
		check(convert, causes_hear(causes, convert->body.bytes, convert->body.size));
	}
}

static void make_together(struct convert *convert)
{
	convert->problems = (uint32_t)reader_problem_count(convert->walk->trace);
	for (uint32_t i = 0; i < convert->parcels.count; i++) {
		if (i == convert->links.first_message)
			share_ends(convert);
		if (convert->parcels.items[i].owner == convert->who.number)
			make_own(convert, i);
	}
	turns_finish(&convert->turns);
	share_moved(convert);
	share_causes(convert);
}

/* ---- the whole ---- */

static void open_output(struct convert *convert)
{
	struct output_options output_options = {.force = convert->options->force, .jobs = 1};

	check(convert, output_open(&convert->output, convert->path, &output_options));
	convert->turns.fd = convert->output.fd;
	convert->turns.in_place = convert->output.temporary != NULL;
}

/* The leader's file: its final name, or the temporary one that all write to. */
static void open_leaders_output(struct convert *convert)
{
	while (!crew_hear(convert->crew, 0, 0, PATH, &convert->body))
		crew_wait(convert->crew, 0);
	buffer_add(&convert->body, "", 1);
	convert->turns.in_place = convert->body.bytes[0] == 'T';
	convert->turns.fd = open((const char *)convert->body.bytes + 1, O_WRONLY | O_CLOEXEC);
	if (convert->turns.fd < 0)
		die("cannot open '%s': %s", (const char *)convert->body.bytes + 1, strerror(errno));
}

static void say_path(struct convert *convert)
{
	const char *path = convert->turns.in_place ? convert->output.temporary : convert->path;

	buffer_clear(&convert->body);
	buffer_add_text(&convert->body, convert->turns.in_place ? "T" : "P");
	buffer_add_text(&convert->body, path);
	crew_say(convert->crew, PATH, convert->body.bytes, convert->body.size);
}

static uint64_t fingerprint(const struct convert *convert)
{
	const struct walk *walk = convert->walk;
	uint64_t numbers[] = {parcels_fingerprint(&convert->parcels),
			      (uint64_t)walk->info.start,
			      walk->info.streams,
			      convert->options->gzip,
			      convert->options->no_args,
			      convert->options->show_stacks,
			      convert->options->later,
			      convert->options->form == &out_chrome_form};

	return name_hash((const char *)numbers, sizeof(numbers));
}

static void begin(struct convert *convert)
{
	convert->turns = (struct turns){.parcels = &convert->parcels,
					.path = convert->path,
					.head = convert->options->form->head,
					.gzip = convert->options->gzip,
					.heard = heard_of_other,
					.data = convert,
					.fd = -1};
	if (convert->options->alone)
		convert->who = (struct ranks){.count = 1};
	else
		ranks_init(&convert->who, convert->path, convert->options->jobs,
			   convert->parcels.count);
	parcels_deal(&convert->parcels, convert->who.count);
	if (convert->who.launched && !strcmp(convert->path, "-"))
		die("ranks that work together need a file to write to (-o FILE)");
	if (!convert->who.launched)
		open_output(convert);
	if (convert->who.launched || convert->who.count > 1)
		convert->crew = crew_start(&convert->who, fingerprint(convert));
	if (convert->crew)
		convert->who.number = crew_number(convert->crew);
	convert->turns.crew = convert->crew;
	convert->turns.number = convert->who.number;
	convert->turns.count = convert->who.count;
	if (!convert->who.launched)
		return;
	if (convert->who.number > 0) {
		open_leaders_output(convert);
		return;
	}
	open_output(convert);
	say_path(convert);
}

/* What has to be done, before it is known by how many. */
static void plan(struct convert *convert)
{
	convert->events.no_args = convert->options->no_args;
	convert->events.show_stacks = convert->options->show_stacks;
	convert->events.later = convert->options->later;
	check(convert, convert->options->form->begin(&convert->events, convert->walk));
	parcels_init(&convert->parcels, convert->walk->trace, &options.filter);
	check(convert, parcels_halve(&convert->parcels));
	check(convert, link_parcels_add(&convert->links, &convert->parcels, &convert->events));
}

static void prepare(struct convert *convert)
{
	if (convert->options->gzip) {
		convert->deflater = text_deflater_new();
		check(convert, convert->deflater ? 0 : -ENOMEM);
	}
	turns_init(&convert->turns, convert->deflater);
	convert->follow =
		follow_new(convert->walk->trace, &options.filter, convert->events.meaning);
	check(convert, convert->follow ? 0 : -ENOMEM);
	convert->events.follow = convert->follow;
}

/* Streams without records, losses, the end. */
static void write_tail(struct convert *convert)
{
	struct made *made = turns_spare(&convert->turns);

	begin_made(convert, made, convert->parcels.count, false);
	convert->events.problems = convert->options->problems;
	check(convert, convert->options->form->end(&convert->events, convert->turns.known));
	turns_write(&convert->turns, made);
	turns_end(&convert->turns);
}

static void release(struct convert *convert)
{
	out_events_release(&convert->events);
	follow_free(convert->follow);
	reader_cursor_free(convert->cursor);
	turns_release(&convert->turns);
	text_deflater_free(convert->deflater);
	buffer_release(&convert->body);
	parcels_release(&convert->parcels);
	link_parcels_release(&convert->links);
	ranks_release(&convert->who);
}

static void finish_share(struct convert *convert)
{
	/* network file systems tell of a full disk only now */
	if (convert->who.launched && close(convert->turns.fd))
		fail(convert, -errno);
	crew_leave(convert->crew);
	release(convert);
}

bool convert_events(struct walk *walk, const char *path, struct convert_options *convert_options)
{
	struct convert convert = {.walk = walk, .options = convert_options, .path = path};

	plan(&convert);
	begin(&convert);
	prepare(&convert);
	if (convert.crew)
		make_together(&convert);
	else
		make_all_alone(&convert);
	progress_clear();
	if (convert.who.number > 0) {
		finish_share(&convert);
		return false;
	}
	if (convert.crew)
		crew_gather(convert.crew);
	write_tail(&convert);
	check(&convert, output_commit(&convert.output));
	if (convert.crew)
		crew_end(convert.crew);
	release(&convert);
	return true;
}
