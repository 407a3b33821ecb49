/* SPDX-License-Identifier: MIT */
/* metadata.c - the entries of the LM. */
#include "record/metadata.h"

#include <string.h>

#include "format/entries.h"
#include "record/aggregate.h"
#include "record/arena.h"
#include "record/bulk.h"
#include "record/call.h"
#include "record/call_counts.h"
#include "record/clock.h"
#include "record/control.h"
#include "record/files.h"
#include "record/identity.h"
#include "record/loss.h"
#include "record/mainspan.h"
#include "record/memsums.h"
#include "record/overhead.h"
#include "record/regions.h"
#include "record/seal.h"
#include "record/stacks.h"
#include "record/stream.h"
#include "record/surroundings.h"
#include "record/sys.h"
#include "record/targets.h"
#include "record/testpoint.h"
#include "record/text.h"
#include "record/thread.h"

#define BODY_SIZE (96u << 10)
#define UNTRACED_MAX 512   /* of reason and path */
#define SYMBOLS_SIZE 8192u /* constants of MPI */
#define CALLS_SIZE 32768u  /* of some thousand functions */

/* Static: written by one thread at the start and by one at the end, whose stacks may be small. */
static uint8_t body[BODY_SIZE] BULK;
static struct entries gathered; /* what of the start is in `body` already */
static char mpi_version[256];
static char mpi_other[128];
static mpi_symbols_each *mpi_symbols;
static bool mpi_initialized, mpi_finalized;

static void put_identity(struct entries *entries)
{
	entries_str(entries, "run.id", identity.run_id);
	entries_u64(entries, "pid", identity.pid);
	entries_u64(entries, "ppid", identity.ppid);
	entries_u64(entries, "pid.start", identity.pid_start);
	if (identity.pid_ns)
		entries_u64(entries, "pid.ns", identity.pid_ns);
	entries_u64(entries, "image", identity.image);
	entries_u64(entries, "parent.stream", identity.parent_stream);
	if (identity.forked)
		entries_u64(entries, "fork.ticks", identity.forked);
	entries_str(entries, "host", identity.host);
	entries_str(entries, "boot.id", identity.boot_id);
	entries_u64(entries, "rank", (uint64_t)identity.rank);
	entries_str(entries, "rank.source", identity.rank_source);
	if (identity.size > 0)
		entries_u64(entries, "size", (uint64_t)identity.size);
	entries_str(entries, "world", identity.world);
	entries_u64(entries, "main", identity.main);
}

/* Where the stream's chunks are: in the file of a node nothing else tells its name. */
static void put_place(struct entries *entries)
{
	if (stream_is_shared())
		entries_str(entries, "stream.name", stream_name());
	entries_str(entries, "aggregate.refused", aggregate_refused());
}

void metadata_gather_start(void)
{
	struct anchor anchor = clock_first_anchor();

	gathered = entries_in(body, sizeof(body));
	entries_anchor(&gathered, 0, &anchor);
	if (mainspan_first())
		entries_u64(&gathered, "main.begin", mainspan_first());
	surroundings_gather(&gathered);
}

const void *metadata_start(size_t *size, uint32_t *count)
{
	struct entries entries = gathered;

	put_identity(&entries);
	put_place(&entries);
	if (mpi_symbols)
		mpi_symbols(surroundings_symbols, &entries);
	*size = entries_size(&entries);
	*count = entries.count;
	return body;
}

static void put_loss(void *data, const char *reason, uint64_t records)
{
	char key[64];
	struct textbuf text = text_in(key, sizeof(key));

	text_add(&text, "lost.");
	text_add(&text, reason);
	entries_u64(data, key, records);
}

/* "3=17": by the function's id, as names would be most of the LM of a short process. */
static void add_calls(struct textbuf *calls, unsigned function, uint64_t count)
{
	text_add(calls, calls->length > 0 ? " " : "");
	text_add_u64(calls, function);
	text_add(calls, "=");
	text_add_u64(calls, count);
}

static void put_skipped(struct entries *entries, const struct function_entry *function,
			uint64_t calls)
{
	char key[160];
	struct textbuf text = text_in(key, sizeof(key));

	text_add(&text, "skipped.");
	text_add(&text, function->name);
	entries_u64(entries, key, calls);
}

