/* SPDX-License-Identifier: MIT */
/* snapshot.c - see snapshot.h */
#include "read/snapshot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/defs.h"
#include "format/raw.h"
#include "format/reasons.h"

#define RING_DATA_MAX CHUNK_MAX_RAW
#define OPEN_STACK_MAX (16u << 20)
#define ARENA_MAX (1u << 30)
#define TRIES 100 /* a writer that outruns that many copies has put everything into the .rec */
/* Calls come and go faster than rings: in the end a torn stack is taken, as far as it is in order. */
#define STACK_TRIES 20

static bool read_exactly(int fd, void *buffer, size_t size, uint64_t offset)
{
	return fd_read_at(fd, buffer, size, offset) == (ssize_t)size;
}

static void *read_new(int fd, size_t size, uint64_t offset)
{
	void *buffer = malloc(size ? size : 1);

	if (buffer && !read_exactly(fd, buffer, size, offset)) {
		free(buffer);
		buffer = NULL;
		errno = EIO;
	}
	return buffer;
}

/* Whether the header describes areas inside the file. */
static bool ring_is_sane(int fd, const struct ring_header *header)
{
	struct stat status;
	uint64_t size;

	if (fstat(fd, &status) != 0)
		return false;
	size = (uint64_t)status.st_size;
	return header->open_offset % 8 == 0 && header->data_offset % 8 == 0 &&
	       (uint64_t)header->open_offset + header->open_size <= size &&
	       (uint64_t)header->data_offset + header->data_size <= size &&
	       header->open_size <= OPEN_STACK_MAX && header->data_size <= RING_DATA_MAX &&
	       (header->published & UINT32_MAX) <= header->data_size &&
	       header->held_offset % 8 == 0 && header->held_size <= RING_DATA_MAX &&
	       (uint64_t)header->held_offset + header->held_size <= size &&
	       header->open_top <= header->open_size && header->open_top % 8 == 0;
}

static void ring_copy_release(struct ring_copy *copy)
{
	free(copy->data);
	free(copy->open);
	free(copy->held);
	copy->data = copy->open = copy->held = NULL;
}

/* The calls in flight: the stack, and behind it what is in place. NULL: it could not be read, see errno. */
static uint8_t *copy_open(int fd, const struct ring_header *ring, size_t *size)
{
	uint32_t used = ring->published & UINT32_MAX, left = ring->data_size - used;
	uint32_t behind = left < RECORD_MAX_SIZE ? left : RECORD_MAX_SIZE;
	uint8_t *open = malloc(ring->open_top + behind + 1);

	if (!open)
		return NULL;
	*size = ring->open_top;
	if (read_exactly(fd, open, ring->open_top, ring->open_offset) &&
	    read_exactly(fd, open + ring->open_top, behind, ring->data_offset + (uint64_t)used)) {
		*size += raw_in_place(ring, open + ring->open_top, behind);
		return open;
	}
	free(open);
	errno = EIO;
	return NULL;
}

/* Whether the same calls are in flight. */
static bool same_open(const struct ring_header *a, const struct ring_header *b)
{
	return a->open_top == b->open_top && a->in_place == b->in_place &&
	       (a->in_place != a->published + RING_IN_PLACE || a->published == b->published);
}

/* One try; -EAGAIN: the writer went on to the next generation meanwhile, or to another call. */
static int copy_ring(int fd, const struct ring_header *before, struct ring_copy *copy, int try)
{
	struct ring_header after;
	uint64_t generation = before->published >> 32;

	copy->thread = before->thread;
	copy->tid = before->tid;
	copy->first_sequence = before->first_sequence;
	copy->lost = before->lost;
	copy->lost_reason = before->lost_reason;
	copy->size = before->published & UINT32_MAX;
	copy->data = read_new(fd, copy->size, before->data_offset);
	copy->open = copy_open(fd, before, &copy->open_size);
	copy->held_size = before->held_size;
	copy->held = read_new(fd, copy->held_size, before->held_offset);
	if (copy->data && copy->open && copy->held && read_exactly(fd, &after, sizeof(after), 0)) {
		if (after.published >> 32 == generation && after.thread == before->thread &&
		    (same_open(before, &after) || try >= STACK_TRIES)) {
			raw_settle_run(copy->data, copy->size, after.run);
			return 0;
		}
		ring_copy_release(copy);
		return -EAGAIN;
	}
	ring_copy_release(copy);
	return errno == ENOMEM ? -ENOMEM : -EIO;
}

/* Whether a live file was just being made when its process died: the magic is written last. */
static bool is_unborn(const uint8_t magic[8])
{
	static const uint8_t none[8];

	return memcmp(magic, none, sizeof(none)) == 0;
}

/* What is wrong with the file, in words; "" nothing but it is to be left alone; NULL nothing. */
static const char *check_ring(int fd, const struct ring_header *header, const struct stream *stream)
{
	if (is_unborn(header->magic))
		return "";
	if (memcmp(header->magic, RING_MAGIC, 7) != 0)
		return "is no ring";
	if (header->magic[7] != RING_MAGIC[7])
		return "is of another version";
	if (header->stream_id != stream->id || header->thread == RING_FREE)
		return "";
	return ring_is_sane(fd, header) ? NULL : "has an impossible header";
}

