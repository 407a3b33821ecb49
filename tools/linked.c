/* SPDX-License-Identifier: MIT */
/* linked.c - see linked.h */
#include "linked.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool linked_may_ask(const struct program_facts *facts, bool runs)
{
	struct program_facts own;

	if (facts->untraced || !*facts->loader)
		return false;
	return runs ||
	       (!program_read("/proc/self/exe", &own) && !strcmp(facts->loader, own.loader));
}

void linked_read(char *line, const char **name, const char **path)
{
	char *begin = line + strspn(line, " \t"), *arrow = strstr(begin, " => "),
	     *address = strstr(begin, " (0x");

	if (arrow)
		*arrow = '\0';
	if (address)
		*address = '\0';
	*name = begin;
	*path = arrow ? arrow + 4 : begin;
}

/* The descriptor that the linker's list of a program's libraries can be read from; -1: it cannot be asked. */
static int list_libraries(const char *loader, const char *path, pid_t *child)
{
	char *const argv[] = {(char *)loader, (char *)"--list", (char *)path, NULL};
	posix_spawn_file_actions_t actions;
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	error = posix_spawn(child, loader, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (!error)
		return ends[0];
	close(ends[0]);
	return -1;
}

void linked_each(const char *loader, const char *program,
		 void (*visit)(void *data, const char *name, const char *path), void *data)
{
	const char *name, *path;
	char *line = NULL;
	size_t size = 0;
	pid_t child;
	FILE *list;
	int fd = list_libraries(loader, program, &child);

	if (fd < 0)
		return;
	list = fdopen(fd, "r");
	while (list && getline(&line, &size, list) > 0) {
		line[strcspn(line, "\n")] = '\0';
		linked_read(line, &name, &path);
		visit(data, name, path);
	}
	free(line);
	if (list)
		fclose(list);
	else
		close(fd);
	waitpid(child, NULL, 0);
}
