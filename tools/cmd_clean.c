/* SPDX-License-Identifier: MIT */
/* cmd_clean.c - recorder clean: removes live files that dead processes left in memory */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "format/bytes.h"
#include "livedir.h"
#include "message.h"
#include "options.h"
#include "read/life.h"
#include "read/nodefile.h"
#include "read/tracefiles.h"

#define NAME_LIMIT 256

static bool force, dry_run;

static const struct option_row own_rows[] = {
	{OPTION_FLAG, 0, "force", NULL, "also what a trace still needs, and what belongs to nobody",
	 &force, NULL},
	{OPTION_FLAG, 'n', "dry-run", NULL, "only say what would be removed", &dry_run, NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder clean",
	.synopsis = "[options] [DIR]",
	.summary = "Removes the rings that dead processes left in the memory of this machine. "
		   "Rings whose trace is\n"
		   "still there are kept: 'recorder repair' takes their records out first. With "
		   "DIR: those of\n"
		   "that trace only.",
	.groups = groups,
	.examples = "  recorder clean\n"
		    "  recorder repair trace && recorder clean trace\n"
		    "  recorder clean --dry-run --force\n",
};

struct clean {
	char *trace; /* only this one's, NULL all */
	struct life_view here;
	unsigned removed, kept, running;
	int error;
	/* the files of nodes in the trace that was looked at last */
	char *nodes_trace; /* its directory, NULL none */
	int nodes_fd;
	struct tracefiles files;
	struct nodes nodes;
};

struct arena {
	struct arena_header header;
	uint64_t pid_ns;
	char boot_id[65];
	char trace[ARENA_TRACE_DIR_MAX + 1];
};

static void take_text(char *to, size_t size, const uint8_t *at, size_t room)
{
	struct bytes bytes = bytes_of(at, room);
	struct text text = bytes_str(&bytes);

	snprintf(to, size, "%.*s", (int)text.length, text.bytes);
}

static bool read_arena(int dir_fd, const char *name, struct arena *arena)
{
	uint8_t bytes[LIVE_HEADER_SIZE];
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t size;

	if (fd < 0)
		return false;
	size = read(fd, bytes, sizeof(bytes));
	close(fd);
	memcpy(&arena->header, bytes, sizeof(arena->header));
	if (size != sizeof(bytes) || memcmp(arena->header.magic, ARENA_MAGIC, 8) != 0)
		return false;
	memcpy(&arena->pid_ns, bytes + ARENA_PID_NS, sizeof(arena->pid_ns));
	take_text(arena->boot_id, sizeof(arena->boot_id), bytes + ARENA_BOOT_ID, 66);
	take_text(arena->trace, sizeof(arena->trace), bytes + ARENA_TRACE_DIR,
		  ARENA_TRACE_DIR_MAX + 2);
	return true;
}

static void remove_file(struct clean *clean, int dir_fd, const char *dir, const char *name)
{
	if (options.verbose || dry_run)
		printf("%s %s/%s\n", dry_run ? "would remove" : "removed", dir, name);
	if (!dry_run && unlinkat(dir_fd, name, 0)) {
		message_error("cannot remove '%s/%s': %s", dir, name, strerror(errno));
		clean->error = -errno;
		return;
	}
	clean->removed++;
}

static void close_nodes(struct clean *clean)
{
	if (!clean->nodes_trace)
		return;
	tracefiles_release(&clean->files);
	nodes_release(&clean->nodes);
	close(clean->nodes_fd);
	free(clean->nodes_trace);
	clean->nodes_trace = NULL;
}

static void open_nodes(struct clean *clean, const char *trace)
{
	DIR *entries = opendir(trace);
	struct dirent *entry;
	int error = 0;

	close_nodes(clean);
	clean->nodes_trace = strdup(trace);
	clean->nodes_fd = open(trace, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!clean->nodes_trace)
		die("out of memory");
	tracefiles_init(&clean->files, clean->nodes_fd);
	clean->nodes.files = &clean->files;
	while (entries && !error && (entry = readdir(entries)))
		if (node_is_name(entry->d_name))
			error = nodes_add(&clean->nodes, entry->d_name);
	if (entries)
		closedir(entries);
	if (error || nodes_load(&clean->nodes))
		die("out of memory");
}

/* Whether the stream is in the file of a node there. */
static bool is_in_node(struct clean *clean, const struct arena *arena)
{
	if (!clean->nodes_trace || strcmp(clean->nodes_trace, arena->trace) != 0)
		open_nodes(clean, arena->trace);
	for (uint32_t i = 0; i < clean->nodes.named_count; i++)
		if (clean->nodes.named[i] && clean->nodes.named[i]->id == arena->header.stream_id)
			return true;
	return false;
}

/* What we may not look at is not gone. */
static bool may_be_there(const char *path)
{
	return !access(path, F_OK) || (errno != ENOENT && errno != ENOTDIR);
}

/* What the live files of a stream are to us. */
enum fate { FATE_REMOVE, FATE_KEEP, FATE_RUNNING, FATE_OTHER };

static enum fate arena_fate(struct clean *clean, const struct arena *arena, const char *stream)
{
	char path[ARENA_TRACE_DIR_MAX + NAME_LIMIT + 8];
	struct life_claim claim = {.boot_id = arena->boot_id,
				   .host = "",
				   .pid_ns = arena->pid_ns,
				   .pid_start = arena->header.pid_start,
				   .pid = arena->header.pid};
	enum life life;

	if (clean->trace && strcmp(clean->trace, arena->trace) != 0)
		return FATE_OTHER;
	life = life_of(&clean->here, &claim);
	if (life == LIFE_RUNS || life == LIFE_DIES ||
	    /* in a container that we cannot look into */
	    (life == LIFE_ELSEWHERE && !force && !strcmp(arena->boot_id, clean->here.boot_id)))
		return FATE_RUNNING;
	snprintf(path, sizeof(path), "%s/%s.lm", arena->trace, stream);
	if (force)
		return FATE_REMOVE;
	return may_be_there(path) || is_in_node(clean, arena) ? FATE_KEEP : FATE_REMOVE;
}

/* "STREAM.defs" or "STREAM.7.ring" -> "STREAM"; false: no live file. */
static bool stream_of(const char *name, char stream[NAME_LIMIT])
{
	const char *end = strrchr(name, '.');

	if (!end || end == name || strlen(name) >= NAME_LIMIT)
		return false;
	if (!strcmp(end, ".ring")) {
		do
			end--;
		while (end > name && isdigit((unsigned char)*end));
		if (*end != '.')
			return false;
	} else if (strcmp(end, ".defs") != 0) {
		return false;
	}
	snprintf(stream, NAME_LIMIT, "%.*s", (int)(end - name), name);
	return true;
}

static void clean_file(struct clean *clean, int dir_fd, const char *dir, const char *name)
{
	char stream[NAME_LIMIT], arena_name[NAME_LIMIT + 8];
	enum fate fate = FATE_OTHER;
	struct arena arena;

	if (!stream_of(name, stream))
		return;
	snprintf(arena_name, sizeof(arena_name), "%s.defs", stream);
	if (read_arena(dir_fd, arena_name, &arena))
		fate = arena_fate(clean, &arena, stream);
	else if (force && !clean->trace)
		fate = FATE_REMOVE;
	if (fate == FATE_REMOVE)
		remove_file(clean, dir_fd, dir, name);
	clean->kept += fate == FATE_KEEP;
	clean->running += fate == FATE_RUNNING;
}

/* Rings first: without their arena they would belong to nobody. */
static void clean_directory(struct clean *clean, const char *path)
{
	static const char *const endings[] = {".ring", ".defs"};
	DIR *dir = opendir(path);

	if (!dir)
		return;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		struct dirent *entry;

		rewinddir(dir);
		while ((entry = readdir(dir))) {
			const char *end = strrchr(entry->d_name, '.');

			if (end && !strcmp(end, endings[i]))
				clean_file(clean, dirfd(dir), path, entry->d_name);
		}
	}
	if (!dry_run)
		livedir_remove(dirfd(dir), path);
	closedir(dir);
}

