/* SPDX-License-Identifier: MIT */
/* verify.c - see verify.h */
#include "read/verify.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/reader.h>

#include "format/chunk.h"
#include "read/body.h"
#include "read/chunk_reader.h"
#include "read/streams.h"
#include "read/trace.h"

struct verifier {
	struct reader *trace;
	struct stream *stream;
	struct segment *segment; /* the file that is looked at */
	struct chunk_reader *chunks;
	struct body body;
	uint64_t *calls;    /* by func_id, of the stream */
	uint64_t done, all; /* records, for whoever wants to see progress */
};

static void wrong(struct verifier *verifier, uint64_t offset, const char *what, uint64_t said,
		  uint64_t found)
{
	problem(verifier->trace, "%s/%s: offset %llu: %s: %llu said, %llu found",
		verifier->trace->dir, segment_file(verifier->segment), (unsigned long long)offset,
		what, (unsigned long long)said, (unsigned long long)found);
}

/* ---- DATA chunks ---- */

struct chunk_facts {
	uint64_t t_min, t_max, before, last_start;
	uint32_t count, carried;
	bool disordered, repeats, no_call;
};

/* What is known of a thread's chunks so far. */
struct thread_facts {
	uint64_t sequence; /* that follows */
	uint64_t tend;     /* of the last record, rounded to `unit` */
	uint64_t tstart;   /* the largest */
	uint64_t unit;
};

static void gather(struct verifier *verifier, struct chunk_facts *facts, const struct chunk *chunk,
		   const struct raw_record *record)
{
	const struct function *function =
		definitions_function(&verifier->stream->defs, record->function);

	verifier->calls[function->info.id] += record->repeat;
	facts->count++;
	facts->carried += record->tstart < chunk->t_base;
	facts->disordered |= record->tend < facts->before || record->tstart > record->tend;
	facts->repeats |= record->repeat > 1;
	facts->no_call |= record->repeat == 0;
	facts->before = record->tend;
	if (record->tstart > facts->last_start)
		facts->last_start = record->tstart;
	if (record->tstart < facts->t_min)
		facts->t_min = record->tstart;
	if (record->tend > facts->t_max)
		facts->t_max = record->tend;
}

/*
 * t_base is the end of the record before, in this chunk's unit: the other chunk may have had a
 * larger one.
 */
static void compare_base(struct verifier *verifier, const struct chunk *chunk,
			 const struct thread_facts *thread)
{
	uint64_t unit, phase, low, high;

	chunk_reader_unit(verifier->chunks, &unit, &phase);
	if (thread->tend < phase)
		return;
	low = (thread->tend - phase) / unit * unit + phase;
	high = (thread->tend + thread->unit - 1 - phase) / unit * unit + phase;
	if (chunk->first_sequence == thread->sequence && chunk->skip == 0 &&
	    (chunk->t_base < low || chunk->t_base > high))
		wrong(verifier, chunk->offset, "t_base", chunk->t_base, low);
	else if (thread->tstart > chunk->t_base + (unit > thread->unit ? unit : thread->unit))
		wrong(verifier, chunk->offset, "t_base before a call of an earlier chunk",
		      chunk->t_base, thread->tstart);
}

static void compare(struct verifier *verifier, const struct chunk *chunk,
		    const struct chunk_facts *facts)
{
	if (facts->disordered)
		wrong(verifier, chunk->offset, "records out of the order of their ends", 0, 1);
	if (facts->no_call)
		wrong(verifier, chunk->offset, "records that stand for no call", 0, 1);
	if (chunk->skip > 0 || facts->count == 0)
		return;
	if (data_is_loop(chunk->encoding) ? facts->t_min < chunk->t_min
					  : facts->t_min != chunk->t_min)
		wrong(verifier, chunk->offset, "first tstart", chunk->t_min, facts->t_min);
	if (facts->t_max != chunk->t_max)
		wrong(verifier, chunk->offset, "last tend", chunk->t_max, facts->t_max);
	if (facts->carried != chunk->carried)
		wrong(verifier, chunk->offset, "carried records", chunk->carried, facts->carried);
	if (facts->repeats && !(chunk->flags & CHUNK_REPEATS))
		wrong(verifier, chunk->offset, "chunks with repeated records", 0, 1);
}

static int verify_chunk(struct verifier *verifier, const struct thread *thread, uint32_t number,
			struct thread_facts *so_far)
{
	const struct chunk *chunk = &thread->chunks[number];
	struct chunk_facts facts = {.t_min = UINT64_MAX, .before = chunk->t_base};
	int error = chunk_reader_open(verifier->chunks, thread, number, NULL);
	const struct raw_record *record;
	uint64_t phase;

