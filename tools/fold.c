/* SPDX-License-Identifier: MIT */
/* fold.c - see fold.h */
#include "fold.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "foldstream.h"
#include "format/meta.h"
#include "progress.h"

/* recorder.gm can be made again from any stream. */
static int rebuild_global(struct fold *fold)
{
	struct chunk_header header = {.type = CHUNK_META, .count = 2};
	uint8_t body[NAME_LIMIT + 64];
	struct packer packer = packer_of(body, sizeof(body));
	struct chunkfile global = {.fd = -1};
	int error;

	if (!faccessat(fold->dir_fd, "recorder.gm", F_OK, AT_SYMLINK_NOFOLLOW) ||
	    !fold->facts.run_id[0])
		return 0;
	error = chunkfile_create(&global, fold->dir_fd, "recorder.gm", FILE_GLOBAL, 0);
	meta_put_str(&packer, "run.id", fold->facts.run_id);
	meta_put_str(&packer, "format", "1.0");
	header.body_size = header.plain_size = (uint32_t)packer_size(&packer, body);
	if (!error)
		error = chunkfile_append(&global, &header, body);
	chunkfile_close(&global);
	return error;
}

static bool is_lm(const char *name)
{
	size_t length = strlen(name);

	return length > 3 && length < NAME_LIMIT && name[0] != '.' &&
	       !strcmp(name + length - 3, ".lm");
}

/* Streams without metadata are those of nobody: what they had in memory cannot be found. */
static void fold_nodes(struct fold *fold, struct nodes *nodes, uint64_t done)
{
	for (uint32_t i = 0; i < nodes->named_count; i++) {
		struct node_stream *stream = nodes->named[i];

		if (!stream || !*stream->live_name)
			continue;
		fold_node_stream(fold, stream);
		progress_report("completing stream", ++done, 0);
	}
}

/* One file of the trace's directory. 0 or -ENOMEM. */
static int fold_file(struct fold *fold, struct nodes *nodes, const char *name, uint64_t *done)
{
	if (node_is_name(name))
		return nodes_add(nodes, name);
	if (is_lm(name) && fold_has_content(fold->dir_fd, name)) {
		fold_stream(fold, name);
		progress_report("completing stream", ++*done, 0);
	}
	return 0;
}

int fold_trace(const char *dir, int64_t died, bool thorough, struct fold_result *result)
{
	struct fold fold = {.dir = dir, .died = died, .thorough = thorough, .result = result};
	struct dirent *entry;
	DIR *entries = opendir(dir);
	struct tracefiles files;
	struct nodes nodes = {.files = &files};
	uint64_t done = 0;
	int error = 0;

	memset(result, 0, sizeof(*result));
	if (!entries)
		return -errno;
	fold.dir_fd = dirfd(entries);
	life_view_init(&fold.here);
	tracefiles_init(&files, fold.dir_fd);
	while (!error && (entry = readdir(entries)))
		error = fold_file(&fold, &nodes, entry->d_name, &done);
	if (!error)
		error = nodes_load(&nodes);
	if (!error)
		fold_nodes(&fold, &nodes, done);
	progress_clear();
	tracefiles_release(&files);
	nodes_release(&nodes);
	if (!error && result->folded + result->clean + result->running + result->elsewhere > 0)
		error = rebuild_global(&fold);
	life_view_release(&fold.here);
	closedir(entries);
	return error;
}