/* "recorder-UID-0123456789abcdef", a directory of ours: lib/record/live.c makes it. */
static bool is_live_directory(const char *path, const char *name)
{
	struct stat status;

	return livedir_name(name) && !lstat(path, &status) && S_ISDIR(status.st_mode) &&
	       status.st_uid == geteuid();
}

static void clean_below(struct clean *clean, const char *parent)
{
	DIR *dir = parent && *parent ? opendir(parent) : NULL;
	struct dirent *entry;
	char path[4096];

	while (dir && (entry = readdir(dir)))
		if ((size_t)snprintf(path, sizeof(path), "%s/%s", parent, entry->d_name) <
			    sizeof(path) &&
		    is_live_directory(path, entry->d_name))
			clean_directory(clean, path);
	if (dir)
		closedir(dir);
}

/* Wherever the runtime may have put them. */
static void clean_everywhere(struct clean *clean)
{
	const char *const parents[] = {getenv("RECORDER_LIVE_DIR"), "/dev/shm", getenv("TMPDIR"),
				       "/tmp"};

	for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]); i++) {
		size_t k = 0;

		while (parents[i] && (!parents[k] || strcmp(parents[k], parents[i]) != 0))
			k++;
		if (k == i)
			clean_below(clean, parents[i]);
	}
}

int cmd_clean(int argc, char **argv)
{
	struct clean clean = {0};
	struct stat status;
	int at = options_parse(&command, argc, argv);

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	if (argv[at]) {
		clean.trace = realpath(argv[at], NULL);
		if (!clean.trace)
			die("cannot find '%s': %s", argv[at], strerror(errno));
		if (stat(clean.trace, &status) || !S_ISDIR(status.st_mode))
			die("'%s' is no directory, as every trace is that has files in memory",
			    argv[at]);
	}
	life_view_init(&clean.here);
	clean_everywhere(&clean);
	if (clean.kept > 0)
		message_warn("%u files hold records of traces that are there: 'recorder repair' "
			     "first, or "
			     "--force",
			     clean.kept);
	if (!options.quiet)
		printf("%u files %s, %u of running processes\n", clean.removed,
		       dry_run ? "to remove" : "removed", clean.running);
	life_view_release(&clean.here);
	close_nodes(&clean);
	free(clean.trace);
	return clean.error || fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
}
