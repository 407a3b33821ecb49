/* SPDX-License-Identifier: MIT */
/* output.c - see output.h */
#include "output.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/huge_pages.h"
#include "gzip.h"
#include "harmless.h"
#include "itself.h"
#include "message.h"
#include "progress.h"
#include "read/digits.h"
#include "temporary.h"

int output_write(int fd, const void *bytes, size_t size)
{
	const char *p = bytes;

	while (size > 0) {
		ssize_t written = write(fd, p, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		p += written;
		size -= (size_t)written;
	}
	return 0;
}

int output_write_at(int fd, const void *bytes, size_t size, uint64_t *offset)
{
	const char *p = bytes;

	while (size > 0) {
		ssize_t written = pwrite(fd, p, size, (off_t)*offset);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		p += written;
		size -= (size_t)written;
		*offset += (uint64_t)written;
	}
	return 0;
}

static int write_all(void *data, const void *bytes, size_t size)
{
	struct output *output = data;

	if (!output->error)
		output->error = output_write(output->fd, bytes, size);
	return output->error;
}

/* A file beside `path`: the rename must stay on its file system. */
static int open_temporary(struct output *output, const char *path, mode_t rights)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	mode_t mask = umask(0);
	int error;

	umask(mask);
	if (asprintf(&output->temporary, "%.*s.%.*s.XXXXXX", (int)(name - path), path,
		     temporary_stem(name, strlen(name)), name) < 0) {
		output->temporary = NULL;
		return -ENOMEM;
	}
	output->fd = mkostemp(output->temporary, O_CLOEXEC);
	error = output->fd < 0 ? -errno : temporary_add(output->temporary);
	if (!error && fchmod(output->fd, rights ? rights : 0666 & ~mask))
		error = -errno;
	if (!error || output->fd >= 0)
		return error;
	free(output->temporary);
	output->temporary = NULL;
	return error;
}

/* The line of progress would stand between those of the output. */
static void keep_terminal_clean(int fd)
{
	if (isatty(fd))
		progress_forbid();
}

static int open_file(struct output *output, const char *path, mode_t rights)
{
	struct stat status;

	if (!strcmp(path, "-")) {
		output->fd = STDOUT_FILENO;
		keep_terminal_clean(output->fd);
		return 0;
	}
	if (!stat(path, &status) && !S_ISREG(status.st_mode)) {
		output->fd = open(path, O_WRONLY | O_CLOEXEC);
		if (output->fd < 0)
			return -errno;
		keep_terminal_clean(output->fd);
		return 0;
	}
	if ((!output->force && !lstat(path, &status)) || itself_is(path))
		return -EEXIST;
	return open_temporary(output, path, rights);
}

static void output_release(struct output *output)
{
	if (output->temporary && !output->in_place)
		unlink(output->temporary);
	if (output->temporary)
		temporary_drop(output->temporary);
	free(output->temporary);
	if (output->fd > STDERR_FILENO)
		close(output->fd);
	gzip_free(output->gzip);
	free(output->buffer);
	memset(output, 0, sizeof(*output));
	output->fd = -1;
}

int output_open(struct output *output, const char *path, const struct output_options *options)
{
	int error;

	memset(output, 0, sizeof(*output));
	output->fd = -1;
	output->path = path;
	output->force = options->force;
	output->buffer = malloc(OUTPUT_BUFFER);
	error = output->buffer ? open_file(output, path, options->rights) : -ENOMEM;
	if (!error && options->gzip) {
		output->gzip = gzip_new(write_all, output, options->jobs);
		if (!output->gzip)
			error = -errno;
	}
	if (error) {
		output_release(output);
		return error;
	}
	output->next = output->buffer;
	output->end = output->buffer + OUTPUT_BUFFER;
	return 0;
}

int output_memory(struct output *output)
{
	memset(output, 0, sizeof(*output));
	output->fd = -1;
	output->in_memory = true;
	output->buffer = malloc(OUTPUT_BUFFER);
	if (!output->buffer)
		return -ENOMEM;
	output->next = output->buffer;
	output->end = output->buffer + OUTPUT_BUFFER;
	return 0;
}

/* To twice its size or more: more than the most that is asked for at once. What grows at all mostly grows to some megabytes. */
static void grow(struct output *output)
{
	size_t used = (size_t)(output->next - output->buffer);
	size_t room = (size_t)(output->end - output->buffer);
	size_t larger = room < HUGE_PAGE ? HUGE_PAGE : 2 * room;
	char *buffer = huge_pages_grow(output->buffer, used, larger);

	if (!buffer) {
		output->error = -ENOMEM;
		output->next = output->buffer;
		return;
	}
	output->buffer = buffer;
	output->next = buffer + used;
	output->end = buffer + larger;
}

