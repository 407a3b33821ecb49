/* SPDX-License-Identifier: MIT */
/*
 * smoke.h - what generated smoke tests (write_smoke.py) are written with.
 *
 * Each call says what the trace must have of it, as the second reader prints it with
 * --text --bare: "LEVEL LAYER NAME(ARGUMENT=VALUE, ...) = RESULT". Values are taken from the program's own variables and from
 * /proc, never from the recorder. The recorder is paused but for the calls themselves, so the trace
 * has these lines and no others. Without the recorder the program does and says the same.
 *
 * A call has to succeed unless its line in the .calls file says by which error it fails: one that fails
 * for another reason ends the program, it would prove nothing.
 */
#ifndef RECORDER_TEST_SMOKE_H
#define RECORDER_TEST_SMOKE_H

#include <recorder/recorder.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define SMOKE_ARGS 64
#define SMOKE_TEXT 4096

static struct {
	char name[128];
	char args[SMOKE_ARGS][SMOKE_TEXT];
	unsigned count;
	int error; /* errno after the call */
	FILE *file;
} smoke;

/* ---- the recorder ---- */

static inline void smoke_pause(void)
{
	smoke.error = errno;
	recorder_pause();
}

static inline void smoke_resume(void)
{
	recorder_resume();
	errno = 0;
}

/* The function as the program is bound to it; NULL if the library below has none of that name. */
static inline void *smoke_find_in(const char *library, const char *symbol)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
	void *found = handle ? dlsym(handle, symbol) : NULL;

	return found ? dlsym(RTLD_DEFAULT, symbol) : NULL;
}

/* ---- what is expected ---- */

static inline void smoke_begin(const char *layer, const char *name)
{
	snprintf(smoke.name, sizeof(smoke.name), "%s %s", layer, name);
	smoke.count = 0;
}

__attribute__((format(printf, 3, 4))) static inline void smoke_arg(unsigned at, const char *name,
								   const char *format, ...)
{
	int length = snprintf(smoke.args[at], SMOKE_TEXT, "%s=", name);
	va_list args;

	va_start(args, format);
	vsnprintf(smoke.args[at] + length, SMOKE_TEXT - (size_t)length, format, args);
	va_end(args);
	if (at >= smoke.count)
		smoke.count = at + 1;
}

static inline void smoke_int(unsigned at, const char *name, long long value)
{
	smoke_arg(at, name, "%lld", value);
}

/* -1: left as it is, in the 32 bits of the type. */
static inline void smoke_uid(unsigned at, const char *name, uid_t value)
{
	smoke_arg(at, name, "%d", (int)value);
}

static inline void smoke_double(unsigned at, const char *name, double value)
{
	smoke_arg(at, name, "%.17g", value);
}

static inline void smoke_pointer(unsigned at, const char *name, const void *value)
{
	smoke_arg(at, name, "%d", value != NULL);
}

/* Text as it is printed: in quotes, what is not printable escaped. */
static inline const char *smoke_quoted(const char *text, size_t length)
{
	static char quoted[SMOKE_TEXT];
	size_t to = 0;

	quoted[to++] = '"';
	for (size_t at = 0; at < length && to < sizeof(quoted) - 8; at++) {
		unsigned char c = (unsigned char)text[at];

		if (c == '"' || c == '\\')
			to += (size_t)sprintf(quoted + to, "\\%c", c);
		else if (c == '\n' || c == '\t')
			to += (size_t)sprintf(quoted + to, "\\%c", c == '\n' ? 'n' : 't');
		else if (c < 32 || c > 126)
			to += (size_t)sprintf(quoted + to, "\\%03o", c);
		else
			quoted[to++] = (char)c;
	}
	quoted[to++] = '"';
	quoted[to] = 0;
	return quoted;
}

static inline void smoke_string(unsigned at, const char *name, const char *text)
{
	smoke_arg(at, name, "%s", text ? smoke_quoted(text, strlen(text)) : "NULL");
}

#define smoke_path smoke_string
#define smoke_command smoke_string

/* argv: its strings, a zero byte after each. */
static inline void smoke_strings(unsigned at, const char *name, char *const strings[])
{
	char all[1024];
	size_t size = 0;

	for (; *strings; strings++)
		size += (size_t)snprintf(all + size, sizeof(all) - size, "%s", *strings) + 1;
	smoke_arg(at, name, "%s", smoke_quoted(all, size));
}

/* A descriptor and its file: the path, or what the kernel calls it, without the number: "pipe" of "pipe:[77]". */
static inline const char *smoke_file(int fd)
{
	static char text[SMOKE_TEXT];
	char link[64], path[1024];
	ssize_t length;
	size_t end;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = fd < 0 ? -1 : readlink(link, path, sizeof(path) - 1);
	if (length < 0) {
		snprintf(text, sizeof(text), "%d%s", fd, fd < 0 ? "" : " ?");
		return text;
	}
	path[length] = 0;
	end = strlen(path);
	if (*path != '/' && strncmp(path, "anon_inode:", 11) != 0)
		end = strcspn(path, ":");
	snprintf(text, sizeof(text), "%d %s", fd, smoke_quoted(path, end));
	return text;
}

static inline void smoke_fd(unsigned at, const char *name, int fd)
{
	smoke_arg(at, name, "%s", smoke_file(fd));
}

