/* SPDX-License-Identifier: MIT */
/*
 * characters.c - characters from many places at once, as programs have them: a copy, a scanner that puts back what it does not want, one that flushes before each word, more places
 * than are kept apart, and all that from several threads.
 *
 *	characters THREADS	writes in.N, out.N; prints the words that were scanned
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS_MAX 8
#define SIZE 60000

static void make(const char *path)
{
	FILE *stream = fopen(path, "w");
	char *text = malloc(SIZE + 16);
	size_t size = 0;

	for (int i = 0; size < SIZE; i++)
		size += (size_t)sprintf(text + size, "%d%s", i * 7919 % 100003, i % 9 ? " " : "\n");
	fwrite(text, 1, size, stream);
	free(text);
	if (fclose(stream))
		abort();
}

/* Two streams. */
static void copy(FILE *in, FILE *out)
{
	for (int c = getc(in); c != EOF; c = getc(in))
		if (putc(c, out) != c)
			abort();
	rewind(in);
}

static int skip_blanks(FILE *in)
{
	int c;

	do
		c = getc(in);
	while (c == ' ' || c == '\n');
	return c;
}

/* What ends a word is looked at twice. */
static long scan(FILE *in, FILE *out)
{
	long words = 0;

	for (int c = skip_blanks(in); c != EOF; c = skip_blanks(in)) {
		fflush(out);
		while (c >= '0' && c <= '9')
			c = fgetc(in);
		if (c != EOF && ungetc(c, in) != c)
			abort();
		words++;
	}
	rewind(in);
	return words;
}

/* Forty places. What was put back is another character once in a while, which the stream has to be told. */
static void many(FILE *in)
{
	for (int i = 0; i < 300; i++) {
		int sum = fgetc(in);

		sum += fgetc(in) + fgetc(in) + fgetc(in) + fgetc(in);
		sum += fgetc(in) + fgetc(in) + fgetc(in) + fgetc(in);
		sum += getc(in) + getc(in) + getc(in) + getc(in);
		sum += getc(in) + getc(in) + getc(in);
		sum += getc(in) + getc(in) + getc(in) + getc(in) + getc(in);
		sum += getc(in) + getc(in) + getc(in) + getc(in) + getc(in);
		sum += fgetc(in) + fgetc(in) + fgetc(in) + fgetc(in) + fgetc(in);
		sum += fgetc(in) + fgetc(in) + fgetc(in) + fgetc(in) + fgetc(in);
		ungetc(i % 50 ? 'x' : 'y', in);
		sum += getc(in);
		ungetc('z', in);
		if (sum < 37 || getc(in) != 'z')
			abort();
	}
	rewind(in);
}

/* A flush that writes, between others. */
static void flush(FILE *out)
{
	for (int i = 0; i < 500; i++) {
		fflush(out);
		if (i % 100 == 0)
			fputs("more", out);
	}
}

static void *work(void *argument)
{
	char name[32];
	FILE *in, *out;
	long words;

	snprintf(name, sizeof(name), "in.%d", (int)(intptr_t)argument);
	make(name);
	in = fopen(name, "r");
	snprintf(name, sizeof(name), "out.%d", (int)(intptr_t)argument);
	out = fopen(name, "w");
	copy(in, out);
	words = scan(in, out);
	many(in);
	flush(out);
	fclose(in);
	if (fclose(out))
		abort();
	return (void *)words;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t started[THREADS_MAX];
	long words = 0;

	if (threads < 1 || threads > THREADS_MAX)
		return 2;
	for (intptr_t i = 0; i < threads - 1; i++)
		if (pthread_create(&started[i], NULL, work, (void *)i))
			return 2;
	words = (long)work((void *)(intptr_t)(threads - 1));
	for (int i = 0; i < threads - 1; i++) {
		void *more;

		pthread_join(started[i], &more);
		words += (long)more;
	}
	printf("%ld\n", words);
	return 0;
}
