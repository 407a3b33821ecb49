/* SPDX-License-Identifier: MIT */
/* livecount.c - see livecount.h */
#include "record/livecount.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "format/wire.h"
#include "record/folder.h"
#include "record/identity.h"
#include "record/live.h"
#include "record/quiet_write.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/tracedir.h"

#define ENOUGH_MOST 64u  /* streams that may be asked for */
#define NAMES_MOST 1024u /* in a trace that are looked at */

static const char *path_of_count(char path[LIVE_PATH_MAX])
{
	struct textbuf text = live_path(path);

	text_add(&text, LIVE_COUNT);
	return path;
}

/* ---- streams that were there before ---- */

struct earlier {
	char host[sizeof(identity.host) + 2]; /* ".HOST.", in the names of its streams */
	unsigned count, enough, looked_at;
};

static bool count_stream(int folder, const char *name, void *data)
{
	struct earlier *earlier = data;
	size_t length = strlen(name);

	(void)folder;
	if (length > 3 && !strcmp(name + length - 3, ".lm") && strstr(name, earlier->host))
		earlier->count++;
	return earlier->count < earlier->enough && ++earlier->looked_at < NAMES_MOST;
}

/* How many streams of this node have files in the trace, as far as `enough`; of a folder with many others fewer may be found. */
static unsigned count_earlier(unsigned enough)
{
	struct earlier earlier = {.enough = enough};
	struct textbuf host = text_in(earlier.host, sizeof(earlier.host));

	text_add(&host, ".");
	text_add_name(&host, identity.host);
	text_add(&host, ".");
	folder_each(AT_FDCWD, tracedir_path, count_stream, &earlier);
	return earlier.count;
}

/* ---- those of the count ---- */

/* A descriptor, or a negative errno. */
static int open_count(bool *made)
{
	char path[LIVE_PATH_MAX];
	int fd = sys_open(path_of_count(path),
			  O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);

	*made = fd == -ENOENT;
	return *made ? sys_create(path, O_WRONLY | O_APPEND, 0600) : fd;
}

unsigned livecount_add(unsigned enough, bool first)
{
	static const char each[ENOUGH_MOST + 1];
	struct stat status = {.st_size = 0};
	bool made;
	int fd = live_directory()[0] ? open_count(&made) : -ENOENT;
	unsigned before;

	if (fd < 0)
		return 0;
	enough = enough < ENOUGH_MOST ? enough : ENOUGH_MOST;
	if (sys_fstat(fd, &status) || !S_ISREG(status.st_mode))
		status.st_size = 0;
	before = status.st_size < enough ? (unsigned)status.st_size : enough;
	if (made && !first)
		before = count_earlier(enough);
	if (before < enough || made)
		quiet_write(fd, each, made ? before + 1 : 1);
	sys_close(fd);
	return before;
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
