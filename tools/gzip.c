/* SPDX-License-Identifier: MIT */
/*
 * gzip.c - see gzip.h.
 *
 * Blocks go round a fixed circle of slots: gzip_put() fills the next one and first writes out what
 * it held before, so that output is in order and memory is bounded. Workers take filled slots.
 */
#include "gzip.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "deflate.h"
#include "fastcrc.h"
#include "output.h"

#define JOBS_MAX 64u
enum slot_state { SLOT_EMPTY, SLOT_FILLED, SLOT_TAKEN, SLOT_DONE };

struct slot {
	enum slot_state state;
	int error;
	uint32_t crc;
	size_t plain_size, size;
	uint8_t *plain; /* OUTPUT_BUFFER bytes */
	uint8_t *bytes; /* deflated */
};

struct gzip {
	gzip_sink *sink;
	void *data;
	uint32_t crc;
	uint64_t total;
	unsigned slot_count, next; /* slot that the next block goes to */
	struct slot *slots;
	unsigned thread_count; /* 0: the caller compresses */
	pthread_t threads[JOBS_MAX];
	pthread_mutex_t lock; /* guards states and `stop` */
	pthread_cond_t filled, done;
	unsigned next_filled; /* slot that the next idle worker takes */
	bool stop;
	struct text_deflater *own; /* without threads */
};

static void slot_deflate(struct slot *slot, struct text_deflater *deflater)
{
	slot->size = deflate_text(deflater, slot->plain, slot->plain_size, slot->bytes);
	slot->crc = fast_crc32(0, slot->plain, slot->plain_size);
}

static void *worker(void *data)
{
	struct gzip *gzip = data;
	struct text_deflater *deflater = text_deflater_new();

	pthread_mutex_lock(&gzip->lock);
	for (;;) {
		struct slot *slot = &gzip->slots[gzip->next_filled];

		if (gzip->stop)
			break;
		if (slot->state != SLOT_FILLED) {
			pthread_cond_wait(&gzip->filled, &gzip->lock);
			continue;
		}
		slot->state = SLOT_TAKEN;
		gzip->next_filled = (gzip->next_filled + 1) % gzip->slot_count;
		pthread_mutex_unlock(&gzip->lock);
		slot->error = deflater ? 0 : -ENOMEM;
		if (deflater)
			slot_deflate(slot, deflater);
		pthread_mutex_lock(&gzip->lock);
		slot->state = SLOT_DONE;
		pthread_cond_signal(&gzip->done);
	}
	pthread_mutex_unlock(&gzip->lock);
	text_deflater_free(deflater);
	return NULL;
}

static int start_threads(struct gzip *gzip, unsigned jobs)
{
	for (; gzip->thread_count < jobs; gzip->thread_count++) {
		int error = pthread_create(&gzip->threads[gzip->thread_count], NULL, worker, gzip);

		/* fewer threads than wanted will do */
		if (error)
			return gzip->thread_count > 0 ? 0 : -error;
	}
	return 0;
}

static int allocate_slots(struct gzip *gzip, unsigned count)
{
	gzip->slots = calloc(count, sizeof(*gzip->slots));
	if (!gzip->slots)
		return -ENOMEM;
	gzip->slot_count = count;
	for (unsigned i = 0; i < count; i++) {
		gzip->slots[i].plain = malloc(OUTPUT_BUFFER);
		gzip->slots[i].bytes = malloc(deflate_room(OUTPUT_BUFFER));
		if (!gzip->slots[i].plain || !gzip->slots[i].bytes)
			return -ENOMEM;
	}
	return 0;
}

static int allocate_own(struct gzip *gzip)
{
	gzip->own = text_deflater_new();
	return gzip->own ? 0 : -ENOMEM;
}

struct gzip *gzip_new(gzip_sink *sink, void *data, unsigned jobs)
{
	struct gzip *gzip = calloc(1, sizeof(*gzip));
	int error;

	if (!gzip)
		return NULL;
	if (jobs > JOBS_MAX)
		jobs = JOBS_MAX;
	gzip->sink = sink;
	gzip->data = data;
	pthread_mutex_init(&gzip->lock, NULL);
	pthread_cond_init(&gzip->filled, NULL);
	pthread_cond_init(&gzip->done, NULL);
	error = allocate_slots(gzip, jobs > 1 ? 2 * jobs : 1);
	if (!error)
		error = jobs > 1 ? start_threads(gzip, jobs) : allocate_own(gzip);
	if (!error)
		error = sink(data, gzip_header, sizeof(gzip_header));
	if (error) {
		gzip_free(gzip);
		errno = -error;
		return NULL;
	}
	return gzip;
}

