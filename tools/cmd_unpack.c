/* SPDX-License-Identifier: MIT */
/* cmd_unpack.c - recorder unpack: the directory that a packed trace was made from */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "message.h"
#include "newdir.h"
#include "options.h"
#include "pack_source.h"
#include "progress.h"
#include "ranks.h"
#include "read/packed.h"
#include "unpack.h"

static const char *target;
static bool force;

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "DIR", "the new directory (default: NAME here)", &target,
	 NULL},
	{OPTION_FLAG, 0, "force", NULL, "replace a trace that is there", &force, NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder unpack",
	.synopsis = "[options] FILE",
	.summary = "Makes of a packed trace the directory again that it was packed from.",
	.groups = groups,
	.examples = "  recorder unpack job.rtrace            job\n"
		    "  recorder unpack -o /tmp/trace job.rtrace\n",
};

/* "x/NAME.rtrace" -> "NAME"; "NAME" of another file -> "NAME.d". */
static char *default_path(const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	size_t length = strlen(name);
	bool usual = length > 7 && strcmp(name + length - 7, ".rtrace") == 0;
	char *path = NULL;

	if (asprintf(&path, "%.*s%s", (int)(usual ? length - 7 : length), name, usual ? "" : ".d") <
	    0)
		die("out of memory");
	return path;
}

/* Rights as the packed file has them, whatever the umask is. */
static bool unpack_one(const struct pack_source *source, int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool same;

	if (fd < 0 || fchmod(fd, pack_source_rights(source)))
		die("cannot make '%s/%s': %s", target, name, strerror(errno));
	same = unpack_file(source->packed, packed_find(source->packed, name), fd, name);
	if (close(fd))
		die("cannot write '%s/%s': %s", target, name, strerror(errno));
	return same;
}

/* Who may read files may search their directory. */
static mode_t folder_rights(mode_t rights)
{
	return rights | (rights & 0444) >> 2;
}

int cmd_unpack(int argc, char **argv)
{
	int at = options_parse(&command, argc, argv);
	struct pack_source source;
	uint32_t files = 0, other = 0;
	char *path = NULL;
	int dir_fd;

	if (argc - at != 1)
		options_usage_error(&command, "which packed trace?");
	ranks_leave_to_first();
	pack_source_open(&source, argv[at]);
	if (!source.packed)
		die("'%s' is a directory, not a packed trace", argv[at]);
	if (!target)
		target = path = default_path(argv[at]);
	dir_fd = open(newdir_begin(target, force), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (dir_fd < 0 || fchmod(dir_fd, folder_rights(pack_source_rights(&source))))
		die("cannot open '%s': %s", target, strerror(errno));
	for (uint32_t i = 0; i < source.count; i++) {
		for (unsigned k = 0; k < 2 && source.parts[i].files[k]; k++, files++)
			other += !unpack_one(&source, dir_fd, source.parts[i].files[k]);
		progress_report("unpacking", i + 1, source.count);
	}
	progress_clear();
	newdir_commit();
	if (other > 0)
		message_warn("%" PRIu32 " files hold the same records, but are not the same bytes: "
			     "this zlib compresses otherwise",
			     other);
	message_note("%" PRIu32 " files in %s", files, target);
	close(dir_fd);
	pack_source_close(&source);
	free(path);
	return EXIT_DONE;
}
