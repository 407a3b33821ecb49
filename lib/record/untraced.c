/* SPDX-License-Identifier: MIT */
/* untraced.c - see untraced.h */
#include "record/untraced.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/image.h"
#include "format/variable.h"
#include "record/embedded.h"
#include "record/identity.h"
#include "record/lifecycle.h"
#include "record/metadata.h"
#include "record/readable.h"
#include "record/sys.h"
#include "record/text.h"

#define PATH_ROOM 1024u /* longer ones are not looked at */
#define SEEN_MAX 64u    /* different programs that a stream names */
#define LIBRARY "librecorder"

static bool expected; /* children inherit the preload */

/* What the stream has named, by hash. A race of two threads names one twice, which does no harm. */
static struct {
	uint64_t stream;
	uint32_t count;
	uint64_t programs[SEEN_MAX];
} seen;

bool untraced_has_preload(char *const environment[])
{
	size_t length;

	for (; environment && readable(environment, sizeof(*environment)); environment++) {
		if (!*environment || !readable_string(*environment, &length))
			return false;
		if (!strncmp(*environment, "LD_PRELOAD=", 11))
			return strstr(*environment + 11, LIBRARY) != NULL;
	}
	return false;
}

void untraced_init(void)
{
	expected = untraced_has_preload(environ);
}

static void name_program(const char *path, const char *reason)
{
	uint64_t hash = text_hash(path, strlen(path), (uintptr_t)reason);

	if (seen.stream != identity.stream_id) {
		seen.stream = identity.stream_id;
		seen.count = 0;
	}
	for (uint32_t i = 0; i < seen.count; i++)
		if (seen.programs[i] == hash)
			return;
	if (seen.count == SEEN_MAX)
		return;
	seen.programs[seen.count] = hash;
	metadata_write_untraced(seen.count++, reason, path);
}

/* Whether the loader would refuse preloads because the program runs with other rights than its caller. */
static bool changes_rights(const struct stat *status)
{
	return ((status->st_mode & S_ISUID) && status->st_uid != sys_geteuid()) ||
	       ((status->st_mode & S_ISGID) && status->st_gid != sys_getegid());
}

/* The first bytes of a regular file. 0: it cannot be read. */
static size_t read_head(const char *path, char head[IMAGE_HEAD], struct stat *status)
{
	int fd = sys_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	long size = 0;

	if (fd < 0)
		return 0;
	if (!sys_fstat(fd, status) && S_ISREG(status->st_mode))
		size = sys_read(fd, head, IMAGE_HEAD);
	sys_close(fd);
	return size > 0 ? (size_t)size : 0;
}

/* Why the program at `path` cannot be traced; NULL: it can; "": it cannot be read. For a script it is its interpreter, whose path is left. */
static const char *judge(char path[PATH_ROOM])
{
	char head[IMAGE_HEAD];
	struct stat status;
	size_t size = read_head(path, head, &status);
	const char *reason;

	if (image_interpreter(head, size, path, PATH_ROOM))
		size = read_head(path, head, &status);
	if (size == 0)
		return "";
	reason = image_untraced(head, size);
	return !reason && changes_rights(&status) ? "setuid" : reason;
}

/* The file that the exec functions would find for a name without a slash. */
static bool find_in_path(const char *name, char path[PATH_ROOM])
{
	const char *place = variable_get("PATH");

	for (place = place ? place : "/bin:/usr/bin"; *name; place++) {
		size_t length = strcspn(place, ":");
		struct textbuf text = text_in(path, PATH_ROOM);

		text_add_bytes(&text, length ? place : ".", length ? length : 1);
		text_add(&text, "/");
		text_add(&text, name);
		if (!text.cut && !sys_access(path, X_OK))
			return true;
		place += length;
		if (!*place)
			break;
	}
	return false;
}

void untraced_look(const char *file, char *const environment[])
{
	char path[PATH_ROOM];
	struct textbuf text = text_in(path, sizeof(path));
	const char *reason;
	size_t length;

	if (!lifecycle_is_recording() || !file || !readable_string(file, &length))
		return;
	if (strchr(file, '/'))
		text_add(&text, file);
	else if (!find_in_path(file, path))
		return;
	if (text.cut)
		return;
	reason = judge(path);
	if (!reason && expected && !untraced_has_preload(environment))
		reason = "environment";
	if (reason && *reason)
		name_program(path, reason);
}

static void name_library(const char *reason)
{
	char path[PATH_ROOM];
	long length = sys_readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length <= 0)
		return;
	path[length] = '\0';
	name_program(path, reason);
}

void untraced_libraries(void)
{
	embedded_look(name_library);
}
