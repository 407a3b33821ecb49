/* SPDX-License-Identifier: MIT */
/* scan.c - see scan.h */
#include "read/scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/chunk.h"
#include "read/losses.h"
#include "read/segments.h"
#include "read/thread_table.h"

#define WINDOW_SIZE (64u << 10) /* read at once while searching */
#define HEADER_WINDOW 4096u     /* read at once from chunk to chunk */
#define WASTE_MAX (1u << 30)

struct scan {
	struct stream *stream;
	struct segment *segment;
	uint32_t number; /* of the segment in the stream */
	struct reader *trace;
	struct body *body;
	bool growing;
	bool killed; /* its live files are there: what a write left undone is still in them */
	bool searching;
	bool foreign;    /* the file says that it is another stream's */
	uint64_t before; /* bytes of the stream's other files that have been read */
	uint64_t size;   /* of the file when the scan began */
	uint64_t wasted; /* bytes read of bodies that were not whole */
	uint64_t window_offset;
	size_t window_size;
	uint8_t window[WINDOW_SIZE];
};

/*
 * The definitions of a honest file take a few times its compressed size; what takes more is an
 * attack on our memory. How much memory the definitions of a stream may take, of which so many
 * bytes have been read.
 */
static uint64_t defs_limit(uint64_t bytes)
{
	return (64u << 20) + bytes * 64;
}

static uint64_t bytes_beside(struct stream *stream, uint32_t number)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i <= stream->closed_count; i++)
		if (i != number)
			bytes += stream_segment(stream, i)->rec_size;
	return bytes;
}

/* `size` bytes at `offset`, from the window; NULL if the file has not as many. */
static const uint8_t *look(struct scan *scan, uint64_t offset, size_t size)
{
	ssize_t got;

	if (size > scan->size || offset > scan->size - size)
		return NULL;
	if (offset < scan->window_offset ||
	    offset + size > scan->window_offset + scan->window_size) {
		got = file_read_at(&scan->trace->files, &scan->segment->rec, scan->window,
				   scan->searching ? WINDOW_SIZE : HEADER_WINDOW, offset);
		scan->window_offset = offset;
		scan->window_size = got > 0 ? (size_t)got : 0;
	}
	return offset + size <= scan->window_offset + scan->window_size
		       ? scan->window + (offset - scan->window_offset)
		       : NULL;
}

static bool header_at(struct scan *scan, uint64_t offset, struct chunk_header *header)
{
	const uint8_t *p = look(scan, offset, sizeof(*header));

	if (!p)
		return false;
	memcpy(header, p, sizeof(*header));
	return chunk_header_check(header) == 0;
}

/*
 * Headers without bodies, each of which claims a good part of the file, would have it read as often:
 * what was cut short so much more often than any honest file is not looked at any more.
 */
static bool body_is_whole(struct scan *scan, uint64_t offset, const struct chunk_header *header)
{
	if (scan->wasted > WASTE_MAX + scan->size * 8)
		return false;
	if (body_read(scan->body, &scan->trace->files, &scan->segment->rec,
		      offset + sizeof(*header), header->body_size, header->body_crc) == 0)
		return true;
	scan->wasted += header->body_size;
	return false;
}

static uint64_t search(struct scan *scan, uint64_t offset)
{
	static const uint32_t magic = CHUNK_MAGIC;
	struct chunk_header header;

	while (look(scan, offset, sizeof(header))) {
		size_t begin = (size_t)(offset - scan->window_offset);
		const uint8_t *hit = memmem(scan->window + begin, scan->window_size - begin, &magic,
					    sizeof(magic));

		if (!hit) {
			/* The magic may lie across the window's end. */
			offset = scan->window_offset + scan->window_size - (sizeof(magic) - 1);
			continue;
		}
		offset = scan->window_offset + (uint64_t)(hit - scan->window);
		if (header_at(scan, offset, &header))
			return offset;
		offset++;
	}
	return scan->size;
}

/* The next place from `offset` where a right header stands, else the end of the file. */
static uint64_t resynchronise(struct scan *scan, uint64_t offset)
{
	struct chunk_header header;

	if (offset >= scan->size || header_at(scan, offset, &header))
		return offset < scan->size ? offset : scan->size;
	scan->searching = true;
	offset = search(scan, offset);
	scan->searching = false;
	return offset;
}

