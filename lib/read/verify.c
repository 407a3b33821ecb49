/* SPDX-License-Identifier: MIT */
/* verify.c - everything a trace says about itself, held against what is in it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/reader.h>

#include "format/chunk.h"
#include "read/body.h"
#include "read/chunk_reader.h"
#include "read/trace.h"

struct verifier {
	struct reader *trace;
	struct stream *stream;
	struct chunk_reader *chunks;
	struct body body;
	uint64_t *calls; /* by func_id, of the stream */
};

static void wrong(struct verifier *verifier, uint64_t offset, const char *what, uint64_t said,
		  uint64_t found)
{
	problem(verifier->trace, "%s/%s: offset %llu: %s: %llu said, %llu found",
		verifier->trace->dir, verifier->stream->name, (unsigned long long)offset, what,
		(unsigned long long)said, (unsigned long long)found);
}

/* ---- DATA chunks ---- */

struct chunk_facts {
	uint64_t t_min, t_max, before;
	uint32_t count, carried;
	bool disordered, repeats;
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
	facts->before = record->tend;
	if (record->tstart < facts->t_min)
		facts->t_min = record->tstart;
	if (record->tend > facts->t_max)
		facts->t_max = record->tend;
}

static void compare(struct verifier *verifier, const struct chunk *chunk,
		    const struct chunk_facts *facts)
{
	if (facts->disordered)
		problem(verifier->trace, "%s/%s: offset %llu: records are not in the order of their ends",
			verifier->trace->dir, verifier->stream->name,
			(unsigned long long)chunk->offset);
	if (facts->count + chunk->skip != chunk->count)
		wrong(verifier, chunk->offset, "records", chunk->count, facts->count);
	if (chunk->skip > 0 || facts->count == 0)
		return;
	if (facts->t_min != chunk->t_min)
		wrong(verifier, chunk->offset, "first tstart", chunk->t_min, facts->t_min);
	if (facts->t_max != chunk->t_max)
		wrong(verifier, chunk->offset, "last tend", chunk->t_max, facts->t_max);
	if (facts->carried != chunk->carried)
		wrong(verifier, chunk->offset, "carried records", chunk->carried, facts->carried);
	if (facts->repeats && !(chunk->flags & CHUNK_REPEATS))
		wrong(verifier, chunk->offset, "flag for repeated records", 0, 1);
}

static int verify_chunk(struct verifier *verifier, const struct thread *thread, uint32_t number)
{
	const struct chunk *chunk = &thread->chunks[number];
	struct chunk_facts facts = {.t_min = UINT64_MAX, .before = chunk->t_base};
	int error = chunk_reader_open(verifier->chunks, thread, number, NULL);
	const struct raw_record *record;

	if (error)
		return error == -ENOMEM ? error : 0;
	while ((record = chunk_reader_next(verifier->chunks)))
		gather(verifier, &facts, chunk, record);
	if (chunk_reader_whole(verifier->chunks))
		compare(verifier, chunk, &facts);
	return 0;
}

static int verify_thread(struct verifier *verifier, const struct thread *thread)
{
	for (uint32_t i = 0; i < thread->chunk_count; i++) {
		int error = verify_chunk(verifier, thread, i);

		if (error)
			return error;
	}
	return 0;
}

/* ---- what the .lm and END chunks count ---- */

/* calls.LAYER.FUNCTION */
static void verify_calls(struct verifier *verifier)
{
	const struct functions *functions = &verifier->trace->functions;
	const struct metadata *lm = &verifier->stream->lm;
	char key[512];

	if (!verifier->stream->final)
		return;
	for (uint32_t i = 0; i < functions->count; i++) {
		const struct reader_function_info *info = &functions->items[i]->info;
		uint64_t said;

		snprintf(key, sizeof(key), "calls.%s.%s", info->layer, info->name);
		said = metadata_u64(lm, key, 0);
		/* Threads go on after the process has counted. */
		if (said > verifier->calls[i] || (said < verifier->calls[i] && !metadata_get(lm, key)))
			wrong(verifier, 0, key, said, verifier->calls[i]);
	}
}

static void verify_end(struct verifier *verifier, uint64_t offset, const struct chunk_header *header,
		       uint64_t stored)
{
	struct bytes body = bytes_of(verifier->body.stored, header->body_size);
	uint64_t records = bytes_u64(&body), at;
	uint32_t entries;

	bytes_u64(&body);
	entries = bytes_u32(&body);
	bytes_u32(&body);
	bytes_take(&body, (size_t)entries * sizeof(struct index_entry));
	at = bytes_u64(&body);
	if (body.bad || bytes_left(&body) != sizeof(((struct end_tail *)0)->magic) ||
	    memcmp(body.p, INDEX_MAGIC, bytes_left(&body)) != 0)
		problem(verifier->trace, "%s/%s: offset %llu: END chunk is malformed",
			verifier->trace->dir, verifier->stream->name, (unsigned long long)offset);
	else if (at != offset)
		wrong(verifier, offset, "offset of END chunk", at, offset);
	else if (records != stored)
		wrong(verifier, offset, "records before END", records, stored);
}

/* Bodies that are not decoded elsewhere, and the counts of END chunks. What is between chunks was told at opening. */
static int verify_others(struct verifier *verifier)
{
	struct stream *stream = verifier->stream;
	uint64_t offset = sizeof(struct file_header), stored = 0;

	while (offset + sizeof(struct chunk_header) <= stream->rec_size) {
		struct chunk_header header;
		int error;

		if (file_read_at(&verifier->trace->files, &stream->rec, &header, sizeof(header),
				 offset) != sizeof(header))
			return 0;
		if (chunk_header_check(&header)) {
			offset++;
			continue;
		}
		error = body_read(&verifier->body, &verifier->trace->files, &stream->rec,
				  offset + sizeof(header), header.body_size, header.body_crc);
		if (error == -ENOMEM)
			return error;
		if (error) {
			offset += sizeof(header);
			continue;
		}
		if (header.type == CHUNK_DATA)
			stored += header.count;
		else if (header.type == CHUNK_END)
			verify_end(verifier, offset, &header, stored);
		offset += sizeof(header) + header.body_size;
	}
	return 0;
}

static int verify_stream(struct verifier *verifier, struct stream *stream)
{
	int error = 0;

	verifier->stream = stream;
	memset(verifier->calls, 0, verifier->trace->functions.count * sizeof(*verifier->calls));
	for (uint32_t i = 0; i < stream->thread_count && !error; i++)
		error = verify_thread(verifier, &stream->threads[i]);
	if (!error && stream->rec_name && stream->rec_ok)
		error = verify_others(verifier);
	if (!error && stream->unreadable == 0)
		verify_calls(verifier);
	return error;
}

int reader_verify(struct reader *trace)
{
	struct verifier verifier = {.trace = trace};
	unsigned count;
	int error = 0;

	verifier.chunks = chunk_reader_new(trace);
	verifier.calls = calloc(trace->functions.count + 1u, sizeof(*verifier.calls));
	if (!verifier.chunks || !verifier.calls)
		error = error_set(-ENOMEM, "%s: out of memory", trace->dir);
	for (unsigned i = 0; i < trace->stream_count && !error; i++)
		error = verify_stream(&verifier, trace->streams[i]);
	body_release(&verifier.body);
	chunk_reader_free(verifier.chunks);
	free(verifier.calls);
	count = reader_problem_count(trace);
	return error ? error : count > INT32_MAX ? INT32_MAX : (int)count;
}
