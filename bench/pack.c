/* SPDX-License-Identifier: MIT */
/*
 * pack.c - what a packed trace of very many ranks costs: time, memory and bytes.
 *
 * pack TRACE FILE COUNT: takes the streams of two ranks of TRACE apart and writes COUNT ranks like them to FILE. pack FILE -: opens it as readers do. Prints
 * "NAME VALUE" lines.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "output.h"
#include "pack_part.h"
#include "pack_source.h"
#include "pack_store.h"
#include "read/packed.h"

#define STEP_MOST (1u << 20) /* larger differences are of addresses and the like */
#define BLOBS_MOST 4096u

/* What a part is made of. */
struct model {
	struct buffer data, blobs; /* bytes of the blobs, one after the other */
	struct {
		uint32_t like;
		size_t size;
	} blob[BLOBS_MOST];
	uint64_t blob_count;
	struct part_shape shape;
};

static void fail(const char *what)
{
	fprintf(stderr, "pack: %s\n", what);
	exit(1);
}

static void keep_data(void *self, const void *bytes, size_t size)
{
	buffer_add(&((struct model *)self)->data, bytes, size);
}

static uint64_t keep_words(void *self, uint32_t like, const void *bytes, size_t size)
{
	struct model *model = self;

	if (model->blob_count == BLOBS_MOST)
		fail("the model has too many chunks");
	model->blob[model->blob_count].like = like;
	model->blob[model->blob_count].size = size;
	buffer_add(&model->blobs, bytes, size);
	return model->blob_count++;
}

static void copy(struct buffer *to, const struct buffer *from)
{
	buffer_add(to, from->bytes, from->size);
}

static void take_model(struct model *model, const struct pack_source *source, uint32_t part)
{
	struct part_sink sink = {keep_data, keep_words, model};
	struct part_maker *maker = part_maker_new(&sink);
	const struct part_shape *shape = part_shape(maker);

	part_begin(maker);
	for (unsigned i = 0; i < 2 && source->parts[part].files[i]; i++) {
		int fd = pack_source_file(source, source->parts[part].files[i]);

		part_add(maker, source->parts[part].files[i], fd);
		close(fd);
	}
	copy(&model->shape.ops, &shape->ops);
	copy(&model->shape.numbers, &shape->numbers);
	copy(&model->shape.times, &shape->times);
	copy(&model->shape.clocks, &shape->clocks);
	copy(&model->shape.blobs, &shape->blobs);
	part_maker_free(maker);
}

static uint64_t random_number(uint64_t seed)
{
	seed = (seed ^ seed >> 31) * 0x9E3779B97F4A7C15u;
	seed = (seed ^ seed >> 29) * 0xBF58476D1CE4E5B9u;
	return seed ^ seed >> 32;
}

/*
 * A number of rank `rank`, which is `a` in the one model and `b` in the other: process numbers count, addresses and identities are somewhere else by as much, sizes
 * and orders are those of the one or the other.
 */
static uint64_t number_of(uint64_t a, uint64_t b, uint64_t rank)
{
	uint64_t difference = b > a ? b - a : a - b;

	if (difference == 1 && a > 1000)
		return a + rank;
	if (difference < STEP_MOST)
		return rank % 2 ? b : a;
	return (rank % 2 ? b : a) + (random_number(rank) % (1u << 20)) * 4096;
}

