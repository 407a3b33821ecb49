/* SPDX-License-Identifier: MIT */
/* to_events.c - see to_events.h */
#include "to_events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bandwidth.h"
#include "crew.h"
#include "events.h"
#include "follow.h"
#include "link_parcels.h"
#include "links.h"
#include "made.h"
#include "message.h"
#include "options.h"
#include "outputs.h"
#include "parcels.h"
#include "progress.h"

#define AHEAD 3u /* parcels that a process holds in memory */

enum { PATH = CREW_FIRST_TYPE, NAMES, PART, ENDS, MOVED };
enum { EAR_NAMES, EAR_PARTS, EAR_OTHERS };

/* What is said of a parcel. */
struct part {
	uint64_t size, plain, records, messages;
	uint32_t crc, problems;
};

struct convert {
	struct walk *walk;
	struct convert_options *options;
	struct parcels parcels; /* of records, and behind them */
	struct link_parcels links;
	struct ranks who;
	struct crew *crew; /* NULL: one process */
	struct output output;
	bool in_place; /* each writes at its place; else into a pipe or the like, in turn */
	int fd;
	const char *path;
	struct block_deflater deflater;
	struct out_events events;
	struct reader_cursor *cursor; /* of pieces, once there was one */
	bool in_half;                 /* it is in the middle of one, which is divided */
	struct follow *follow;
	struct made made[AHEAD];
	struct part parts[AHEAD];
	unsigned queue[AHEAD]; /* which of them wait to be written, in order */
	unsigned spare
		[AHEAD]; /* the others; the one that was used last is at the end, and taken first: it may be in the cache */
	unsigned used;
	struct hash_set *known;         /* names of parcels until next_names */
	uint32_t next_names, next_part; /* parcels */
	uint32_t next_make;             /* behind the one that was made last */
	uint64_t size, plain;           /* written until next_part */
	uint32_t crc;
	uint32_t problems; /* told so far */
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

/* ---- writing ---- */

/* Bytes and the place in the file where the next ones go. */
struct place {
	const struct convert *convert;
	uint64_t offset;
};

static int put(void *data, const void *bytes, size_t size)
{
	struct place *place = data;

	if (place->convert->in_place && place->convert->crew)
		return output_write_at(place->convert->fd, bytes, size, &place->offset);
	return output_write(place->convert->fd, bytes, size);
}

static void add_part(struct convert *convert, const struct part *part)
{
	convert->size += part->size;
	convert->plain += part->plain;
	if (convert->options->gzip)
		convert->crc =
			(uint32_t)crc32_combine(convert->crc, part->crc, (z_off_t)part->plain);
}

static struct part part_of(const struct made *made)
{
	return (struct part){.size = made->size, .plain = made->plain, .crc = made->crc};
}

static void settle(struct convert *convert, struct made *made, bool first)
{
	check(convert,
	      made_settle(made, convert->known, first ? convert->options->form->head : ""));
}

static void write_made(struct convert *convert, const struct made *made)
{
	struct place place = {convert, convert->size};

	check(convert, made_write(made, put, &place));
}

/* ---- one process: segments are written as they are made ---- */

static void write_segment(struct convert *convert, struct made *made)
{
	struct part part;

	check(convert, made_cut(made));
	settle(convert, made, convert->plain == 0);
	write_made(convert, made);
	part = part_of(made);
	add_part(convert, &part);
	made_drop(made);
}

/* ---- several: parcels take their turn ---- */

static unsigned owner_of(const struct convert *convert, uint32_t parcel)
{
	return convert->parcels.items[parcel].owner;
}

static void add_names(struct convert *convert, const struct buffer *keys)
{
	uint64_t key;

	for (size_t i = 0; i + sizeof(key) <= keys->size; i += sizeof(key)) {
		memcpy(&key, keys->bytes + i, sizeof(key));
		hash_set_add(convert->known, key);
	}
}

/* It is the turn of a parcel of ours to define its names; then its size is known. */
static void settle_own(struct convert *convert, unsigned at)
{
	struct made *made = &convert->made[at];
	struct part *part = &convert->parts[at];
	struct part settled;

	settle(convert, made, convert->next_names == 0);
	settled = part_of(made);
	settled.records = part->records;
	settled.messages = part->messages;
	settled.problems = part->problems;
	*part = settled;
	if (convert->in_place)
		crew_say(convert->crew, PART, part, sizeof(*part));
}

/* The names of the next parcel, if they are there. */
static bool take_names(struct convert *convert)
{
	unsigned owner = owner_of(convert, convert->next_names), at = 0;

	if (owner == convert->who.number) {
		while (at < convert->used &&
		       convert->made[convert->queue[at]].number != convert->next_names)
			at++;
		if (at == convert->used)
			return false;
		settle_own(convert, convert->queue[at]);
	} else {
		if (!crew_hear(convert->crew, owner, EAR_NAMES, NAMES, &convert->body))
			return false;
		add_names(convert, &convert->body);
	}
	convert->next_names++;
	return true;
}

static void write_first(struct convert *convert)
{
	unsigned first = convert->queue[0];
	const struct part *part = &convert->parts[first];

	write_made(convert, &convert->made[first]);
	if (!convert->in_place)
		crew_say(convert->crew, PART, part, sizeof(*part));
	add_part(convert, part);
	convert->used--;
	memmove(convert->queue, convert->queue + 1, convert->used * sizeof(convert->queue[0]));
	convert->spare[AHEAD - 1 - convert->used] = first;
}

/* The place of the next parcel, if it is known; if it is ours it is written. */
static bool take_part(struct convert *convert)
{
	unsigned owner = owner_of(convert, convert->next_part);
	struct part part;

	if (convert->next_part >= convert->next_names)
		return false;
	if (owner == convert->who.number) {
		write_first(convert);
	} else {
		if (!crew_hear(convert->crew, owner, EAR_PARTS, PART, &convert->body) ||
		    convert->body.size != sizeof(part))
			return false;
		memcpy(&part, convert->body.bytes, sizeof(part));
		add_part(convert, &part);
		convert->walk->records += part.records;
		convert->events.messages += part.messages;
		convert->options->problems += part.problems;
	}
	convert->next_part++;
	if (convert->who.number == 0)
		progress_report("reading", convert->next_part, convert->parcels.count);
	return true;
}

/* Does what can be done; if that is nothing, and `wait`, waits for another process. */
static void advance(struct convert *convert, bool wait)
{
	bool moved = false;

	while (convert->next_names < convert->parcels.count && take_names(convert))
		moved = true;
	while (convert->next_part < convert->parcels.count && take_part(convert))
		moved = true;
	if (moved || !wait)
		return;
	crew_wait(convert->crew, owner_of(convert, convert->next_part < convert->next_names
							   ? convert->next_part
							   : convert->next_names));
}

static void say_names(struct convert *convert, const struct made *made)
{
	const struct name *names = (const struct name *)made->names.list.bytes;

	buffer_clear(&convert->body);
	for (size_t i = 0; i < made->names.list.size / sizeof(*names); i++)
		buffer_add(&convert->body, &names[i].key, sizeof(names[i].key));
	crew_say(convert->crew, NAMES, convert->body.bytes, convert->body.size);
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
	write_segment(convert, made);
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
		make(convert, &convert->made[0], i);
		progress_report("reading", i + 1, convert->parcels.count);
	}
}

