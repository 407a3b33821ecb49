/* SPDX-License-Identifier: MIT */
/* watched_meta.c - see watched_meta.h */
#include "system/watched_meta.h"

#include <sys/utsname.h>

void watched_meta_begin(struct entries *entries, const struct watch_place *place,
			const struct watched_facts *facts)
{
	struct anchor start = watch_anchor_at(facts->start);
	struct utsname names;

	entries_str(entries, "run.id", place->run_id);
	entries_str(entries, "source", facts->source ? facts->source : "system");
	entries_u64(entries, "pid", facts->pid);
	entries_u64(entries, "ppid", facts->ppid);
	entries_u64(entries, "pid.start", facts->pid_start);
	if (facts->space)
		entries_u64(entries, "pid.ns", facts->space);
	if (facts->outer && facts->outer != facts->pid)
		entries_u64(entries, "pid.outer", facts->outer);
	if (facts->parent)
		entries_u64(entries, "parent.stream", facts->parent);
	entries_u64(entries, "image", 0);
	entries_str(entries, "host", place->host);
	entries_str(entries, "boot.id", place->boot_id);
	entries_str(entries, "system.events", place->events);
	entries_str(entries, "system.missing", place->missing);
	entries_u64(entries, "rank", (uint64_t)facts->job.rank.rank);
	entries_str(entries, "rank.source", facts->job.rank.source);
	if (facts->job.rank.size > 0)
		entries_u64(entries, "size", (uint64_t)facts->job.rank.size);
	entries_str(entries, "world", facts->job.world);
	entries_u64(entries, "main", facts->main);
	entries_str(entries, "recorder.version", RECORDER_VERSION);
	if (!uname(&names)) {
		entries_str(entries, "kernel", names.release);
		entries_str(entries, "machine", names.machine);
	}
	entries_str(entries, "byte.order", "little");
	entries_str(entries, "clock.kind", "monotonic");
	entries_u64(entries, "clock.granule", 1);
	entries_u64(entries, "clock.resolution", place->unit);
	entries_anchor(entries, 0, &start);
}

void watched_meta_end(struct entries *entries, const char *reason, int status, uint64_t when,
		      const struct watched_sums *sums)
{
	struct anchor now = watch_anchor_now(), end = when ? watch_anchor_at(when) : now;

	entries_str(entries, "end.reason", reason);
	entries_i64(entries, "end.status", status);
	entries_u64(entries, "end.time", (uint64_t)end.real);
	entries_anchor(entries, 1, &now);
	entries_u64(entries, "records", sums->records);
	entries_u64(entries, "lost", sums->lost + sums->unwritten);
	if (sums->lost > sums->too_deep)
		entries_u64(entries, "lost.ring_full", sums->lost - sums->too_deep);
	if (sums->too_deep)
		entries_u64(entries, "lost.too_deep", sums->too_deep);
	if (sums->unwritten)
		entries_u64(entries, "lost.write_error", sums->unwritten);
	entries_u64(entries, "threads", sums->threads);
	entries_u64(entries, "chunks", sums->chunks);
	entries_u64(entries, "bytes", sums->bytes);
}
