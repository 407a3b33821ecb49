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
#include <unistd.h>

#include "format/global.h"
#include "format/variable.h"
#include "record/bulk.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/identity.h"
#include "record/note.h"
#include "record/quiet_write.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/variables.h"
#include "record/vdso.h"

#define NAME_BEFORE "RECORDER_TRACES_DIR="

char tracedir_path[PATH_MAX] BULK;

/* The program whose name stands for the job: the one given to the launcher, the same for all its ranks. */
static const char *job_program(void)
{
	const char *command = variable_get("OMPI_COMMAND");
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
			const char *step = variable_get("SLURM_STEP_ID");

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
			text_add_u64(path, (uint64_t)(vdso_clock_ns(CLOCK_REALTIME) / 1000000000));
			break;
		default: /* %% and what nobody defined */
			if (*pattern != '%')
				text_add(path, "%");
			text_add_bytes(path, pattern, 1);
		}
	}
}

static bool is_relative(void)
{
	return !config.traces_dir || config.traces_dir[0] != '/';
}

void tracedir_export(void)
{
	static char entry[PATH_MAX + sizeof(NAME_BEFORE)] BULK, cwd[PATH_MAX] BULK;
	struct textbuf text = text_in(entry, sizeof(entry));

	if (!config.traces_dir || !is_relative() || sys_getcwd(cwd, sizeof(cwd)) <= 0)
		return;
	text_add(&text, NAME_BEFORE);
	for (const char *at = cwd; *at; at++)
		text_add(&text, *at == '%' ? "%%" : (char[]){*at, '\0'});
	text_add(&text, "/");
	text_add(&text, config.traces_dir);
	if (!text.cut)
		variable_put(entry);
}

/* The directory as asked for, absolute, without trailing slashes. */
static void base_path(struct textbuf *path)
{
	static char cwd[PATH_MAX] BULK;

	if (is_relative() && sys_getcwd(cwd, sizeof(cwd)) > 0) {
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

/* Whether the recorder.gm at `path` is this run's: 1 yes, 0 no, or a negative errno (-ENOENT: there is none). *head is what it says, zeros if it says nothing. */
static int look_at(const char *path, struct global_head *head)
{
	static uint8_t buffer[GLOBAL_MAX] BULK;
	int fd = sys_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
	long size;

	memset(head, 0, sizeof(*head));
	if (fd < 0)
		return fd;
	size = sys_read(fd, buffer, sizeof(buffer));
	sys_close(fd);
	return size > 0 && global_read(buffer, (size_t)size, head) &&
	       global_is_of_run(head, identity.run_id);
}

static int belongs_to_run(const char *path)
{
	struct global_head head;

	return look_at(path, &head);
}

static size_t global_content(uint8_t *buffer, size_t size)
{
	static char cwd[PATH_MAX] BULK;

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
	static uint8_t content[GLOBAL_MAX] BULK;
	static char private[PATH_MAX + 64] BULK;
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

/* Candidate `number`, from 1, becomes tracedir_path; the path of its recorder.gm, until the next one. */
static const char *name_candidate(const char *base, unsigned number)
{
	static char global[PATH_MAX + 16] BULK;
	struct textbuf path = text_in(tracedir_path, sizeof(tracedir_path));
	struct textbuf name = text_in(global, sizeof(global));

	text_add(&path, base);
	if (number > 1) {
		text_add(&path, ".");
		text_add_u64(&path, number);
	}
	text_add(&name, tracedir_path);
	text_add(&name, "/recorder.gm");
	return global;
}

/* 1: the candidate is ours now or already; 0: it belongs to another run. */
static int try_candidate(const char *base, unsigned number, bool *claimed)
{
	const char *global = name_candidate(base, number);
	int result = belongs_to_run(global);

	if (result != -ENOENT && result != -ENOTDIR)
		return result;
	result = make_directories(tracedir_path);
	if (result)
		return result;
	result = claim(tracedir_path, global);
	if (result == -EEXIST)
		return belongs_to_run(global);
	*claimed = !result;
	return result ? result : 1;
}

static bool is_taken(const char *base, unsigned number)
{
	return sys_access(name_candidate(base, number), F_OK) == 0;
}

/*
 * The last candidate that holds a run; the first does. By doubling and halving, as a script may have made thousands. (Where
 * somebody removed one in the midst it may be the one before the gap.)
 */
static unsigned last_taken(const char *base)
{
	unsigned taken = 1, free = 2;

	while (free < GLOBAL_RUNS_MAX && is_taken(base, free)) {
		taken = free;
		free *= 2;
	}
	while (free - taken > 1) {
		unsigned middle = taken + (free - taken) / 2;

		if (is_taken(base, middle))
			taken = middle;
		else
			free = middle;
	}
	return taken;
}

/*
 * Whether a process of this machine claimed it before this run began. Then those with lower numbers are of other runs, too. (A machine that was started anew since
 * counts from 0 again: then it is known of fewer of them.)
 */
static bool is_older(const struct global_head *head)
{
	size_t host = identity.run_host_length;

	return identity.run_id_is_own && head->run_id.length > host &&
	       !memcmp(head->run_id.bytes, identity.run_id, host) &&
	       head->made.mono < identity.run_began;
}

/* Whether one of the candidates 2 to `last` is this run's, tracedir_path then. The newest is the likeliest. */
static bool find_ours(const char *base, unsigned last)
{
	struct global_head head;

	for (unsigned number = last; number > 1; number--) {
		if (look_at(name_candidate(base, number), &head) == 1)
			return true;
		if (is_older(&head))
			return false;
	}
	return false;
}

/* Candidates beyond those that other runs hold. */
static int claim_next(const char *base, bool *claimed)
{
	unsigned last = last_taken(base);
	int result;

	if (find_ours(base, last))
		return 1;
	for (unsigned number = last + 1; number < GLOBAL_RUNS_MAX; number++) {
		result = try_candidate(base, number, claimed);
		if (result)
			return result;
	}
	return -EEXIST;
}

int tracedir_open(bool *claimed)
{
	static char base[PATH_MAX] BULK;
	struct textbuf text = text_in(base, sizeof(base));
	int result;

	base_path(&text);
	*claimed = false;
	if (text.cut || text.length > PATH_MAX - 256)
		return -ENAMETOOLONG;
	result = try_candidate(base, 1, claimed);
	if (result)
		return result < 0 ? result : 0;
	result = claim_next(base, claimed);
	if (result > 0 && *claimed)
		note(base, " holds another run; this one is in ", tracedir_path, NULL);
	return result < 0 ? result : 0;
}