struct counted {
	struct entries *entries;
	struct textbuf calls;
};

static void put_function_count(void *data, const struct call_count *count)
{
	struct counted *counted = data;

	if (count->function >= function_count)
		return;
	if (count->recorded)
		add_calls(&counted->calls, count->function, count->recorded);
	if (count->dropped)
		put_skipped(counted->entries, &function_table[count->function], count->dropped);
}

/* Of functions of the catalogue. */
static void put_function_counts(struct entries *entries)
{
	static char calls[CALLS_SIZE] BULK;
	struct counted counted = {entries, text_in(calls, sizeof(calls))};

	call_counts_each(put_function_count, &counted);
	if (!counted.calls.cut)
		entries_str(entries, "calls", calls);
}

/* "target.3.near" has the names that are most like it, a line each: maybe none. */
static void put_unmatched(void *data, unsigned number, const struct target *target,
			  const char *const near[TARGET_NEAR_MAX])
{
	char key[32], names[UNTRACED_MAX];
	struct textbuf text = text_in(key, sizeof(key));

	(void)target;
	if (entries_left(data) < sizeof(names) + SURROUNDINGS_LEFT)
		return;
	text_add(&text, "target.");
	text_add_u64(&text, number);
	text_add(&text, ".near");
	text = text_in(names, sizeof(names));
	for (unsigned i = 0; i < TARGET_NEAR_MAX && near[i]; i++) {
		text_add(&text, i ? "\n" : "");
		text_add(&text, near[i]);
	}
	entries_str(data, key, names);
}

static void put_mpi(struct entries *entries)
{
	entries_str(entries, "mpi.other", mpi_other);
	if (regions_unmatched())
		entries_u64(entries, "user.unmatched", regions_unmatched());
	entries_u64(entries, "mpi.initialized", mpi_initialized);
	entries_u64(entries, "mpi.finalized", mpi_finalized);
	if (!mpi_initialized)
		return;
	entries_str(entries, "mpi.version", mpi_version);
	entries_u64(entries, "mpi.rank", (uint64_t)identity.rank);
	entries_u64(entries, "mpi.size", (uint64_t)identity.size);
}

/* What an LM says at the end of its .rec: counts, and when that was. */
static void put_counts(struct entries *entries, const char *how, enum loss_scope scope)
{
	struct anchor anchor = clock_anchor();

	entries_str(entries, "end.reason", how);
	if (mainspan_last())
		entries_u64(entries, "main.end", mainspan_last());
	entries_u64(entries, "end.time", (uint64_t)anchor.real);
	entries_anchor(entries, 1, &anchor);
	entries_u64(entries, "records", arena_stored());
	entries_u64(entries, "lost", loss_sum(scope));
	loss_each(scope, put_loss, entries);
	entries_u64(entries, "chunks", stream_chunks());
	entries_u64(entries, "bytes", stream_bytes());
	put_function_counts(entries);
}

static int append(const char *suffix, const struct entries *entries, bool final)
{
	return stream_append_meta(suffix, entries->body, entries_size(entries), entries->count,
				  final);
}

static int write_segment(const char *suffix, uint32_t number, uint64_t of)
{
	struct entries entries = entries_in(body, sizeof(body));

	entries_u64(&entries, "segment", number);
	if (of)
		entries_u64(&entries, "segment.of", of);
	return append(suffix, &entries, false);
}

int metadata_write_segment(const char *suffix, uint32_t number)
{
	int error = write_segment(suffix, number, identity.stream_id);

	test_point("segment-named");
	return error ? error : write_segment(".lm", number + 1, 0);
}

int metadata_write_segment_end(const char *suffix)
{
	struct entries entries = entries_in(body, sizeof(body));

	put_counts(&entries, "rotated", LOSS_OF_SEGMENT);
	return append(suffix, &entries, true);
}