static void make_own(struct convert *convert, uint32_t number)
{
	uint64_t records, messages;
	uint32_t problems;
	unsigned at;

	while (convert->used == AHEAD)
		advance(convert, true);
	at = convert->spare[AHEAD - 1 - convert->used];
	/* not what is heard of others meanwhile */
	records = convert->walk->records;
	messages = convert->events.messages;
	make(convert, &convert->made[at], number);
	problems = (uint32_t)reader_problem_count(convert->walk->trace);
	convert->parts[at] = (struct part){.records = convert->walk->records - records,
					   .messages = convert->events.messages - messages,
					   .problems = problems - convert->problems};
	convert->problems = problems;
	convert->queue[convert->used++] = at;
	say_names(convert, &convert->made[at]);
	advance(convert, false);
}

/* What a process has to know of all others. It goes on with what they wait for. */
static void hear_other(struct convert *convert, unsigned number, uint32_t type)
{
	while (!crew_hear(convert->crew, number, EAR_OTHERS, type, &convert->body)) {
		advance(convert, false);
		crew_wait(convert->crew, number);
	}
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
		hear_other(convert, i, ENDS);
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
		hear_other(convert, i, MOVED);
		check(convert, bandwidth_add(bandwidth, convert->body.bytes, convert->body.size));
	}
}

static void make_together(struct convert *convert)
{
	convert->problems = (uint32_t)reader_problem_count(convert->walk->trace);
	for (uint32_t i = 0; i < convert->parcels.count; i++) {
		if (i == convert->links.first_message)
			share_ends(convert);
		if (owner_of(convert, i) == convert->who.number)
			make_own(convert, i);
	}
	while (convert->used > 0 ||
	       (convert->who.number == 0 && convert->next_part < convert->parcels.count))
		advance(convert, true);
	share_moved(convert);
}

