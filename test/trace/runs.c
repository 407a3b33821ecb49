/* SPDX-License-Identifier: MIT */
/* Characters in a row are one record, until something else is recorded: how many there are in which is told by the loops here. */
#include "expect.h"

#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <wchar.h>

static const char *file;
static FILE *stream;
static int other;

static __attribute__((noinline)) void get(int count)
{
	for (int i = 0; i < count; i++)
		if (fgetc(stream) < 0)
			abort();
}

static void expect_run(unsigned level, char first, int count)
{
	if (count == 1)
		expect("%u stdio fgetc(stream=%s) = %d", level, file, first);
	else
		expect("%u stdio fgetc(stream=%s) = %d repeat=%d", level, file, first, count);
}

static void interrupted_by_calls(void)
{
	int (*volatile get_other_way)(FILE *) = fgetc;

	get(1);
	get(1);
	expect_run(0, 'a', 2);
	expect("0 posix write(fd=%s, count=1) = %ld", on_file(other, "other"),
	       write(other, "x", 1));
	get(7);
	expect_run(0, 'c', 7);
	get_other_way(stream); /* from elsewhere */
	expect_run(0, 'j', 1);
	get(2000);
	expect_run(0, 'k', 2000);
}

static int visit(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)path, (void)status, (void)type, (void)where;
	get(6);
	return 1;
}

/* The same calls of the same line, one level below. */
static void another_level(void)
{
	long at = ftell(stream);

	expect("0 stdio ftell(stream=%s) = %ld", file, at);
	get(3);
	expect_run(0, (char)('a' + at % 26), 3);
	expect("0 posix nftw(path=\"data\", descriptors=1, flags=0) = %d",
	       nftw("data", visit, 1, 0));
	expect_run(1, (char)('a' + (at + 3) % 26), 6);
	get(4);
	expect_run(0, (char)('a' + (at + 9) % 26), 4);
}

static void on_signal(int number)
{
	(void)number;
	if (write(other, "y", 1) != 1)
		abort();
}

static sigjmp_buf back;

static void on_jump(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

/* A handler's own records end a run; one that only leaves does not. */
static void handlers(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	volatile int left = 500;

	bare(SYS_lseek, other, 0, SEEK_SET);
	rewind(stream);
	expect("0 stdio rewind(stream=%s) = -", file);
	sigaction(SIGUSR1, &action, NULL);
	action.sa_handler = on_jump;
	sigaction(SIGUSR2, &action, NULL);
	for (int i = 0; i < 2; i++) {
		get(50);
		expect_run(0, i ? 'y' : 'a', 50);
		bare(SYS_tgkill, getpid(), gettid(), SIGUSR1);
		expect("0 posix write(fd=%s, count=1) = 1", on_file(other, "other"));
	}
	sigsetjmp(back, 1);
	while (left-- > 0) {
		get(1);
		if (left % 100 == 50)
			bare(SYS_tgkill, getpid(), gettid(), SIGUSR2);
	}
	expect_run(0, 'w', 500);
}

/* Parent and child each have a run of their own, both from where the stream was. */
static void forked(void)
{
	pid_t child;

	rewind(stream);
	expect("0 stdio rewind(stream=%s) = -", file);
	get(5);
	expect_run(0, 'a', 5);
	child = fork();
	if (child == 0) {
		get(3);
		_exit(0);
	}
	bare(SYS_wait4, child, NULL, 0, NULL);
	expect("0 posix fork() = PID");
	expect_run(0, 'f', 3);
	expect("0 posix _exit(status=0) = ?");
	get(4);
	expect_run(0, 'f', 4);
}

static void wide(void)
{
	FILE *in = fopen("data", "r");
	const char *name = strdup(on_file(in->_fileno, "data"));

	expect("0 stdio fopen(path=\"data\", mode=\"r\") = %s", name);
	for (int i = 0; i < 300; i++)
		if (fgetwc(in) != (wint_t)('a' + i % 26))
			abort();
	expect("0 stdio fgetwc(stream=%s) = 97 repeat=300", name);
	fclose(in);
	expect("0 stdio fclose(stream=%s) = 0", name);
}

static void failures(void)
{
	fseek(stream, -3, SEEK_END);
	expect("0 stdio fseek(stream=%s, offset=-3, whence=SEEK_END) = 0", file);
	for (volatile int i = 0; i < 5; i++) /* one call, not five */
		fgetc(stream);
	expect_run(0, 'x', 3);
	expect("0 stdio fgetc(stream=%s) = -1", file);
	expect("0 stdio fgetc(stream=%s) = -1", file);
}

/* What is put into a file that is full or not buffered fails, or is written, when it is put. */
static void put(void)
{
	int (*volatile put_character)(int, FILE *) = fputc;
	FILE *out = fopen("out", "w");
	const char *name = strdup(on_file(out->_fileno, "out"));

	expect("0 stdio fopen(path=\"out\", mode=\"w\") = %s", name);
	for (int i = 0; i < 10000; i++)
		put_character('a' + i % 26, out);
	expect("0 stdio fputc(character=97, stream=%s) = 97 repeat=10000", name);
	expect("0 stdio ftell(stream=%s) = %ld", name, ftell(out));
	fclose(out);
	expect("0 stdio fclose(stream=%s) = 0", name);
}

static void make_data(void)
{
	char bytes[5200];
	int fd = (int)bare(SYS_openat, AT_FDCWD, "data", O_WRONLY | O_CREAT, 0600);

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)('a' + i % 26);
	if (bare(SYS_write, fd, bytes, sizeof(bytes)) != sizeof(bytes))
		abort();
	bare(SYS_close, fd);
}

int main(void)
{
	make_data();
	other = open("other", O_WRONLY | O_CREAT, 0600);
	expect("0 posix open(path=\"other\", flags=O_WRONLY|O_CREAT, mode=0600) = %s",
	       on_file(other, "other"));
	stream = fopen("data", "r");
	file = strdup(on_file(stream->_fileno, "data"));
	expect("0 stdio fopen(path=\"data\", mode=\"r\") = %s", file);
	interrupted_by_calls();
	another_level();
	handlers();
	forked();
	wide();
	failures();
	put();
	return expect_end();
}
