/* SPDX-License-Identifier: MIT */
/* metadata.c - the entries of the LM. */
#include "record/metadata.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "format/job.h"
#include "format/meta.h"
#include "format/secrets.h"
#include "record/aggregate.h"
#include "record/arena.h"
#include "record/call.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/control.h"
#include "record/files.h"
#include "record/glibc.h"
#include "record/identity.h"
#include "record/live.h"
#include "record/loss.h"
#include "record/machine.h"
#include "record/mainspan.h"
#include "record/memsums.h"
#include "record/overhead.h"
#include "record/regions.h"
#include "record/seal.h"
#include "record/selection.h"
#include "record/stacks.h"
#include "record/stream.h"
#include "record/sys.h"
#include "record/targets.h"
#include "record/text.h"
#include "record/thread.h"

#define BODY_SIZE (96u << 10)
#define ARGV_MAX 4096
#define UNTRACED_MAX 512 /* of reason and path */
#define ENVIRONMENT_NAME_MAX 256
#define ENVIRONMENT_VALUE_MAX 4096
#define ENVIRONMENT_ROOM (8u << 10) /* left free by it in the body */
#define SYMBOLS_MAX 4096            /* holds all of a kind */
#define FILE_MAX 16384              /* as much of /proc/self/mountinfo is kept */

/* Static: written by one thread at the start and by one at the end, whose stacks may be small. */
static uint8_t body[BODY_SIZE];
static uint32_t entries;
static struct packer gathered; /* what of the start is in `body` already */
static char mpi_version[256];
static char mpi_other[128];
static mpi_symbols_each *mpi_symbols;
static bool mpi_initialized, mpi_finalized;

static void put_u64(struct packer *packer, const char *key, uint64_t value)
{
	meta_put_u64(packer, key, value);
	entries++;
}

static void put_str(struct packer *packer, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	meta_put_str(packer, key, value);
	entries++;
}

static void put_anchor(struct packer *packer, unsigned number, const struct anchor *anchor)
{
	char key[32];
	struct textbuf text = text_in(key, sizeof(key));
	size_t prefix;

	text_add(&text, "anchor.");
	text_add_u64(&text, number);
	text_add(&text, ".");
	prefix = text.length;
	text_add(&text, "ticks");
	put_u64(packer, key, anchor->ticks);
	text.length = prefix;
	text_add(&text, "mono");
	meta_put_i64(packer, key, anchor->mono);
	text.length = prefix;
	text_add(&text, "real");
	meta_put_i64(packer, key, anchor->real);
	entries += 2;
}

static void put_environment(struct packer *packer, const char *key, const char *const *names)
{
	for (; *names; names++) {
		const char *value = getenv(*names);

		if (value && *value) {
			put_str(packer, key, value);
			return;
		}
	}
}

static void put_identity(struct packer *packer)
{
	put_str(packer, "run.id", identity.run_id);
	put_u64(packer, "pid", identity.pid);
	put_u64(packer, "ppid", identity.ppid);
	put_u64(packer, "pid.start", identity.pid_start);
	if (identity.pid_ns)
		put_u64(packer, "pid.ns", identity.pid_ns);
	put_u64(packer, "image", identity.image);
	put_u64(packer, "parent.stream", identity.parent_stream);
	put_str(packer, "host", identity.host);
	put_str(packer, "boot.id", identity.boot_id);
	put_u64(packer, "rank", (uint64_t)identity.rank);
	put_str(packer, "rank.source", identity.rank_source);
	if (identity.size > 0)
		put_u64(packer, "size", (uint64_t)identity.size);
	put_str(packer, "world", identity.world);
	put_u64(packer, "main", identity.main);
}

/* Where the stream's chunks are: in the file of a node nothing else tells its name. */
static void put_place(struct packer *packer)
{
	if (stream_is_shared())
		put_str(packer, "stream.name", stream_name());
	put_str(packer, "aggregate.refused", aggregate_refused());
}

static void put_argv(struct packer *packer)
{
	static char argv[ARGV_MAX];
	size_t size;

	if (config_secrets() == SECRETS_LEAVE_OUT)
		return;
	size = sys_read_file("/proc/self/cmdline", argv, sizeof(argv));
	if (size == 0)
		return;
	if (config_secrets() == SECRETS_MASK)
		secrets_mask_argv(argv, size);
	meta_put_bytes(packer, "argv", argv, size);
	entries++;
}

