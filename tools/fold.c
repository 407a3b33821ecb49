/* SPDX-License-Identifier: MIT */
/* fold.c - see fold.h */
#include "fold.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chunkfile.h"
#include "format/meta.h"
#include "format/reasons.h"
#include "livedir.h"
#include "livefile.h"
#include "message.h"
#include "progress.h"
#include "read/index.h"
#include "read/life.h"

#define NAME_LIMIT 256

/* What an LM says, as far as folding needs it. */
struct lm_facts {
	uint32_t pid;
	uint64_t pid_start, pid_ns;
	bool final;
	bool live_private; /* some rings were private memory */
	char boot_id[64];
	char host[NAME_LIMIT];
	char live_dir[4096];
	char run_id[NAME_LIMIT];
};

/* What a .rec holds. */
struct thread_count {
	uint32_t index;
	uint64_t next; /* sequence number after the last one stored */
};

struct rec_facts {
	uint64_t records, lost;
	uint32_t chunks;
	bool ended; /* the last chunk is an END */
	struct thread_count *threads;
	uint32_t thread_count, thread_room;
	struct index by_index; /* of threads: a trace may have a million */
};

struct fold {
	const char *dir;
	int dir_fd;
	int live_fd; /* directory of the live files, -1 none */
	int64_t died;
	bool thorough;
	const char *name; /* of the stream */
	struct chunkfile lm, rec;
	struct lm_facts facts;
	struct rec_facts stored;
	uint64_t arena_lost;
	uint32_t arena_lost_reason; /* enum loss_reason */
	uint64_t death;             /* when its launcher saw it dead, Unix ns, 0 unknown */
	bool changed;
	struct fold_result *result;
	struct life_view here;
};

/* Reading what is there ------------------------------------------------------------ */

static void copy_text(char *to, size_t size, const struct meta_entry *entry)
{
	size_t length = entry->bytes.length < size ? entry->bytes.length : size - 1;

	if (entry->type != META_BYTES)
		return;
	memcpy(to, entry->bytes.bytes, length);
	to[length] = '\0';
}

static bool key_is(const struct meta_entry *entry, const char *key)
{
	return entry->key.length == strlen(key) &&
	       !memcmp(entry->key.bytes, key, entry->key.length);
}

static int read_meta(void *data, const struct chunk_header *header, struct bytes body)
{
	struct lm_facts *facts = data;
	struct meta_entry entry;

	if (header->type != CHUNK_META || header->encoding != 0)
		return 0;
	facts->final |= header->flags & CHUNK_FINAL;
	while (meta_next(&body, &entry)) {
		if (key_is(&entry, "pid"))
			facts->pid = (uint32_t)entry.u64;
		else if (key_is(&entry, "pid.start"))
			facts->pid_start = entry.u64;
		else if (key_is(&entry, "pid.ns"))
			facts->pid_ns = entry.u64;
		else if (key_is(&entry, "live.private"))
			facts->live_private = entry.u64 != 0;
		else if (key_is(&entry, "boot.id"))
			copy_text(facts->boot_id, sizeof(facts->boot_id), &entry);
		else if (key_is(&entry, "host"))
			copy_text(facts->host, sizeof(facts->host), &entry);
		else if (key_is(&entry, "live.dir"))
			copy_text(facts->live_dir, sizeof(facts->live_dir), &entry);
		else if (key_is(&entry, "run.id"))
			copy_text(facts->run_id, sizeof(facts->run_id), &entry);
	}
	return 0;
}

/* For one thread more. */
static bool make_room(struct rec_facts *facts)
{
	uint32_t room = facts->thread_room ? facts->thread_room * 2 : 16;
	struct thread_count *larger;

	if (facts->thread_count < facts->thread_room)
		return true;
	larger = realloc(facts->threads, room * sizeof(*larger));
	if (!larger)
		return false;
	facts->threads = larger;
	facts->thread_room = room;
	return true;
}

static struct thread_count *count_of(struct rec_facts *facts, uint32_t index)
{
	uint32_t hash = index_hash(&index, sizeof(index)), position = hash;
	int64_t number;

	while ((number = index_next(&facts->by_index, hash, &position)) >= 0)
		if (facts->threads[number].index == index)
			return &facts->threads[number];
	if (!make_room(facts) || index_add(&facts->by_index, hash, facts->thread_count))
		return NULL;
	facts->threads[facts->thread_count] = (struct thread_count){index, 0};
	return &facts->threads[facts->thread_count++];
}

