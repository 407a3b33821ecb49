/* SPDX-License-Identifier: MIT */
/*
 * wrappers.c - wrappers of the layers posix and stdio, one for each thing that wrappers do: numbers, descriptors, streams, paths, arrays.
 *
 * wrappers FILE: with librecorder.so and libstub.so preloaded, in this order. The functions behind are stubs, but for those of characters, whose
 * streams are real.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "measure.h"
#include "wrapped.h"

#define CHARACTERS 1000000 /* in the file */

static int file;
static FILE *stream;
static char buffer[64];
static volatile long sum;

static void run_lseek(void *function, unsigned calls)
{
	off_t (*call)(int, off_t, int) = function;

	for (unsigned i = 0; i < calls; i++)
		call(file, 8 * (off_t)i, SEEK_SET);
}

static void run_read(void *function, unsigned calls)
{
	ssize_t (*call)(int, void *, size_t) = function;

	for (unsigned i = 0; i < calls; i++)
		call(file, buffer, 8);
}

static void run_readv(void *function, unsigned calls)
{
	ssize_t (*call)(int, const struct iovec *, int) = function;
	struct iovec parts[] = {{buffer, 8}, {buffer + 8, 16}};

	for (unsigned i = 0; i < calls; i++)
		call(file, parts, 2);
}

static void run_access(void *function, unsigned calls)
{
	int (*call)(const char *, int) = function;

	for (unsigned i = 0; i < calls; i++)
		call("/data/run/output/part.0001", R_OK);
}

static void run_fread(void *function, unsigned calls)
{
	size_t (*call)(void *, size_t, size_t, FILE *) = function;

	for (unsigned i = 0; i < calls; i++)
		call(buffer, 1, 8, stream);
}

static void run_fgets(void *function, unsigned calls)
{
	char *(*call)(char *, int, FILE *) = function;

	for (unsigned i = 0; i < calls; i++)
		call(buffer, sizeof(buffer), stream);
}

static const struct wrapped stubs[] = {
	{"lseek", run_lseek, (void *)lseek, NULL}, {"read", run_read, (void *)read, NULL},
	{"readv", run_readv, (void *)readv, NULL}, {"access", run_access, (void *)access, NULL},
	{"fread", run_fread, (void *)fread, NULL}, {"fgets", run_fgets, (void *)fgets, NULL},
};

#define STUBS (sizeof(stubs) / sizeof(stubs[0]))

/* Streams of characters, of which each variant has its own. */
static FILE *in, *out;
static long left;

static void run_fgetc(void *function, unsigned calls)
{
	int (*call)(FILE *) = function;
	long characters = 0;

	if (left < (long)calls) {
		rewind(in);
		left = CHARACTERS;
	}
	left -= calls;
	for (unsigned i = 0; i < calls; i++)
		characters += call(in);
	sum += characters;
}

static void run_fputc(void *function, unsigned calls)
{
	int (*call)(int, FILE *) = function;
	long characters = 0;

	for (unsigned i = 0; i < calls; i++)
		characters += call('x', out);
	sum += characters;
}

/* As a scanner has them, and a copy: from three places. */
struct scanner {
	int (*get)(FILE *);
	int (*put_back)(int, FILE *);
	int (*put)(int, FILE *);
};

static void run_scan(void *functions, unsigned calls)
{
	const struct scanner *scanner = functions;
	long characters = 0;

	if (left < (long)calls) {
		rewind(in);
		left = CHARACTERS;
	}
	left -= calls;
	for (unsigned i = 0; i < calls; i++) {
		characters += scanner->put_back(scanner->get(in), in);
		characters += scanner->put(scanner->get(in), out);
	}
	sum += characters;
}

static FILE *opened(const char *path, const char *mode)
{
	FILE *made = fopen(path, mode);

	if (!made)
		die(path);
	return made;
}

/* How much longer a character takes. */
static void measure_characters(const char *name, void (*run)(void *, unsigned), void *bare,
			       void *wrapper)
{
	static const struct plan plan = {401, 1, 20000};
	struct variant variants[] = {{run, bare, 0, 0}, {run, wrapper, 0, 0}};

	measure(variants, 2, &plan);
	report(name, variants[1].ns / variants[0].ns);
}

static void measure_scanner(void)
{
	struct scanner wrapper = {getc, ungetc, putc},
		       bare = {wrapped_bare("libc.so", "getc"), wrapped_bare("libc.so", "ungetc"),
			       wrapped_bare("libc.so", "putc")};

	measure_characters("scan", run_scan, &bare, &wrapper);
}

int main(int argc, char **argv)
{
	struct wrapped list[STUBS];

	if (argc != 2)
		return 2;
	out = opened(argv[1], "w");
	for (int i = 0; i < CHARACTERS; i++)
		putc('x', out);
	fflush(out);
	in = opened(argv[1], "r");
	stream = in;
	file = open(argv[1], O_RDONLY);
	for (unsigned i = 0; i < STUBS; i++) {
		list[i] = stubs[i];
		list[i].bare = wrapped_bare("libstub", stubs[i].name);
	}
	wrapped_measure(list, STUBS);
	measure_characters("fgetc", run_fgetc, wrapped_bare("libc.so", "fgetc"), (void *)fgetc);
	measure_characters("fputc", run_fputc, wrapped_bare("libc.so", "fputc"), (void *)fputc);
	measure_scanner();
	unlink(argv[1]);
	return 0;
}
