/* SPDX-License-Identifier: MIT */
/* metafile.c - see metafile.h */
#include "read/metafile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/chunk.h"
#include "read/nodefile.h"
#include "read/packed.h"
#include "read/trace.h"

#define METADATA_MAX (CHUNK_MAX_BODY + (1u << 20)) /* bytes of a whole file */

static struct metadata_item *find(const struct metadata *metadata, const char *key, size_t length)
{
	uint32_t hash = index_hash(key, length), position = hash;
	int64_t number;

	while ((number = index_next(&metadata->index, hash, &position)) >= 0) {
		struct metadata_item *item = &metadata->items[number];

		if (strlen(item->key) == length && memcmp(item->key, key, length) == 0)
			return item;
	}
	return NULL;
}

static struct metadata_item *add(struct metadata *metadata, struct text key, struct pool *pool)
{
	struct metadata_item *item;

	if (metadata->count == metadata->capacity) {
		uint32_t capacity = metadata->capacity ? metadata->capacity * 2 : 64;

		item = realloc(metadata->items, capacity * sizeof(*item));
		if (!item)
			return NULL;
		metadata->items = item;
		metadata->capacity = capacity;
	}
	item = &metadata->items[metadata->count];
	memset(item, 0, sizeof(*item));
	item->key = pool_copy(pool, key.bytes, key.length);
	if (!item->key ||
	    index_add(&metadata->index, index_hash(key.bytes, key.length), metadata->count))
		return NULL;
	metadata->count++;
	return item;
}

int metadata_set(struct metadata *metadata, const char *key, size_t length,
		 const struct reader_value *value, struct pool *pool)
{
	struct metadata_item *item = find(metadata, key, length);

	if (!item)
		item = add(metadata, (struct text){key, length}, pool);
	if (!item)
		return -ENOMEM;
	item->value = *value;
	return 0;
}

static int set(struct metadata *metadata, const struct meta_entry *entry, bool final,
	       struct pool *pool)
{
	int error;
	struct reader_value value = {
		.type = (enum reader_value_type)entry->type,
		.u64 = entry->u64,
		.i64 = entry->i64,
		.f64 = entry->f64,
		.bytes = "",
		.size = entry->bytes.length,
	};

	if (memchr(entry->key.bytes, 0, entry->key.length))
		return 0;
	if (entry->type == META_BYTES) {
		value.bytes = pool_copy(pool, entry->bytes.bytes, entry->bytes.length);
		if (!value.bytes)
			return -ENOMEM;
	}
	error = metadata_set(metadata, entry->key.bytes, entry->key.length, &value, pool);
	if (!error && final)
		find(metadata, entry->key.bytes, entry->key.length)->of_end = true;
	return error;
}

static int read_chunk(struct metadata *metadata, struct reader *trace, const char *name,
		      const struct chunk_header *header, const uint8_t *body, struct pool *pool)
{
	struct bytes entries = bytes_of(body, header->body_size);
	bool final = (header->flags & CHUNK_FINAL) != 0;
	struct meta_entry entry;
	uint32_t count = 0;

	if (header->type != CHUNK_META)
		return 0;
	if (header->encoding != 0) {
		problem(trace, "%s/%s: metadata in unknown encoding %u", trace->dir, name,
			header->encoding);
		return 0;
	}
	while (meta_next(&entries, &entry)) {
		int error = set(metadata, &entry, final, pool);

		if (error)
			return error;
		count++;
	}
	if (entries.bad)
		problem(trace, "%s/%s: metadata ends in the middle of an entry", trace->dir, name);
	else if (count != header->count)
		problem(trace, "%s/%s: metadata has %u entries, not %u", trace->dir, name, count,
			header->count);
	metadata->final |= final;
	return 0;
}

/* The next place from `from` where a whole chunk header lies; `size` if there is none. */
static size_t resynchronise(const uint8_t *data, size_t from, size_t size)
{
	static const uint32_t magic = CHUNK_MAGIC;
	struct chunk_header header;

	while (from < size && size - from >= sizeof(header)) {
		const uint8_t *hit = memmem(data + from, size - from, &magic, sizeof(magic));

		if (!hit || (size_t)(data + size - hit) < sizeof(header))
			break;
		memcpy(&header, hit, sizeof(header));
		if (chunk_header_check(&header) == 0)
			return (size_t)(hit - data);
		from = (size_t)(hit - data) + 1;
	}
	return size;
}

static int read_chunks(struct metadata *metadata, struct reader *trace, const char *name,
		       const uint8_t *data, size_t size, struct pool *pool)
{
	size_t offset = sizeof(struct file_header);

	while (offset < size) {
		struct chunk_header header;
		size_t next;
		int error;

		next = resynchronise(data, offset, size);
		metadata->damaged |= next != offset;
		if (next != offset)
			problem(trace, "%s/%s: offset %zu: %zu bytes are no chunk", trace->dir,
				name, offset, next - offset);
		if (next == size)
			break;
		memcpy(&header, data + next, sizeof(header));
		offset = next + sizeof(header);
		if (header.body_size > size - offset || !chunk_body_check(&header, data + offset)) {
			problem(trace, "%s/%s: offset %zu: metadata chunk is damaged or cut short",
				trace->dir, name, next);
			metadata->damaged = true;
			continue;
		}
		error = read_chunk(metadata, trace, name, &header, data + offset, pool);
		if (error)
			return error;
		offset += header.body_size;
	}
	return 0;
}