static int read_data(struct rec_facts *facts, const struct chunk_header *header)
{
	struct thread_count *thread = count_of(facts, header->thread);

	if (!thread)
		return -ENOMEM;
	/* the same chunk again: its first writing was cut short */
	if (header->first_sequence + header->count <= thread->next)
		return 0;
	thread->next = header->first_sequence + header->count;
	facts->records += header->count;
	facts->lost += header->lost;
	return 0;
}

static int read_rec(void *data, const struct chunk_header *header, struct bytes body)
{
	struct rec_facts *facts = data;

	facts->chunks++;
	facts->ended = header->type == CHUNK_END;
	if (header->type == CHUNK_DATA)
		return read_data(facts, header);
	if (header->type != CHUNK_LOST || header->encoding != 0)
		return 0;
	for (uint32_t i = 0; i < header->count && !body.bad; i++) {
		facts->lost += bytes_u64(&body);
		bytes_str(&body);
	}
	return 0;
}

/* Writing what is missing ------------------------------------------------------------ */

static int append(struct fold *fold, struct chunk_header *header, const void *body)
{
	int error = 0;
	char name[NAME_LIMIT + 8];

	snprintf(name, sizeof(name), "%s.rec", fold->name);
	if (fold->rec.fd < 0)
		error = chunkfile_create(&fold->rec, fold->dir_fd, name, FILE_STREAM,
					 fold->lm.stream_id);
	if (!error)
		error = chunkfile_append(&fold->rec, header, body);
	fold->stored.chunks++;
	fold->changed = true;
	return error;
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

static int fold_arena(struct fold *fold)
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
		error = append(fold, &header, body);
	free(body);
	livefile_release(&file);
	return error == -EINVAL ? pass_over(fold, name, error) : error;
}

static int fold_records(struct fold *fold, struct ring_records *records)
{
	struct thread_count *thread = count_of(&fold->stored, records->header.thread);

	if (!thread)
		return -ENOMEM;
	if (records->header.count == 0)
		return 0;
	thread->next = records->header.first_sequence + records->header.count;
	fold->stored.records += records->header.count;
	fold->stored.lost += records->header.lost;
	fold->result->records += records->header.count;
	return append(fold, &records->header, records->body);
}