/* Waits for the block in a slot and writes it; the slot is empty then. */
static int slot_write(struct gzip *gzip, struct slot *slot)
{
	bool empty;
	int error;

	pthread_mutex_lock(&gzip->lock);
	while (slot->state == SLOT_FILLED || slot->state == SLOT_TAKEN)
		pthread_cond_wait(&gzip->done, &gzip->lock);
	empty = slot->state == SLOT_EMPTY;
	slot->state = SLOT_EMPTY;
	pthread_mutex_unlock(&gzip->lock);
	if (empty)
		return 0;
	error = slot->error;
	gzip->crc = (uint32_t)crc32_combine(gzip->crc, slot->crc, (z_off_t)slot->plain_size);
	gzip->total += slot->plain_size;
	return error ? error : gzip->sink(gzip->data, slot->bytes, slot->size);
}

int gzip_put(struct gzip *gzip, const void *block, size_t size)
{
	struct slot *slot = &gzip->slots[gzip->next];
	int error = slot_write(gzip, slot);

	if (error)
		return error;
	memcpy(slot->plain, block, size);
	slot->plain_size = size;
	gzip->next = (gzip->next + 1) % gzip->slot_count;
	if (gzip->thread_count == 0) {
		slot_deflate(slot, gzip->own);
		slot->state = SLOT_DONE;
		return slot_write(gzip, slot);
	}
	pthread_mutex_lock(&gzip->lock);
	slot->state = SLOT_FILLED;
	pthread_cond_signal(&gzip->filled);
	pthread_mutex_unlock(&gzip->lock);
	return 0;
}

int gzip_end(struct gzip *gzip)
{
	uint8_t trailer[GZIP_TRAILER_SIZE];
	int error = 0;

	for (unsigned i = 0; i < gzip->slot_count && !error; i++)
		error = slot_write(gzip, &gzip->slots[(gzip->next + i) % gzip->slot_count]);
	if (error)
		return error;
	gzip_trailer(trailer, gzip->crc, gzip->total);
	return gzip->sink(gzip->data, trailer, sizeof(trailer));
}

void gzip_free(struct gzip *gzip)
{
	if (!gzip)
		return;
	pthread_mutex_lock(&gzip->lock);
	gzip->stop = true;
	pthread_cond_broadcast(&gzip->filled);
	pthread_mutex_unlock(&gzip->lock);
	for (unsigned i = 0; i < gzip->thread_count; i++)
		pthread_join(gzip->threads[i], NULL);
	text_deflater_free(gzip->own);
	for (unsigned i = 0; i < gzip->slot_count; i++) {
		free(gzip->slots[i].plain);
		free(gzip->slots[i].bytes);
	}
	free(gzip->slots);
	pthread_cond_destroy(&gzip->done);
	pthread_cond_destroy(&gzip->filled);
	pthread_mutex_destroy(&gzip->lock);
	free(gzip);
}

#ifdef UNIT_TEST
#include "unittest.h"

struct collected {
	uint8_t bytes[1 << 16];
	size_t size;
};

static int collect(void *data, const void *bytes, size_t size)
{
	struct collected *collected = data;

	if (size > sizeof(collected->bytes) - collected->size)
		return -ENOSPC;
	memcpy(collected->bytes + collected->size, bytes, size);
	collected->size += size;
	return 0;
}

static void compress_lines(struct collected *collected, unsigned jobs)
{
	struct gzip *gzip = gzip_new(collect, collected, jobs);
	char line[1000];

	REQUIRE(gzip != NULL);
	for (int i = 0; i < 50; i++) {
		memset(line, 'a' + i % 26, sizeof(line));
		EXPECT_EQ(gzip_put(gzip, line, sizeof(line)), 0);
	}
	EXPECT_EQ(gzip_end(gzip), 0);
	gzip_free(gzip);
}

TEST_CASE(gzip_is_one_member_and_the_same_for_any_number_of_threads)
{
	static struct collected one, four;
	static uint8_t plain[60000];
	z_stream stream = {.next_in = one.bytes, .next_out = plain, .avail_out = sizeof(plain)};

	compress_lines(&one, 1);
	compress_lines(&four, 4);
	REQUIRE(one.size == four.size);
	EXPECT(memcmp(one.bytes, four.bytes, one.size) == 0);
	stream.avail_in = (uInt)one.size;
	REQUIRE(inflateInit2(&stream, MAX_WBITS + 16) == Z_OK);
	EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
	EXPECT_EQ(stream.avail_in, 0);
	EXPECT_EQ(stream.total_out, 50000);
	EXPECT_EQ(plain[999], 'a');
	EXPECT_EQ(plain[1000], 'b');
	inflateEnd(&stream);
}
#endif
