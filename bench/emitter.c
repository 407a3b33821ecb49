/* SPDX-License-Identifier: MIT */
/*
 * emitter.c - how fast text is deflated, beside zlib at its fastest: emitter FILE, of at most 64 MiB of it, in pieces as outputs have them. Prints "NAME VALUE" lines: CPU nanoseconds a line for both, and the bytes of all
 * that ours takes to those that zlib does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "deflate.h"
#include "made.h"
#include "measure.h"

#define TEXT_MAX (64u << 20)
#define ROUNDS 5u

struct text {
	unsigned char *bytes;
	size_t size, lines;
};

/* One of both, which goes through the text again and again. */
struct compressor {
	const struct text *text;
	size_t at;
	unsigned char *packed;
	struct text_deflater *own;
	z_stream zlib;
};

static struct text read_text(const char *path)
{
	struct text text = {.bytes = allocate(TEXT_MAX)};
	FILE *file = fopen(path, "rb");

	if (!file)
		die(path);
	text.size = fread(text.bytes, 1, TEXT_MAX, file);
	fclose(file);
	for (size_t i = 0; i < text.size; i++)
		text.lines += text.bytes[i] == '\n';
	return text;
}

/* The next piece. */
static const unsigned char *next_piece(struct compressor *compressor, size_t *size)
{
	const unsigned char *piece;

	if (compressor->at >= compressor->text->size)
		compressor->at = 0;
	piece = compressor->text->bytes + compressor->at;
	*size = compressor->text->size - compressor->at;
	*size = *size < SEGMENT_SIZE ? *size : SEGMENT_SIZE;
	compressor->at += *size;
	return piece;
}

static size_t pack_own(struct compressor *compressor)
{
	size_t size;
	const unsigned char *piece = next_piece(compressor, &size);

	return deflate_text(compressor->own, piece, size, compressor->packed);
}

static size_t pack_zlib(struct compressor *compressor)
{
	z_stream *stream = &compressor->zlib;
	uLong before = stream->total_out;
	size_t size;

	stream->next_in = (Bytef *)(uintptr_t)next_piece(compressor, &size);
	stream->avail_in = (uInt)size;
	stream->next_out = compressor->packed;
	stream->avail_out = (uInt)deflate_room(SEGMENT_SIZE);
	if (deflate(stream, Z_NO_FLUSH) != Z_OK || stream->avail_in > 0)
		die("deflate");
	return stream->total_out - before;
}

static void run_own(void *data, unsigned calls)
{
	while (calls-- > 0)
		pack_own(data);
}

static void run_zlib(void *data, unsigned calls)
{
	while (calls-- > 0)
		pack_zlib(data);
}

static size_t pack_all(size_t pack(struct compressor *), struct compressor *compressor,
		       unsigned pieces)
{
	size_t size = 0;

	while (pieces-- > 0)
		size += pack(compressor);
	return size;
}

int main(int argc, char **argv)
{
	struct text text = read_text(argc > 1 ? argv[1] : "");
	struct compressor own = {.text = &text,
				 .packed = allocate(deflate_room(SEGMENT_SIZE)),
				 .own = text_deflater_new()};
	struct compressor zlib = {.text = &text, .packed = allocate(deflate_room(SEGMENT_SIZE))};
	struct variant variants[] = {{run_own, &own, 0, 0}, {run_zlib, &zlib, 0, 0}};
	unsigned pieces = (unsigned)((text.size + SEGMENT_SIZE - 1) / SEGMENT_SIZE);
	double ratio, lines = (double)text.lines / pieces;

	if (!own.own || pieces == 0 || text.lines == 0 ||
	    deflateInit(&zlib.zlib, Z_BEST_SPEED) != Z_OK)
		die(argc > 1 ? argv[1] : "emitter FILE");
	ratio = (double)pack_all(pack_own, &own, pieces);
	ratio /= (double)pack_all(pack_zlib, &zlib, pieces);
	measure(variants, 2, &(struct plan){ROUNDS, pieces, 1});
	report("own", variants[0].mean / lines);
	report("zlib", variants[1].mean / lines);
	report("bytes", ratio);
	deflateEnd(&zlib.zlib);
	text_deflater_free(own.own);
	return 0;
}
