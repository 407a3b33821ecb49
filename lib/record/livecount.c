/* SPDX-License-Identifier: MIT */
/* livecount.c - see livecount.h */
#include "record/livecount.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "format/wire.h"
#include "record/folder.h"
#include "record/live.h"
#include "record/quiet_write.h"
#include "record/sys.h"
#include "record/text.h"

static const char *path_of_count(char path[LIVE_PATH_MAX])
{
	struct textbuf text = live_path(path);

	text_add(&text, LIVE_COUNT);
	return path;
}

/* A descriptor or a negative errno. */
static int open_count(void)
{
	char path[LIVE_PATH_MAX];
	int fd = sys_open(path_of_count(path),
			  O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);

	return fd == -ENOENT ? sys_create(path, O_WRONLY | O_APPEND, 0600) : fd;
}

unsigned livecount_add(unsigned enough)
{
	struct stat status = {.st_size = 0};
	int fd = live_directory()[0] ? open_count() : -ENOENT;

	if (fd < 0)
		return 0;
	if (!sys_fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size < enough)
		quiet_write(fd, "", 1);
	sys_close(fd);
	return status.st_size < enough ? (unsigned)status.st_size : enough;
}

/* `data`: bool, whether there is one of a stream. */
static bool look_for_others(int folder, const char *name, void *data)
{
	bool *found = data;

	(void)folder;
	*found = strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, LIVE_COUNT) != 0;
	return !*found;
}

void livecount_close(void)
{
	char path[LIVE_PATH_MAX];
	bool others = false;

	if (!live_directory()[0])
		return;
	folder_each(AT_FDCWD, live_directory(), look_for_others, &others);
	if (others)
		return;
	sys_unlink(path_of_count(path));
	sys_rmdir(live_directory());
}
