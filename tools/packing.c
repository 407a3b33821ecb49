/* SPDX-License-Identifier: MIT */
/* packing.c - see packing.h */
#include "packing.h"

#include <errno.h>
#include <sys/stat.h>

#include "itself.h"
#include "output.h"
#include "pack_share.h"
#include "progress.h"

static void sink_data(void *self, const void *bytes, size_t size)
{
	pack_store_data(self, bytes, size);
}

static uint64_t sink_words(void *self, uint32_t like, const void *bytes, size_t size)
{
	return pack_store_words(self, like, bytes, size);
}

static void add_parts(struct pack_store *store, const struct pack_source *source,
		      const struct output *output)
{
	struct part_sink sink = {sink_data, sink_words, store};
	struct part_maker *maker = part_maker_new(&sink);

	for (uint32_t i = 0; i < source->count && !output_failed(output); i++) {
		pack_share_part(maker, source, &source->parts[i]);
		pack_store_part(store, part_shape(maker));
		progress_report("packing", i + 1, source->count);
	}
	part_maker_free(maker);
}

static void add_shared_parts(struct pack_store *store, const struct pack_source *source,
			     const struct output *output, struct pack_share *share)
{
	for (uint32_t i = 0; i < source->count && !output_failed(output); i++) {
		pack_share_add(share, i, store);
		progress_report("packing", i + 1, source->count);
	}
}

/* By the leader. */
static void put_together(const struct packing *packing, const struct pack_source *source,
			 struct pack_share *share, struct pack_sizes *sizes)
{
	struct output_options output_options = {.force = packing->force,
						.jobs = 1,
						.rights = pack_source_rights(source)};
	struct output output;
	struct pack_store *store;

	if (source->packed)
		itself_forget();
	output_begin(&output, packing->path, &output_options);
	store = pack_store_new(&output);
	if (share->who.count > 1)
		add_shared_parts(store, source, &output, share);
	else
		add_parts(store, source, &output);
	pack_store_end(store, sizes);
	pack_store_free(store);
	output_end(&output);
	progress_clear();
}

/* Whether it would be replaced; to what is no file, as /dev/null, it is written. */
static bool replaces(const char *path)
{
	struct stat status;

	return !stat(path, &status) && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

bool packing_run(const struct packing *packing, const struct pack_source *source,
		 struct pack_sizes *sizes)
{
	struct pack_share share;

	if (!packing->force && replaces(packing->path))
		output_die(packing->path, -EEXIST);
	pack_share_init(&share, packing->beside, packing->jobs, source->count);
	if (share.who.count > 1)
		pack_share_work(&share, source);
	if (share.who.number == 0)
		put_together(packing, source, &share, sizes);
	pack_share_release(&share);
	return share.who.number == 0;
}