int metadata_write_end(const char *how, int status)
{
	struct entries entries = entries_in(body, sizeof(body));
	struct anchor now = clock_anchor();

	entries_i64(&entries, "end.status", status);
	put_counts(&entries, how, LOSS_OF_PROCESS);
	if (control_pauses()) {
		entries_u64(&entries, "pauses", control_pauses());
		entries_u64(&entries, "paused", control_paused_ns());
	}
	if (stacks_missing())
		entries_u64(&entries, "stacks.missing", stacks_missing());
	if (files_unnamed())
		entries_u64(&entries, "files.unnamed", files_unnamed());
	if (memsums_uncounted())
		entries_u64(&entries, "mem.uncounted", memsums_uncounted());
	entries_u64(&entries, "threads", thread_count());
	entries_u64(&entries, "overhead", overhead_estimate(&now));
	entries_u64(&entries, "cpu", (uint64_t)sys_clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	put_mpi(&entries);
	targets_each_unmatched(put_unmatched, &entries);
	return append(".lm", &entries, true);
}

/* One entry, at once. */
static int append_u64(const char *key, uint64_t value)
{
	uint8_t small[32];
	struct entries entries = entries_in(small, sizeof(small));

	entries_u64(&entries, key, value);
	return append(".lm", &entries, false);
}

static int append_str(const char *key, const char *text)
{
	uint8_t small[UNTRACED_MAX + 64];
	struct entries entries = entries_in(small, sizeof(small));

	entries_str(&entries, key, text);
	return append(".lm", &entries, false);
}

int metadata_write_untraced(uint32_t number, const char *reason, const char *path)
{
	char key[32], value[UNTRACED_MAX];
	struct textbuf text = text_in(key, sizeof(key));

	text_add(&text, "untraced.");
	text_add_u64(&text, number);
	text = text_in(value, sizeof(value));
	text_add(&text, reason);
	text_add(&text, " ");
	text_add(&text, path);
	return append_str(key, value);
}

int metadata_write_target(unsigned number, const char *target)
{
	char key[32];
	struct textbuf text = text_in(key, sizeof(key));

	text_add(&text, "target.");
	text_add_u64(&text, number);
	return append_str(key, target);
}

int metadata_write_private(void)
{
	return append_u64("live.private", 1);
}

int metadata_write_main(uint64_t begin)
{
	return append_u64("main.begin", begin);
}

int metadata_write_failed(const char *error)
{
	char reason[64];
	struct textbuf text = text_in(reason, sizeof(reason));

	text_add(&text, "not recorded: ");
	text_add(&text, error ? error : "error");
	return append_str("end.reason", reason);
}

int metadata_write_resumed(void)
{
	return append_str("end.reason", "running on after a failed exec");
}

int metadata_write_sandboxed(const char *reason)
{
	return append_str("sandboxed", reason);
}

void metadata_set_mpi(const char *version)
{
	struct textbuf text = text_in(mpi_version, sizeof(mpi_version));

	if (version)
		text_add(&text, version);
	mpi_initialized = true;
}

/* The process may end without notice: at once, if its LM is there already. */
void metadata_set_mpi_symbols(mpi_symbols_each *each)
{
	static uint8_t symbols[SYMBOLS_SIZE] BULK;
	struct entries entries = entries_in(symbols, sizeof(symbols));

	each(surroundings_symbols, &entries);
	if (entries.count == 0)
		return;
	mpi_symbols = each;
	append(".lm", &entries, false);
}

static const char *point_key(char *buffer, size_t size, uint32_t number, const char *name)
{
	struct textbuf key = text_in(buffer, size);

	text_add(&key, "clock.point.");
	text_add_u64(&key, number);
	text_add(&key, name);
	return buffer;
}

int metadata_write_point(const char *reference, int64_t mono, int64_t offset, uint64_t error)
{
	static uint32_t number;
	uint8_t small[256];
	struct entries entries = entries_in(small, sizeof(small));
	char key[48];
	int result;

	if (number == 0)
		entries_str(&entries, "clock.reference", reference);
	entries_i64(&entries, point_key(key, sizeof(key), number, ".mono"), mono);
	entries_i64(&entries, point_key(key, sizeof(key), number, ".offset"), offset);
	entries_u64(&entries, point_key(key, sizeof(key), number, ".error"), error);
	result = append(".lm", &entries, false);
	number += !result;
	return result;
}

void metadata_set_mpi_other(const char *library)
{
	struct textbuf text = text_in(mpi_other, sizeof(mpi_other));

	text_add(&text, library);
}

void metadata_set_mpi_finalized(void)
{
	mpi_finalized = true;
}
