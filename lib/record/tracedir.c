/* SPDX-License-Identifier: MIT */
/*
 * tracedir.c - names, finds and claims the trace directory.
 *
 * Buffers are static, not on the stack: this runs once in a process, under the lock of stream_begin(), but in
 * whatever thread comes first, and that may have a small stack.
 */
#include "record/tracedir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/global.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/identity.h"
#include "record/note.h"
#include "record/quiet_write.h"
#include "record/sys.h"
#include "record/text.h"

#define CANDIDATES_MAX 10000

char tracedir_path[PATH_MAX];

/* The program whose name stands for the job: the one given to the launcher, the same for all its ranks. */
static const char *job_program(void)
{
	const char *command = getenv("OMPI_COMMAND");
	const char *slash;

	if (!command || !*command)
		return identity.program;
	slash = strrchr(command, '/');
	return slash ? slash + 1 : command;
}

static void expand(struct textbuf *path, const char *pattern)
{
	for (; *pattern; pattern++) {
		if (pattern[0] != '%' || !pattern[1]) {
			text_add_bytes(path, pattern, 1);
			continue;
		}
		switch (*++pattern) {
		case 'j':
			text_add_name(path, identity.job);
			break;
		case 's': {
			const char *step = getenv("SLURM_STEP_ID");

			text_add_name(path, step ? step : "0");
			break;
		}
		case 'e':
			text_add_name(path, job_program());
			break;
		case 'h':
			text_add_name(path, identity.host);
			break;
		case 't':
			text_add_u64(path, (uint64_t)time(NULL));
			break;
		default: /* %% and what nobody defined */
			if (*pattern != '%')
				text_add(path, "%");
			text_add_bytes(path, pattern, 1);
		}
	}
}

/* The directory as asked for, absolute, without trailing slashes. */
static void base_path(struct textbuf *path)
{
	static char cwd[PATH_MAX];

	if ((!config.traces_dir || config.traces_dir[0] != '/') &&
	    sys_getcwd(cwd, sizeof(cwd)) > 0) {
		text_add(path, cwd);
		text_add(path, "/");
	}
	expand(path, config.traces_dir ? config.traces_dir : "recorder-%e-%j");
	while (path->length > 1 && path->buffer[path->length - 1] == '/')
		path->buffer[--path->length] = '\0';
}

/* The trace's own directory; one that is there already keeps its mode. */
static int make_own(const char *path)
{
	unsigned mode = config.traces_mode | (config.traces_mode & 0444) >> 2;
	int error = sys_mkdir(path, mode);

	if (!error)
		sys_chmod(path, mode); /* the umask is for the program's files */
	return error == -EEXIST ? 0 : error;
}

static int make_directories(char *path)
{
	int error = make_own(path);

	if (error != -ENOENT)
		return error;
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		sys_mkdir(path, 0777); /* parents as the user's umask has them */
		*slash = '/';
	}
	return make_own(path);
}

/* Whether the recorder.gm at `path` is this run's: 1 yes, 0 no, or a negative errno (-ENOENT: there is none). */
static int belongs_to_run(const char *path)
{
	static uint8_t buffer[GLOBAL_MAX];
	int fd = sys_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
	long size;

	if (fd < 0)
		return fd;
	size = sys_read(fd, buffer, sizeof(buffer));
	sys_close(fd);
	return size > 0 && global_is_of_run(buffer, (size_t)size, identity.run_id);
}

static size_t global_content(uint8_t *buffer, size_t size)
{
	static char cwd[PATH_MAX];

	sys_getcwd(cwd, sizeof(cwd));
	return global_pack(buffer, size,
			   &(struct global_facts){.run_id = identity.run_id,
						  .cwd = cwd,
						  .command = job_program(),
						  .now = clock_anchor()});
}

/* Creates recorder.gm with its content at once. 0 created, -EEXIST somebody else did, or another negative errno. */
static int claim(const char *directory, const char *global)
{
	static uint8_t content[GLOBAL_MAX];
	static char private[PATH_MAX + 64];
	struct textbuf name = text_in(private, sizeof(private));
	size_t size = global_content(content, sizeof(content));
	long written;
	int fd, error;

	text_add(&name, directory);
	text_add(&name, "/.claim.");
	text_add_hex(&name, identity.stream_id, 16);
	fd = sys_create(private, O_WRONLY, config.traces_mode);
	if (fd < 0)
		return fd;
	written = quiet_write(fd, content, size);
	sys_close(fd);
	error = write_error(written, (long)size);
	if (!error)
		error = sys_link(private, global);
	sys_unlink(private);
	return error;
}

/* 1: `directory` is ours now or already; 0: it belongs to another run. */
static int try_candidate(char *directory, bool *claimed)
{
	static char global[PATH_MAX + 16];
	struct textbuf name = text_in(global, sizeof(global));
	int result;

	text_add(&name, directory);
	text_add(&name, "/recorder.gm");
	result = belongs_to_run(global);
	if (result != -ENOENT && result != -ENOTDIR)
		return result;
	result = make_directories(directory);
	if (result)
		return result;
	result = claim(directory, global);
	if (result == -EEXIST)
		return belongs_to_run(global);
	*claimed = !result;
	return result ? result : 1;
}

int tracedir_open(bool *claimed)
{
	static char base[PATH_MAX];
	struct textbuf text = text_in(base, sizeof(base));

	base_path(&text);
	*claimed = false;
	if (text.cut || text.length > PATH_MAX - 256)
		return -ENAMETOOLONG;
	for (unsigned i = 1; i < CANDIDATES_MAX; i++) {
		struct textbuf path = text_in(tracedir_path, sizeof(tracedir_path));
		int result;

		text_add(&path, base);
		if (i > 1) {
			text_add(&path, ".");
			text_add_u64(&path, i);
		}
		result = try_candidate(tracedir_path, claimed);
		if (result < 0)
			return result;
		if (result == 0)
			continue;
		if (i > 1 && *claimed)
			note(base, " holds another run; this one is in ", tracedir_path, NULL);
		return 0;
	}
	return -EEXIST;
}