static int read_whole_packed(struct reader *trace, const char *name, uint8_t **data, size_t *size)
{
	struct packed *packed = trace->files.packed;
	uint32_t file = packed_find(packed, name);
	uint64_t all = packed_file_size(packed, file);
	ssize_t got;

	if (file == UINT32_MAX)
		return -ENOENT;
	*size = all < METADATA_MAX ? (size_t)all : METADATA_MAX;
	*data = malloc(*size + sizeof(struct file_header));
	got = *data ? packed_read(packed, file, *data, *size, 0) : -ENOMEM;
	if (got < 0)
		free(*data);
	return got < 0 ? (int)got : 0;
}

static int read_whole_part(const struct node_part *part, uint8_t **data, size_t *size)
{
	ssize_t got;

	*size = part->size < METADATA_MAX ? (size_t)part->size : METADATA_MAX;
	*data = malloc(*size);
	got = *data ? node_read(part, *data, *size, 0) : -ENOMEM;
	if (got < 0)
		free(*data);
	else
		*size = (size_t)got;
	return got < 0 ? (int)got : 0;
}

/* The whole file: these files are small, and are replaced or appended to while we look. */
static int read_whole(struct reader *trace, const char *name, uint8_t **data, size_t *size)
{
	size_t capacity = 64u << 10;
	ssize_t got;
	int fd;

	if (trace->files.packed)
		return read_whole_packed(trace, name, data, size);
	if (trace->files.nodes && nodes_find(trace->files.nodes, name))
		return read_whole_part(nodes_find(trace->files.nodes, name), data, size);
	fd = file_open_regular(trace->dir_fd, name);
	if (fd < 0)
		return fd;
	*data = NULL;
	*size = 0;
	do {
		uint8_t *larger = realloc(*data, capacity);

		got = larger ? fd_read_at(fd, larger + *size, capacity - *size, *size) : -ENOMEM;
		if (larger)
			*data = larger;
		if (got < 0)
			break;
		*size += (size_t)got;
		capacity *= 4;
	} while (*size == capacity / 4 && *size < METADATA_MAX);
	close(fd);
	if (got < 0)
		free(*data);
	return got < 0 ? (int)got : 0;
}

int metadata_load(struct metadata *metadata, struct reader *trace, const char *name,
		  enum file_kind kind, struct pool *pool, struct file_header *header)
{
	uint8_t *data;
	size_t size;
	int error = read_whole(trace, name, &data, &size);

	if (error)
		return error_set(error, "%s/%s: cannot be read: %s", trace->dir, name,
				 error == -EINVAL ? "not a regular file" : strerror(-error));
	memset(header, 0, sizeof(*header));
	memcpy(header, data, size < sizeof(*header) ? size : sizeof(*header));
	error = file_header_check(header, kind);
	if (error == -EPROTO)
		error_set(error, "%s/%s: format %u.%u is newer than this reader (%u.%u)",
			  trace->dir, name, header->major, header->minor, FORMAT_MAJOR,
			  FORMAT_MINOR);
	else if (error == -EINVAL)
		error_set(error, "%s/%s: offset 7: of another kind than its name says", trace->dir,
			  name);
	else if (error)
		problem(trace, "%s/%s: offset 0: no file header of the format", trace->dir, name);
	if (error == -EBADMSG) {
		memset(header, 0, sizeof(*header));
		error = 0;
	}
	if (!error)
		error = read_chunks(metadata, trace, name, data, size, pool);
	free(data);
	return error;
}

void metadata_release(struct metadata *metadata)
{
	free(metadata->items);
	index_release(&metadata->index);
	memset(metadata, 0, sizeof(*metadata));
}

const struct reader_value *metadata_get(const struct metadata *metadata, const char *key)
{
	const struct metadata_item *item = find(metadata, key, strlen(key));

	return item ? &item->value : NULL;
}

int64_t metadata_i64(const struct metadata *metadata, const char *key, int64_t otherwise)
{
	const struct reader_value *value = metadata_get(metadata, key);

	if (!value)
		return otherwise;
	switch (value->type) {
	case READER_U64:
		return (int64_t)value->u64;
	case READER_I64:
		return value->i64;
	case READER_F64:
		return value->f64 > -9e18 && value->f64 < 9e18 ? (int64_t)value->f64 : otherwise;
	case READER_BYTES:
		break;
	}
	return otherwise;
}

uint64_t metadata_u64(const struct metadata *metadata, const char *key, uint64_t otherwise)
{
	return (uint64_t)metadata_i64(metadata, key, (int64_t)otherwise);
}

const char *metadata_text(const struct metadata *metadata, const char *key)
{
	const struct reader_value *value = metadata_get(metadata, key);

	return value && value->type == READER_BYTES ? value->bytes : "";
}
