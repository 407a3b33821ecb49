/* SPDX-License-Identifier: MIT */
/* newdir.c - see newdir.h */
#include "newdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "format/trace_names.h"
#include "itself.h"
#include "message.h"
#include "temporary.h"

static struct {
	const char *path; /* its name in the end */
	char *temporary;
	int fd;
	pid_t owner; /* not a process that it has forked */
	bool force;
	volatile sig_atomic_t exists;
} made = {.fd = -1};

/* ---- what is removed ---- */

struct kernel_entry {
	uint64_t inode;
	int64_t offset;
	uint16_t size;
	uint8_t type;
	char name[];
};

/* All its files; directories stay. Called by a signal handler: readdir() must not be. */
static void empty(int fd)
{
	_Alignas(8) static char room[32768];
	long got;

	lseek(fd, 0, SEEK_SET);
	while ((got = syscall(SYS_getdents64, fd, room, sizeof(room))) > 0)
		for (long at = 0; at < got;) {
			const struct kernel_entry *entry = (const void *)(room + at);

			unlinkat(fd, entry->name, 0);
			at += entry->size;
		}
}

static void remove_made(void)
{
	if (!made.exists || getpid() != made.owner)
		return;
	/* others may still be at work */
	for (unsigned i = 0; i < 100; i++) {
		empty(made.fd);
		if (!rmdir(made.temporary) || errno == ENOENT)
			break;
	}
	made.exists = 0;
}

/* ---- what is there ---- */

static bool is_of_trace(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..") || name_is_of_trace(name);
}

/* Ends the process if anything is lost that is not a trace. */
static void judge(const char *path, bool force)
{
	struct dirent *entry;
	DIR *dir;

	if (!force)
		die("'%s' is there (--force replaces it)", path);
	dir = opendir(path);
	if (!dir)
		die("'%s' is not to be replaced: %s", path, strerror(errno));
	while ((entry = readdir(dir)))
		if (!is_of_trace(entry->d_name))
			die("'%s' is not to be replaced: '%s' in it is no part of a trace", path,
			    entry->d_name);
	closedir(dir);
}

const char *newdir_begin(const char *path, bool force)
{
	struct stat status;

	if (itself_is(path))
		die("'%s' is of the trace itself", path);
	if (!lstat(path, &status))
		judge(path, force);
	made.force = force;
	return newdir_scratch(path);
}

const char *newdir_scratch(const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	if (asprintf(&made.temporary, "%.*s.XXXXXX", temporary_stem(path, length), path) < 0)
		die("out of memory");
	/* the umask may take away our own rights */
	if (!mkdtemp(made.temporary) || chmod(made.temporary, 0700))
		die("cannot make '%s': %s", path, strerror(errno));
	made.path = path;
	made.owner = getpid();
	made.fd = open(made.temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (made.fd < 0)
		die("cannot open '%s': %s", made.temporary, strerror(errno));
	made.exists = 1;
	temporary_also(remove_made);
	return made.temporary;
}

void newdir_remove(void)
{
	remove_made();
}

/* To another name, so that there is no moment in which a part of it is there. */
static char *move_away(const char *path)
{
	char *away = NULL;

	if (asprintf(&away, "%s.old", made.temporary) < 0)
		die("out of memory");
	if (!rename(path, away))
		return away;
	if (errno != ENOENT)
		die("cannot replace '%s': %s", path, strerror(errno));
	free(away);
	return NULL;
}

void newdir_commit(void)
{
	char *away = made.force ? move_away(made.path) : NULL;
	int fd;

	if (rename(made.temporary, made.path)) {
		int error = errno;

		if (away)
			rename(away, made.path);
		die("cannot name '%s': %s", made.path, strerror(error));
	}
	made.exists = 0;
	close(made.fd);
	free(made.temporary);
	if (!away)
		return;
	fd = open(away, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0) {
		empty(fd);
		close(fd);
	}
	rmdir(away);
	free(away);
}