/* ---- the whole ---- */

static void open_output(struct convert *convert)
{
	struct output_options output_options = {.force = convert->options->force, .jobs = 1};

	check(convert, output_open(&convert->output, convert->path, &output_options));
	convert->fd = convert->output.fd;
	convert->in_place = convert->output.temporary != NULL;
}

/* The leader's file: its final name, or the temporary one that all write to. */
static void open_leaders_output(struct convert *convert)
{
	while (!crew_hear(convert->crew, 0, 0, PATH, &convert->body))
		crew_wait(convert->crew, 0);
	buffer_add(&convert->body, "", 1);
	convert->in_place = convert->body.bytes[0] == 'T';
	convert->fd = open((const char *)convert->body.bytes + 1, O_WRONLY | O_CLOEXEC);
	if (convert->fd < 0)
		die("cannot open '%s': %s", (const char *)convert->body.bytes + 1, strerror(errno));
}

static void say_path(struct convert *convert)
{
	const char *path = convert->in_place ? convert->output.temporary : convert->path;

	buffer_clear(&convert->body);
	buffer_add_text(&convert->body, convert->in_place ? "T" : "P");
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
	ranks_init(&convert->who, convert->path, convert->options->jobs, convert->parcels.count);
	parcels_deal(&convert->parcels, convert->who.count);
	if (convert->who.launched && !strcmp(convert->path, "-"))
		die("ranks that work together need a file to write to (-o FILE)");
	if (!convert->who.launched)
		open_output(convert);
	if (convert->who.launched || convert->who.count > 1)
		convert->crew = crew_start(&convert->who, fingerprint(convert));
	if (convert->crew)
		convert->who.number = crew_number(convert->crew);
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
	struct block_deflater *deflater = convert->options->gzip ? &convert->deflater : NULL;

	check(convert, deflater ? block_deflater_init(deflater) : 0);
	for (unsigned i = 0; i < (convert->crew ? AHEAD : 1); i++) {
		check(convert, made_init(&convert->made[i], deflater));
		convert->spare[i] = i;
	}
	convert->known = hash_set_new();
	check(convert, convert->known ? 0 : -ENOMEM);
	convert->follow =
		follow_new(convert->walk->trace, &options.filter, convert->events.meaning);
	check(convert, convert->follow ? 0 : -ENOMEM);
	convert->events.follow = convert->follow;
}

static void write_head(struct convert *convert)
{
	struct place place = {convert, 0};

	if (!convert->options->gzip)
		return;
	if (convert->who.number == 0)
		check(convert, put(&place, gzip_header, sizeof(gzip_header)));
	convert->size = sizeof(gzip_header);
}

/* Streams without records, losses, the end. */
static void write_tail(struct convert *convert)
{
	struct made *made = &convert->made[0];
	uint8_t trailer[GZIP_TRAILER_SIZE];
	struct place place;

	begin_made(convert, made, convert->parcels.count, false);
	convert->events.problems = convert->options->problems;
	check(convert, convert->options->form->end(&convert->events, convert->known));
	write_segment(convert, made);
	if (!convert->options->gzip)
		return;
	place = (struct place){convert, convert->size};
	gzip_trailer(trailer, convert->crc, convert->plain);
	check(convert, put(&place, trailer, sizeof(trailer)));
}

static void release(struct convert *convert)
{
	out_events_release(&convert->events);
	follow_free(convert->follow);
	reader_cursor_free(convert->cursor);
	for (unsigned i = 0; i < AHEAD && convert->made[i].text.buffer; i++)
		made_release(&convert->made[i]);
	block_deflater_release(&convert->deflater);
	hash_set_free(convert->known);
	buffer_release(&convert->body);
	parcels_release(&convert->parcels);
	link_parcels_release(&convert->links);
	ranks_release(&convert->who);
}

static void finish_share(struct convert *convert)
{
	/* network file systems tell of a full disk only now */
	if (convert->who.launched && close(convert->fd))
		fail(convert, -errno);
	crew_leave(convert->crew);
	release(convert);
}

bool convert_events(struct walk *walk, const char *path, struct convert_options *convert_options)
{
	struct convert convert = {.walk = walk, .options = convert_options, .path = path, .fd = -1};

	plan(&convert);
	begin(&convert);
	prepare(&convert);
	write_head(&convert);
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
