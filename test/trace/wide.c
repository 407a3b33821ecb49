/* SPDX-License-Identifier: MIT */
/* Wide characters: files, the standard streams, a stream in memory. */
#include "expect.h"

#include <wchar.h>

/* The headers would replace these by others: called as they are named. */
static wint_t (*volatile call_getwc)(FILE *) = getwc;
static wint_t (*volatile call_getwchar)(void) = getwchar;
static wint_t (*volatile call_putwc)(wchar_t, FILE *) = putwc;
static wint_t (*volatile call_putwchar)(wchar_t) = putwchar;

static int print_list(FILE *stream, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = stream ? vfwprintf(stream, format, args) : vwprintf(format, args);
	va_end(args);
	return result;
}

static int scan_list(FILE *stream, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = stream ? vfwscanf(stream, format, args) : vwscanf(format, args);
	va_end(args);
	return result;
}

static void put(FILE *stream, const char *file)
{
	volatile int seven = 7;

	expect("0 stdio fwprintf(stream=%s) = %d", file, fwprintf(stream, L"%d ", seven));
	expect("0 stdio vfwprintf(stream=%s) = %d", file, print_list(stream, L"%d ", seven));
	expect("0 stdio fputws(stream=%s) = %d", file, fputws(L"words\n", stream));
	expect("0 stdio fputwc(character=%d, stream=%s) = %d", L'c', file,
	       (int)fputwc(L'c', stream));
	expect("0 stdio putwc(character=%d, stream=%s) = %d", L'd', file,
	       (int)call_putwc(L'd', stream));
}

static void get(FILE *stream, const char *file)
{
	wchar_t line[16];
	int number;

	rewind(stream);
	expect("0 stdio rewind(stream=%s) = -", file);
	expect("0 stdio fwscanf(stream=%s) = %d", file, fwscanf(stream, L"%d", &number));
	expect("0 stdio vfwscanf(stream=%s) = %d", file, scan_list(stream, L"%d", &number));
	expect("0 stdio fgetws(size=16, stream=%s) = %s", file,
	       fgetws(line, 16 + (number != 7), stream) ? "0x1" : "NULL");
	expect("0 stdio fgetwc(stream=%s) = %d", file, (int)fgetwc(stream));
	expect("0 stdio ungetwc(character=120, stream=%s) = %d", file, (int)ungetwc(L'x', stream));
	expect("0 stdio getwc(stream=%s) = %d", file, (int)call_getwc(stream));
	expect("0 stdio getwc(stream=%s) = %d", file, (int)call_getwc(stream));
	if (call_getwc(stream) == WEOF)
		expect("0 stdio getwc(stream=%s) = WEOF", file);
}

static void in_memory(void)
{
	wchar_t *grown = NULL;
	size_t size;
	FILE *stream = open_wmemstream(&grown, &size);

	expect("0 stdio open_wmemstream() = memory");
	expect("0 stdio fputws(stream=memory) = %d", fputws(L"more", stream));
	expect("0 stdio fclose(stream=memory) = %d", fclose(stream));
	free(grown);
}

/* A stream of bytes: refused, but errno is none of these calls. */
static void refused(void)
{
	FILE *stream = fopen("bytes", "w");
	const char *file = strdup(on_file(stream->_fileno, "bytes"));

	expect("0 stdio fopen(path=\"bytes\", mode=\"w\") = %s", file);
	expect("0 stdio fputc(character=98, stream=%s) = %d", file, fputc('b', stream));
	errno = ENOENT;
	expect("0 stdio fputws(stream=%s) = %d", file, fputws(L"words", stream));
	expect("0 stdio fwprintf(stream=%s) = %d", file, fwprintf(stream, L"words"));
	if (fputwc(L'w', stream) == WEOF)
		expect("0 stdio fputwc(character=%d, stream=%s) = WEOF", L'w', file);
	expect("0 stdio fclose(stream=%s) = %d", file, fclose(stream));
}

/* stdin and stdout are this file, made so by bare system calls. */
static void standard(void)
{
	int fd = (int)bare(SYS_openat, AT_FDCWD, "standard", O_RDWR | O_CREAT, 0600);
	int terminal = (int)bare(SYS_fcntl, 1, F_DUPFD, 100), number;
	const char *out, *in;

	if (bare(SYS_write, fd, "1 2 x", 5) != 5)
		abort();
	bare(SYS_lseek, fd, 0, SEEK_SET);
	bare(SYS_dup3, fd, 0, 0);
	bare(SYS_dup3, fd, 1, 0);
	bare(SYS_close, fd);
	in = strdup(on_file(0, "standard"));
	out = strdup(on_file(1, "standard"));
	expect("0 stdio wscanf(stdin=%s) = %d", in, wscanf(L"%d", &number));
	expect("0 stdio vwscanf(stdin=%s) = %d", in, scan_list(NULL, L"%d", &number));
	expect("0 stdio getwchar(stdin=%s) = %d", in, (int)call_getwchar());
	expect("0 stdio wprintf(stdout=%s) = %d", out, wprintf(L"%d", number));
	expect("0 stdio vwprintf(stdout=%s) = %d", out, print_list(NULL, L"%d", number));
	expect("0 stdio putwchar(character=101, stdout=%s) = %d", out, (int)call_putwchar(L'e'));
	expect("0 stdio fflush(stream=%s) = %d", out, fflush(stdout));
	bare(SYS_dup3, terminal, 1, 0);
}

int main(void)
{
	FILE *stream = fopen("wide", "w+");
	const char *file = strdup(on_file(stream->_fileno, "wide"));

	expect("0 stdio fopen(path=\"wide\", mode=\"w+\") = %s", file);
	put(stream, file);
	get(stream, file);
	expect("0 stdio fclose(stream=%s) = %d", file, fclose(stream));
	in_memory();
	refused();
	standard();
	return expect_end();
}
