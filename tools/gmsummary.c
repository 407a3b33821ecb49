/* SPDX-License-Identifier: MIT */
/* gmsummary.c - see gmsummary.h */
#include "gmsummary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chunkfile.h"
#include "format/bytes.h"
#include "format/meta.h"
#include "metavalue.h"

#define KEY_MAX 48
#define ENTRY_MAX 512 /* of metadata, with the longest name */

struct world {
	const char *name; /* by its launcher, "" none */
	uint64_t size, ranks;
	int32_t last_rank; /* that was counted */
};

struct machine {
	const char *boot_id, *host;
	int64_t mono, offset; /* earliest anchor, and what is to be added to make it Unix time */
};

struct summary {
	struct reader_info info;
	uint64_t end; /* Unix ns */
	struct world *worlds;
	struct machine *machines;
	unsigned world_count, machine_count;
};

/* Gathering ------------------------------------------------------------------------- */

/* Streams come by world and rank. */
static void add_to_world(struct summary *summary, const struct reader *trace,
			 const struct reader_stream *stream, unsigned number)
{
	struct world *world = &summary->worlds[stream->world];

	if ((unsigned)stream->world >= summary->world_count) {
		summary->world_count = (unsigned)stream->world + 1;
		world->name = meta_text(trace, number, "world");
		world->last_rank = -1;
	}
	if (!stream->main || stream->rank <= world->last_rank)
		return;
	world->last_rank = stream->rank;
	world->ranks++;
	if (stream->size > 0 && (uint64_t)stream->size > world->size)
		world->size = (uint64_t)stream->size;
}

static void add_to_machine(struct summary *summary, const struct reader *trace,
			   const struct reader_stream *stream, unsigned number)
{
	int64_t mono = (int64_t)meta_number(trace, number, "anchor.0.mono");
	struct machine *machine = summary->machines;

	while (machine < summary->machines + summary->machine_count &&
	       strcmp(machine->boot_id, stream->boot_id) != 0)
		machine++;
	if (machine == summary->machines + summary->machine_count) {
		summary->machine_count++;
		machine->boot_id = stream->boot_id;
		machine->host = stream->host;
		machine->mono = INT64_MAX;
	}
	if (mono == 0 || mono >= machine->mono)
		return;
	machine->mono = mono;
	machine->offset = (int64_t)meta_number(trace, number, "anchor.0.real") - mono;
}

static int gather(const struct reader *trace, struct summary *summary)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	memset(summary, 0, sizeof(*summary));
	summary->info.sz = sizeof(summary->info);
	reader_info(trace, &summary->info);
	summary->worlds = calloc(summary->info.worlds + 1u, sizeof(*summary->worlds));
	summary->machines = calloc(summary->info.streams + 1u, sizeof(*summary->machines));
	if (!summary->worlds || !summary->machines)
		return -ENOMEM;
	for (unsigned i = 0; !reader_stream(trace, i, &stream); i++) {
		uint64_t end = (uint64_t)(summary->info.start + stream.end);

		if (stream.world >= 0 && (unsigned)stream.world < summary->info.worlds)
			add_to_world(summary, trace, &stream, i);
		if (*stream.boot_id)
			add_to_machine(summary, trace, &stream, i);
		if (end > summary->end)
			summary->end = end;
	}
	return 0;
}

static void release(struct summary *summary)
{
	free(summary->worlds);
	free(summary->machines);
}

/* Telling --------------------------------------------------------------------------- */

struct writer {
	struct packer packer;
	uint32_t entries;
};

/* "PREFIX.NUMBER.NAME" */
static const char *numbered(char key[KEY_MAX], const char *prefix, unsigned number,
			    const char *name)
{
	snprintf(key, KEY_MAX, "%s.%u.%s", prefix, number, name);
	return key;
}

static void put_u64(struct writer *writer, const char *key, uint64_t value)
{
	meta_put_u64(&writer->packer, key, value);
	writer->entries++;
}

static void put_text(struct writer *writer, const char *key, const char *value)
{
	if (!*value)
		return;
	meta_put_str(&writer->packer, key, value);
	writer->entries++;
}

/* What brought the machines together. */
static const char *clock_source(const struct summary *summary)
{
	if (summary->machine_count <= 1)
		return "mono";
	return summary->info.unverified_clock ? "real" : "points";
}

