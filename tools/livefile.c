/* SPDX-License-Identifier: MIT */
/* livefile.c - see livefile.h */
#include "livefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/defs.h"
#include "format/raw.h"

#define LIVE_MAX (1u << 30) /* no live file is nearly as large */

int livefile_read(struct livefile *file, int dir_fd, const char *name, const char *magic,
		  uint64_t stream_id)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat status;
	static const uint8_t unborn[8];
	int error = 0;

	memset(file, 0, sizeof(*file));
	if (fd < 0)
		return -errno;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size == 0)
		error = -ENOENT; /* it was just being made */
	else if (fstat(fd, &status) || !S_ISREG(status.st_mode) ||
		 status.st_size < (off_t)LIVE_HEADER_SIZE || status.st_size > (off_t)LIVE_MAX)
		error = -EINVAL;
	if (!error) {
		file->size = (size_t)status.st_size;
		file->bytes = malloc(file->size);
		if (!file->bytes)
			error = -ENOMEM;
	}
	if (!error && read(fd, file->bytes, file->size) != (ssize_t)file->size)
		error = -EIO;
	close(fd);
	/* magic and identity stand first in both kinds of live file; the magic is written last */
	if (!error && memcmp(file->bytes, unborn, sizeof(unborn)) == 0)
		error = -ENOENT;
	if (!error && (memcmp(file->bytes, magic, 8) != 0 ||
		       memcmp(file->bytes + 8, &stream_id, sizeof(stream_id)) != 0))
		error = -EINVAL;
	if (error)
		livefile_release(file);
	return error;
}

void livefile_release(struct livefile *file)
{
	free(file->bytes);
	memset(file, 0, sizeof(*file));
}

/* Arena ------------------------------------------------------------------------- */

int arena_entries(const struct livefile *arena, uint8_t **body, uint32_t *size, uint32_t *count)
{
	struct arena_header header;
	uint64_t position;

	memcpy(&header, arena->bytes, sizeof(header));
	*body = NULL;
	*size = *count = 0;
	if (header.size == 0 || header.size & (header.size - 1) ||
	    header.size > arena->size - LIVE_HEADER_SIZE || header.head < header.flushed ||
	    header.head - header.flushed > header.size || header.flushed % 8 != 0)
		return -EINVAL;
	*body = malloc(header.size);
	if (!*body)
		return -ENOMEM;
	for (position = header.flushed; position < header.head;) {
		uint64_t at = position & (header.size - 1);
		const uint8_t *source = arena->bytes + LIVE_HEADER_SIZE + at;
		struct def_header entry;
		size_t whole;

		memcpy(&entry, source, sizeof(entry));
		whole = def_entry_size(entry.size);
		if ((entry.size == 0 && !entry.complete) || entry.size > header.size ||
		    whole > header.size - at || whole > header.head - position)
			break;
		position += whole;
		if (entry.complete != 1 || entry.type == DEF_PADDING)
			continue;
		memcpy(*body + *size, source, whole);
		((struct def_header *)(*body + *size))->complete = 0;
		*size += (uint32_t)whole;
		++*count;
	}
	return 0;
}

/* Rings ------------------------------------------------------------------------- */

/* Size of the raw record at the begin of `size` bytes; 0: there is no whole one. */
static uint32_t record_size(const uint8_t *bytes, size_t size, struct raw_record *record)
{
	if (size < sizeof(*record))
		return 0;
	memcpy(record, bytes, sizeof(*record));
	if (record->size < sizeof(*record) + 8u * record->arg_count || record->size > size ||
	    record->size > RECORD_MAX_SIZE || record->size % 8 != 0)
		return 0;
	return record->size;
}

static void take_record(struct ring_records *records, const struct raw_record *record)
{
	struct chunk_header *header = &records->header;

	if (header->count == 0) {
		header->t_min = record->tstart;
		header->t_max = record->tend;
	}
	header->count++;
	header->carried += record->tstart < header->t_base;
	if (record->repeat > 1)
		header->flags |= CHUNK_REPEATS;
	header->t_min = record->tstart < header->t_min ? record->tstart : header->t_min;
	header->t_max = record->tend > header->t_max ? record->tend : header->t_max;
	header->body_size += record->size;
}