/* The entries of a deflated chunk. 0, -EBADMSG, -ENOMEM. */
static int inflate_defs(struct scan *scan, const struct chunk_header *header, struct bytes *entries)
{
	uint32_t rest;
	struct inflater *inflater = &scan->body->inflater;
	int error;

	if (header->encoding == DEFS_RELATIVE && !body_entries(scan->body, entries))
		return 0;
	body_give(scan->body, inflater);
	error = inflater_run(inflater, scan->body->stored, header->body_size, header->plain_size,
			     &rest);
	if (error || rest)
		return error ? error : -EBADMSG;
	*entries = bytes_of(inflater->plain, header->plain_size);
	return header->encoding == DEFS_RELATIVE ? body_unpack_defs(scan->body, entries) : 0;
}

static int take_defs(struct scan *scan, uint64_t offset, const struct chunk_header *header)
{
	struct stream *stream = scan->stream;
	struct bytes entries;
	uint32_t count;
	int error = segments_repeat_defs(stream, scan->segment, header);

	if (error)
		return error < 0 ? error : 0;
	if (header->encoding == DEFS_DEFLATED || header->encoding == DEFS_RELATIVE) {
		error = inflate_defs(scan, header, &entries);
	} else if (header->encoding == DEFS_PLAIN) {
		entries = bytes_of(scan->body->stored, header->body_size);
	} else {
		notice(scan->trace,
		       "%s/%s: offset %llu: DEFS chunk of unknown encoding %u is skipped",
		       scan->trace->dir, scan->segment->rec_name, (unsigned long long)offset,
		       header->encoding);
		return 0;
	}
	if (error == -EBADMSG)
		problem(scan->trace, "%s/%s: offset %llu: DEFS chunk cannot be decoded",
			scan->trace->dir, scan->segment->rec_name, (unsigned long long)offset);
	if (error)
		return error == -EBADMSG ? 0 : error;
	error = definitions_load(&stream->defs, scan->trace, entries, scan->segment->rec_name,
				 offset, DEFINITIONS_OF_CHUNK,
				 defs_limit(scan->before + offset + header->body_size), &count);
	if (!error && count != header->count)
		problem(scan->trace, "%s/%s: offset %llu: DEFS chunk has %u definitions, not %u",
			scan->trace->dir, scan->segment->rec_name, (unsigned long long)offset,
			count, header->count);
	if (error == -EFBIG) {
		problem(scan->trace,
			"%s/%s: offset %llu: more definitions than the file can honestly have",
			scan->trace->dir, scan->segment->rec_name, (unsigned long long)offset);
		error = 0;
	}
	return error;
}

static int take_data(struct scan *scan, uint64_t offset, const struct chunk_header *header)
{
	struct thread *thread = stream_thread(scan->stream, header->thread);
	struct chunk *chunk =
		thread ? thread_add_chunk(thread, header, scan->number, offset) : NULL;

	if (!chunk)
		return -ENOMEM;
	chunk->lost_before = thread->lost_before_next;
	thread->lost_before_next = 0;
	scan->segment->scanned += header->count;
	scan->segment->scanned_lost = add_counts(scan->segment->scanned_lost, header->lost);
	return 0;
}

static int take_lost(struct scan *scan, uint64_t offset, const struct chunk_header *header)
{
	struct thread *thread = stream_thread(scan->stream, header->thread);
	struct bytes entries = bytes_of(scan->body->stored, header->body_size);

	if (!thread)
		return -ENOMEM;
	for (uint32_t i = 0; i < header->count && !entries.bad; i++) {
		uint64_t count = bytes_u64(&entries);
		struct text reason = bytes_str(&entries);

		if (entries.bad)
			break;
		thread->lost = add_counts(thread->lost, count);
		scan->segment->scanned_lost = add_counts(scan->segment->scanned_lost, count);
		/* An unknown number explains any gap. */
		thread->lost_before_next =
			add_counts(thread->lost_before_next, count ? count : UINT64_MAX / 4);
		if (stream_add_loss(scan->stream, reason.bytes, reason.length, count))
			return -ENOMEM;
	}
	if (entries.bad || bytes_left(&entries) > 0)
		problem(scan->trace, "%s/%s: offset %llu: LOST chunk is malformed",
			scan->trace->dir, scan->segment->rec_name, (unsigned long long)offset);
	return 0;
}