#define smoke_dirfd smoke_fd

/* The file that a descriptor stood for when it was mapped. */
static inline void smoke_mapped(unsigned at, const char *name, int fd)
{
	smoke_arg(at, name, "%s", strchr(smoke_file(fd), ' ') + 1);
}

/* Streams without a descriptor are -2. */
static inline int smoke_fileno(FILE *stream)
{
	int fd = stream ? fileno(stream) : -1;

	return stream && fd < 0 ? -2 : fd;
}

static inline void smoke_stream(unsigned at, const char *name, FILE *stream)
{
	smoke_arg(at, name, "%s", smoke_file(smoke_fileno(stream)));
}

static inline void smoke_dir(unsigned at, const char *name, DIR *dir)
{
	smoke_arg(at, name, "%s", smoke_file(dir ? dirfd(dir) : -1));
}

/* Arrays. The elements of `values` are written one after another by `write`. */
#define SMOKE_ARRAY(function, type, element)                                                       \
	static inline void function(unsigned at, const char *name, type values, long long count)   \
	{                                                                                          \
		char text[SMOKE_TEXT] = "[";                                                       \
		size_t size = 1;                                                                   \
                                                                                                   \
		for (long long i = 0; i < count; i++)                                              \
			size += (size_t)snprintf(text + size, sizeof(text) - size, "%s%lld",       \
						 i ? ", " : "", (long long)(element));             \
		smoke_arg(at, name, "%s]", text);                                                  \
	}

SMOKE_ARRAY(smoke_ints, const int *, values[i])
SMOKE_ARRAY(smoke_longs, const int64_t *, values[i])
SMOKE_ARRAY(smoke_parts, const struct iovec *, values[i].iov_len)
#undef SMOKE_ARRAY

/* ---- objects that have a number in the trace: check_handles.py finds out which ---- */

enum smoke_life { SMOKE_USE, SMOKE_NEW, SMOKE_END };

/* A handle: its kind and value, what happens to it, its name if MPI defines it. */
static inline const char *smoke_handle_text(const char *kind, uintptr_t handle, const char *name,
					    enum smoke_life life)
{
	static char text[256];
	static const char *const lives[] = {"use", "new", "end"};

	snprintf(text, sizeof(text), "<%s %jx %s %s>", kind, (uintmax_t)handle, lives[life],
		 name ? name : "-");
	return text;
}

static inline void smoke_handle(unsigned at, const char *name, const char *kind, uintptr_t handle,
				const char *predefined, enum smoke_life life)
{
	smoke_arg(at, name, "%s", smoke_handle_text(kind, handle, predefined, life));
}

/* ---- the end of a call ---- */

static inline void smoke_line(const char *result)
{
	fprintf(smoke.file, "0 %s(", smoke.name);
	for (unsigned at = 0; at < smoke.count; at++)
		fprintf(smoke.file, "%s%s", at ? ", " : "", smoke.args[at]);
	fprintf(smoke.file, ") = %s\n", result);
}

/* A failed call has to fail as it was meant to. */
static inline void smoke_outcome(const char *result, bool failed, int error)
{
	char text[SMOKE_TEXT + 32];

	if (failed != (error != 0) || (failed && smoke.error != error)) {
		fprintf(stderr, "%s = %s: errno %s, but %s was meant\n", smoke.name, result,
			strerrorname_np(smoke.error), strerrorname_np(error));
		exit(1);
	}
	snprintf(text, sizeof(text), "%s%s%s", result, failed ? " " : "",
		 failed ? strerrorname_np(error) : "");
	smoke_line(text);
}

static inline void smoke_end(void)
{
	smoke_line("0");
}

static inline void smoke_end_int(long long result, bool failed, int error)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", result);
	smoke_outcome(text, failed, error);
}

/* A result that is itself an error number. */
static inline void smoke_end_errnum(int result, int error)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", result);
	smoke.error = result;
	smoke_outcome(text, result != 0, error);
}

static inline void smoke_end_fd(int result, bool failed, int error)
{
	smoke_outcome(smoke_file(result), failed, error);
}

static inline void smoke_end_pointer(const void *result, bool failed, int error)
{
	smoke_outcome(result && !failed ? "1" : "0", failed, error);
}

static inline void smoke_end_stream(FILE *result, bool failed, int error)
{
	smoke_outcome(smoke_file(smoke_fileno(result)), failed, error);
}

static inline void smoke_end_dir(DIR *result, bool failed, int error)
{
	smoke_outcome(smoke_file(result ? dirfd(result) : -1), failed, error);
}

static inline void smoke_end_double(double result, bool failed, int error)
{
	char text[64];

	snprintf(text, sizeof(text), "%.17g", result);
	smoke_outcome(text, failed, error);
}

static inline void smoke_end_handle(const char *kind, uintptr_t handle)
{
	smoke_line(smoke_handle_text(kind, handle, NULL, SMOKE_USE));
}

/* The program's only argument: the file in which it says what it expects. */
static inline void smoke_start(int argc, char **argv)
{
	smoke_pause();
	smoke.file = argc == 2 ? fopen(argv[1], "w") : NULL;
	if (!smoke.file) {
		fprintf(stderr, "usage: %s FILE\n", argv[0]);
		exit(2);
	}
}

static inline int smoke_finish(void)
{
	return fclose(smoke.file) != 0;
}

#endif
