/* SPDX-License-Identifier: MIT */
/* args.c - capturing strings, arrays and what lies behind pointers of the program. */
#include "record/args.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "format/secrets.h"
#include "functions_gen.h"
#include "record/config.h"
#include "record/float_state.h"
#include "record/opaque.h"
#include "record/pathfilter.h"
#include "record/readable.h"

#define STRINGS_MAX 256 /* of an argv */

void arg_pointer(struct call *call, unsigned index, const void *pointer)
{
	call->record->args[index] = config.log_pointer ? (uintptr_t)pointer : pointer != NULL;
}

/* dirfd(3) is traced itself: what it would say is taken from where it takes it. */
static int directory_descriptor(const void *dir)
{
	/* glibc: the first member */
	return dir && readable(dir, sizeof(int)) ? *(const int *)dir : -1;
}

void arg_dir(struct call *call, unsigned index, void *dir)
{
	arg_fd(call, index, directory_descriptor(dir));
}

/* As long as paths mostly are: a call of memcpy() takes as long as the copying. */
static CALL_INLINE void copy_text(uint8_t *to, const char *from, size_t size)
{
	struct piece {
		char bytes[16];
	} first, second, last_but_one, last;

	if (unlikely(size - 16 > 64 - 16)) {
		memcpy(to, from, size);
		return;
	}
	memcpy(&first, from, 16);
	memcpy(&last, from + size - 16, 16);
	if (size > 32) {
		memcpy(&second, from + 16, 16);
		memcpy(&last_but_one, from + size - 32, 16);
		memcpy(to + 16, &second, 16);
		memcpy(to + size - 32, &last_but_one, 16);
	}
	memcpy(to, &first, 16);
	memcpy(to + size - 16, &last, 16);
}

/* Stores the `first` of `length` readable bytes, cut to STRING_MAX. */
static CALL_INLINE void put_bytes(struct call *call, unsigned index, const char *bytes,
				  size_t first, size_t length)
{
	uint32_t stored = first > STRING_MAX ? STRING_MAX : (uint32_t)first;
	struct string_block *block = block_begin(call, (uint32_t)sizeof(*block) + stored);
	uint32_t padded;

	if (!block) { /* no room beside other calls in flight: keep at least how long it was */
		stored = 0;
		block = block_begin(call, sizeof(*block));
	}
	if (!block) {
		call->record->args[index] = BLOCK_UNREADABLE;
		return;
	}
	padded = block_padded((uint32_t)sizeof(*block) + stored);
	memset((uint8_t *)block + padded - 8, 0, 8); /* of which the bytes may leave something */
	block->stored = stored;
	block->original = length > UINT32_MAX ? UINT32_MAX : (uint32_t)length;
	copy_text(block->bytes, bytes, stored);
	block_close(call, index, padded);
}

void arg_bytes_of(struct call *call, unsigned index, const char *bytes, size_t first, size_t length)
{
	put_bytes(call, index, bytes, first, length);
}

void arg_bytes(struct call *call, unsigned index, const char *bytes, size_t length)
{
	put_bytes(call, index, bytes, length, length);
}

void arg_string(struct call *call, unsigned index, const char *text)
{
	size_t length;

	if (!text)
		call->record->args[index] = BLOCK_ABSENT;
	else if (!readable_string(text, &length))
		call->record->args[index] = BLOCK_UNREADABLE;
	else
		put_bytes(call, index, text, length, length);
}

/* The block of a string that was just stored; NULL: there is none. */
static struct string_block *string_stored(struct call *call, unsigned index)
{
	uint64_t offset = call->record->args[index];

	return offset > BLOCK_UNREADABLE ? (struct string_block *)((uint8_t *)call->record + offset)
					 : NULL;
}

void arg_command(struct call *call, unsigned index, const char *command)
{
	struct string_block *block;

	call->record->args[index] = BLOCK_ABSENT;
	if (config_secrets() == SECRETS_LEAVE_OUT)
		return;
	arg_string(call, index, command);
	block = string_stored(call, index);
	if (block && config_secrets() == SECRETS_MASK)
		secrets_mask_command((char *)block->bytes, block->stored);
}

/* Whether it could be stored; then *text is what it is. */
static bool put_path(struct call *call, unsigned index, const char *path, struct path_text *text)
{
	call->record->args[index] = path ? BLOCK_UNREADABLE : BLOCK_ABSENT;
	if (!path || !path_text_read(path, text))
		return false;
	put_bytes(call, index, path, text->length, text->length);
	return call->record->args[index] > BLOCK_UNREADABLE;
}

void arg_path(struct call *call, unsigned index, const char *path)
{
	struct path_text text;

	if (put_path(call, index, path, &text) && file_excluded(AT_FDCWD, &text))
		call->record->flags |= RECORD_DROP;
}

void arg_path_at(struct call *call, unsigned index, int dirfd, const char *path)
{
	struct path_text text;

	if (!put_path(call, index, path, &text))
		return;
	/* else the directory, which is judged already, says enough */
	if (path[0] == '/' || !pathfilter_is_default())
		call->record->flags &= (uint8_t)~RECORD_DROP;
	if (file_excluded(dirfd, &text))
		call->record->flags |= RECORD_DROP;
}

/* Appends one string and a zero to the block; false if it cannot be read. Counts what it would need in full. */
static bool join(struct string_block *block, const char *text, uint32_t room)
{
	size_t length, copied;

	if (!readable_string(text, &length))
		return false;
	copied = length < room - block->stored ? length : room - block->stored;
	memcpy(block->bytes + block->stored, text, copied);
	block->stored += (uint32_t)copied;
	if (block->stored < room)
		block->bytes[block->stored++] = '\0';
	block->original += (uint32_t)length + 1;
	return true;
}