static int take_open(struct scan *scan, uint64_t offset, const struct chunk_header *header)
{
	struct thread *thread = stream_thread(scan->stream, header->thread);

	if (!thread || raw_buffer_open_calls(&thread->open, scan->body->stored, header->body_size))
		return -ENOMEM;
	if (thread->open.count != header->count)
		problem(scan->trace, "%s/%s: offset %llu: OPEN chunk has %u of %u calls",
			scan->trace->dir, scan->segment->rec_name, (unsigned long long)offset,
			thread->open.count, header->count);
	return 0;
}

static int take_end(struct scan *scan, uint64_t offset)
{
	struct stream *stream = scan->stream;

	if (stream->end_count == stream->end_capacity) {
		uint32_t capacity = stream->end_capacity ? stream->end_capacity * 2 : 4;
		struct end_place *ends = realloc(stream->ends, capacity * sizeof(*ends));

		if (!ends)
			return -ENOMEM;
		stream->ends = ends;
		stream->end_capacity = capacity;
	}
	stream->ends[stream->end_count++] = (struct end_place){
		.offset = offset,
		.stored = scan->segment->scanned,
		.lost = scan->segment->scanned_lost,
		.segment = scan->number,
	};
	return 0;
}

/*
 * Whether its records are lost is seen when all chunks are known: it may have been written
 * again.
 */
static int note_damaged(struct scan *scan, uint64_t offset, const struct chunk_header *header)
{
	struct thread *thread;

	(scan->killed ? notice
		      : problem)(scan->trace,
				 "%s/%s: offset %llu: %s chunk is damaged or cut short (%u %s)",
				 scan->trace->dir, scan->segment->rec_name,
				 (unsigned long long)offset, chunk_type_name(header->type),
				 header->count, header->type == CHUNK_DATA ? "records" : "entries");
	if (header->type != CHUNK_DATA)
		return 0;
	thread = stream_thread(scan->stream, header->thread);
	if (!thread)
		return -ENOMEM;
	thread->damaged += header->count;
	if (header->first_sequence + header->count > thread->damaged_end)
		thread->damaged_end = header->first_sequence + header->count;
	return 0;
}

/* What is not compressed is as large as it is stored; there are no more records than may be, and no numbers beyond 64 bits. */
static bool sizes_agree(const struct chunk_header *header)
{
	bool deflated = (header->type == CHUNK_DEFS && header->encoding != DEFS_PLAIN) ||
			(header->type == CHUNK_DATA && header->encoding != DATA_RAW);
	bool loop = data_is_loop(header->encoding);

	if (header->type == CHUNK_DATA &&
	    ((!loop && header->count > CHUNK_MAX_RAW / sizeof(struct raw_record)) ||
	     header->first_sequence > UINT64_MAX - header->count))
		return false;
	return deflated || header->plain_size == header->body_size;
}

static int take_chunk(struct scan *scan, uint64_t offset, const struct chunk_header *header)
{
	if (!sizes_agree(header))
		return note_damaged(scan, offset, header);
	switch (header->type) {
	case CHUNK_DEFS:
		return take_defs(scan, offset, header);
	case CHUNK_DATA:
		return take_data(scan, offset, header);
	case CHUNK_LOST:
		return take_lost(scan, offset, header);
	case CHUNK_OPEN:
		return take_open(scan, offset, header);
	case CHUNK_END:
		return take_end(scan, offset);
	case CHUNK_META:
		return 0;
	default:
		if (!scan->stream->unknown_chunks)
			notice(scan->trace,
			       "%s/%s: offset %llu: chunk of unknown type %u is skipped",
			       scan->trace->dir, scan->segment->rec_name,
			       (unsigned long long)offset, header->type);
		scan->stream->unknown_chunks = true;
		return 0;
	}
}

/*
 * Where the chunk at `offset` ends; 0 if its body is not whole. The body of a DATA chunk is taken
 * for whole when a chunk follows it: its checksum is looked at when it is decoded. At the end of the
 * file it may be two halves of one that was cut short both times.
 */