static int fold_ring(struct fold *fold, const char *name)
{
	struct ring_records records;
	struct chunk_header header;
	struct thread_count *thread;
	struct ring_header ring;
	struct livefile file;
	const uint8_t *body;
	int error = livefile_read(&file, fold->live_fd, name, RING_MAGIC, fold->lm.stream_id);

	if (error)
		return pass_over(fold, name, error);
	memcpy(&ring, file.bytes, sizeof(ring));
	if (ring.thread == RING_FREE) {
		livefile_release(&file);
		return 0;
	}
	thread = count_of(&fold->stored, ring.thread);
	error = thread ? ring_read(&file, thread->next, &records) : -ENOMEM;
	if (!error)
		error = fold_records(fold, &records);
	if (!error) {
		ring_open_calls(&file, &records, &body, &header);
		fold->result->in_flight += header.count;
		if (header.count > 0)
			error = append(fold, &header, body);
	}
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

/* A chunk states it now: should we be killed, the next repair must not state it again. */
static int forget_lost(const struct fold *fold)
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

/* Loss that no chunk states: the arena counts it, or nothing is left that could tell. */
static int write_lost(struct fold *fold, bool rings_gone)
{
	struct chunk_header header = {.type = CHUNK_LOST, .count = 1};
	struct packer packer;
	uint8_t body[32];
	uint64_t lost = fold->arena_lost;
	int error;

	if (lost == 0 && !rings_gone)
		return 0;
	packer = packer_of(body, sizeof(body));
	pack_u64(&packer, lost);
	pack_str(&packer, rings_gone ? "no_ring" : loss_name(fold->arena_lost_reason));
	header.body_size = header.plain_size = (uint32_t)packer_size(&packer, body);
	fold->stored.lost += lost;
	error = append(fold, &header, body);
	return error ? error : forget_lost(fold);
}

static int write_end(struct fold *fold)
{
	struct {
		struct end_head head;
		struct end_tail tail;
	} body = {{fold->stored.records, fold->stored.lost, 0, 0}, {fold->rec.size, {0}}};
	struct chunk_header header = {.type = CHUNK_END};

	if (fold->rec.fd < 0 || (fold->stored.ended && !fold->changed))
		return 0;
	memcpy(body.tail.magic, INDEX_MAGIC, sizeof(body.tail.magic));
	header.body_size = header.plain_size = sizeof(body);
	return append(fold, &header, &body);
}

static int write_final(struct fold *fold)
{
	struct chunk_header header = {.type = CHUNK_META, .flags = CHUNK_FINAL};
	uint8_t body[1024];
	struct packer packer = packer_of(body, sizeof(body));
	uint64_t died = fold->death ? fold->death : (uint64_t)fold->died;

	meta_put_u64(&packer, "records", fold->stored.records);
	meta_put_u64(&packer, "lost", fold->stored.lost);
	meta_put_u64(&packer, "threads", fold->stored.thread_count);
	meta_put_u64(&packer, "chunks", fold->stored.chunks);
	meta_put_u64(&packer, "bytes", fold->rec.fd < 0 ? 0 : fold->rec.size);
	header.count = 5;
	if (!fold->facts.final) {
		meta_put_str(&packer, "end.reason", "repaired");
		header.count++;
	}
	if (!fold->facts.final && died > 0) {
		meta_put_u64(&packer, "end.time", died);
		header.count++;
	}
	header.body_size = header.plain_size = (uint32_t)packer_size(&packer, body);
	return chunkfile_append(&fold->lm, &header, body);
}

/* Not so if the process was killed while it made the file. */
static bool has_content(int dir_fd, const char *name)
{
	struct stat status;

	return fstatat(dir_fd, name, &status, AT_SYMLINK_NOFOLLOW) ||
	       status.st_size > (off_t)sizeof(struct file_header);
}

/* One stream -------------------------------------------------------------------------- */

static void remove_live(struct fold *fold)
{
	char name[NAME_LIMIT + 8];

	each_ring(fold, unlink_ring);
	snprintf(name, sizeof(name), "%s.defs", fold->name);
	unlink_live(fold, name, ARENA_MAGIC);
	rmdir(fold->facts.live_dir); /* the last one out */
}

static int trim_rec(struct fold *fold)
{
	uint64_t size = fold->rec.size;
	int error = chunkfile_trim(&fold->rec);

	fold->changed |= fold->rec.size != size;
	return error;
}

/* A .rec that is shorter than its header is as good as none: its process died while it made it. */
static int open_rec(struct fold *fold)
{
	char name[NAME_LIMIT + 8];
	int error;

	snprintf(name, sizeof(name), "%s.rec", fold->name);
	error = chunkfile_open(&fold->rec, fold->dir_fd, name, FILE_STREAM);
	if (error != -EINVAL || has_content(fold->dir_fd, name))
		return error;
	return unlinkat(fold->dir_fd, name, 0) ? -errno : 0;
}

static bool live_files_remain(const struct fold *fold)
{
	char name[NAME_LIMIT + 8];

	snprintf(name, sizeof(name), "%s.defs", fold->name);
	return fold->live_fd >= 0 && !faccessat(fold->live_fd, name, F_OK, AT_SYMLINK_NOFOLLOW);
}

/*
 * Whether records were in rings that are not there any more, as many as nobody knows. A process makes its .rec, then rings; it
 * removes them, and then the arena, when it has ended.
 */
static bool misses_rings(struct fold *fold)
{
	if (fold->facts.final || fold->rec.fd < 0)
		return false;
	if (fold->facts.live_private || fold->live_fd < 0)
		return true;
	return !live_files_remain(fold) && each_ring(fold, count_ring) == 0;
}

static int fold_complete(struct fold *fold)
{
	bool rings_gone;
	int error;

	error = open_rec(fold);
	if (!error)
		error = chunkfile_walk(&fold->rec, read_rec, &fold->stored);
	if (!error)
		error = trim_rec(fold);
	rings_gone = misses_rings(fold);
	if (!error && fold->live_fd >= 0) {
		error = fold_arena(fold);
		if (!error)
			error = each_ring(fold, fold_ring);
	}
	if (!error)
		error = write_lost(fold, rings_gone);
	if (!error)
		error = write_end(fold);
	if (!error && (fold->changed || !fold->facts.final))
		error = write_final(fold);
	if (!error && fold->live_fd >= 0)
		remove_live(fold);
	fold->result->folded += !error;
	return error;
}

/* Whether the process ended on this machine, whose rings we can see; counts it where not. */
static bool is_ours_to_fold(struct fold *fold)
{
	struct life_claim claim = {.boot_id = fold->facts.boot_id,
				   .host = fold->facts.host,
				   .pid_ns = fold->facts.pid_ns,
				   .pid_start = fold->facts.pid_start,
				   .pid = fold->facts.pid};
	enum life life = life_of(&fold->here, &claim);

	if (life == LIFE_ELSEWHERE) {
		fold->result->elsewhere += !fold->facts.final;
		fold->result->clean += fold->facts.final;
		if (!fold->facts.final)
			snprintf(fold->result->elsewhere_host, sizeof(fold->result->elsewhere_host),
				 "%s", fold->facts.host);
		return false;
	}
	if (life != LIFE_ENDED && (!fold->facts.final || live_files_remain(fold))) {
		fold->result->running++;
		fold->result->dying += life == LIFE_DIES;
		return false;
	}
	return true;
}

/* A stream that ended in order needs nothing, but its file may have been cut short since. */
static int look_after(struct fold *fold)
{
	int error = 0;

	if (fold->thorough) {
		error = open_rec(fold);
		if (!error)
			error = chunkfile_walk(&fold->rec, read_rec, &fold->stored);
		if (!error)
			error = trim_rec(fold);
	}
	fold->result->folded += !error && fold->changed;
	fold->result->clean += !error && !fold->changed;
	return error;
}

/* Live files are taken out of a directory and removed: not out of one that a trace only says is theirs. */
static int open_live_dir(struct fold *fold)
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

static void fold_stream(struct fold *fold, const char *lm_name)
{
	char name[NAME_LIMIT];
	int error;

	snprintf(name, sizeof(name), "%.*s", (int)(strlen(lm_name) - 3), lm_name);
	fold->name = name;
	fold->live_fd = -1;
	fold->rec.fd = -1;
	memset(&fold->facts, 0, sizeof(fold->facts));
	memset(&fold->stored, 0, sizeof(fold->stored));
	fold->arena_lost = 0;
	fold->arena_lost_reason = 0;
	fold->death = 0;
	fold->changed = false;
	error = chunkfile_open(&fold->lm, fold->dir_fd, lm_name, FILE_LOCAL);
	if (!error && fold->lm.fd < 0)
		error = -ENOENT;
	if (!error)
		error = chunkfile_walk(&fold->lm, read_meta, &fold->facts);
	if (!error)
		error = open_live_dir(fold);
	if (!error && is_ours_to_fold(fold)) {
		error = chunkfile_trim(&fold->lm);
		if (!error && fold->facts.final && !live_files_remain(fold))
			error = look_after(fold);
		else if (!error)
			error = fold_complete(fold);
	}
	if (error) {
		message_error("cannot repair '%s/%s': %s", fold->dir, name, strerror(-error));
		fold->result->failed++;
	}
	if (fold->live_fd >= 0)
		close(fold->live_fd);
	chunkfile_close(&fold->rec);
	chunkfile_close(&fold->lm);
	free(fold->stored.threads);
	index_release(&fold->stored.by_index);
}

/* The trace ----------------------------------------------------------------------------- */

/* recorder.gm can be made again from any stream. */
static int rebuild_global(struct fold *fold)
{
	struct chunk_header header = {.type = CHUNK_META, .count = 2};
	uint8_t body[NAME_LIMIT + 64];
	struct packer packer = packer_of(body, sizeof(body));
	struct chunkfile global = {.fd = -1};
	int error;

	if (!faccessat(fold->dir_fd, "recorder.gm", F_OK, AT_SYMLINK_NOFOLLOW) ||
	    !fold->facts.run_id[0])
		return 0;
	error = chunkfile_create(&global, fold->dir_fd, "recorder.gm", FILE_GLOBAL, 0);
	meta_put_str(&packer, "run.id", fold->facts.run_id);
	meta_put_str(&packer, "format", "1.0");
	header.body_size = header.plain_size = (uint32_t)packer_size(&packer, body);
	if (!error)
		error = chunkfile_append(&global, &header, body);
	chunkfile_close(&global);
	return error;
}

static bool is_lm(const char *name)
{
	size_t length = strlen(name);

	return length > 3 && length < NAME_LIMIT && name[0] != '.' &&
	       !strcmp(name + length - 3, ".lm");
}

int fold_trace(const char *dir, int64_t died, bool thorough, struct fold_result *result)
{
	struct fold fold = {.dir = dir, .died = died, .thorough = thorough, .result = result};
	struct dirent *entry;
	DIR *entries = opendir(dir);
	uint64_t done = 0;
	int error = 0;

	memset(result, 0, sizeof(*result));
	if (!entries)
		return -errno;
	fold.dir_fd = dirfd(entries);
	life_view_init(&fold.here);
	while ((entry = readdir(entries)))
		if (is_lm(entry->d_name) && has_content(fold.dir_fd, entry->d_name)) {
			fold_stream(&fold, entry->d_name);
			progress_report("completing stream", ++done, 0);
		}
	progress_clear();
	if (result->folded + result->clean + result->running + result->elsewhere > 0)
		error = rebuild_global(&fold);
	life_view_release(&fold.here);
	closedir(entries);
	return error;
}