static void put_summary(struct writer *writer, const struct summary *summary)
{
	char key[KEY_MAX];

	put_u64(writer, "ranks", summary->info.ranks);
	put_u64(writer, "worlds", summary->info.worlds);
	/* also those that were there and are gone, or it could not be seen again */
	put_u64(writer, "streams", summary->info.streams + summary->info.missing_streams);
	put_u64(writer, "hosts", summary->machine_count);
	put_u64(writer, "records", summary->info.records);
	put_u64(writer, "lost", summary->info.lost);
	put_u64(writer, "end.time", summary->end);
	for (unsigned i = 0; i < summary->world_count; i++) {
		put_text(writer, numbered(key, "world", i, "name"), summary->worlds[i].name);
		put_u64(writer, numbered(key, "world", i, "ranks"), summary->worlds[i].ranks);
		if (summary->worlds[i].size)
			put_u64(writer, numbered(key, "world", i, "size"), summary->worlds[i].size);
	}
	put_text(writer, "clock.source", clock_source(summary));
	for (unsigned i = 0; i < summary->machine_count; i++) {
		put_text(writer, numbered(key, "clock", i, "host"), summary->machines[i].host);
		put_text(writer, numbered(key, "clock", i, "boot.id"),
			 summary->machines[i].boot_id);
		meta_put_i64(&writer->packer, numbered(key, "clock", i, "offset"),
			     summary->machines[i].offset);
		writer->entries++;
	}
}

/* The body of the newest summary in the file. */
struct newest {
	uint8_t *body;
	size_t size;
};

static int keep_newest(void *data, const struct chunk_header *header, struct bytes body)
{
	struct newest *newest = data;

	if (header->type != CHUNK_META || !(header->flags & CHUNK_FINAL))
		return 0;
	free(newest->body);
	newest->size = header->body_size;
	newest->body = malloc(newest->size + 1);
	if (!newest->body)
		return -ENOMEM;
	memcpy(newest->body, body.p, newest->size);
	return 0;
}

static int append(struct chunkfile *global, const struct writer *writer, const uint8_t *body)
{
	struct chunk_header header = {.type = CHUNK_META,
				      .flags = CHUNK_FINAL,
				      .count = writer->entries};
	struct newest newest = {NULL, 0};
	int error = chunkfile_walk(global, keep_newest, &newest);
	bool same;

	header.body_size = header.plain_size = (uint32_t)packer_size(&writer->packer, body);
	same = newest.body && newest.size == header.body_size &&
	       !memcmp(newest.body, body, newest.size);
	free(newest.body);
	if (!error && header.body_size == 0)
		error = -E2BIG;
	if (!error && !same)
		error = chunkfile_trim(global);
	return error || same ? error : chunkfile_append(global, &header, body);
}

/* The file is locked before the streams are read: so the last one to write has seen the most. */
static int write_locked(struct chunkfile *global, const char *dir)
{
	struct reader *trace = reader_open(dir, NULL);
	struct summary summary;
	struct writer writer = {.entries = 0};
	size_t size;
	uint8_t *body = NULL;
	int error;

	if (!trace)
		return -errno;
	error = gather(trace, &summary);
	size = (8u + 3u * summary.world_count + 3u * summary.machine_count) * (size_t)ENTRY_MAX;
	if (!error && !(body = malloc(size)))
		error = -ENOMEM;
	if (!error) {
		writer.packer = packer_of(body, size);
		put_summary(&writer, &summary);
		error = append(global, &writer, body);
	}
	free(body);
	release(&summary);
	reader_close(trace);
	return error;
}

int gmsummary_write(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct chunkfile global;
	int error;

	if (fd < 0)
		return -errno;
	error = chunkfile_open(&global, fd, "recorder.gm", FILE_GLOBAL);
	if (!error && global.fd >= 0)
		error = write_locked(&global, dir);
	chunkfile_close(&global);
	close(fd);
	return error;
}

int gmsummary_compare(const struct reader *trace,
		      void (*differs)(const char *key, uint64_t said, uint64_t found))
{
	struct summary summary;
	int error = gather(trace, &summary);
	const struct {
		const char *key;
		uint64_t found;
	} numbers[] = {{"ranks", summary.info.ranks},     {"worlds", summary.info.worlds},
		       {"streams", summary.info.streams}, {"hosts", summary.machine_count},
		       {"records", summary.info.records}, {"lost", summary.info.lost}};
	struct reader_value value;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]) && !error; i++)
		if (!reader_meta(trace, READER_GLOBAL, numbers[i].key, &value) &&
		    value.u64 != numbers[i].found)
			differs(numbers[i].key, value.u64, numbers[i].found);
	release(&summary);
	return error;
}
