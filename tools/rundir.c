/* SPDX-License-Identifier: MIT */
/* rundir.c - see rundir.h */
#include "rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "folders.h"
#include "format/global.h"
#include "instant.h"
#include "runs.h"

#define CANDIDATES 10000u

static size_t global_content(uint8_t *buffer, size_t size, const char *run_id, const char *command)
{
	struct global_facts facts = {.run_id = run_id, .command = command};
	char cwd[PATH_MAX] = "";
	facts.now.real = instant_of(CLOCK_REALTIME);
	facts.cwd = getcwd(cwd, sizeof(cwd)) ? cwd : "";
	return global_pack(buffer, size, &facts);
}

/* recorder.gm appears with its content. 0; -EEXIST: somebody else has made it; or another error. */
static int claim(int dir_fd, const uint8_t *content, size_t size)
{
	char private[64];
	int fd, error = 0;

	snprintf(private, sizeof(private), ".claim.system.%ld", (long)getpid());
	fd = openat(dir_fd, private, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	if (write(fd, content, size) != (ssize_t)size)
		error = errno ? -errno : -ENOSPC;
	if (close(fd) && !error)
		error = -errno;
	if (!error && linkat(dir_fd, private, dir_fd, "recorder.gm", 0))
		error = -errno;
	unlinkat(dir_fd, private, 0);
	return error;
}

int rundir_open(const char *asked, const char *run_id, const char *command, char path[PATH_MAX])
{
	uint8_t content[GLOBAL_MAX];
	size_t size = global_content(content, sizeof(content), run_id, command);

	for (unsigned i = 1; i < CANDIDATES; i++) {
		int length = i == 1 ? snprintf(path, PATH_MAX, "%s", asked)
				    : snprintf(path, PATH_MAX, "%s.%u", asked, i);
		int error, fd;

		if (length >= PATH_MAX)
			return -ENAMETOOLONG;
		error = folders_make(path);
		if (error)
			return error;
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		error = claim(fd, content, size);
		if (!error || (error == -EEXIST && run_directory_is(path, run_id)))
			return fd;
		close(fd);
		if (error != -EEXIST)
			return error;
	}
	return -EEXIST;
}
