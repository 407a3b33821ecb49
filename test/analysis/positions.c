/* SPDX-License-Identifier: MIT */
/*
 * positions.c - reads and writes without an offset, each of another size, in ways in which programs move descriptors and streams. Prints the size of each and where
 * it began, "-" where that cannot be known from the calls. With an argument: what pauses recording.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <recorder/recorder.h>

#define UNKNOWN (-1L)

static char data[10000];
static size_t size = 100; /* of the last transfer that is looked at */

/* The next size, of what is to begin at `where`. */
static size_t next_at(long where)
{
	size++;
	if (where == UNKNOWN)
		printf("%zu -\n", size);
	else
		printf("%zu %ld\n", size, where);
	return size;
}

static void need(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

#define READ_AT(where, fd) need(read(fd, data, next_at(where)) == (ssize_t)size, "read")
#define WRITE_AT(where, fd) need(write(fd, data, next_at(where)) == (ssize_t)size, "write")
#define FREAD_AT(where, file) need(fread(data, 1, next_at(where), file) == size, "fread")
#define FWRITE_AT(where, file) need(fwrite(data, 1, next_at(where), file) == size, "fwrite")

static int opened(int flags)
{
	int fd = open("data", flags, 0600);

	need(fd >= 0, "open");
	return fd;
}

static FILE *opened_as(const char *mode)
{
	FILE *file = fopen("data", mode);

	need(file != NULL, "fopen");
	return file;
}

static void append(void)
{
	int fd = opened(O_RDWR | O_APPEND);
	FILE *file = opened_as("a");

	READ_AT(0, fd);
	WRITE_AT(UNKNOWN, fd);
	need(lseek(fd, 5, SEEK_SET) == 5, "lseek");
	WRITE_AT(UNKNOWN, fd);
	need(fcntl(fd, F_SETFL, 0) == 0 && lseek(fd, 5, SEEK_SET) == 5, "fcntl");
	WRITE_AT(5, fd);
	close(fd);
	FWRITE_AT(UNKNOWN, file);
	fclose(file);
}

static void duplicate(void)
{
	int fd = opened(O_RDWR), other;

	READ_AT(0, fd);
	other = fcntl(fd, F_DUPFD, 70);
	READ_AT(101 + 5, other); /* of 106 bytes */
	READ_AT(2 * 106 + 1, fd);
	need(other == 70 && close_range(70, 80, 0) == 0, "close_range");
	need(dup2(fd, 70) == 70, "dup2");
	READ_AT(3 * 106 + 3, 70);
	close(70);
	close(fd);
}

static void vectors(void)
{
	int fd = opened(O_RDWR);
	struct iovec part = {.iov_base = data, .iov_len = 9};

	need(preadv2(fd, &part, 1, 500, 0) == 9, "preadv2");
	READ_AT(0, fd);
	need(preadv2(fd, &part, 1, -1, 0) == 9, "preadv2");
	READ_AT((long)size + 9, fd);
	close(fd);
}

static void pass(void)
{
	int in = opened(O_RDWR), out = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600);
	off_t from = 5000;

	need(sendfile(out, in, &from, 50) == 50, "sendfile");
	WRITE_AT(50, out);
	READ_AT(0, in);
	need(lseek(in, 1000, SEEK_SET) == 1000 && sendfile(out, in, NULL, 50) == 50, "sendfile");
	READ_AT(1050, in);
	close(in);
	close(out);
}

static void characters(void)
{
	FILE *file = opened_as("r");
	char line[20];

	need(ungetc(fgetc(file), file) != EOF, "ungetc");
	FREAD_AT(0, file);
	need(fgets(line, sizeof(line), file) != NULL, "fgets");
	FREAD_AT(UNKNOWN, file);
	rewind(file);
	FREAD_AT(0, file);
	need(fscanf(file, "%9s", line) == 1, "fscanf");
	FREAD_AT(UNKNOWN, file);
	fclose(file);
}

static void positions(void)
{
	FILE *file = opened_as("r");
	fpos_t position;

	need(fseek(file, 300, SEEK_SET) == 0 && fgetpos(file, &position) == 0, "fgetpos");
	FREAD_AT(300, file);
	need(fsetpos(file, &position) == 0, "fsetpos");
	FREAD_AT(UNKNOWN, file);
	need(ftell(file) > 300, "ftell");
	file = freopen("data", "r", file);
	FREAD_AT(0, file);
	fclose(file);
}

static void descriptors(void)
{
	int fd = opened(O_RDWR);
	FILE *file = NULL;

	need(lseek(fd, 1234, SEEK_SET) == 1234 && (file = fdopen(fd, "r+")), "fdopen");
	FREAD_AT(1234, file);
	need(lseek(fileno(file), 2000, SEEK_SET) == 2000, "lseek");
	FREAD_AT(UNKNOWN, file);
	READ_AT(UNKNOWN, fd);
	fclose(file);
}

static void fork_one(void)
{
	int fd = opened(O_RDWR), other;

	WRITE_AT(0, fd);
	need(system("true") == 0, "system");
	WRITE_AT((long)size, fd);
	next_at(UNKNOWN);
	next_at(7);
	fflush(stdout);
	if (fork() == 0) {
		other = opened(O_RDWR);
		need(write(fd, data, size - 1) > 0 && lseek(other, 7, SEEK_SET) == 7, "write");
		need(write(other, data, size) > 0, "write");
		_exit(0);
	}
	wait(NULL);
	WRITE_AT(UNKNOWN, fd);
	need(lseek(fd, 10, SEEK_SET) == 10, "lseek");
	WRITE_AT(UNKNOWN, fd);
	close(fd);
	fd = opened(O_RDWR);
	WRITE_AT(0, fd);
	close(fd);
}

static void pause_once(void)
{
	int fd = opened(O_RDWR);

	WRITE_AT(UNKNOWN, fd); /* when recording paused is not recorded */
	recorder_pause();
	need(lseek(fd, 5000, SEEK_SET) == 5000, "lseek");
	recorder_resume();
	WRITE_AT(UNKNOWN, fd);
	need(pwrite(fd, data, next_at(77), 77) == (ssize_t)size, "pwrite");
	close(fd);
}

int main(int argc, char **argv)
{
	int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);

	(void)argv;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = "abcdefghi\n"[i % 10];
	need(write(fd, data, sizeof(data)) == sizeof(data), "write");
	close(fd);
	if (argc > 1) {
		pause_once();
		return 0;
	}
	append();
	duplicate();
	vectors();
	pass();
	characters();
	positions();
	descriptors();
	fork_one();
	return 0;
}
