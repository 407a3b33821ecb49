/* SPDX-License-Identifier: MIT */
/* foldstream.c - see foldstream.h */
#include "foldstream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fold.h"
#include "foldlive.h"
#include "format/meta.h"
#include "format/reasons.h"
#include "message.h"

bool fold_has_content(int dir_fd, const char *name)
{
	struct stat status;

	return fstatat(dir_fd, name, &status, AT_SYMLINK_NOFOLLOW) ||
	       status.st_size > (off_t)sizeof(struct file_header);
}

int fold_append(struct fold *fold, struct chunk_header *header, const void *body)
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

/* Why rings are gone: under a limit of the size of files they may have been memory for the same reason, and had no room in the stream. */
static const char *reason_of_gone(const struct fold *fold)
{
	return loss_name(fold->stored.limited ? LOSS_FILE_SIZE : LOSS_NO_RING);
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
	pack_str(&packer, rings_gone ? reason_of_gone(fold) : loss_name(fold->arena_lost_reason));
	header.body_size = header.plain_size = (uint32_t)packer_size(&packer, body);
	fold->stored.lost += lost;
	error = fold_append(fold, &header, body);
	return error ? error : foldlive_forget_lost(fold);
}

/* Its process had written all and said so, though perhaps not in its LM. */
static bool has_ended(const struct fold *fold)
{
	return fold->stored.ended && !fold->changed;
}

static int write_end(struct fold *fold)
{
	struct {
		struct end_head head;
		struct end_tail tail;
	} body = {{fold->stored.records, fold->stored.lost, 0, 0}, {fold->rec.size, {0}}};
	struct chunk_header header = {.type = CHUNK_END};

	if (fold->rec.fd < 0 || has_ended(fold))
		return 0;
	memcpy(body.tail.magic, INDEX_MAGIC, sizeof(body.tail.magic));
	header.body_size = header.plain_size = sizeof(body);
	return fold_append(fold, &header, &body);
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
		meta_put_str(&packer, "end.reason", has_ended(fold) ? "ended" : "repaired");
		header.count++;
	}
	if (!fold->facts.final && died > 0) {
		meta_put_u64(&packer, "end.time", died);
		header.count++;
	}
	header.body_size = header.plain_size = (uint32_t)packer_size(&packer, body);
	return chunkfile_append(&fold->lm, &header, body);
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

	if (fold->node)
		return chunkfile_open_part(&fold->rec, fold->dir_fd, &fold->node->parts[NODE_REC],
					   false);
	snprintf(name, sizeof(name), "%s.rec", fold->name);
	error = chunkfile_open(&fold->rec, fold->dir_fd, name, FILE_STREAM);
	if (error != -EINVAL || fold_has_content(fold->dir_fd, name))
		return error;
	return unlinkat(fold->dir_fd, name, 0) ? -errno : 0;
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
	return !foldlive_remains(fold) && !foldlive_has_rings(fold);
}

static int fold_complete(struct fold *fold)
{
	bool rings_gone;
	int error;

	error = open_rec(fold);
	if (!error)
		error = rec_facts_read(&fold->stored, &fold->rec);
	if (!error)
		error = trim_rec(fold);
	rings_gone = misses_rings(fold);
	if (!error && fold->live_fd >= 0) {
		error = foldlive_arena(fold);
		if (!error)
			error = foldlive_rings(fold);
	}
	if (!error)
		error = write_lost(fold, rings_gone);
	if (!error)
		error = write_end(fold);
	if (!error && (fold->changed || !fold->facts.final))
		error = write_final(fold);
	if (!error && fold->live_fd >= 0)
		foldlive_remove(fold);
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
	if (life != LIFE_ENDED && (!fold->facts.final || foldlive_remains(fold))) {
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
			error = rec_facts_read(&fold->stored, &fold->rec);
		if (!error)
			error = trim_rec(fold);
	}
	fold->result->folded += !error && fold->changed;
	fold->result->clean += !error && !fold->changed;
	return error;
}