static int take_ring(struct ring_copy *copy, struct stream *stream, int dir_fd, const char *dir,
		     const char *name)
{
	int fd = file_open_regular(dir_fd, name), error = -EAGAIN;
	struct ring_header header;
	const char *wrong = NULL;

	if (fd < 0) {
		if (fd == -EINVAL)
			problem(stream->trace, "%s/%s: not a regular file", dir, name);
		return -EIO;
	}
	for (int i = 0; i < TRIES && error == -EAGAIN; i++) {
		memset(&header, 0, sizeof(header));
		wrong = read_exactly(fd, &header, sizeof(header), 0) || is_unborn(header.magic)
				? check_ring(fd, &header, stream)
				: "is too short";
		if (wrong)
			break;
		error = copy_ring(fd, &header, copy, i);
	}
	close(fd);
	if (wrong && *wrong)
		problem(stream->trace, "%s/%s: offset 0: %s", dir, name, wrong);
	return error;
}

/* STREAM.N.ring */
static bool is_ring_of(const char *name, const char *stream)
{
	size_t length = strlen(stream);

	if (strncmp(name, stream, length) != 0 || name[length] != '.')
		return false;
	name += length + 1;
	length = strspn(name, "0123456789");
	return length > 0 && strcmp(name + length, ".ring") == 0;
}

static int take_rings(struct snapshot *snapshot, struct stream *stream, int dir_fd, const char *dir)
{
	int fd = dup(dir_fd), error = 0;
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!entries) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while (error != -ENOMEM && (entry = readdir(entries))) {
		struct ring_copy *rings;

		if (!is_ring_of(entry->d_name, stream->live_name))
			continue;
		rings = realloc(snapshot->rings, (snapshot->ring_count + 1) * sizeof(*rings));
		if (!rings) {
			error = -ENOMEM;
			break;
		}
		snapshot->rings = rings;
		error = take_ring(&rings[snapshot->ring_count], stream, dir_fd, dir, entry->d_name);
		if (!error)
			snapshot->ring_count++;
	}
	closedir(entries);
	return error == -ENOMEM ? error : 0;
}

/*
 * The part of the arena that is not yet in the .rec, straightened. The writer clears entries before
 * it moves `flushed`, so what was flushed meanwhile reads as zeros and is in the .rec.
 */
static int copy_arena(struct snapshot *snapshot, int fd, const struct arena_header *header)
{
	uint64_t from = header->flushed, size = header->head - header->flushed;
	uint64_t begin, first;
	struct stat status;

	if (fstat(fd, &status) != 0 ||
	    (uint64_t)status.st_size < LIVE_HEADER_SIZE + (uint64_t)header->size)
		return -EINVAL;
	if (header->size == 0 || (header->size & (header->size - 1)) || header->size > ARENA_MAX ||
	    header->head < header->flushed)
		return -EINVAL;
	if (size > header->size) {
		from = header->head - header->size;
		size = header->size;
	}
	snapshot->defs = malloc(size ? size : 1);
	if (!snapshot->defs)
		return -ENOMEM;
	begin = from & (header->size - 1);
	first = size < header->size - begin ? size : header->size - begin;
	if (!read_exactly(fd, snapshot->defs, first, LIVE_HEADER_SIZE + begin) ||
	    !read_exactly(fd, snapshot->defs + first, size - first, LIVE_HEADER_SIZE))
		return -EINVAL;
	snapshot->defs_size = size;
	return 0;
}

static int take_arena(struct snapshot *snapshot, struct stream *stream, int dir_fd, const char *dir)
{
	char name[NAME_MAX + 1];
	struct arena_header header;
	const char *wrong = NULL;
	int fd, error = 0;

	snprintf(name, sizeof(name), "%s.defs", stream->live_name);
	fd = file_open_regular(dir_fd, name);
	if (fd < 0) {
		if (fd == -EINVAL)
			problem(stream->trace, "%s/%s: not a regular file", dir, name);
		return 0;
	}
	memset(&header, 0, sizeof(header));
	if (!read_exactly(fd, &header, sizeof(header), 0) && !is_unborn(header.magic))
		wrong = "is too short";
	else if (!is_unborn(header.magic) && memcmp(header.magic, ARENA_MAGIC, 7) != 0)
		wrong = "is no definitions arena";
	else if (!is_unborn(header.magic) && header.magic[7] != ARENA_MAGIC[7])
		wrong = "is of another version";
	else if (!is_unborn(header.magic) && header.stream_id == stream->id) {
		error = copy_arena(snapshot, fd, &header);
		wrong = error == -EINVAL ? "has an impossible header" : NULL;
		snapshot->has_arena = !error;
		snapshot->anchor = header.anchor;
		snapshot->lost = header.lost;
		if (!read_exactly(fd, &snapshot->lost_reason, sizeof(snapshot->lost_reason),
				  ARENA_LOSS))
			snapshot->lost_reason = LOSS_NONE;
		if (!read_exactly(fd, &snapshot->death, sizeof(snapshot->death), ARENA_DEATH))
			snapshot->death = 0;
	}
	close(fd);
	if (wrong)
		problem(stream->trace, "%s/%s: offset 0: %s", dir, name, wrong);
	return error == -ENOMEM ? error : 0;
}

int snapshot_take(struct snapshot *snapshot, struct stream *stream, const char *dir)
{
	int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), error;

	if (dir_fd < 0)
		return 0;
	error = take_rings(snapshot, stream, dir_fd, dir);
	if (!error)
		error = take_arena(snapshot, stream, dir_fd, dir);
	close(dir_fd);
	return error;
}

void snapshot_release(struct snapshot *snapshot)
{
	for (uint32_t i = 0; i < snapshot->ring_count; i++)
		ring_copy_release(&snapshot->rings[i]);
	free(snapshot->rings);
	free(snapshot->defs);
	memset(snapshot, 0, sizeof(*snapshot));
}
