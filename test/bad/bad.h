/* SPDX-License-Identifier: MIT */
/*
 * bad.h - what the program of write_calls.py is made of: bad pointers, and a child for each call. How it ended is said on the descriptor
 * that is the first argument, by bare system calls; the child ends by _exit().
 */
#ifndef RECORDER_TEST_BAD_H
#define RECORDER_TEST_BAD_H

#include "bare.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#define PAGE 4096

struct bad_case {
	const char *name;
	void (*run)(void);
};

static int report, fd;
static FILE *stream;
static DIR *folder;
static void *read_only, *endless;
static char memory[65536], text[PAGE] = "file";
static wchar_t wide_text[PAGE / 4] = L"file";
static char *const no_strings[] = {NULL};

static void say(const char *name, const char *how, long a, long b)
{
	char line[256];
	int length = snprintf(line, sizeof(line), "%s -> %s%ld %ld\n", name, how, a, b);

	bare(SYS_write, report, line, length);
}

__attribute__((unused)) static void tell(const char *name, long result)
{
	say(name, "", result, errno);
}

static bool starts_program(const char *name)
{
	return strstr(name, "exec") || strstr(name, "spawn") || strncmp(name, "system ", 7) == 0;
}

/* Calls that wait for something end by a signal soon; a program that was started gets all the time it needs. */
static void in_child(const struct bad_case *one)
{
	struct itimerval soon = {{0, 0}, {0, 100000}};

	if (starts_program(one->name))
		soon.it_value.tv_sec = 20;
	fd = open("file", O_RDWR | O_CREAT, 0600);
	stream = fopen("file", "r+");
	folder = opendir(".");
	setitimer(ITIMER_REAL, &soon, NULL);
	errno = 0;
	one->run();
	_exit(0);
}

static void make_memory(void)
{
	char *pages =
		mmap(NULL, 5 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* whoever looks before it faults, with and without other mappings there */
	mprotect(pages, PAGE, PROT_NONE);
	pages += PAGE;
	read_only = pages;
	mprotect(pages, PAGE, PROT_READ);
	/* text in the last bytes before what cannot be read */
	memset(pages + PAGE, 'x', PAGE);
	mprotect(pages + 2 * PAGE, 2 * PAGE, PROT_NONE);
	endless = pages + 2 * PAGE - 8;
}

__attribute__((unused)) static int run_cases(int argc, char **argv, const struct bad_case *cases,
					     size_t count)
{
	if (argc < 2)
		return 2;
	report = bare(SYS_openat, AT_FDCWD, argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
	report = bare(SYS_fcntl, report, F_DUPFD, 200);
	make_memory();
	for (size_t i = 0; i < count; i++) {
		int status;
		pid_t child;

		if (argc > 2 && strcmp(argv[2], cases[i].name))
			continue;
		child = fork();
		if (child == 0)
			in_child(&cases[i]);
		while (waitpid(child, &status, 0) == -1 && errno == EINTR)
			;
		if (WIFSIGNALED(status))
			say(cases[i].name, "signal ", WTERMSIG(status), 0);
	}
	return 0;
}

#endif