/*
 * The LM of a segment that its process died before it closed: STREAM-sN.lm without a .rec. All records are in STREAM still, which counts
 * them as segment N or N + 1: an end of its own would make this file another stream's, or a second segment N.
 */
static bool is_begun_segment(const struct fold *fold)
{
	char name[NAME_LIMIT + 8];
	const char *number;
	struct stat status;

	if (fold->node || fold->facts.final)
		return false;
	number = strrchr(fold->name, '-');
	if (!number || number[1] != 's' || number[2] < '1' || number[2] > '9' ||
	    number[2 + strspn(number + 2, "0123456789")])
		return false;
	snprintf(name, sizeof(name), "%s.rec", fold->name);
	if (!fstatat(fold->dir_fd, name, &status, AT_SYMLINK_NOFOLLOW))
		return false;
	snprintf(name, sizeof(name), "%.*s.lm", (int)(number - fold->name), fold->name);
	return fold_has_content(fold->dir_fd, name) &&
	       !fstatat(fold->dir_fd, name, &status, AT_SYMLINK_NOFOLLOW);
}

static int open_local(struct fold *fold)
{
	char name[NAME_LIMIT + 8];
	int error;

	if (fold->node)
		return chunkfile_open_part(&fold->lm, fold->dir_fd, &fold->node->parts[NODE_LM],
					   true);
	snprintf(name, sizeof(name), "%s.lm", fold->name);
	error = chunkfile_open(&fold->lm, fold->dir_fd, name, FILE_LOCAL);
	return !error && fold->lm.fd < 0 ? -ENOENT : error;
}

static int read_local(struct fold *fold)
{
	int error;

	memset(&fold->facts, 0, sizeof(fold->facts));
	error = open_local(fold);
	return error ? error : lm_facts_read(&fold->facts, &fold->lm);
}

/* Now that its process has ended nobody else appends to the LM: it may have done so since that was read, and have ended in order. */
static int read_local_again(struct fold *fold)
{
	chunkfile_close(&fold->lm);
	return read_local(fold);
}

/* The stream `name`, which is set, or `node`. */
static void fold_one(struct fold *fold)
{
	int error;

	fold->live_fd = -1;
	fold->lm = fold->rec = (struct chunkfile){.fd = -1};
	memset(&fold->stored, 0, sizeof(fold->stored));
	fold->arena_lost = 0;
	fold->arena_lost_reason = 0;
	fold->death = 0;
	fold->changed = false;
	error = read_local(fold);
	if (!error)
		error = foldlive_open(fold);
	if (!error && is_ours_to_fold(fold)) {
		if (!fold->facts.final)
			error = read_local_again(fold);
		if (!error)
			error = chunkfile_trim(&fold->lm);
		if (!error && is_begun_segment(fold))
			fold->result->clean++;
		else if (!error && fold->facts.final && !foldlive_remains(fold))
			error = look_after(fold);
		else if (!error)
			error = fold_complete(fold);
	}
	if (error) {
		message_error("cannot repair '%s/%s': %s", fold->dir, fold->name, strerror(-error));
		fold->result->failed++;
	}
	if (fold->live_fd >= 0)
		close(fold->live_fd);
	chunkfile_close(&fold->rec);
	chunkfile_close(&fold->lm);
	rec_facts_release(&fold->stored);
}

void fold_stream(struct fold *fold, const char *lm_name)
{
	char name[NAME_LIMIT];

	snprintf(name, sizeof(name), "%.*s", (int)(strlen(lm_name) - 3), lm_name);
	fold->name = name;
	fold->node = NULL;
	fold_one(fold);
}

void fold_node_stream(struct fold *fold, struct node_stream *stream)
{
	fold->name = stream->live_name;
	fold->node = stream;
	fold_one(fold);
}
