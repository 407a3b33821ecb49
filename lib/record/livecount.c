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

#define NAMES_ALONE 3u /* in a directory with the count alone */

static const char *path_of_count(char path[LIVE_PATH_MAX])
{
	struct textbuf text = text_in(path, LIVE_PATH_MAX);

	text_add(&text, live_directory());
	text_add(&text, "/");
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

static bool is_of_stream(const char *name)
{
	return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, LIVE_COUNT) != 0;
}

void livecount_close(void)
{
	char path[LIVE_PATH_MAX];

	if (!live_directory()[0] ||
	    folder_count(live_directory(), is_of_stream, 1, NAMES_ALONE + 1) > 0)
		return;
	sys_unlink(path_of_count(path));
	sys_rmdir(live_directory());
}
