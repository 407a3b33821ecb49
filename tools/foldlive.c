/* SPDX-License-Identifier: MIT */
/* foldlive.c - see foldlive.h */
#include "foldlive.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/held.h"
#include "fold.h"
#include "foldstream.h"
#include "livedir.h"
#include "livefile.h"
#include "message.h"

int foldlive_open(struct fold *fold)
{
	struct stat status;

	if (!fold->facts.live_dir[0])
		return 0;
	if (fstat(fold->lm.fd, &status))
		return -errno;
	fold->live_fd = livedir_open(fold->facts.live_dir, status.st_uid);
	if (fold->live_fd != -EPERM || fold->facts.final)
		return 0;
	message_error("'%s' is no directory of live files of '%s/%s'", fold->facts.live_dir,
		      fold->dir, fold->name);
	return -EPERM;
}

bool foldlive_remains(const struct fold *fold)
{
	char name[NAME_LIMIT + 8];

	snprintf(name, sizeof(name), "%s.defs", fold->name);
	return fold->live_fd >= 0 && !faccessat(fold->live_fd, name, F_OK, AT_SYMLINK_NOFOLLOW);
}

/* A live file that cannot be read must not keep the others from being folded. */
static int pass_over(struct fold *fold, const char *name, int error)
{
	if (error == -ENOENT)
		return 0;
	if (error == -ENOMEM || error == -EIO)
		return error;
	message_error("'%s/%s' cannot be read as a live file of '%s/%s'", fold->facts.live_dir,
		      name, fold->dir, fold->name);
	fold->result->failed++;
	return 0;
}

int foldlive_arena(struct fold *fold)
{
	struct chunk_header header = {.type = CHUNK_DEFS, .encoding = DEFS_PLAIN};
	struct arena_header arena;
	struct livefile file;
	char name[NAME_LIMIT + 8];
	uint8_t *body;
	int error;

	snprintf(name, sizeof(name), "%s.defs", fold->name);
	error = livefile_read(&file, fold->live_fd, name, ARENA_MAGIC, fold->lm.stream_id);
	if (error)
		return pass_over(fold, name, error);
	memcpy(&arena, file.bytes, sizeof(arena));
	fold->arena_lost = arena.lost;
	memcpy(&fold->arena_lost_reason, file.bytes + ARENA_LOSS, sizeof(fold->arena_lost_reason));
	memcpy(&fold->death, file.bytes + ARENA_DEATH, sizeof(fold->death));
	error = arena_entries(&file, &body, &header.body_size, &header.count);
	header.plain_size = header.body_size;
	header.anchor = arena.anchor;
	if (!error && header.count > 0)
		error = fold_append(fold, &header, body);
	free(body);
	livefile_release(&file);
	return error == -EINVAL ? pass_over(fold, name, error) : error;
}

static int fold_records(struct fold *fold, struct ring_records *records)
{
	struct thread_count *thread = rec_facts_thread(&fold->stored, records->header.thread);

	if (!thread)
		return -ENOMEM;
	if (records->header.count == 0)
		return 0;
	thread->next = records->header.first_sequence + records->header.count;
	fold->stored.records += records->header.count;
	fold->stored.lost += records->header.lost;
	fold->result->records += records->header.count;
	return fold_append(fold, &records->header, records->body);
}

/* What the ring's thread held of records that are not in the stream. It goes in as it is. */
static int fold_held(struct fold *fold, const struct livefile *file, const struct ring_header *ring)
{
	struct thread_count *thread = rec_facts_thread(&fold->stored, ring->thread);
	struct bytes held, body;
	struct chunk_header header;
	int error = thread ? 0 : -ENOMEM;

	if (ring->held_offset > file->size || ring->held_size > file->size - ring->held_offset)
		return -EINVAL;
	held = held_find(file->bytes + ring->held_offset, ring->held_size);
	while (!error && held_next(&held, &header, &body)) {
		if (header.thread != ring->thread || header.first_sequence < thread->next)
			continue;
		thread->next = header.first_sequence + header.count;
		fold->stored.records += header.count;
		fold->result->records += header.count;
		error = fold_append(fold, &header, body.p);
	}
	return error;
}

