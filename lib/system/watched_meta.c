/* SPDX-License-Identifier: MIT */
/* watched_meta.c - see watched_meta.h */
#include "system/watched_meta.h"

#include <stdio.h>
#include <sys/utsname.h>

#include "format/meta.h"

static void put_u64(struct meta_page *page, const char *key, uint64_t value)
{
	meta_put_u64(&page->packer, key, value);
	page->count++;
}

static void put_str(struct meta_page *page, const char *key, const char *value)
{
	meta_put_str(&page->packer, key, value);
	page->count++;
}

static void put_anchor(struct meta_page *page, const char *number, struct anchor anchor)
{
	char key[32];

	snprintf(key, sizeof(key), "anchor.%s.ticks", number);
	put_u64(page, key, anchor.ticks);
	snprintf(key, sizeof(key), "anchor.%s.mono", number);
	meta_put_i64(&page->packer, key, anchor.mono);
	snprintf(key, sizeof(key), "anchor.%s.real", number);
	meta_put_i64(&page->packer, key, anchor.real);
	page->count += 2;
}

void watched_meta_begin(struct meta_page *page, const struct watch_place *place,
			const struct watched_facts *facts)
{
	struct utsname names;

	put_str(page, "run.id", place->run_id);
	put_str(page, "source", facts->source ? facts->source : "system");
	put_u64(page, "pid", facts->pid);
	put_u64(page, "ppid", facts->ppid);
	put_u64(page, "pid.start", facts->pid_start);
	if (facts->space)
		put_u64(page, "pid.ns", facts->space);
	if (facts->outer && facts->outer != facts->pid)
		put_u64(page, "pid.outer", facts->outer);
	if (facts->parent)
		put_u64(page, "parent.stream", facts->parent);
	put_u64(page, "image", 0);
	put_str(page, "host", place->host);
	put_str(page, "boot.id", place->boot_id);
	if (*place->events)
		put_str(page, "system.events", place->events);
	if (*place->missing)
		put_str(page, "system.missing", place->missing);
	put_u64(page, "rank", (uint64_t)facts->job.rank.rank);
	if (facts->job.rank.source)
		put_str(page, "rank.source", facts->job.rank.source);
	if (facts->job.rank.size > 0)
		put_u64(page, "size", (uint64_t)facts->job.rank.size);
	if (*facts->job.world)
		put_str(page, "world", facts->job.world);
	put_u64(page, "main", facts->main);
	put_str(page, "recorder.version", RECORDER_VERSION);
	if (!uname(&names)) {
		put_str(page, "kernel", names.release);
		put_str(page, "machine", names.machine);
	}
	put_str(page, "byte.order", "little");
	put_str(page, "clock.kind", "monotonic");
	put_u64(page, "clock.granule", 1);
	put_u64(page, "clock.resolution", place->unit);
	put_anchor(page, "0", watch_anchor_at(facts->start));
}

void watched_meta_end(struct meta_page *page, const char *reason, int status, uint64_t when,
		      const struct watched_sums *sums)
{
	struct anchor end = when ? watch_anchor_at(when) : watch_anchor_now();

	put_str(page, "end.reason", reason);
	meta_put_i64(&page->packer, "end.status", status);
	page->count++;
	put_u64(page, "end.time", (uint64_t)end.real);
	put_anchor(page, "1", watch_anchor_now());
	put_u64(page, "records", sums->records);
	put_u64(page, "lost", sums->lost + sums->unwritten);
	if (sums->lost > sums->too_deep)
		put_u64(page, "lost.ring_full", sums->lost - sums->too_deep);
	if (sums->too_deep)
		put_u64(page, "lost.too_deep", sums->too_deep);
	if (sums->unwritten)
		put_u64(page, "lost.write_error", sums->unwritten);
	put_u64(page, "threads", sums->threads);
	put_u64(page, "chunks", sums->chunks);
	put_u64(page, "bytes", sums->bytes);
}