static void put_process(struct packer *packer)
{
	static char path[PATH_MAX];
	long length = sys_readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	put_str(packer, "exe", path);
	put_argv(packer);
	if (sys_getcwd(path, sizeof(path)) > 0)
		put_str(packer, "cwd", path);
	put_u64(packer, "uid", (uint64_t)geteuid());
	put_str(packer, "live.dir", live_directory());
	put_str(packer, "tags", config.tags);
}

/* The CPUs the process may run on, as a list of ranges. */
static void put_affinity(struct packer *packer)
{
	char list[256];
	struct textbuf text = text_in(list, sizeof(list));
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return;
	for (int first = 0; first < CPU_SETSIZE; first++) {
		int last = first;

		if (!CPU_ISSET(first, &set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
			last++;
		text_add(&text, text.length ? "," : "");
		text_add_u64(&text, (uint64_t)first);
		if (last > first) {
			text_add(&text, "-");
			text_add_u64(&text, (uint64_t)last);
		}
		first = last;
	}
	put_str(packer, "affinity", list);
}

/* What names of the kind stand for here, where that is not what readers expect. */
static void put_symbols(void *data, const char *kind, const struct machine_symbol *symbols)
{
	static char list[SYMBOLS_MAX];
	struct textbuf text = text_in(list, sizeof(list));
	char name[32];
	struct textbuf key = text_in(name, sizeof(name));

	machine_differing(symbols, &text);
	text_add(&key, "symbols.");
	text_add(&key, kind);
	put_str(data, name, list);
}

static void put_machine(struct packer *packer)
{
	struct utsname names;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	put_str(packer, "recorder.version", RECORDER_VERSION);
	put_str(packer, "libc", gnu_get_libc_version());
	if (!uname(&names)) {
		put_str(packer, "kernel", names.release);
		put_str(packer, "machine", names.machine);
	}
	put_u64(packer, "cpu.count", cpus > 0 ? (uint64_t)cpus : 0);
	put_affinity(packer);
	put_str(packer, "timezone", getenv("TZ"));
	put_str(packer, "omp.threads", getenv("OMP_NUM_THREADS"));
	put_str(packer, "clock.kind", clock_kind());
	put_u64(packer, "clock.granule", clock_granule());
	put_u64(packer, "clock.resolution", config.time_resolution);
	machine_each_kind(put_symbols, packer);
}

/* The first bytes of a file, in memory that the next call reuses; "" if it cannot be read. */
static const char *read_text(const char *path)
{
	static char text[FILE_MAX];
	size_t size = sys_read_file(path, text, sizeof(text));

	while (size > 0 && text[size - 1] == '\n')
		size--;
	text[size] = '\0';
	return text;
}

/* The memory nodes (NUMA) that the process may use, as a list of ranges. */
static void put_memory_nodes(struct packer *packer)
{
	static const char label[] = "\nMems_allowed_list:";
	const char *line = strstr(read_text("/proc/self/status"), label);
	char list[256];
	struct textbuf text = text_in(list, sizeof(list));

	if (!line)
		return;
	line += strlen(label);
	line += strspn(line, " \t");
	text_add_bytes(&text, line, strcspn(line, "\n"));
	put_str(packer, "affinity.memory", list);
}

/* A limit of the control group (version 2) that the process is in. */
static void put_cgroup_limit(struct packer *packer, const char *key, const char *group,
			     const char *file)
{
	static char buffer[PATH_MAX];
	struct textbuf path = text_in(buffer, sizeof(buffer));

	text_add(&path, "/sys/fs/cgroup");
	text_add(&path, group);
	text_add(&path, "/");
	text_add(&path, file);
	if (!path.cut)
		put_str(packer, key, read_text(buffer));
}

static void put_cgroup(struct packer *packer)
{
	static char group[PATH_MAX];
	struct textbuf text = text_in(group, sizeof(group));
	const char *line = read_text("/proc/self/cgroup");
	const char *own = strstr(line, "0::/");

	if (!own || (own != line && own[-1] != '\n'))
		return;
	text_add_bytes(&text, own + 3, strcspn(own + 3, "\n"));
	put_str(packer, "cgroup", group);
	put_cgroup_limit(packer, "cgroup.memory.max", group, "memory.max");
	put_cgroup_limit(packer, "cgroup.cpu.max", group, "cpu.max");
}

/* What all processes of the rank have in common is told by its own process alone. */
static void put_surroundings(struct packer *packer)
{
	put_str(packer, "byte.order", "little");
	put_memory_nodes(packer);
	put_cgroup(packer);
	put_str(packer, "mounts", read_text("/proc/self/mountinfo"));
}

static void put_job(struct packer *packer)
{
	static const char *const nodes[] = {"SLURM_JOB_NUM_NODES", "OMPI_MCA_orte_num_nodes", NULL};
	static const char *const tasks[] = {"SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE", NULL};

	put_str(packer, "job.id", job_scheduler_id());
	put_str(packer, "job.step", job_scheduler_step());
	put_environment(packer, "nodes", nodes);
	put_environment(packer, "tasks", tasks);
}

static void put_option(void *data, const char *name, const char *value)
{
	char key[160];
	struct textbuf text = text_in(key, sizeof(key));

	text_add(&text, "options.");
	text_add(&text, name);
	put_str(data, key, value);
}

/* One variable of the program's environment, if it was asked for. */
static void put_variable(struct packer *packer, const char *name, const char *value)
{
	static char masked[ENVIRONMENT_VALUE_MAX];
	char key[ENVIRONMENT_NAME_MAX + 4];
	struct textbuf text = text_in(masked, sizeof(masked));
	struct textbuf key_text = text_in(key, sizeof(key));

	text_add(&text, value);
	if (config_secrets() != SECRETS_KEEP)
		secrets_mask_variable(name, masked, text.length);
	text_add(&key_text, "env.");
	text_add(&key_text, name);
	meta_put_str(packer, key, masked);
	entries++;
}

static void put_logged_environment(struct packer *packer)
{
	for (char **variable = environ; config.log_env && variable && *variable; variable++) {
		const char *equals = strchr(*variable, '=');
		char name[ENVIRONMENT_NAME_MAX];
		struct textbuf text = text_in(name, sizeof(name));

		if (!equals || packer->end - packer->p < ENVIRONMENT_VALUE_MAX + ENVIRONMENT_ROOM)
			continue;
		text_add_bytes(&text, *variable, (size_t)(equals - *variable));
		if (!text.cut && selection_chosen(config.log_env, name))
			put_variable(packer, name, equals + 1);
	}
}

void metadata_gather_start(void)
{
	struct packer packer = packer_of(body, sizeof(body));
	struct anchor anchor = clock_first_anchor();

	entries = 0;
	put_anchor(&packer, 0, &anchor);
	put_process(&packer);
	if (mainspan_first())
		put_u64(&packer, "main.begin", mainspan_first());
	put_machine(&packer);
	put_job(&packer);
	if (identity.main)
		put_surroundings(&packer);
	config_each(put_option, &packer);
	put_logged_environment(&packer);
	gathered = packer;
}

const void *metadata_start(size_t *size, uint32_t *count)
{
	struct packer packer = gathered;
	uint32_t before = entries;

	put_identity(&packer);
	put_place(&packer);
	if (mpi_symbols)
		mpi_symbols(put_symbols, &packer);
	*size = packer_size(&packer, body);
	*count = entries;
	entries = before;
	return body;
}

static void put_loss(void *data, const char *reason, uint64_t records)
{
	char key[64];
	struct textbuf text = text_in(key, sizeof(key));

	text_add(&text, "lost.");
	text_add(&text, reason);
	put_u64(data, key, records);
}

static void put_calls(struct packer *packer, const struct function_entry *function, uint64_t calls)
{
	char key[160];
	struct textbuf text = text_in(key, sizeof(key));

	text_add(&text, "calls.");
	text_add(&text, layer_table[function->layer].name);
	text_add(&text, ".");
	text_add(&text, function->name);
	put_u64(packer, key, calls);
}

static void put_skipped(struct packer *packer, const struct function_entry *function,
			uint64_t calls)
{
	char key[160];
	struct textbuf text = text_in(key, sizeof(key));

	text_add(&text, "skipped.");
	text_add(&text, function->name);
	put_u64(packer, key, calls);
}

static void put_function_counts(struct packer *packer)
{
	for (unsigned i = 0; i < function_count; i++) {
		if (seal_function_calls(i))
			put_calls(packer, &function_table[i], seal_function_calls(i));
		if (call_skipped(i))
			put_skipped(packer, &function_table[i], call_skipped(i));
	}
}

/* "target.3.near" has the names that are most like it, a line each: maybe none. */
static void put_unmatched(void *data, unsigned number, const struct target *target,
			  const char *const near[TARGET_NEAR_MAX])
{
	char key[32], names[UNTRACED_MAX];
	struct textbuf text = text_in(key, sizeof(key));

	(void)target;
	if (((struct packer *)data)->end - ((struct packer *)data)->p <
	    (ptrdiff_t)(sizeof(names) + ENVIRONMENT_ROOM))
		return;
	text_add(&text, "target.");
	text_add_u64(&text, number);
	text_add(&text, ".near");
	text = text_in(names, sizeof(names));
	for (unsigned i = 0; i < TARGET_NEAR_MAX && near[i]; i++) {
		text_add(&text, i ? "\n" : "");
		text_add(&text, near[i]);
	}
	put_str(data, key, names);
}

static void put_mpi(struct packer *packer)
{
	put_str(packer, "mpi.other", mpi_other);
	if (regions_unmatched())
		put_u64(packer, "user.unmatched", regions_unmatched());
	put_u64(packer, "mpi.initialized", mpi_initialized);
	put_u64(packer, "mpi.finalized", mpi_finalized);
	if (!mpi_initialized)
		return;
	put_str(packer, "mpi.version", mpi_version);
	put_u64(packer, "mpi.rank", (uint64_t)identity.rank);
	put_u64(packer, "mpi.size", (uint64_t)identity.size);
}

/* What an LM says at the end of its .rec: counts, and when that was. */
static void put_counts(struct packer *packer, const char *how, enum loss_scope scope)
{
	struct anchor anchor = clock_anchor();

	put_str(packer, "end.reason", how);
	if (mainspan_last())
		put_u64(packer, "main.end", mainspan_last());
	put_u64(packer, "end.time", (uint64_t)anchor.real);
	put_anchor(packer, 1, &anchor);
	put_u64(packer, "records", arena_stored());
	put_u64(packer, "lost", loss_sum(scope));
	loss_each(scope, put_loss, packer);
	put_u64(packer, "chunks", stream_chunks());
	put_u64(packer, "bytes", stream_bytes());
	put_function_counts(packer);
}

static int write_segment(const char *suffix, uint32_t number, uint64_t of)
{
	struct packer packer = packer_of(body, sizeof(body));

	entries = 0;
	put_u64(&packer, "segment", number);
	if (of)
		put_u64(&packer, "segment.of", of);
	return stream_append_meta(suffix, body, packer_size(&packer, body), entries, false);
}

int metadata_write_segment(const char *suffix, uint32_t number)
{
	int error = write_segment(suffix, number, identity.stream_id);

	return error ? error : write_segment(".lm", number + 1, 0);
}

int metadata_write_segment_end(const char *suffix)
{
	struct packer packer = packer_of(body, sizeof(body));

	entries = 0;
	put_counts(&packer, "rotated", LOSS_OF_SEGMENT);
	return stream_append_meta(suffix, body, packer_size(&packer, body), entries, true);
}

int metadata_write_end(const char *how, int status)
{
	struct packer packer = packer_of(body, sizeof(body));
	struct anchor now = clock_anchor();

	entries = 0;
	meta_put_i64(&packer, "end.status", status);
	entries++;
	put_counts(&packer, how, LOSS_OF_PROCESS);
	if (control_pauses()) {
		put_u64(&packer, "pauses", control_pauses());
		put_u64(&packer, "paused", control_paused_ns());
	}
	if (stacks_missing())
		put_u64(&packer, "stacks.missing", stacks_missing());
	if (files_unnamed())
		put_u64(&packer, "files.unnamed", files_unnamed());
	if (memsums_uncounted())
		put_u64(&packer, "mem.uncounted", memsums_uncounted());
	put_u64(&packer, "threads", thread_count());
	put_u64(&packer, "overhead", overhead_estimate(&now));
	put_u64(&packer, "cpu", (uint64_t)sys_clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	put_mpi(&packer);
	targets_each_unmatched(put_unmatched, &packer);
	return stream_append_meta(".lm", body, packer_size(&packer, body), entries, true);
}

int metadata_write_untraced(uint32_t number, const char *reason, const char *path)
{
	char key[32], value[UNTRACED_MAX];
	uint8_t small[UNTRACED_MAX + 64];
	struct packer packer = packer_of(small, sizeof(small));
	struct textbuf text = text_in(key, sizeof(key));

	text_add(&text, "untraced.");
	text_add_u64(&text, number);
	text = text_in(value, sizeof(value));
	text_add(&text, reason);
	text_add(&text, " ");
	text_add(&text, path);
	meta_put_str(&packer, key, value);
	return stream_append_meta(".lm", small, packer_size(&packer, small), 1, false);
}

int metadata_write_target(unsigned number, const char *target)
{
	uint8_t small[UNTRACED_MAX + 64];
	struct packer packer = packer_of(small, sizeof(small));
	char key[32];
	struct textbuf text = text_in(key, sizeof(key));

	text_add(&text, "target.");
	text_add_u64(&text, number);
	meta_put_str(&packer, key, target);
	return stream_append_meta(".lm", small, packer_size(&packer, small), 1, false);
}

int metadata_write_private(void)
{
	uint8_t small[32];
	struct packer packer = packer_of(small, sizeof(small));

	meta_put_u64(&packer, "live.private", 1);
	return stream_append_meta(".lm", small, packer_size(&packer, small), 1, false);
}

int metadata_write_main(uint64_t begin)
{
	uint8_t small[32];
	struct packer packer = packer_of(small, sizeof(small));

	meta_put_u64(&packer, "main.begin", begin);
	return stream_append_meta(".lm", small, packer_size(&packer, small), 1, false);
}

int metadata_write_failed(const char *error)
{
	uint8_t small[128];
	struct packer packer = packer_of(small, sizeof(small));
	char reason[64];
	struct textbuf text = text_in(reason, sizeof(reason));

	text_add(&text, "not recorded: ");
	text_add(&text, error ? error : "error");
	meta_put_str(&packer, "end.reason", reason);
	return stream_append_meta(".lm", small, packer_size(&packer, small), 1, false);
}

int metadata_write_resumed(void)
{
	struct packer packer = packer_of(body, sizeof(body));

	entries = 0;
	put_str(&packer, "end.reason", "running on after a failed exec");
	return stream_append_meta(".lm", body, packer_size(&packer, body), entries, false);
}

int metadata_write_sandboxed(const char *reason)
{
	struct packer packer = packer_of(body, sizeof(body));

	entries = 0;
	put_str(&packer, "sandboxed", reason);
	return stream_append_meta(".lm", body, packer_size(&packer, body), entries, false);
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
	static uint8_t symbols[2 * SYMBOLS_MAX];
	struct packer packer = packer_of(symbols, sizeof(symbols));
	uint32_t before = entries, count;

	entries = 0;
	each(put_symbols, &packer);
	count = entries;
	entries = before;
	if (count == 0)
		return;
	mpi_symbols = each;
	stream_append_meta(".lm", symbols, packer_size(&packer, symbols), count, false);
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
	struct packer packer = packer_of(small, sizeof(small));
	char key[48];
	int result;

	if (number == 0)
		meta_put_str(&packer, "clock.reference", reference);
	meta_put_i64(&packer, point_key(key, sizeof(key), number, ".mono"), mono);
	meta_put_i64(&packer, point_key(key, sizeof(key), number, ".offset"), offset);
	meta_put_u64(&packer, point_key(key, sizeof(key), number, ".error"), error);
	result = stream_append_meta(".lm", small, packer_size(&packer, small), number == 0 ? 4 : 3,
				    false);
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