static int fold_ring(struct fold *fold, const char *name)
{
	struct ring_records records;
	struct chunk_header header;
	struct thread_count *thread;
	struct ring_header ring;
	struct livefile file;
	uint8_t *body = NULL;
	int error = livefile_read(&file, fold->live_fd, name, RING_MAGIC, fold->lm.stream_id);

	if (error)
		return pass_over(fold, name, error);
	memcpy(&ring, file.bytes, sizeof(ring));
	if (ring.thread == RING_FREE) {
		livefile_release(&file);
		return 0;
	}
	error = fold_held(fold, &file, &ring);
	thread = error ? NULL : rec_facts_thread(&fold->stored, ring.thread);
	if (!error)
		error = thread ? ring_read(&file, thread->next, &records) : -ENOMEM;
	if (!error)
		error = fold_records(fold, &records);
	if (!error)
		error = ring_open_calls(&file, &records, &body, &header);
	if (!error) {
		fold->result->in_flight += header.count;
		if (header.count > 0)
			error = fold_append(fold, &header, body);
	}
	free(body);
	livefile_release(&file);
	return error == -EINVAL ? pass_over(fold, name, error) : error;
}

/* "STREAM.7.ring" */
static bool is_ring_of(const char *file, const char *stream)
{
	size_t length = strlen(stream);
	const char *p = file + length + 1;

	if (strncmp(file, stream, length) != 0 || file[length] != '.' ||
	    !isdigit((unsigned char)*p))
		return false;
	while (isdigit((unsigned char)*p))
		p++;
	return !strcmp(p, ".ring");
}

/* Calls `visit` for the name of each ring of the stream. */
static int each_ring(struct fold *fold, int (*visit)(struct fold *fold, const char *name))
{
	struct dirent *entry;
	int error = 0, fd = dup(fold->live_fd);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir) {
		error = -errno;
		if (fd >= 0)
			close(fd);
		return error;
	}
	rewinddir(dir);
	while (!error && (entry = readdir(dir)))
		if (is_ring_of(entry->d_name, fold->name))
			error = visit(fold, entry->d_name);
	closedir(dir);
	return error;
}

static int count_ring(struct fold *fold, const char *name)
{
	(void)fold;
	(void)name;
	return 1;
}

/* Only what is this stream's, or was just being made. */
static int unlink_live(struct fold *fold, const char *name, const char *magic)
{
	struct livefile file;
	int error = livefile_read(&file, fold->live_fd, name, magic, fold->lm.stream_id);

	livefile_release(&file);
	if (error && error != -ENOENT)
		return 0;
	return unlinkat(fold->live_fd, name, 0) && errno != ENOENT ? -errno : 0;
}

static int unlink_ring(struct fold *fold, const char *name)
{
	return unlink_live(fold, name, RING_MAGIC);
}

int foldlive_rings(struct fold *fold)
{
	return each_ring(fold, fold_ring);
}

bool foldlive_has_rings(struct fold *fold)
{
	return each_ring(fold, count_ring) != 0;
}

int foldlive_forget_lost(const struct fold *fold)
{
	static const uint64_t none;
	char name[NAME_LIMIT + 8];
	int fd, error = 0;

	if (fold->arena_lost == 0)
		return 0;
	snprintf(name, sizeof(name), "%s.defs", fold->name);
	fd = openat(fold->live_fd, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	if (pwrite(fd, &none, sizeof(none), offsetof(struct arena_header, lost)) != sizeof(none))
		error = -errno;
	close(fd);
	return error;
}

void foldlive_remove(struct fold *fold)
{
	char name[NAME_LIMIT + 8];

	each_ring(fold, unlink_ring);
	snprintf(name, sizeof(name), "%s.defs", fold->name);
	unlink_live(fold, name, ARENA_MAGIC);
	livedir_remove(fold->live_fd, fold->facts.live_dir); /* the last one out */
}
