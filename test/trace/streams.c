/* SPDX-License-Identifier: MIT */
/*
 * The standard streams and what stdio.c leaves out: temporary and memory streams, characters,
 * words, formats, positions, buffers. stdin, stdout and stderr are files here, made so by bare
 * system calls.
 */
#include "expect.h"

#include <stdint.h>

static int real_stdout;

static void redirect(int number, const char *name, int flags)
{
	int fd = (int)bare(SYS_openat, AT_FDCWD, name, flags, 0600);

	if (number == 1)
		real_stdout = (int)bare(SYS_fcntl, 1, F_DUPFD, 100);
	bare(SYS_dup3, fd, number, 0);
	bare(SYS_close, fd);
}

/* The headers would replace these by others: called as they are named. */
static int (*volatile call_printf)(const char *, ...) = printf;
static int (*volatile call_vprintf)(const char *, va_list) = vprintf;
static int (*volatile call_puts)(const char *) = puts;
static int (*volatile call_putchar)(int) = putchar;
static int (*volatile call_putc)(int, FILE *) = putc;
static int (*volatile call_getchar)(void) = getchar;
static int (*volatile call_getc)(FILE *) = getc;
static ssize_t (*volatile call_getline)(char **, size_t *, FILE *) = getline;

__attribute__((format(printf, 2, 3))) static int print_list(FILE *stream, const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = stream ? vfprintf(stream, format, args) : call_vprintf(format, args);
	va_end(args);
	return result;
}

__attribute__((format(printf, 2, 3))) static int print_list_on(int fd, const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = vdprintf(fd, format, args);
	va_end(args);
	return result;
}

__attribute__((format(scanf, 2, 3))) static int scan_list(FILE *stream, const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = stream ? vfscanf(stream, format, args) : vscanf(format, args);
	va_end(args);
	return result;
}

static void output(void)
{
	const char *file = strdup(on_file(1, "out"));

	expect("0 stdio printf(stdout=%s) = %d", file, call_printf("%d\n", 12));
	expect("0 stdio puts(stdout=%s) = %d", file, call_puts("text"));
	expect("0 stdio putchar(character=97, stdout=%s) = %d", file, call_putchar('a'));
	expect("0 stdio putc(character=98, stream=%s) = %d", file, call_putc('b', stdout));
	expect("0 stdio vprintf(stdout=%s) = %d", file, print_list(NULL, "%s", "abc"));
	expect("0 stdio vfprintf(stream=%s) = %d", file, print_list(stdout, "%s", "abcd"));
	expect("0 stdio fflush(stream=%s) = %d", file, fflush(stdout));
	expect("0 stdio dprintf(fd=%s) = %d", file, dprintf(1, "%s", "abcde"));
	expect("0 stdio vdprintf(fd=%s) = %d", file, print_list_on(1, "%s", "abcdef"));
	errno = ENOENT;
	perror("prefix");
	expect("0 stdio perror(text=\"prefix\", stderr=%s) = -", on_file(2, "errors"));
	expect("0 stdio fflush(stream=NULL) = %d", fflush(NULL));
}

static void input(void)
{
	const char *file = strdup(on_file(0, "in"));
	size_t size = 0;
	char *line = NULL;
	int a, b;

	expect("0 stdio scanf(stdin=%s) = %d", file, scanf("%d", &a));
	expect("0 stdio vscanf(stdin=%s) = %d", file, scan_list(NULL, "%d", &b));
	expect("0 stdio vfscanf(stream=%s) = %d", file, scan_list(stdin, "%d", &b));
	expect("0 stdio getchar(stdin=%s) = %d", file, call_getchar());
	expect("0 stdio getc(stream=%s) = %d", file, call_getc(stdin));
	expect("0 stdio getline(stream=%s) = %zd", file, call_getline(&line, &size, stdin));
	expect("0 stdio getline(stream=%s) = %zd", file, call_getline(&line, &size, stdin));
	expect("0 stdio getchar(stdin=%s) = %d", file, call_getchar());
	free(line);
	if (a != 1 || b != 3)
		abort();
}

