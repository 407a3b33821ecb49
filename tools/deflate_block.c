/* SPDX-License-Identifier: MIT */
/* deflate_block.c - see deflate_block.h */
#include "deflate_block.h"

#include <stdbool.h>

#define BLOCK_END 256u /* a symbol among the literals; those of lengths come behind it */
#define FIRST_LENGTH 257u
#define LENGTH_SYMBOLS 29u
#define LENGTH_MIN 3u
#define LENGTH_CODES 19u /* symbols that tell lengths of codes */
#define LENGTH_CODE_BITS 7u
#define REPEAT 16u /* among those: the length before; zeros, few and many */
#define ZEROS 17u
#define MANY_ZEROS 18u

enum { STORED, FIXED, OWN }; /* kinds of blocks */

/* Which lengths a symbol begins with, and how many bits say which of those it is (RFC 1951, 3.2.5). */
static const uint16_t length_bases[LENGTH_SYMBOLS] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
						      15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
						      67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_extra[LENGTH_SYMBOLS] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
						     2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

/* Distances have two symbols for each power of two. */
static inline unsigned distance_symbol(uint32_t distance)
{
	uint32_t from_zero = distance - 1;
	unsigned top;

	if (from_zero < 2)
		return from_zero;
	top = 31 - (unsigned)__builtin_clz(from_zero);
	return 2 * top + (from_zero >> (top - 1) & 1);
}

static inline unsigned distance_extra(unsigned symbol)
{
	return symbol < 4 ? 0 : symbol / 2 - 1;
}

/* What of a long match goes into one symbol, so that no rest is too short for one. */
static inline unsigned first_piece(uint32_t length)
{
	if (length <= DEFLATE_LENGTH_MAX)
		return length;
	return length < DEFLATE_LENGTH_MAX + LENGTH_MIN ? DEFLATE_LENGTH_MAX - LENGTH_MIN
							: DEFLATE_LENGTH_MAX;
}

void block_writer_init(struct block_writer *writer)
{
	uint8_t *lengths = writer->fixed.literals.lengths;

	for (unsigned symbol = 0; symbol < LENGTH_SYMBOLS; symbol++)
		for (unsigned i = length_bases[symbol]; i <= DEFLATE_LENGTH_MAX; i++)
			writer->length_symbols[i] = (uint8_t)symbol;
	/* RFC 1951, 3.2.6 */
	memset(lengths, 8, 144);
	memset(lengths + 144, 9, 256 - 144);
	memset(lengths + 256, 7, 280 - 256);
	memset(lengths + 280, 8, DEFLATE_LITERALS - 280);
	huffman_number(&writer->fixed.literals, DEFLATE_LITERALS);
	memset(writer->fixed.distances.lengths, 5, DEFLATE_DISTANCES);
	huffman_number(&writer->fixed.distances, DEFLATE_DISTANCES);
}

/* ---- how often what comes ---- */

static void count_match(struct block_writer *writer, const struct text_match *match)
{
	unsigned distance = distance_symbol(match->distance), piece;

	for (uint32_t rest = match->length; rest > 0; rest -= piece) {
		piece = first_piece(rest);
		writer->literals[FIRST_LENGTH + writer->length_symbols[piece]]++;
		writer->distances[distance]++;
	}
}

static void count_symbols(struct block_writer *writer, const uint8_t *text,
			  const struct text_match *found, unsigned count)
{
	memset(writer->literals, 0, sizeof(writer->literals));
	memset(writer->distances, 0, sizeof(writer->distances));
	for (unsigned i = 0; i < count; i++) {
		for (uint32_t j = 0; j < found[i].literals; j++)
			writer->literals[text[j]]++;
		text += found[i].literals + found[i].length;
		count_match(writer, &found[i]);
	}
	writer->literals[BLOCK_END] = 1;
}

/* Bits that all symbols take. */
static uint64_t bits_of(const struct block_writer *writer, const struct deflate_codes *codes)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < DEFLATE_LITERALS; i++) {
		unsigned extra = i < FIRST_LENGTH || i >= FIRST_LENGTH + LENGTH_SYMBOLS
					 ? 0
					 : length_extra[i - FIRST_LENGTH];

		bits += (uint64_t)writer->literals[i] * (codes->literals.lengths[i] + extra);
	}
	for (unsigned i = 0; i < DEFLATE_DISTANCES; i++)
		bits += (uint64_t)writer->distances[i] *
			(codes->distances.lengths[i] + distance_extra(i));
	return bits;
}

/* ---- codes, told by their lengths (RFC 1951, 3.2.7) ---- */

