/* SPDX-License-Identifier: MIT */
/* streamfacts.c - see streamfacts.h */
#include "streamfacts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/meta.h"
#include "format/reasons.h"

static void copy_text(char *to, size_t size, const struct meta_entry *entry)
{
	size_t length = entry->bytes.length < size ? entry->bytes.length : size - 1;

	if (entry->type != META_BYTES)
		return;
	memcpy(to, entry->bytes.bytes, length);
	to[length] = '\0';
}

static bool text_is(struct text text, const char *word)
{
	return text.length == strlen(word) && !memcmp(text.bytes, word, text.length);
}

static bool key_is(const struct meta_entry *entry, const char *key)
{
	return text_is(entry->key, key);
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

struct thread_count *rec_facts_thread(struct rec_facts *facts, uint32_t index)
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
	struct thread_count *thread = rec_facts_thread(facts, header->thread);

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
		facts->limited |= text_is(bytes_str(&body), loss_name(LOSS_FILE_SIZE));
	}
	return 0;
}

int lm_facts_read(struct lm_facts *facts, struct chunkfile *lm)
{
	return chunkfile_walk(lm, read_meta, facts);
}

int rec_facts_read(struct rec_facts *facts, struct chunkfile *rec)
{
	return chunkfile_walk(rec, read_rec, facts);
}

void rec_facts_release(struct rec_facts *facts)
{
	free(facts->threads);
	index_release(&facts->by_index);
}