static void put_rank(struct pack_store *store, const struct model *a, const struct model *b,
		     uint64_t rank, struct part_shape *shape)
{
	const uint64_t *from_a = (const uint64_t *)a->shape.numbers.bytes;
	const uint64_t *from_b = (const uint64_t *)b->shape.numbers.bytes;
	uint64_t *numbers = (uint64_t *)shape->numbers.bytes,
		 *times = (uint64_t *)shape->times.bytes;
	const uint64_t *places = (const uint64_t *)a->shape.blobs.bytes;
	const uint8_t *blob = a->blobs.bytes;

	pack_store_data(store, a->data.bytes, a->data.size);
	for (size_t i = 0; i < shape->numbers.size / sizeof(*numbers); i++)
		numbers[i] = number_of(from_a[i], from_b[i], rank);
	for (uint64_t i = 0; i < a->blob_count; i++) {
		numbers[places[i]] =
			pack_store_words(store, a->blob[i].like, blob, a->blob[i].size);
		blob += a->blob[i].size;
	}
	for (size_t i = 0; i < shape->times.size / sizeof(*times); i++) {
		times[i] = ((const uint64_t *)a->shape.times.bytes)[i];
		if (shape->clocks.bytes[i] != PACK_SIZE)
			times[i] += random_number(rank) % 1000000 + i;
	}
	pack_store_part(store, shape);
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The most there was; ru_maxrss begins with what the process had before exec. */
static double megabytes(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	unsigned long kilobytes = 0;
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		if (strncmp(line, "VmHWM:", 6) == 0)
			kilobytes = strtoul(line + 6, NULL, 10);
	if (status)
		fclose(status);
	return (double)kilobytes / 1024;
}

static void write_ranks(const char *path, const struct model *a, const struct model *b,
			uint64_t count)
{
	struct output_options options = {.force = true, .jobs = 1};
	struct part_shape shape = {0};
	struct pack_sizes sizes;
	struct pack_store *store;
	struct output output;
	double begin = cpu_seconds();

	if (output_open(&output, path, &options))
		fail("the output cannot be opened");
	copy(&shape.ops, &a->shape.ops);
	copy(&shape.numbers, &a->shape.numbers);
	copy(&shape.times, &a->shape.times);
	copy(&shape.clocks, &a->shape.clocks);
	store = pack_store_new(&output);
	for (uint64_t rank = 0; rank < count; rank++)
		put_rank(store, a, b, rank, &shape);
	pack_store_end(store, &sizes);
	pack_store_free(store);
	if (output_commit(&output))
		fail("the output cannot be written");
	printf("pack_us %f\n", (cpu_seconds() - begin) * 1e6 / (double)count);
	printf("pack_megabytes %f\n", megabytes());
	printf("rest %f\n", (double)(sizes.words + sizes.shapes + sizes.parts_bytes + sizes.frame));
	printf("times %f\n", (double)sizes.data);
	shape_release(&shape);
}

static void open_packed(const char *path)
{
	double begin = cpu_seconds();
	int fd = open(path, O_RDONLY);
	struct packed *packed = NULL;
	const char *what = "";
	uint64_t offset;

	if (fd < 0 || packed_open(&packed, fd, NULL, NULL, &what, &offset))
		fail("the packed trace cannot be opened");
	printf("files %u\n", packed_file_count(packed));
	printf("open_us %f\n", (cpu_seconds() - begin) * 1e6);
	printf("open_megabytes %f\n", megabytes());
	packed_close(packed);
}

int main(int argc, char **argv)
{
	static struct model a, b;
	struct pack_source source;
	uint64_t count;

	if (argc < 3)
		fail("usage: pack TRACE FILE COUNT, or pack FILE -");
	if (argc == 3) {
		open_packed(argv[1]);
		return 0;
	}
	count = strtoull(argv[3], NULL, 10);
	pack_source_open(&source, argv[1]);
	if (source.count < 4)
		fail("the trace has less than three ranks");
	take_model(&a, &source,
		   2); /* behind recorder.gm and rank 0, which is not as the others are */
	take_model(&b, &source, 3);
	if (a.shape.ops.size != b.shape.ops.size ||
	    memcmp(a.shape.ops.bytes, b.shape.ops.bytes, a.shape.ops.size) != 0)
		fail("the two ranks are not alike");
	write_ranks(argv[2], &a, &b, count);
	pack_source_close(&source);
	return 0;
}
