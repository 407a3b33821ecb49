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

#define FILES_MAX 4u

/* For the signal handler: a path is complete while its file is there. */
static struct {
	volatile sig_atomic_t exists;
	char path[PATH_MAX];
} files[FILES_MAX];

static void remove_all(void)
{
	for (unsigned i = 0; i < FILES_MAX; i++)
		if (files[i].exists)
			unlink(files[i].path);
}

static void remove_and_die(int signal)
{
	remove_all();
	raise(signal); /* SA_RESETHAND: now with its default action, once we return */
}

static void catch_signals(void)
{
	static const int deadly[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXFSZ, SIGXCPU};
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

int temporary_add(const char *path)
{
	size_t size = strlen(path) + 1;
	unsigned i = 0;

	while (i < FILES_MAX && files[i].exists)
		i++;
	if (i == FILES_MAX)
		return -ENFILE;
	if (size > sizeof(files[i].path))
		return -ENAMETOOLONG;
	memcpy(files[i].path, path, size);
	files[i].exists = 1;
	catch_signals();
	return 0;
}

void temporary_drop(const char *path)
{
	for (unsigned i = 0; i < FILES_MAX; i++)
		if (files[i].exists && !strcmp(files[i].path, path))
			files[i].exists = 0;
}

void temporary_forget(void)
{
	for (unsigned i = 0; i < FILES_MAX; i++)
		files[i].exists = 0;
}