static void positions(FILE *stream, const char *file)
{
	fpos_t position;

	expect("0 stdio putw(stream=%s) = %d", file, putw(77, stream));
	expect("0 stdio fseeko(stream=%s, offset=0, whence=SEEK_SET) = %d", file,
	       fseeko(stream, 0, SEEK_SET));
	expect("0 stdio fgetpos(stream=%s) = %d", file, fgetpos(stream, &position));
	expect("0 stdio getw(stream=%s) = %d", file, getw(stream));
	expect("0 stdio ftello(stream=%s) = %jd", file, (intmax_t)ftello(stream));
	expect("0 stdio fsetpos(stream=%s) = %d", file, fsetpos(stream, &position));
	expect("0 stdio fseek(stream=%s, offset=-1, whence=SEEK_SET) = %s", file,
	       returned(fseek(stream, -1, SEEK_SET)));
}

static void buffers(void)
{
	FILE *stream = fopen("buffered", "w");
	const char *file = strdup(on_file(stream->_fileno, "buffered"));
	static char buffer[BUFSIZ];

	expect("0 stdio fopen(path=\"buffered\", mode=\"w\") = %s", file);
	setbuf(stream, buffer);
	expect("0 stdio setbuf(stream=%s) = -", file);
	setbuffer(stream, buffer, 100);
	expect("0 stdio setbuffer(stream=%s, size=100) = -", file);
	setlinebuf(stream);
	expect("0 stdio setlinebuf(stream=%s) = -", file);
	expect("0 stdio fclose(stream=%s) = %d", file, fclose(stream));
}

static ssize_t swallow(void *cookie, const char *text, size_t size)
{
	(void)cookie;
	(void)text;
	return (ssize_t)size;
}

/* tmpfile() gives the file no name: the kernel tells something in its place. */
static const char *where_it_is(int fd)
{
	static char path[256];
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	memset(path, 0, sizeof(path));
	bare(SYS_readlinkat, AT_FDCWD, link, path, sizeof(path) - 1);
	return path;
}

static void others(void)
{
	cookie_io_functions_t functions = {.write = swallow};
	char text[] = "one two", *grown = NULL;
	const char *file;
	FILE *stream;
	size_t size;

	stream = tmpfile();
	file = strdup(on_other(stream->_fileno, where_it_is(stream->_fileno)));
	expect("0 stdio tmpfile() = %s", file);
	positions(stream, file);
	expect("0 stdio fclose(stream=%s) = %d", file, fclose(stream));
	stream = fmemopen(text, sizeof(text), "r");
	expect("0 stdio fmemopen(size=8, mode=\"r\") = memory");
	expect("0 stdio fgetc(stream=memory) = %d", fgetc(stream));
	expect("0 stdio fclose(stream=memory) = %d", fclose(stream));
	stream = open_memstream(&grown, &size);
	expect("0 stdio open_memstream() = memory");
	expect("0 stdio fprintf(stream=memory) = %d", fprintf(stream, "%d", 1234));
	expect("0 stdio fclose(stream=memory) = %d", fclose(stream));
	free(grown);
	stream = fopencookie(NULL, "w", functions);
	expect("0 stdio fopencookie(mode=\"w\") = memory");
	expect("0 stdio fclose(stream=memory) = %d", fclose(stream));
	errno = 0;
	stream = fmemopen(text, sizeof(text), "?");
	expect("0 stdio fmemopen(size=8, mode=\"?\") = NULL %s", strerrorname_np(errno));
}

int main(void)
{
	int fd = (int)bare(SYS_openat, AT_FDCWD, "in", O_WRONLY | O_CREAT, 0600);

	if (bare(SYS_write, fd, "1 2 3\nxyz\n", 10) != 10)
		abort();
	bare(SYS_close, fd);
	redirect(0, "in", O_RDONLY);
	redirect(1, "out", O_WRONLY | O_CREAT);
	redirect(2, "errors", O_WRONLY | O_CREAT);
	output();
	input();
	buffers();
	others();
	bare(SYS_dup3, real_stdout, 1, 0);
	return expect_end();
}