void arg_strings(struct call *call, unsigned index, char *const strings[])
{
	struct string_block *block = block_begin(call, (uint32_t)sizeof(*block) + STRING_MAX);

	call->record->args[index] = strings ? BLOCK_UNREADABLE : BLOCK_ABSENT;
	if (config_secrets() == SECRETS_LEAVE_OUT)
		call->record->args[index] = BLOCK_ABSENT;
	if (!strings || !block || config_secrets() == SECRETS_LEAVE_OUT)
		return;
	block->stored = block->original = 0;
	for (unsigned i = 0;; i++) {
		if (!readable(&strings[i], sizeof(strings[i])))
			return;
		if (!strings[i])
			break;
		if (i == STRINGS_MAX) { /* nobody counts the rest; that there is one is told */
			block->original++;
			break;
		}
		if (!join(block, strings[i], STRING_MAX))
			return;
	}
	if (config_secrets() == SECRETS_MASK)
		secrets_mask_argv((char *)block->bytes, block->stored);
	block_end(call, index, (uint32_t)sizeof(*block) + block->stored);
}

static uint32_t array_limit(int64_t count)
{
	return count < 0 ? 0 : count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

void arg_ints(struct call *call, unsigned index, const int *elements, int64_t count)
{
	uint32_t original = array_limit(count);
	uint32_t stored = original > ARRAY_MAX ? ARRAY_MAX : original;
	struct array_block *block = array_begin(call, index, elements, stored);

	if (!block || !readable(elements, (size_t)original * sizeof(*elements)))
		return;
	block->sum = 0;
	for (uint32_t i = 0; i < original; i++) {
		if (i < stored)
			block->elements[i] = elements[i];
		block->sum += elements[i];
	}
	array_end(call, index, block, stored, original);
}

/* An array whose elements have their 64-bit number at `offset` and lie `stride` bytes apart. One copy for each kind of element. */
static CALL_INLINE void put_numbers(struct call *call, unsigned index, const void *array,
				    int64_t count, size_t stride, size_t offset)
{
	uint32_t original = array_limit(count);
	uint32_t stored = original > ARRAY_MAX ? ARRAY_MAX : original;
	struct array_block *block = array_begin(call, index, array, stored);
	const char *element = (const char *)array + offset;
	uint64_t sum = 0;

	if (unlikely(!block || !readable(array, (size_t)original * stride)))
		return;
	for (uint32_t i = 0; i < stored; i++, element += stride) {
		int64_t number = *(const int64_t *)element;

		block->elements[i] = number;
		sum += (uint64_t)number;
	}
	for (uint32_t i = stored; i < original; i++, element += stride)
		sum += *(const uint64_t *)element;
	block->sum = (int64_t)sum;
	array_end(call, index, block, stored, original);
}

void arg_longs(struct call *call, unsigned index, const int64_t *elements, int64_t count)
{
	put_numbers(call, index, elements, count, sizeof(*elements), 0);
}

void arg_parts_slow(struct call *call, unsigned index, const struct iovec *parts, int64_t count)
{
	put_numbers(call, index, parts, count, sizeof(*parts), offsetof(struct iovec, iov_len));
}

void arg_array(struct call *call, unsigned index, const int64_t *elements, uint32_t stored,
	       uint32_t original, int64_t sum)
{
	struct array_block *block = array_begin(call, index, elements, stored);

	if (!block)
		return;
	block->sum = sum;
	for (uint32_t i = 0; i < stored; i++)
		block->elements[i] = elements[i];
	array_end(call, index, block, stored, original);
}

void arg_each(struct call *call, unsigned index, int64_t count,
	      int64_t (*element)(const void *data, uint32_t at), const void *data)
{
	uint32_t original = array_limit(count);
	uint32_t stored = original > ARRAY_MAX ? ARRAY_MAX : original;
	struct array_block *block = array_begin(call, index, data, stored);
	uint64_t sum = 0;

	if (!block || original > ARRAY_EACH_MAX)
		return;
	for (uint32_t i = 0; i < original; i++) {
		int64_t value = element(data, i);

		if (i < stored)
			block->elements[i] = value;
		sum += (uint64_t)value;
	}
	block->sum = (int64_t)sum;
	array_end(call, index, block, stored, original);
}

/* The largest power of two that is not more. */
static double power_below(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	bits &= ~(((uint64_t)1 << 52) - 1); /* the mantissa */
	memcpy(&number, &bits, sizeof(bits));
	return number;
}

static OPAQUE double round_down(double seconds)
{
	double step = power_below((double)config.time_resolution * 1e-9);

	if (__builtin_fabs(seconds) < 0x1p62 * step)
		seconds = (double)(int64_t)(seconds / step) * step;
	return seconds;
}

void result_seconds(struct call *call, double seconds)
{
	if (config.summed_times) {
		seconds = __builtin_nan("");
	} else if (config.time_resolution > 1) {
		struct float_state state = float_state_begin();

		seconds = round_down(seconds);
		float_state_end(state);
	}
	result_double(call, seconds);
}

void result_fd(struct call *call, int fd, bool failed)
{
	result_int(call, failed ? (int64_t)pair_make(fd, 0) : fd_pair(fd), failed);
}

void result_stream(struct call *call, FILE *stream)
{
	result_int(call, fd_pair(stream_number(stream)), !stream);
}

void result_pointer(struct call *call, const void *pointer, bool failed)
{
	int64_t value =
		config.log_pointer ? (int64_t)(uintptr_t)pointer : pointer != NULL && !failed;

	result_int(call, failed ? (int64_t)(intptr_t)pointer : value, failed);
}