static uint64_t chunk_end(struct scan *scan, uint64_t offset, const struct chunk_header *header)
{
	uint64_t begin = offset + sizeof(*header);
	struct chunk_header next;

	if (header->body_size > scan->size - begin)
		return 0;
	if (header->type == CHUNK_DATA && header_at(scan, begin + header->body_size, &next))
		return begin + header->body_size;
	return body_is_whole(scan, offset, header) ? begin + header->body_size : 0;
}

static int scan_chunks(struct scan *scan)
{
	struct stream *stream = scan->stream;
	uint64_t offset = scan->segment->rec_size;

	while (offset < scan->size) {
		uint64_t next = resynchronise(scan, offset), end;
		struct chunk_header header;
		int error;

		if (next == scan->size && scan->growing)
			break;
		if (next != offset)
			(scan->killed ? notice : problem)(
				scan->trace, "%s/%s: offset %llu: %llu bytes are no chunk",
				scan->trace->dir, scan->segment->rec_name,
				(unsigned long long)offset, (unsigned long long)(next - offset));
		offset = next;
		if (offset == scan->size || !header_at(scan, offset, &header))
			break;
		end = chunk_end(scan, offset, &header);
		if (end == 0 && scan->growing &&
		    resynchronise(scan, offset + sizeof(header)) == scan->size)
			break;
		if (end == 0) {
			error = note_damaged(scan, offset, &header);
			if (error)
				return error;
			offset += sizeof(header);
			continue;
		}
		error = timeline_anchor(&stream->timeline, &header.anchor);
		if (!error)
			error = take_chunk(scan, offset, &header);
		if (error)
			return error;
		stream->chunk_count++;
		offset = end;
	}
	scan->segment->rec_size = offset;
	return 0;
}

static int check_file_header(struct scan *scan)
{
	struct stream *stream = scan->stream;
	const uint8_t *p = look(scan, 0, sizeof(struct file_header));
	struct file_header header;
	int error = -EBADMSG;

	if (p) {
		memcpy(&header, p, sizeof(header));
		error = file_header_check(&header, FILE_STREAM);
	}
	if (error == -EPROTO)
		return error_set(error, "%s/%s: format %u.%u is newer than this reader (%u.%u)",
				 scan->trace->dir, scan->segment->rec_name, header.major,
				 header.minor, FORMAT_MAJOR, FORMAT_MINOR);
	if (error == -EINVAL)
		return error_set(error, "%s/%s: offset 7: of another kind than its name says",
				 scan->trace->dir, scan->segment->rec_name);
	/*
	 * A process that was killed, or is just about to write its first chunk, leaves an empty
	 * file.
	 */
	if (error && (scan->size > 0 || stream->final))
		problem(scan->trace, "%s/%s: offset 0: no file header of the format",
			scan->trace->dir, scan->segment->rec_name);
	else if (!error && stream->id && stream->id != header.stream_id) {
		problem(scan->trace, "%s/%s: offset 16: belongs to another stream than %s",
			scan->trace->dir, scan->segment->rec_name,
			scan->number > 0 ? stream->name : "its .lm");
		scan->foreign = true;
	}
	if (!error && !stream->id)
		stream->id = header.stream_id;
	scan->segment->rec_ok |= !error;
	scan->segment->rec_size = sizeof(header);
	return 0;
}

int scan_segment(struct stream *stream, uint32_t number, struct body *body, bool growing,
		 bool killed)
{
	struct scan *scan;
	struct segment *segment = stream_segment(stream, number);
	int64_t size = file_size(&stream->trace->files, &segment->rec);
	int error = 0;

	if (size < 0)
		return error_set((int)size, "%s/%s: cannot be read: %s", stream->trace->dir,
				 segment->rec_name,
				 size == -EINVAL ? "not a regular file" : strerror((int)-size));
	scan = malloc(sizeof(*scan));
	if (!scan)
		return -ENOMEM;
	memset(scan, 0, offsetof(struct scan, window));
	scan->stream = stream;
	scan->segment = segment;
	scan->number = number;
	scan->before = bytes_beside(stream, number);
	scan->trace = stream->trace;
	scan->body = body;
	scan->growing = growing;
	scan->killed = killed;
	scan->size = (uint64_t)size;
	if (segment->rec_size == 0)
		error = check_file_header(scan);
	/* ids in it would stand for other things */
	if (!error && !(scan->foreign && number > 0))
		error = scan_chunks(scan);
	free(scan);
	return error;
}