struct told {
	unsigned literals, distances; /* lengths that are told */
	unsigned sizes;               /* of the codes by which they are */
	unsigned count;
	uint8_t symbols[DEFLATE_LITERALS + DEFLATE_DISTANCES];
	uint8_t repeats[DEFLATE_LITERALS + DEFLATE_DISTANCES]; /* beyond the least number */
	uint32_t counts[LENGTH_CODES];
	struct huffman codes;
};

/* In which order lengths of these codes are told. */
static const uint8_t length_code_order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
							11, 4,  12, 3, 13, 2, 14, 1, 15};
static const uint8_t repeat_bits[] = {2, 3, 7};
static const uint8_t repeat_least[] = {3, 3, 11};
static const uint8_t repeat_most[] = {6, 10, 138};

static void tell(struct told *told, unsigned symbol, unsigned repeats)
{
	told->symbols[told->count] = (uint8_t)symbol;
	told->repeats[told->count++] = (uint8_t)repeats;
	told->counts[symbol]++;
}

/* So many of the same length. */
static void tell_run(struct told *told, unsigned length, unsigned run)
{
	unsigned part;

	if (length > 0) {
		tell(told, length, 0);
		run--;
	}
	for (; run >= LENGTH_MIN; run -= part) {
		unsigned symbol = length > 0                          ? REPEAT
				  : run > repeat_most[ZEROS - REPEAT] ? MANY_ZEROS
								      : ZEROS;
		unsigned most = repeat_most[symbol - REPEAT];

		part = run < most ? run : most;
		tell(told, symbol, part - repeat_least[symbol - REPEAT]);
	}
	while (run-- > 0)
		tell(told, length, 0);
}

static unsigned without_zeros(const uint8_t *lengths, unsigned count, unsigned least)
{
	while (count > least && lengths[count - 1] == 0)
		count--;
	return count;
}

static void tell_codes(struct told *told, const struct deflate_codes *codes)
{
	uint8_t lengths[DEFLATE_LITERALS + DEFLATE_DISTANCES];
	unsigned count, run;

	memset(told, 0, sizeof(*told));
	told->literals =
		without_zeros(codes->literals.lengths, FIRST_LENGTH + LENGTH_SYMBOLS, FIRST_LENGTH);
	told->distances = without_zeros(codes->distances.lengths, DEFLATE_DISTANCES, 1);
	memcpy(lengths, codes->literals.lengths, told->literals);
	memcpy(lengths + told->literals, codes->distances.lengths, told->distances);
	count = told->literals + told->distances;
	for (unsigned i = 0; i < count; i += run) {
		for (run = 1; i + run < count && lengths[i + run] == lengths[i];)
			run++;
		tell_run(told, lengths[i], run);
	}
	huffman_make(&told->codes, told->counts, LENGTH_CODES, LENGTH_CODE_BITS);
	for (told->sizes = LENGTH_CODES;
	     told->sizes > 4 && !told->codes.lengths[length_code_order[told->sizes - 1]];)
		told->sizes--;
}

static uint64_t bits_of_told(const struct told *told)
{
	uint64_t bits = 5 + 5 + 4 + 3 * told->sizes;

	for (unsigned i = 0; i < LENGTH_CODES; i++) {
		unsigned extra = i < REPEAT ? 0 : repeat_bits[i - REPEAT];

		bits += (uint64_t)told->counts[i] * (told->codes.lengths[i] + extra);
	}
	return bits;
}

static void write_told(struct deflate_bits *bits, const struct told *told)
{
	deflate_bits_put(bits, told->literals - FIRST_LENGTH, 5);
	deflate_bits_put(bits, told->distances - 1, 5);
	deflate_bits_put(bits, told->sizes - 4, 4);
	for (unsigned i = 0; i < told->sizes; i++) {
		deflate_bits_store(bits);
		deflate_bits_put(bits, told->codes.lengths[length_code_order[i]], 3);
	}
	for (unsigned i = 0; i < told->count; i++) {
		unsigned symbol = told->symbols[i];

		deflate_bits_store(bits);
		deflate_bits_put(bits, told->codes.codes[symbol], told->codes.lengths[symbol]);
		if (symbol >= REPEAT)
			deflate_bits_put(bits, told->repeats[i], repeat_bits[symbol - REPEAT]);
	}
	deflate_bits_store(bits);
}

/* ---- symbols ---- */

static struct deflate_code code_of(const struct huffman *huffman, unsigned symbol, uint32_t value,
				   unsigned extra)
{
	unsigned size = huffman->lengths[symbol];

	return (struct deflate_code){.bits = huffman->codes[symbol] | value << size,
				     .size = size + extra};
}

static void prepare_lengths(struct block_writer *writer, const struct huffman *literals)
{
	for (unsigned i = LENGTH_MIN; i <= DEFLATE_LENGTH_MAX; i++) {
		unsigned symbol = writer->length_symbols[i];

		writer->lengths[i] = code_of(literals, FIRST_LENGTH + symbol,
					     i - length_bases[symbol], length_extra[symbol]);
	}
}

