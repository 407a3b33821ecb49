/* SPDX-License-Identifier: MIT */
/* Buffered files. */
#include "expect.h"

static const char *on_stream(FILE *stream, const char *name)
{
	return on_file(stream ? stream->_fileno : -1, name);
}

static void writes(void)
{
	int (*volatile put)(const char *, FILE *) = fputs;
	FILE *stream = fopen("text", "w+");
	const char *file = strdup(on_stream(stream, "text"));

	expect("0 stdio fopen(path=\"text\", mode=\"w+\") = %s", file);
	setvbuf(stream, NULL, _IOFBF, 4096);
	expect("0 stdio setvbuf(stream=%s, mode=_IOFBF, size=4096) = 0", file);
	expect("0 stdio fwrite(size=1, count=10, stream=%s) = %zu", file,
	       fwrite("one\ntwo\n33", 1, 10, stream));
	put("word\n", stream); /* called by name, gcc makes it fwrite() */
	expect("0 stdio fputs(stream=%s) = 1", file);
	fputc('x', stream);
	expect("0 stdio fputc(character=120, stream=%s) = 120", file);
	fprintf(stream, "%d %s\n", 42, "end");
	expect("0 stdio fprintf(stream=%s) = 7", file);
	expect("0 stdio fflush(stream=%s) = %d", file, fflush(stream));
	expect("0 stdio ftell(stream=%s) = %ld", file, ftell(stream));
	rewind(stream);
	expect("0 stdio rewind(stream=%s) = -", file);
	expect("0 stdio fclose(stream=%s) = %d", file, fclose(stream));
}

static void reads(void)
{
	FILE *stream = fopen("text", "r");
	const char *file = strdup(on_stream(stream, "text"));
	char text[64], *line = NULL;
	size_t size = 0;
	int number;

	expect("0 stdio fopen(path=\"text\", mode=\"r\") = %s", file);
	fgets(text, sizeof(text), stream);
	expect("0 stdio fgets(size=64, stream=%s) = 0x1", file);
	expect("0 stdio getdelim(delimiter=10, stream=%s) = %zd", file,
	       getdelim(&line, &size, '\n', stream));
	expect("0 stdio fscanf(stream=%s) = %d", file, fscanf(stream, "%d", &number));
	expect("0 stdio fgetc(stream=%s) = %d", file, fgetc(stream));
	expect("0 stdio ungetc(character=119, stream=%s) = %d", file, ungetc('w', stream));
	expect("0 stdio fseek(stream=%s, offset=-7, whence=SEEK_END) = %d", file,
	       fseek(stream, -7, SEEK_END));
	expect("0 stdio fread(size=1, count=64, stream=%s) = %zu", file,
	       fread(text, 1, sizeof(text), stream));
	fgets(text, sizeof(text), stream);
	expect("0 stdio fgets(size=64, stream=%s) = NULL", file);
	expect("0 stdio fclose(stream=%s) = %d", file, fclose(stream));
	free(line);
}

static void others(void)
{
	FILE *stream = fopen("none", "r");
	const char *file;
	int fd;

	expect("0 stdio fopen(path=\"none\", mode=\"r\") = NULL ENOENT");
	fd = open("text", O_RDONLY);
	file = strdup(on_file(fd, "text"));
	expect("0 posix open(path=\"text\", flags=O_RDONLY) = %s", file);
	stream = fdopen(fd, "r");
	expect("0 stdio fdopen(fd=%s, mode=\"r\") = %s", file, file);
	expect("0 stdio fileno(stream=%s) = %s", file, on_file(fileno(stream), "text"));
	stream = freopen("other", "w", stream);
	expect("0 stdio freopen(path=\"other\", mode=\"w\", stream=%s) = %s", file,
	       on_stream(stream, "other"));
	file = strdup(on_stream(stream, "other"));
	expect("0 stdio fclose(stream=%s) = %d", file, fclose(stream));
	expect("0 stdio dprintf(fd=-1) = %s", returned(dprintf(-1, "%d", 1)));
}

int main(void)
{
	writes();
	reads();
	others();
	return expect_end();
}