	verifier->segment = stream_segment(verifier->stream, chunk->segment);
	if (error)
		return error == -ENOMEM ? error : 0;
	while ((record = chunk_reader_next(verifier->chunks)))
		gather(verifier, &facts, chunk, record);
	/* The header of a ring's records is our own. */
	if (!thread_is_tail(thread, number)) {
		compare(verifier, chunk, &facts);
		if (so_far->sequence > 0)
			compare_base(verifier, chunk, so_far);
	}
	chunk_reader_unit(verifier->chunks, &so_far->unit, &phase);
	verifier->done += chunk->count;
	if (verifier->trace->progress)
		verifier->trace->progress(verifier->trace->progress_data, READER_VERIFYING,
					  verifier->done, verifier->all);
	so_far->sequence = chunk->first_sequence + chunk->count;
	so_far->tend = facts.before;
	if (facts.last_start > so_far->tstart)
		so_far->tstart = facts.last_start;
	return 0;
}

static int verify_thread(struct verifier *verifier, const struct thread *thread)
{
	struct thread_facts so_far = {.unit = 1};

	for (uint32_t i = 0; i < thread->chunk_count; i++) {
		int error = verify_chunk(verifier, thread, i, &so_far);

		if (error)
			return error;
	}
	return 0;
}

/* ---- what the .lm and END chunks count ---- */

static void wrong_in_lm(struct verifier *verifier, const char *what, uint64_t said, uint64_t found)
{
	const struct stream *stream = verifier->stream;

	problem(verifier->trace, "%s/%s%s: %s: %llu said, %llu found", verifier->trace->dir,
		stream->newest.lm_name,
		stream->closed_count > 0 ? " and those of closed segments" : "", what,
		(unsigned long long)said, (unsigned long long)found);
}

/* Threads that go on after the process has counted make more. */
static void verify_count(struct verifier *verifier, const struct reader_function_info *info,
			 uint64_t said)
{
	const struct stream *stream = verifier->stream;
	uint64_t found = verifier->calls[info->id];
	char what[512];

	if (said == found ||
	    (said < found && stream->stored > metadata_u64(&stream->lm, "records", 0)))
		return;
	snprintf(what, sizeof(what), "calls of %s.%s", info->layer, info->name);
	wrong_in_lm(verifier, what, said, found);
}

/* calls.LAYER.FUNCTION, as it was before 1.1 */
static void verify_named_calls(struct verifier *verifier)
{
	const struct functions *functions = &verifier->trace->functions;
	const struct metadata *lm = &verifier->stream->lm;
	char key[512];

	for (uint32_t i = 0; i < functions->count; i++) {
		const struct reader_function_info *info = &functions->items[i]->info;

		snprintf(key, sizeof(key), "calls.%s.%s", info->layer, info->name);
		if (metadata_get(lm, key))
			verify_count(verifier, info, metadata_u64(lm, key, 0));
	}
}

static bool take_number(const char **text, unsigned long long *number)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*number = strtoull(*text, &end, 10);
	*text = end;
	return true;
}

/* "3=17 5=1"; what is written otherwise ends the list. */
static void verify_calls(struct verifier *verifier)
{
	const char *text = metadata_text(&verifier->stream->lm, "calls");
	unsigned long long id, said;

	verify_named_calls(verifier);
	while (take_number(&text, &id) && *text++ == '=' && take_number(&text, &said)) {
		const struct function *function =
			id > UINT16_MAX
				? NULL
				: definitions_function(&verifier->stream->defs, (unsigned)id);

		if (function)
			verify_count(verifier, &function->info, said);
		else
			wrong_in_lm(verifier, "calls of a function that is not defined", said, 0);
		text += *text == ' ';
	}
}

/* The index must say what the headers say that it points to. */
static bool entry_is_true(struct verifier *verifier, const struct index_entry *entry)
{
	struct chunk_header header;

	return file_read_at(&verifier->trace->files, &verifier->segment->rec, &header,
			    sizeof(header), entry->offset) == sizeof(header) &&
	       chunk_header_check(&header) == 0 && header.t_min == entry->t_min &&
	       header.t_max == entry->t_max && header.count == entry->count &&
	       header.thread == entry->thread && header.type == entry->type;
}