int ring_read(const struct livefile *file, uint64_t next, struct ring_records *records)
{
	struct ring_header ring;
	struct raw_record record;
	uint64_t sequence;
	uint32_t size, used, at = 0;
	const uint8_t *data;

	memset(records, 0, sizeof(*records));
	memcpy(&ring, file->bytes, sizeof(ring));
	used = (uint32_t)ring.published;
	if (ring.data_offset > file->size || ring.data_size > file->size - ring.data_offset ||
	    used > ring.data_size || ring.open_offset > file->size ||
	    ring.open_size > file->size - ring.open_offset)
		return -EINVAL;
	data = file->bytes + ring.data_offset;
	if (ring.data_offset % 8 == 0)
		raw_settle_run(file->bytes + ring.data_offset, used, ring.run);
	sequence = ring.first_sequence;
	records->header = (struct chunk_header){.type = CHUNK_DATA,
						.encoding = DATA_RAW,
						.thread = ring.thread,
						.t_base = ring.t_base};
	for (; (size = record_size(data + at, used - at, &record)); at += size, sequence++) {
		if (record.sequence != (uint32_t)sequence)
			break;
		records->has_last = true;
		records->last_start = record.tstart;
		records->last_end = record.repeat > 1 ? record.tend : 0;
		records->last_level = record.level;
		if (sequence < next) {
			records->header.t_base = record.tend;
			continue;
		}
		if (records->header.count == 0) {
			records->body = data + at;
			records->header.first_sequence = sequence;
		}
		take_record(records, &record);
	}
	records->header.plain_size = records->header.body_size;
	records->header.lost = ring.lost > UINT32_MAX ? UINT32_MAX : (uint32_t)ring.lost;
	records->header.flags |= (uint16_t)((ring.lost_reason & 0xf) << CHUNK_LOSS_SHIFT);
	return 0;
}

/* The open-call stack, and behind it what is in place; NULL: no memory. */
static uint8_t *copy_open(const struct livefile *file, const struct ring_header *ring,
			  uint32_t *size)
{
	uint32_t top =
		ring->open_top < ring->open_size ? (uint32_t)ring->open_top : ring->open_size;
	uint32_t used = (uint32_t)ring->published;
	const uint8_t *behind = file->bytes + ring->data_offset + used;
	uint32_t in_place = raw_in_place(ring, behind, ring->data_size - used);
	uint8_t *calls = malloc(top + (size_t)in_place + 1);

	if (!calls)
		return NULL;
	memcpy(calls, file->bytes + ring->open_offset, top);
	memcpy(calls + top, behind, in_place);
	*size = top + in_place;
	return calls;
}

int ring_open_calls(const struct livefile *file, const struct ring_records *records, uint8_t **body,
		    struct chunk_header *header)
{
	struct raw_record record;
	struct ring_header ring;
	uint32_t size, at = 0, used;

	memcpy(&ring, file->bytes, sizeof(ring));
	*header = (struct chunk_header){.type = CHUNK_OPEN, .thread = ring.thread};
	header->t_base = records->header.count ? records->header.t_max : records->header.t_base;
	header->t_max = header->t_base;
	*body = copy_open(file, &ring, &used);
	if (!*body)
		return -ENOMEM;
	for (; (size = record_size(*body + at, used - at, &record)); at += size) {
		/* it has ended, and only its place on the stack was not given back */
		if (records->has_last && record.level == records->last_level &&
		    (record.tstart == records->last_start || record.tstart < records->last_end))
			break;
		if (header->count == 0 || record.tstart < header->t_min)
			header->t_min = record.tstart;
		header->t_max = record.tstart > header->t_max ? record.tstart : header->t_max;
		header->count++;
		header->body_size += size;
	}
	header->plain_size = header->body_size;
	return 0;
}