void output_flush(struct output *output)
{
	size_t size = (size_t)(output->next - output->buffer);

	if (output->in_memory) {
		grow(output);
		return;
	}
	output->next = output->buffer;
	output->flushed += size;
	if (size == 0 || output->error)
		return;
	if (!output->gzip)
		write_all(output, output->buffer, size);
	else if (gzip_put(output->gzip, output->buffer, size) && !output->error)
		output->error = -EIO;
}

void output_bytes_slow(struct output *output, const char *bytes, size_t size)
{
	size_t room = (size_t)(output->end - output->buffer);

	while (size > 0) {
		size_t part = size < room ? size : room;

		output_room(output, part);
		memcpy(output->next, bytes, part);
		output->next += part;
		bytes += part;
		size -= part;
	}
}

/* Without --force a file that came in between stays: link and rename-without-replace are atomic. */
static int rename_temporary(const struct output *output)
{
	if (output->force)
		return rename(output->temporary, output->path) ? -errno : 0;
	if (!renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->path, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* a file system that cannot */
	if (!access(output->path, F_OK))
		return -EEXIST;
	return rename(output->temporary, output->path) ? -errno : 0;
}

int output_finish(struct output *output)
{
	output_flush(output);
	if (output->gzip && !output->error && gzip_end(output->gzip) && !output->error)
		output->error = -EIO;
	/* network file systems tell of a full disk only now */
	if (output->fd > STDERR_FILENO && close(output->fd) && !output->error)
		output->error = -errno;
	if (output->fd > STDERR_FILENO)
		output->fd = -1;
	gzip_free(output->gzip);
	output->gzip = NULL;
	free(output->buffer);
	output->buffer = output->next = output->end = NULL;
	return output->error;
}

int output_take_name(struct output *output)
{
	if (output->temporary && !output->error) {
		output->error = rename_temporary(output);
		output->in_place = !output->error;
	}
	return output->error;
}

int output_commit(struct output *output)
{
	int error = output_finish(output);

	if (!error)
		error = output_take_name(output);
	output_release(output);
	return error;
}

void output_die(const char *path, int error)
{
	if (error == -EEXIST && itself_is(path))
		die("'%s' is of the trace itself", path);
	if (error == -EEXIST)
		die("'%s' exists; --force replaces it", path);
	if (!strcmp(path, "-"))
		die("cannot write to stdout: %s", strerror(-error));
	die("cannot write '%s': %s", path, strerror(-error));
}

void output_begin(struct output *output, const char *path, const struct output_options *options)
{
	int error = output_open(output, path, options);

	if (error)
		output_die(path, error);
}

void output_begin_stdout(struct output *output)
{
	output_begin(output, "-", &(struct output_options){.jobs = 1});
}

void output_end(struct output *output)
{
	const char *path = output->path;
	int error = output_commit(output);

	if (error)
		output_die(path, error);
}

void output_cancel(struct output *output)
{
	output_release(output);
}

/* Numbers ------------------------------------------------------------------- */

void output_u64(struct output *output, uint64_t value)
{
	output_room(output, 20);
	output->next += digits_put(output->next, value);
}

void output_i64(struct output *output, int64_t value)
{
	if (value < 0) {
		output_char(output, '-');
		output_u64(output, -(uint64_t)value);
	} else {
		output_u64(output, (uint64_t)value);
	}
}

void output_decimal(struct output *output, int64_t value, unsigned digits)
{
	static const uint64_t powers[] = {1,      10,      100,      1000,      10000,
					  100000, 1000000, 10000000, 100000000, 1000000000};
	uint64_t scale = powers[digits], magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char buffer[10];

	if (value < 0)
		output_char(output, '-');
	output_u64(output, magnitude / scale);
	/* adding the scale keeps the leading zeros; its own 1 becomes the point */
	*digits_before(buffer + 1 + digits, magnitude % scale + scale) = '.';
	output_bytes(output, buffer, 1 + digits);
}

/* Writes eight digits. */
static void put_hex(char *to, uint32_t value)
{
	uint64_t digits = __builtin_bswap32(value), letters;

	/* a byte to each two, the first digit before the second one */
	digits = (digits | digits << 16) & 0x0000ffff0000ffffu;
	digits = (digits | digits << 8) & 0x00ff00ff00ff00ffu;
	digits = (digits >> 4 & 0x000f000f000f000fu) | (digits & 0x000f000f000f000fu) << 8;
	letters = (digits + 0x0606060606060606u) >> 4 & 0x0101010101010101u;
	digits += 0x3030303030303030u + letters * ('a' - '0' - 10);
	digits = htole64(digits);
	memcpy(to, &digits, sizeof(digits));
}

void output_hex(struct output *output, uint64_t value, unsigned digits)
{
	uint64_t first = value << (16 - digits) * 4;

	output_room(output, 16);
	put_hex(output->next, (uint32_t)(first >> 32));
	put_hex(output->next + 8, (uint32_t)first);
	output->next += digits;
}

static void put_escaped(struct output *output, unsigned char byte)
{
	static const char letters[] = {
		['\n'] = 'n', ['\t'] = 't', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\'};
	char text[8];

	if (byte < sizeof(letters) && letters[byte])
		snprintf(text, sizeof(text), "\\%c", letters[byte]);
	else if (byte < ' ' || byte > '~')
		snprintf(text, sizeof(text), "\\%03o", byte);
	else
		snprintf(text, sizeof(text), "%c", byte);
	output_text(output, text);
}

void output_escaped(struct output *output, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		put_escaped(output, (unsigned char)bytes[i]);
}

void output_without(struct output *output, const char *text, char also, char instead)
{
	const char both[] = {instead, instead};

	for (size_t left = strlen(text), size; left > 0; left -= size, text += size) {
		size_t control = *text == also ? 1 : control_size(text, left);

		size = control ? control : 1;
		output_bytes(output, control ? both : text, size);
	}
}

void output_printable(struct output *output, const char *text)
{
	output_without(output, text, '\0', '?');
}

void output_csv(struct output *output, const char *text)
{
	output_char(output, '"');
	for (; *text; text++) {
		if (*text == '"')
			output_char(output, '"');
		output_char(output, *text);
	}
	output_char(output, '"');
}

#ifdef UNIT_TEST
#include "unittest.h"

static const char *decimal_text(struct output *output, char *buffer, int64_t value, unsigned digits)
{
	output->next = buffer;
	output_decimal(output, value, digits);
	*output->next = '\0';
	return buffer;
}

TEST_CASE(decimals_keep_their_zeros)
{
	char buffer[64];
	struct output output = {.next = buffer, .end = buffer + sizeof(buffer), .buffer = buffer};

	EXPECT_STR(decimal_text(&output, buffer, 123450, 9), "0.000123450");
	EXPECT_STR(decimal_text(&output, buffer, 1250000110, 9), "1.250000110");
	EXPECT_STR(decimal_text(&output, buffer, -5, 3), "-0.005");
	EXPECT_STR(decimal_text(&output, buffer, 0, 3), "0.000");
	EXPECT_STR(decimal_text(&output, buffer, INT64_MIN, 9), "-9223372036.854775808");
}

TEST_CASE(scratch_outputs_stay_in_their_memory)
{
	static const char text[100] = "longer than the memory";
	char memory[64];
	struct output output = output_scratch(memory, 40);

	memset(memory, 'x', sizeof(memory));
	output_bytes(&output, text, 40);
	EXPECT_EQ(output.error, 0);
	EXPECT(memcmp(memory, text, 40) == 0);
	output = output_scratch(memory, 40);
	output_char(&output, '"');
	output_bytes(&output, text, sizeof(text));
	output_u64(&output, UINT64_MAX);
	EXPECT(output.error != 0);
	for (unsigned i = 40; i < sizeof(memory); i++)
		EXPECT_EQ(memory[i], 'x');
}

TEST_CASE(what_stays_in_memory_keeps_its_bytes_however_large_it_grows)
{
	uint32_t count = 3 * HUGE_PAGE / sizeof(count), number, wrong = 0;
	struct output output;

	REQUIRE(!output_memory(&output));
	for (uint32_t i = 0; i < count; i++)
		output_bytes(&output, (const char *)&i, sizeof(i));
	EXPECT_EQ(output.error, 0);
	EXPECT_EQ(output.next - output.buffer, count * sizeof(count));
	for (uint32_t i = 0; i < count; i++) {
		memcpy(&number, output.buffer + i * sizeof(number), sizeof(number));
		wrong += number != i;
	}
	EXPECT_EQ(wrong, 0);
	output_cancel(&output);
}

TEST_CASE(hexadecimal_digits_are_those_of_printf)
{
	char buffer[32], expected[20];
	struct output output = {.buffer = buffer, .end = buffer + sizeof(buffer)};
	uint64_t value = 0x0123456789abcdef;

	for (unsigned digits = 1; digits <= 16; digits++, value = value * 5 + 0xf0e1d2c3) {
		uint64_t shown = digits < 16 ? value & (((uint64_t)1 << 4 * digits) - 1) : value;

		output.next = buffer;
		output_hex(&output, value, digits);
		EXPECT_EQ(output.next - buffer, digits);
		*output.next = '\0';
		snprintf(expected, sizeof(expected), "%0*" PRIx64, (int)digits, shown);
		EXPECT_STR(buffer, expected);
	}
}
#endif