static struct deflate_code distance_code(const struct huffman *distances, uint32_t distance)
{
	unsigned symbol = distance_symbol(distance), extra = distance_extra(symbol);

	return code_of(distances, symbol, (distance - 1) & ((1u << extra) - 1), extra);
}

static inline void write_literal(struct deflate_bits *bits, const struct huffman *literals,
				 uint8_t byte)
{
	deflate_bits_put(bits, literals->codes[byte], literals->lengths[byte]);
}

static inline void write_literals(struct deflate_bits *bits, const struct huffman *literals,
				  const uint8_t *text, uint32_t count)
{
	for (; count >= 3; count -= 3, text += 3) {
		write_literal(bits, literals, text[0]);
		write_literal(bits, literals, text[1]);
		write_literal(bits, literals, text[2]);
		deflate_bits_store(bits);
	}
	for (; count > 0; count--)
		write_literal(bits, literals, *text++);
	deflate_bits_store(bits);
}

static inline void write_match(struct deflate_bits *bits, const struct deflate_code *lengths,
			       struct deflate_code distance, uint32_t length)
{
	unsigned piece;

	for (uint32_t rest = length; rest > 0; rest -= piece) {
		piece = first_piece(rest);
		deflate_bits_put(bits, lengths[piece].bits, lengths[piece].size);
		deflate_bits_put(bits, distance.bits, distance.size);
		deflate_bits_store(bits);
	}
}

static void write_symbols(struct block_writer *writer, struct deflate_bits *to,
			  const struct deflate_codes *codes, const uint8_t *text,
			  const struct text_match *found, unsigned count)
{
	struct deflate_bits bits = *to; /* which no store of bytes can change */
	struct deflate_code code = {0};
	uint32_t distance = 0;

	prepare_lengths(writer, &codes->literals);
	for (unsigned i = 0; i < count; i++) {
		write_literals(&bits, &codes->literals, text, found[i].literals);
		text += found[i].literals + found[i].length;
		/* mostly that of the match before */
		if (found[i].length > 0 && found[i].distance != distance) {
			distance = found[i].distance;
			code = distance_code(&codes->distances, distance);
		}
		write_match(&bits, writer->lengths, code, found[i].length);
	}
	deflate_bits_put(&bits, codes->literals.codes[BLOCK_END],
			 codes->literals.lengths[BLOCK_END]);
	deflate_bits_store(&bits);
	*to = bits;
}

/* ---- blocks ---- */

static void begin_block(struct deflate_bits *bits, unsigned kind)
{
	deflate_bits_put(bits, (uint64_t)kind << 1, 3);
	deflate_bits_store(bits);
}

void block_write_stored(struct deflate_bits *bits, const uint8_t *text, size_t size)
{
	size_t part;

	do {
		part = size < DEFLATE_STORED_MAX ? size : DEFLATE_STORED_MAX;
		begin_block(bits, STORED);
		deflate_bits_align(bits);
		deflate_bits_put(bits, part | (uint64_t)(uint16_t)~part << 16, 32);
		deflate_bits_store(bits);
		memcpy(bits->to, text, part);
		bits->to += part;
		text += part;
		size -= part;
	} while (size > 0);
}

static uint64_t bits_of_stored(size_t size)
{
	size_t blocks = (size + DEFLATE_STORED_MAX - 1) / DEFLATE_STORED_MAX;

	return 8 * (uint64_t)size + blocks * 8 * 5;
}

void block_write(struct block_writer *writer, struct deflate_bits *bits, const uint8_t *text,
		 size_t size, const struct text_match *found, unsigned count)
{
	uint64_t own, fixed, stored = bits_of_stored(size);
	struct told told;

	count_symbols(writer, text, found, count);
	huffman_make(&writer->own.literals, writer->literals, FIRST_LENGTH + LENGTH_SYMBOLS,
		     HUFFMAN_LONGEST);
	huffman_make(&writer->own.distances, writer->distances, DEFLATE_DISTANCES, HUFFMAN_LONGEST);
	tell_codes(&told, &writer->own);
	own = 3 + bits_of_told(&told) + bits_of(writer, &writer->own);
	fixed = 3 + bits_of(writer, &writer->fixed);
	if (stored <= own && stored <= fixed) {
		block_write_stored(bits, text, size);
		return;
	}
	begin_block(bits, own < fixed ? OWN : FIXED);
	if (own < fixed)
		write_told(bits, &told);
	write_symbols(writer, bits, own < fixed ? &writer->own : &writer->fixed, text, found,
		      count);
}