static bool end_is_sound(struct verifier *verifier, uint64_t offset,
			 const struct chunk_header *header, struct end_head *head)
{
	struct bytes body = bytes_of(verifier->body.stored, header->body_size);
	const uint8_t *p = bytes_take(&body, sizeof(*head));
	struct index_entry entry;
	struct end_tail tail;

	if (!p)
		return false;
	memcpy(head, p, sizeof(*head));
	if (head->entries != header->count)
		return false;
	for (uint32_t i = 0; i < head->entries; i++) {
		p = bytes_take(&body, sizeof(entry));
		if (!p)
			return false;
		memcpy(&entry, p, sizeof(entry));
		if (!entry_is_true(verifier, &entry))
			return false;
	}
	p = bytes_take(&body, sizeof(tail));
	if (!p || bytes_left(&body) > 0)
		return false;
	memcpy(&tail, p, sizeof(tail));
	return (tail.offset == 0 || tail.offset == offset) &&
	       memcmp(tail.magic, INDEX_MAGIC, sizeof(tail.magic)) == 0;
}

static void verify_end(struct verifier *verifier, uint64_t offset,
		       const struct chunk_header *header, const struct end_place *before)
{
	uint64_t stored = before->stored;
	struct end_head head;

	if (!end_is_sound(verifier, offset, header, &head)) {
		problem(verifier->trace, "%s/%s: offset %llu: END chunk is not true to the file",
			verifier->trace->dir, segment_file(verifier->segment),
			(unsigned long long)offset);
		return;
	}
	/* Other threads may have written what END does not count yet; what is damaged was told. */
	if (verifier->stream->unreadable == 0 && verifier->stream->missing == 0 &&
	    (head.records > stored ||
	     (head.records < stored && verifier->stream->thread_count == 1)))
		wrong(verifier, offset, "records before END", head.records, stored);
	if (head.lost < before->lost)
		wrong(verifier, offset, "records lost before END", head.lost, before->lost);
}

/* Other bodies were read when the trace was opened; only END says something of the rest. */
static int verify_ends(struct verifier *verifier)
{
	struct stream *stream = verifier->stream;

	for (uint32_t i = 0; i < stream->end_count; i++) {
		uint64_t offset = stream->ends[i].offset;
		struct segment *segment = stream_segment(stream, stream->ends[i].segment);
		struct chunk_header header;
		int error;

		verifier->segment = segment;
		if (!segment->rec_ok)
			continue;
		if (file_read_at(&verifier->trace->files, &segment->rec, &header, sizeof(header),
				 offset) != sizeof(header) ||
		    chunk_header_check(&header))
			continue;
		error = body_read(&verifier->body, &verifier->trace->files, &segment->rec,
				  offset + sizeof(header), header.body_size, header.body_crc);
		if (error == -ENOMEM)
			return error;
		if (!error)
			verify_end(verifier, offset, &header, &stream->ends[i]);
	}
	return 0;
}

int verifier_stream(struct verifier *verifier, unsigned number)
{
	struct stream *stream = verifier->trace->streams[number];
	int error = 0;

	verifier->stream = stream;
	memset(verifier->calls, 0, verifier->trace->functions.count * sizeof(*verifier->calls));
	for (uint32_t i = 0; i < stream->thread_count && !error; i++)
		error = verify_thread(verifier, &stream->threads[i]);
	if (!error)
		error = verify_ends(verifier);
	if (!error && stream->final && stream->unreadable == 0 && stream->missing == 0)
		verify_calls(verifier);
	return error;
}

struct verifier *verifier_new(struct reader *trace, const bool *wanted)
{
	struct verifier *verifier = calloc(1, sizeof(*verifier));

	if (!verifier)
		return NULL;
	verifier->trace = trace;
	verifier->chunks = chunk_reader_new(trace);
	verifier->calls = calloc(trace->functions.count + 1u, sizeof(*verifier->calls));
	if (!verifier->chunks || !verifier->calls) {
		verifier_free(verifier);
		return NULL;
	}
	for (unsigned i = 0; i < trace->stream_count; i++)
		if (!wanted || wanted[i])
			verifier->all += trace->streams[i]->stored;
	return verifier;
}

void verifier_free(struct verifier *verifier)
{
	if (!verifier)
		return;
	body_release(&verifier->body);
	chunk_reader_free(verifier->chunks);
	free(verifier->calls);
	free(verifier);
}

int reader_verify(struct reader *trace)
{
	struct verifier *verifier = verifier_new(trace, NULL);
	int error = verifier ? 0 : error_set(-ENOMEM, "%s: out of memory", trace->dir);
	unsigned count;

	for (unsigned i = 0; i < trace->stream_count && !error; i++)
		error = verifier_stream(verifier, i);
	verifier_free(verifier);
	count = reader_problem_count(trace);
	return error ? error : count > INT32_MAX ? INT32_MAX : (int)count;
}
