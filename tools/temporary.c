/* SPDX-License-Identifier: MIT */
/* temporary.c - see temporary.h */
#include "temporary.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AROUND 64 /* bytes that others put around a stem */

int temporary_stem(const char *path, size_t length)
{
	size_t name = length;

	while (name > 0 && path[name - 1] != '/')
		name--;
	if (length - name > NAME_MAX - AROUND)
		for (length = name + NAME_MAX - AROUND; length > name; length--)
			if (((unsigned char)path[length] & 0xc0) !=
			    0x80) /* a character of UTF-8 stays whole */
				break;
	return length < INT_MAX ? (int)length : INT_MAX;
}

/*
 * For the signal handler: a path is complete while its file is there, and no entry is ever freed. One whose file is gone is used again.
 */
struct file {
	volatile sig_atomic_t exists;
	struct file *next;
	size_t room;
	char path[];
};

static struct file *volatile files;
static void (*volatile also)(void); /* NULL: nothing else */
static sigset_t held;               /* what was blocked before temporary_hold() */

static const int deadly[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXFSZ, SIGXCPU};

static void remove_all(void)
{
	for (const struct file *file = files; file; file = file->next)
		if (file->exists)
			unlink(file->path);
	if (also)
		also();
}

static void remove_and_die(int signal)
{
	remove_all();
	raise(signal); /* SA_RESETHAND: now with its default action, once we return */
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = remove_and_die, .sa_flags = SA_RESETHAND};
	static bool caught;

	if (caught)
		return;
	caught = true;
	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++) {
		struct sigaction old;

		if (!sigaction(deadly[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &action, NULL);
	}
	atexit(remove_all);
}

static struct file *unused_entry(size_t size)
{
	struct file *file = files;

	while (file && (file->exists || file->room < size))
		file = file->next;
	if (file)
		return file;
	file = malloc(sizeof(*file) + size);
	if (!file)
		return NULL;
	file->exists = 0;
	file->room = size;
	file->next = files;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	files = file;
	return file;
}

int temporary_add(const char *path)
{
	size_t size = strlen(path) + 1;
	struct file *file = unused_entry(size);

	if (!file)
		return -ENOMEM;
	memcpy(file->path, path, size);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	file->exists = 1;
	catch_signals();
	return 0;
}

void temporary_also(void (*remove)(void))
{
	also = remove;
	catch_signals();
}

void temporary_drop(const char *path)
{
	for (struct file *file = files; file; file = file->next)
		if (file->exists && !strcmp(file->path, path))
			file->exists = 0;
}

void temporary_forget(void)
{
	for (struct file *file = files; file; file = file->next)
		file->exists = 0;
}

void temporary_hold(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		sigaddset(&signals, deadly[i]);
	sigprocmask(SIG_BLOCK, &signals, &held);
}

void temporary_let(void)
{
	sigprocmask(SIG_SETMASK, &held, NULL);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(temporary_stems_leave_room_in_a_name)
{
	char path[600];

	EXPECT_EQ(temporary_stem("", 0), 0);
	EXPECT_EQ(temporary_stem("a/name", 6), 6);
	memset(path, 'x', sizeof(path));
	path[1] = '/';
	EXPECT_EQ(temporary_stem(path, 2 + NAME_MAX - AROUND), 2 + NAME_MAX - AROUND);
	EXPECT_EQ(temporary_stem(path, 2 + NAME_MAX), 2 + NAME_MAX - AROUND);
	EXPECT_EQ(temporary_stem(path, sizeof(path)), 2 + NAME_MAX - AROUND);
	path[2 + NAME_MAX - AROUND - 1] = '\xc3';
	path[2 + NAME_MAX - AROUND] = '\xa4';
	EXPECT_EQ(temporary_stem(path, sizeof(path)), 2 + NAME_MAX - AROUND - 1);
}
#endif
