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

int fold_trace(const char *dir, int64_t died, bool thorough, struct fold_result *result)
{
	struct fold fold = {.dir = dir, .died = died, .thorough = thorough, .result = result};
	struct dirent *entry;
	DIR *entries = opendir(dir);
	uint64_t done = 0;
	int error = 0;

	memset(result, 0, sizeof(*result));
	if (!entries)
		return -errno;
	fold.dir_fd = dirfd(entries);
	life_view_init(&fold.here);
	while ((entry = readdir(entries)))
		if (is_lm(entry->d_name) && fold_has_content(fold.dir_fd, entry->d_name)) {
			fold_stream(&fold, entry->d_name);
			progress_report("completing stream", ++done, 0);
		}
	progress_clear();
	if (result->folded + result->clean + result->running + result->elsewhere > 0)
		error = rebuild_global(&fold);
	life_view_release(&fold.here);
	closedir(entries);
	return error;
}
